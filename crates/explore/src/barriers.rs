//! Threads that come to a barrier of the C library, in one order instead of all.
//!
//! A thread that arrives at a barrier does nothing until all have arrived. Then each thread knows what every other
//! thread did before it arrived, whichever was the last. So happens-before, seen from outside of the barrier, does not
//! depend on the order of arrival. Within the barrier each access happens before all accesses of later rounds. So no
//! relation of a model goes from a later round to an earlier one, and what a model forbids does not depend on the order
//! either. One order stands for all of them: the one in which the exploration adds them. The events of a barrier read
//! the newest write, are the newest write, revisit nothing and are not revisited. A waiting thread continues when all
//! have arrived, like a thread that joins another. (GenMC does the same: Kokologiannakis and Vafeiadis, "BAM", NETYS
//! 2021.)
//!
//! This holds as long as
//! - the order does not decide which threads meet in a round: no thread arrives for the first time after round one;
//! - a thread continues in the same way whether the barrier returns -1 to it, as to one of them, or 0;
//! - all other accesses to the barrier's memory happen before the threads arrive, or after they have continued.
//!
//! The exploration finds out whether this holds. If not, it restarts with all orders.

use fencepost_program::{Action, Address, Service};

use crate::event::{Event, Id, Kind};
use crate::execution::Execution;
use crate::steps::Steps;

/// Whether the event that was added last shows that the order matters.
pub(crate) fn order_matters(steps: &Steps, execution: &Execution, addresses: &[Address], added: Id) -> bool {
    let event = execution.event(added);
    match event.kind {
        _ if event.barrier => {
            comes_too_late(steps, execution, event)
                || uses_result(steps, execution, event)
                || !execution.accesses(event.location).all(|other| other.barrier || is_before(execution, other, event))
        }
        Kind::Free => {
            let Some(object) = execution.heap.object_at(event.value as u64) else { return false };
            let bytes = object.start..object.start + object.size;
            let inside = |at: &Address| at.pointer_and_size().is_some_and(|(pointer, _)| bytes.contains(&pointer));
            let mut locations = (0..execution.locations.len()).filter(|&location| inside(&addresses[location]));
            !locations.all(|location| execution.accesses(location).all(|other| is_after(execution, other, event)))
        }
        kind if kind.is_access() => !execution.accesses(event.location).all(|other| is_after(execution, other, event)),
        _ => false,
    }
}

/// Whether a thread comes for the first time, and not to the first round: there it would end the round 0, or wait for
/// its end.
fn comes_too_late(steps: &Steps, execution: &Execution, event: &Event) -> bool {
    if event.kind != Kind::ExclusiveWrite || !is_at_barrier(steps, event) {
        return false;
    }
    let first_round = match event.action {
        Action::Rmw { accept, .. } => accept.accepts(0),
        Action::Wait { accept, .. } => accept.accepts(1),
        _ => true,
    };
    let mine = |other: &Event| other.barrier && other.kind == event.kind && other.thread == event.thread;
    !first_round && execution.accesses(event.location).filter(|other| mine(other)).count() == 1
}

/// Whether the thread is still at the barrier after an event.
fn is_at_barrier(steps: &Steps, event: &Event) -> bool {
    steps.threads.service(&event.token) == Some(Service::Barrier)
}

/// Whether a thread that leaves does something else if the barrier returns something else.
fn uses_result(steps: &Steps, execution: &Execution, event: &Event) -> bool {
    if event.kind == Kind::ExclusiveRead || is_at_barrier(steps, event) {
        return false;
    }
    let Some(before) = steps.token_before(execution, event) else { return true };
    !steps.threads.ignores_result(before, [0, -1])
}

/// Whether another access happens before the thread came to the barrier.
fn is_before(execution: &Execution, other: &Event, event: &Event) -> bool {
    if other.thread == event.thread {
        return other.index < event.index;
    }
    let events = execution.threads[event.thread][..event.index as usize].iter().rev();
    let came = events.map(|&id| execution.event(id)).find(|earlier| !earlier.barrier);
    came.is_some_and(|came| came.views.current.get(other.thread) > other.index)
}

/// Whether an event happens after the thread of a barrier's event has gone on from it.
fn is_after(execution: &Execution, other: &Event, event: &Event) -> bool {
    if !other.barrier || other.thread == event.thread {
        return true;
    }
    let events = &execution.threads[other.thread];
    let later = (other.index as usize..events.len()).find(|&index| !execution.event(events[index]).barrier);
    later.is_some_and(|index| event.views.current.get(other.thread) as usize > index)
}
