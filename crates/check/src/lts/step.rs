//! The steps of a thread as a memory model takes them.

use fencepost_graph::SC_FENCE_CELL;
use fencepost_models::{Model, Strength};
use fencepost_program::memory::{Region, region};
use fencepost_program::{Accept, Action, Address, CasKind, Failure, FuncId, Update, Value};

/// What a thread does next, with its orderings as the model takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Load {
        at: Address,
        order: Strength,
    },
    Wait {
        at: Address,
        accept: Accept,
        order: Strength,
    },
    Store {
        at: Address,
        value: Value,
        order: Strength,
    },
    /// Blocks until memory holds a value that it accepts.
    Rmw {
        at: Address,
        accept: Accept,
        update: Update,
        order: Strength,
    },
    Cas {
        at: Address,
        expected: Value,
        desired: Value,
        success: Strength,
        failure: Strength,
        kind: CasKind,
    },
    /// An SC fence as an RMW on [`SC_FENCE_CELL`] (paper 003 Ex. 3.6, paper 001 §3.1), with an acquire fence before and
    /// a release fence after it.
    FenceRmw,
    Fence {
        order: Strength,
    },
    Choose {
        lo: Value,
        hi: Value,
    },
    /// Creates a thread that calls a function with an argument. `number` is how many threads this one created before.
    Spawn {
        func: FuncId,
        argument: Value,
        number: u32,
    },
    /// An object on the heap begins or ends, or its size is asked for.
    Heap(Action),
    /// The thread has not been created yet.
    Unborn,
    Blocked,
    /// Waits for ever for something that no other thread can do.
    Hangs,
    /// Goes round a loop that does nothing and has no exit.
    Endless,
    Failed(Failure),
    /// Depends on a value that may be stale: ERR-DEP of paper 001 Fig. 5.
    Dependent,
    End,
}

impl Step {
    /// What [`Step::FenceRmw`] is as an access.
    pub(crate) const FENCE_RMW: Strength = Strength { atomic: true, acquire: true, release: true, sc: false };

    pub(crate) fn of(model: Model, action: Action) -> Step {
        let orderings = model.orderings();
        let under = |order| orderings.of_access(order);
        match action {
            Action::Load { at, order } => Step::Load { at, order: under(order) },
            Action::Wait { at, accept, order } => Step::Wait { at, accept, order: under(order) },
            Action::Store { at, value, order } => Step::Store { at, value, order: under(order) },
            Action::Rmw { at, accept, update, order } => Step::Rmw { at, accept, update, order: under(order) },
            Action::Cas { at, expected, desired, success, failure, kind } => {
                Step::Cas { at, expected, desired, success: under(success), failure: under(failure), kind }
            }
            Action::Fence { order } if order.is_sc() && orderings.sc_fence_is_rmw() => Step::FenceRmw,
            Action::Fence { order } => Step::Fence { order: orderings.of_fence(order) },
            Action::Choose { lo, hi } => Step::Choose { lo, hi },
            Action::Spawn { func, argument, number } => Step::Spawn { func, argument, number },
            Action::Alloc { .. } | Action::Free { .. } | Action::HeapSize { .. } => Step::Heap(action),
            Action::Blocked => Step::Blocked,
            Action::Hangs => Step::Hangs,
            Action::Endless => Step::Endless,
            Action::Failed(failure) => Step::Failed(failure),
            Action::End => Step::End,
        }
    }

    pub(crate) fn address(&self) -> Option<Address> {
        match *self {
            Step::Load { at, .. }
            | Step::Wait { at, .. }
            | Step::Store { at, .. }
            | Step::Rmw { at, .. }
            | Step::Cas { at, .. } => Some(at),
            Step::FenceRmw => Some(SC_FENCE_CELL),
            _ => None,
        }
    }

    /// Whether what the step does depends on the value of its location.
    pub(crate) fn takes_value(&self) -> bool {
        use Step::{Cas, Heap, Load, Rmw, Wait};
        matches!(self, Load { .. } | Wait { .. } | Rmw { .. } | Cas { .. })
            || matches!(self, Heap(Action::Free { .. } | Action::HeapSize { .. }))
    }

    /// Whether it waits while memory holds certain values.
    pub(crate) fn may_wait(&self) -> bool {
        match *self {
            Step::Wait { accept, .. } | Step::Rmw { accept, .. } => accept != Accept::Any,
            _ => false,
        }
    }

    /// Whether it allocates a freed object again. It is given up if no object is ever free: see `reuse.c` of the C
    /// library.
    pub(crate) fn takes_freed_object(&self) -> bool {
        let Step::Rmw { at, .. } = *self else { return false };
        at.pointer_and_size().is_some_and(|(pointer, _)| region(pointer) == Region::Freed)
    }

    /// Whether it is an atomic access. Whether a CAS succeeds makes no difference to that.
    pub(crate) fn is_atomic(&self) -> bool {
        match *self {
            Step::Load { order, .. } | Step::Store { order, .. } => order.atomic,
            step => step.address().is_some(),
        }
    }

    /// Whether what the thread does next is not known.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Step::Failed(Failure::EndlessLocalLoop | Failure::Unsupported { .. }))
    }

    /// The value written over `old`, if the step writes.
    pub(crate) fn written(&self, old: Value) -> Value {
        match *self {
            Step::Store { value, .. } => value,
            Step::Rmw { update, .. } => update.apply(old),
            Step::Cas { desired, .. } => desired,
            _ => old,
        }
    }
}
