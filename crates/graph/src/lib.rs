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
