//! What a user can ask of `check`, and how the work is watched.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicU64;

use fencepost_budget::Budget;

/// The memory models that robustness can be checked against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Model {
    /// Release/acquire (paper 003): every atomic access is taken as release/acquire, whatever ordering it names, and an
    /// SC fence as an RMW on a location of its own.
    Ra,
    /// Paper 001: relaxed and release/acquire accesses and fences; an SC fence as under RA. No SC accesses.
    Rc20,
    /// RC11 with SC accesses and its own SC fences: what C, C++ and Rust promise.
    #[default]
    Rc11,
}

impl Model {
    pub const ALL: [Model; 3] = [Model::Ra, Model::Rc20, Model::Rc11];

    pub fn name(self) -> &'static str {
        match self {
            Model::Ra => "ra",
            Model::Rc20 => "rc20",
            Model::Rc11 => "rc11",
        }
    }

    /// The definition over execution graphs.
    pub fn definition(self) -> fencepost_models::Model {
        match self {
            Model::Ra => fencepost_models::Model::Ra,
            Model::Rc20 => fencepost_models::Model::Rc20,
            Model::Rc11 => fencepost_models::Model::Rc11,
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Model {
    type Err = String;

    fn from_str(s: &str) -> Result<Model, String> {
        Model::ALL
            .into_iter()
            .find(|m| m.name() == s)
            .ok_or_else(|| format!("`{s}` is not a model that check knows: expected ra, rc20 or rc11"))
    }
}

/// What to look for. The search stops at the first thing found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    pub robustness: bool,
    pub races: bool,
    /// Assertions, and errors of the program itself such as an index out of bounds or a use of freed memory.
    pub assertions: bool,
    pub deadlocks: bool,
}

impl Default for Properties {
    fn default() -> Properties {
        Properties { robustness: true, races: true, assertions: true, deadlocks: true }
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub model: Model,
    /// Let stale values be read as long as nothing depends on them (paper 001 §4.1).
    pub observational: bool,
    /// Take a read that brings its thread back to where it stood as a wait that goes on: it may be stale. (What comes after it
    /// also comes without it, so no outcome is lost.) So may a read that an assumption rules out. `None`: in C, where
    /// loops are how one waits.
    pub spins_are_waits: Option<bool>,
    pub properties: Properties,
    /// Look for changes of orderings that repair what is violated. This checks the program again, many times.
    pub fixes: bool,
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
            model: Model::default(),
            observational: false,
            spins_are_waits: None,
            properties: Properties::default(),
            fixes: false,
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
