//! Execution graphs (paper 003 §4, paper 001 §3.1) and the relations that the papers derive from them.
//!
//! A [`Graph`] holds what an execution did: its events, which write each read reads from, and in which order the writes
//! to each location took effect. Everything else is derived: [`Relations`] has each relation of the papers as a small
//! function that reads like its definition, over [`Relation`], a bit matrix.
//!
//! Deviations from the papers, each on purpose:
//! - CTRL events are not kept. What they are for, the domain of the dependency relation dp, is [`Event::used`].
//! - An SC fence can be kept as an RMW of a location of its own, [`SC_FENCE_CELL`]: see [`EventLabel::sc_fence_rmw`].
//! - Serial numbers of a thread's events start at 0.
//!
//! The graph of x := 1 ∥ r := x, in which the read is stale:
//!
//! ```
//! use fencepost_graph::{EventLabel, Graph, Relations};
//! use fencepost_program::{Address, Ordering, Span};
//!
//! let x = Address(0);
//! let mut graph = Graph::initial([(x, 0)]);
//! let initial = graph.writes(x)[0];
//! let write = graph.push(0, EventLabel::write(Ordering::Release, x, 1), Span::default(), Some(initial));
//! let read = graph.push(1, EventLabel::read(Ordering::Acquire, x, 0), Span::default(), Some(initial));
//!
//! let relations = Relations::of(&graph);
//! assert!(relations.rf.contains(initial, read));
//! assert!(relations.mo.contains(initial, write));
//! assert!(relations.fr.contains(read, write));
//! ```

mod event;
mod graph;
mod race;
mod relation;
mod relations;
mod route;
mod set;

pub use event::{Event, EventId, EventKind, EventLabel, SC_FENCE_CELL};
pub use graph::{CanonicalGraph, Graph};
pub use race::{conflicting, races};
pub use relation::Relation;
pub use relations::Relations;
pub use route::{Step, cycle, path};
pub use set::EventSet;
