//! The options of a check, and its progress.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use fencepost_budget::Budget;
use fencepost_models::Model;
pub use fencepost_story::Properties;

#[derive(Clone, Debug)]
pub struct Options {
    /// One that `check` takes ([`Model::of`]); [`check`](crate::check) refuses others.
    pub model: Model,
    /// Allow stale values to be read as long as nothing depends on them (paper 001 §4.1).
    pub observational: bool,
    /// Allow a read to be stale if it only repeats a loop, so that its thread is in the same state as before: such a
    /// read is a wait that continues. (Whatever follows it also follows without it, so no outcome is lost.) A read that
    /// an assumption rules out may be stale too. `None`: in C, where loops are how threads wait.
    pub spins_are_waits: Option<bool>,
    pub properties: Properties,
    /// Time for the search for changes of orderings that repair a violation. It checks the program many times.
    pub fixes: Option<Duration>,
    /// Maximum number of states.
    pub max_states: Option<u64>,
    pub budget: Budget,
    /// Number of worker threads.
    pub jobs: usize,
    /// Whether monitors forget what can no longer matter. Without it, the search is that of the papers to the letter,
    /// and the verdict is the same.
    pub forget: bool,
    /// Maximum number of states of a search for violations at all locations at once. A larger program is searched for
    /// one location at a time.
    pub together: u64,
    /// Maximum number of local steps that are computed in advance, to know all that threads can do. If that takes more,
    /// steps are computed when the search comes to them.
    pub closure: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            model: Model::Rc11,
            observational: false,
            spins_are_waits: None,
            properties: Properties::default(),
            fixes: None,
            max_states: None,
            budget: Budget::default(),
            jobs: 1,
            forget: true,
            together: 50_000,
            closure: 200_000,
        }
    }
}

/// Lets another thread see how far the search is.
#[derive(Debug, Default)]
pub struct Watch {
    pub states: AtomicU64,
    pub depth: AtomicU64,
}
