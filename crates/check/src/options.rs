//! What a user can ask of `check`, and how the work is watched.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use fencepost_budget::Budget;
use fencepost_models::Model;
pub use fencepost_story::Properties;

#[derive(Clone, Debug)]
pub struct Options {
    /// One that `check` takes ([`Model::of`]); [`check`](crate::check) refuses others.
    pub model: Model,
    /// Let stale values be read as long as nothing depends on them (paper 001 §4.1).
    pub observational: bool,
    /// Take a read that brings its thread back to where it stood as a wait that goes on: it may be stale. (What comes
    /// after it also comes without it, so no outcome is lost.) So may a read that an assumption rules out. `None`: in
    /// C, where loops are how one waits.
    pub spins_are_waits: Option<bool>,
    pub properties: Properties,
    /// For how long to look for changes of orderings that repair what is violated. This checks the program again, many
    /// times.
    pub fixes: Option<Duration>,
    pub max_states: Option<u64>,
    pub budget: Budget,
    pub jobs: usize,
    /// Let monitors forget what can no longer matter. Off, the search is the papers' to the letter; the verdict is the
    /// same.
    pub forget: bool,
    /// How many states to search for everything at once. Beyond that, locations are searched for one at a time.
    pub together: u64,
    /// How many local steps to compute in advance, to know all that threads can do. Beyond that, it is found out along
    /// the search.
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
