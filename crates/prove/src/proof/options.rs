//! How a proof is looked for.

use std::sync::Arc;

use fencepost_budget::Budget;
use fencepost_models::Model;

use crate::confirm::Confirm;
use crate::pthreads::PthreadFences;
use crate::search::Deduction;
use crate::watch::Watch;

/// How interference between threads is taken into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Combinations of the loads of all threads.
    AllThreads,
    /// The paper's: order between two threads at a time.
    FruitTree,
    /// Every load may read every store (Miné). Oblivious of the memory model.
    Mine,
    /// FruitTree's deduction as if memory were sequentially consistent (WATTS). Unsound for anything else.
    Watts,
}

impl Method {
    pub const ALL: [Method; 4] = [Method::AllThreads, Method::FruitTree, Method::Mine, Method::Watts];

    pub fn name(self) -> &'static str {
        match self {
            Method::AllThreads => "all-threads",
            Method::FruitTree => "fruittree",
            Method::Mine => "mine",
            Method::Watts => "watts",
        }
    }

    pub(crate) fn deduction(self) -> Deduction {
        match self {
            Method::AllThreads => Deduction::AllThreads,
            Method::Mine | Method::FruitTree | Method::Watts => Deduction::Paper,
        }
    }

    /// Whether what it proves holds under this model.
    pub fn is_sound(self, model: Model) -> bool {
        self != Method::Watts || model == Model::Sc
    }
}

/// What is known of the registers of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumericDomain {
    /// Bounds of each.
    Interval,
    /// Also bounds of sums and differences of two.
    Octagon,
}

impl NumericDomain {
    pub const ALL: [NumericDomain; 2] = [NumericDomain::Interval, NumericDomain::Octagon];

    pub fn name(self) -> &'static str {
        match self {
            NumericDomain::Interval => "interval",
            NumericDomain::Octagon => "octagon",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub model: Model,
    pub method: Method,
    pub domain: NumericDomain,
    /// Cases looked at for one property before it is given up.
    pub max_cases: u64,
    /// What the routines of pthreads order. [`verdict`](crate::verdict) looks at it.
    pub pthread_fences: PthreadFences,
    /// Whether alarms are decided by looking at executions. [`verdict`](crate::verdict) looks at it.
    pub confirm: Option<Confirm>,
    /// Which answer to explain, counted from 1.
    pub explain: Option<usize>,
    /// What is not proved when it is spent stays an alarm.
    pub budget: Budget,
    pub watch: Arc<Watch>,
}

impl Options {
    pub fn new(model: Model) -> Options {
        Options {
            model,
            method: Method::AllThreads,
            domain: NumericDomain::Interval,
            max_cases: 20_000,
            pthread_fences: PthreadFences::Library,
            confirm: None,
            explain: None,
            budget: Budget::default(),
            watch: Arc::default(),
        }
    }
}
