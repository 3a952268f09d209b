//! Assertions that hold in every execution, with no bound: thread-modular abstract interpretation under the memory
//! models of processors (paper 002, FruitTree).
//!
//! - `unfold` turns a C program into a program of cells. The rest of the crate knows no pointers.
//! - `threads` has the flow graph of each thread and its abstract interpretation over one of the `domains`.
//! - `system` finds what holds in every execution whatever memory does. Its modules `seen` and `guarded` leave out what
//!   order and locks make impossible in all of them.
//! - `search` splits cases by what the loads read. Its module `order` leaves out those that the memory model does not
//!   allow, by the rules that its module `rules` has in Datalog for tests. A memory model is one arm of
//!   `Model::no_reorder` of `fencepost-models`.
//! - `proof` asks the search about every property of a program and says what was found, and why (`explain`).
//! - `axioms` is another way to an answer: every execution of a small program, by the axioms of a model. With them and
//!   `fencepost-explore`, `confirm` decides whether an alarm is real.
//! - `verdict` puts all this together for the command line.
//!
//! Deviations from the paper, each with its reason where it is made: a relation between instructions in loops speaks of
//! all their instances (`rules`); a load that reads its own thread's store early says nothing of when that takes effect
//! (`rules`); combinations have the loads of all threads (`search`); after a failed assertion a thread stops, unless
//! the model lets stores pass loads (`case`).
//!
//! ```
//! use fencepost_frontend::parse_fp;
//! use fencepost_prove::{Model, Options, prove};
//!
//! let text = "
//!     atomic flag: bool, data = 0;
//!     thread producer { data.store(7, rlx); flag.store(1, rlx); }
//!     thread consumer { wait(flag == 1, acq); d = data.load(rlx); assert(d == 7); }";
//! let program = parse_fp("MP.fp", text)?.program;
//! let proved = |model| {
//!     let proof = prove(&program, None, &Options::new(model)).expect("no recursion");
//!     proof.answers.iter().all(|answer| answer.is_proved())
//! };
//! assert!(proved(Model::Tso));
//! assert!(!proved(Model::Pso));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axioms;
mod confirm;
mod domains;
mod proof;
mod pthreads;
mod search;
mod system;
mod threads;
mod unfold;
mod verdict;
mod watch;

pub use axioms::{Question, TooMany, find_execution, find_execution_within};
pub use confirm::Confirm;
pub use domains::{Domain, Interval, IntervalDomain, OctagonDomain};
pub use fencepost_models::Model;
pub use fencepost_models::Refusal;
pub use proof::{
    Alarm, Answer, Check, Method, NumericDomain, Options, Proof, ReadChoice, ReadSource, prove, prove_cells,
    source_text,
};
pub use pthreads::PthreadFences;
pub use unfold::{Cells, cells, cells_within};
pub use verdict::verdict;
pub use watch::Watch;

/// The models of paper 002; the others are ours.
pub const MODELS_OF_THE_PAPER: [Model; 4] = [Model::Sc, Model::Tso, Model::Pso, Model::Rmo];
