//! What became of the cases of a search, for those that want it explained.

use crate::domains::Interval;
use crate::search::case::{Case, Contradiction, Decision, Refinement};
use crate::search::combination::Combination;
use crate::search::order::Cycle;
use crate::system::EventId;

/// A case in which the property does not fail.
pub(crate) struct Left {
    /// What the loads read that were decided, in order.
    pub(crate) reads: Vec<(EventId, Decision)>,
    pub(crate) tried_order: Vec<(EventId, EventId)>,
    pub(crate) refinements: Vec<Refinement>,
    pub(crate) why: Why,
}

/// Why a property does not fail in a case.
pub(crate) enum Why {
    /// The values of the case do not break it: these are what it is about.
    Holds(Vec<(String, Interval)>),
    /// No execution is left.
    Contradiction(Contradiction),
    /// The rules exclude the combination.
    Order(Box<Infeasible>),
}

/// A combination that no execution has.
pub(crate) struct Infeasible {
    #[cfg_attr(not(test), expect(dead_code, reason = "tests check the cycle against it"))]
    pub(crate) combination: Combination,
    /// The event that each participant is.
    pub(crate) events: Vec<EventId>,
    pub(crate) cycle: Cycle,
}

impl Left {
    pub(crate) fn of<D>(case: &Case<D>, why: Why) -> Left {
        Left {
            reads: case.trail.iter().map(|&load| (load, case.decisions[load])).collect(),
            tried_order: case.tried_order.clone(),
            refinements: case.refinements.clone(),
            why,
        }
    }
}
