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
