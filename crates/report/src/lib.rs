//! What engines return, and how it is shown.
//!
//! Engines fill in [`Verdict`], which is plain data with all names already spelled out; nothing here decides anything.

mod verdict;
mod violation;
mod witness;

pub use verdict::{Outcome, Reason, Statistics, Verdict};
pub use violation::{AccessSite, TraceStep, Violation, ViolationKind};
pub use witness::{Edge, Node, WitnessGraph};
