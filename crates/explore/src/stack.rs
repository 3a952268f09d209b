//! Local variables of one thread that another one accesses: their function must not have returned.
//!
//! A return is no event. It comes between two events of its thread, and the state after the first of them shows that
//! the variable is gone. An access is right if it happens before some event that comes before the return.

use fencepost_program::memory::{Region, region};
use fencepost_program::{Action, Address, Piece};

use crate::event::{Event, Id};
use crate::execution::Execution;
use crate::heap::HeapError;
use crate::steps::Steps;

/// Whether an event that was added accesses a local variable whose lifetime may have ended, or ends the lifetime of one
/// that other threads access.
pub(crate) fn gone(steps: &Steps, execution: &Execution, addresses: &[Address], added: Id) -> Option<HeapError> {
    let event = execution.event(added);
    if event.kind.is_access()
        && let Some(error) = accessed(steps, execution, addresses, added)
    {
        return Some(error);
    }
    let before = steps.token_before(execution, event)?;
    if !steps.threads.has_other_locals(before, &event.token) {
        return None;
    }
    let of_owner = |location: &usize| owner(addresses[*location]) == Some(event.thread);
    let accesses = (0..execution.locations.len()).filter(of_owner).flat_map(|location| {
        let known = &execution.locations[location];
        known.reads.iter().chain(&known.writes).copied()
    });
    let mut accesses = accesses.filter(|&access| !execution.happens_before(access, added));
    accesses.find_map(|access| accessed(steps, execution, addresses, access))
}

fn owner(at: Address) -> Option<usize> {
    match region(at.pointer_and_size()?.0) {
        Region::Stack { thread } => Some(thread as usize),
        _ => None,
    }
}

/// Whether the variable is gone in the last state of its thread that need not come after the access.
fn accessed(steps: &Steps, execution: &Execution, addresses: &[Address], access: Id) -> Option<HeapError> {
    let event: &Event = execution.event(access);
    let owner = owner(addresses[event.location])?;
    let Piece { start: pointer, size, .. } = steps.piece(execution, addresses, event);
    if owner == event.thread {
        return None;
    }
    let events = execution.threads.get(owner)?;
    let last = events.iter().rev().find(|&&id| !execution.happens_before(access, id));
    let (token, action) = match (last.map(|&id| execution.event(id)), execution.starts.get(owner)) {
        (Some(event), _) => (&event.token, event.action),
        (None, Some(Some(start))) => (&start.token, start.action),
        _ => return None,
    };
    // When `main` returns or the program ends, there are no other threads. A thread that was cut off does not return.
    let stays = match action {
        Action::End => owner == 0 || steps.threads.has_exited(token),
        Action::Blocked => true,
        _ => false,
    };
    let is_gone = !stays && !steps.threads.has_local(token, pointer, size);
    is_gone.then_some(HeapError::Returned { access, owner })
}
