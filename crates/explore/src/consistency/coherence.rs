//! Coherence and atomicity of an event that was just added, by views. The write of an RMW is put right after what it
//! reads.
//!
//! An event is added when nothing depends on it yet, and the execution before it was consistent. So what can go wrong
//! is that it reads from, or comes before, a write that is older than one it is aware of (paper 001 Def. 3.5).

use crate::clock::Clock;
use crate::event::{Id, Kind};
use crate::execution::Execution;

/// The oldest place in modification order that an event with this view may read from or come right after.
pub(crate) fn aware_of(execution: &Execution, location: usize, view: &Clock, except: Id) -> u32 {
    let Some(known) = execution.locations.get(location) else { return 0 };
    let sees = |id: Id| {
        let event = execution.event(id);
        id != except && view.get(event.thread) > event.index
    };
    let write = known.writes.iter().rev().find(|&&w| sees(w)).map_or(0, |&w| execution.event(w).position);
    let reads = known.reads.iter().filter(|&&r| sees(r)).map(|&r| execution.position(execution.event(r).source));
    reads.fold(write, u32::max)
}

/// The oldest place in modification order that the next event of a thread may read from. The event may be aware of more
/// than its thread is so far, never of less: nothing older is [`coherent`].
pub(crate) fn oldest_readable(execution: &Execution, thread: usize, location: usize) -> u32 {
    let next = Id::new(execution.len());
    execution.last(thread).map_or(0, |last| aware_of(execution, location, &last.views.current, next))
}

/// Whether an event that was just added reads from, or comes after, all that it is aware of.
pub(crate) fn coherent(execution: &Execution, id: Id) -> bool {
    let event = execution.event(id);
    match event.kind {
        Kind::Read | Kind::AwaitRead | Kind::ExclusiveRead => {
            execution.position(event.source) >= aware_of(execution, event.location, &event.views.current, id)
        }
        Kind::Write | Kind::ExclusiveWrite => {
            event.position > aware_of(execution, event.location, &event.views.current, id)
        }
        Kind::Fence | Kind::Choice | Kind::Spawn | Kind::Alloc | Kind::Free | Kind::HeapSize => true,
    }
}

/// Whether no write that was just added stands between an RMW and what it reads from.
pub(crate) fn atomic(execution: &Execution, id: Id) -> bool {
    let event = execution.event(id);
    if !event.kind.writes() {
        return true;
    }
    let writes = &execution.locations[event.location].writes;
    let Some(&next) = writes.get(event.position as usize) else { return true };
    let next = execution.event(next);
    if next.kind != Kind::ExclusiveWrite {
        return true;
    }
    let source = execution.event(execution.exclusive_read(next)).source;
    source == Some(id) || source.is_some() && execution.position(source) >= event.position
}
