use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use fencepost_budget::Budget;
use fencepost_models::Model;
use fencepost_models::jam21::Jam21By;
use fencepost_story::Properties;

#[derive(Clone, Debug)]
pub struct Options {
    pub model: Model,
    /// How JAM21 is decided.
    pub jam21_by: Jam21By,
    /// How often a thread may go back in a loop.
    pub unroll: Option<u32>,
    /// What to look for. Errors of the program itself, such as an index out of bounds, are assertions.
    pub properties: Properties,
    /// Look for memory on the heap that is lost without being freed.
    pub leaks: bool,
    /// Let threads come to a barrier in one order if the order does not matter.
    pub one_order_at_barriers: bool,
    /// Show executions also in which some thread was cut off.
    pub show_blocked: bool,
    /// For how long to look for changes of orderings that repair what is violated. This explores the program again,
    /// many times.
    pub fixes: Option<Duration>,
    pub max_executions: Option<u64>,
    /// For tests: compare each judgement of an added event with the definition of the model, and panic where they
    /// differ.
    pub compare_with_definition: bool,
    pub budget: Budget,
    /// How many threads explore.
    pub jobs: NonZeroUsize,
}

impl Options {
    pub fn new(model: Model) -> Options {
        Options {
            model,
            jam21_by: Jam21By::default(),
            unroll: None,
            properties: Properties::ALL,
            leaks: false,
            one_order_at_barriers: true,
            show_blocked: false,
            fixes: None,
            max_executions: None,
            compare_with_definition: cfg!(test),
            budget: Budget::default(),
            jobs: NonZeroUsize::MIN,
        }
    }
}

/// Lets another thread see how far the exploration is.
#[derive(Debug, Default)]
pub struct Watch {
    pub complete: AtomicU64,
    pub blocked: AtomicU64,
}
