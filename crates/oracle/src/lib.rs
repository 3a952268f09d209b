//! The definitions of the papers, by brute force over all execution graphs of a small program.
//!
//! This is what the engines are tested against, so it knows none of their ideas: no monitors, no reduction to SC runs.
//! It generates graphs ([`free_graphs`], the system FG of paper 001 §3.2) and asks a question of each, using
//! [`Model::consistent`](fencepost_models::Model::consistent) for what a model allows. It is meant for programs without
//! loops, or with a few iterations; [`Bounds`] cut off the rest, and an answer that a bound prevents is an error.
//!
//! [`appendix_c`] has the counts of paper 004, for tests that compare with them.
//!
//! [`random`] makes programs to test on, as `.fp` text, and shrinks those on which two answers differ.
//!
//! ```
//! use fencepost_frontend::parse_fp;
//! use fencepost_models::Model;
//! use fencepost_oracle::{Bounds, complete_graphs, not_robust};
//!
//! let text = "
//!     atomic x: bool, y: bool;
//!     thread left { x.store(1, rel); a = y.load(acq); }
//!     thread right { y.store(1, rel); b = x.load(acq); }";
//! let program = parse_fp("SB.fp", text)?.program;
//! assert_eq!(complete_graphs(&program, Model::Rc11, Bounds::default())?.len(), 4);
//! let witness = not_robust(&program, Model::Rc11, Bounds::default())?.expect("store buffering");
//! assert!(!Model::Sc.consistent(&witness));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod appendix_c;
mod bounds;
pub mod free_graphs;
mod questions;
pub mod random;
mod stale;
mod survey;

pub use bounds::{BoundExceeded, Bounds};
pub use questions::{
    Behaviour, Failing, behaviours, complete_graphs, deadlock, fails, not_observationally_robust, not_robust, racy,
};
pub use stale::stale_predecessors;
pub use survey::{Survey, survey};
