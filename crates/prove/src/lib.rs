//! Assertions that hold in every execution, with no bound: thread-modular abstract interpretation under the memory models of
//! processors (paper 002, FruitTree).
//!
//! `system` finds what holds in every execution whatever memory does; `seen` and `guarded` leave out what order and locks make
//! impossible in all of them; `search` then splits cases by what the loads read, and `order` (by the rules of `rules`) leaves
//! those that the memory model does not allow. A memory model is one arm of a
//! function in `Model::no_reorder` of `fencepost-models`.
//!
//! Deviations from the paper, each with its reason where it is made: a relation between instructions in loops speaks of all
//! their instances (`rules`); a load that reads its own thread's store early says nothing of when that takes effect
//! (`rules`); combinations have the loads of all threads (`search`); after a failed assertion a thread stops, unless the model
//! lets stores pass loads (`case`).

mod bits;
mod case;
mod cells;
mod chunks;
mod code;
mod combination;
mod completion;
mod creation;
mod domain;
#[cfg(test)]
mod domain_tests;
mod dominators;
mod enumerate;
mod explain;
mod flow;
mod guarded;
mod interpret;
mod interval;
mod interval_arithmetic;
mod interval_domain;
mod locks;
mod membars;
mod naming;
mod octagon;
mod octagon_domain;
mod order;
mod proof;
mod property;
mod pthreads;
mod reached;
mod relevance;
mod rules;
mod search;
mod seen;
mod splits;
mod system;
mod unroll;
mod watch;

pub use cells::{Cells, cells, cells_within};
pub use domain::Domain;
pub use enumerate::{Question, TooMany, find_execution, find_execution_within};
pub use explain::source_text;
pub use fencepost_models::Model;
pub use fencepost_models::Refusal;
pub use interval::Interval;
pub use interval_domain::IntervalDomain;
pub use octagon_domain::OctagonDomain;
pub use proof::{Alarm, Answer, Method, NumericDomain, Options, Proof, ReadChoice, ReadSource, prove, prove_cells};
pub use property::{Check, Formula, Term};
pub use pthreads::PthreadFences;
pub use watch::Watch;

/// The models of paper 002; the others are ours.
pub const MODELS_OF_THE_PAPER: [Model; 4] = [Model::Sc, Model::Tso, Model::Pso, Model::Rmo];
