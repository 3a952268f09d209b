//! Which memory error the next step of a thread is.

use fencepost_graph::{EventId, EventLabel, Relations, races};
use fencepost_program::memory::{Region, region};
use fencepost_program::{Action, Ordering};
use fencepost_story::{Finding, LifetimeEnd, MemoryError, Step};

use super::Witness;
use crate::compiled::Fault;

/// An object of the run.
#[derive(Clone, Copy)]
struct Object<'w> {
    start: u64,
    size: u64,
    alloc: &'w Step,
    free: Option<&'w Step>,
}

/// The object that has the byte, or the last one before it of those that the same thread allocated.
fn nearest<'w>(witness: &'w Witness, pointer: u64) -> Option<Object<'w>> {
    let steps = || witness.steps.iter().map(|taken| &taken.step);
    let allocs = steps().filter_map(|alloc| match alloc.action {
        Action::Alloc { pointer: start, size, .. } if start <= pointer && region(start) == region(pointer) => {
            Some((start, size, alloc))
        }
        _ => None,
    });
    let (start, size, alloc) = allocs.max_by_key(|&(start, ..)| start)?;
    let frees = |step: &&Step| matches!(step.action, Action::Free { pointer } if pointer == start);
    Some(Object { start, size, alloc, free: steps().find(frees) })
}

pub(super) fn memory(witness: &Witness, thread: usize, fault: Fault) -> Finding {
    let step = &witness.next_step(thread, None);
    let object = step.pointer().and_then(|pointer| nearest(witness, pointer));
    let error = match (step.action, fault) {
        (_, Fault::Gone) => gone(step),
        (_, Fault::Uninitialised) => {
            let object = object.filter(|_| step.pointer().is_some_and(crate::lts::is_heap));
            MemoryError::Uninitialised { read: step, alloc: object.map(|object| object.alloc) }
        }
        (Action::Free { pointer }, Fault::NoObject) => not_to_be_freed(step, object, pointer),
        (Action::Free { .. }, Fault::Unordered) => freed_too_early(witness, step, object),
        (_, Fault::Unordered) => not_allocated(witness, step, object),
        (_, Fault::NoObject) => no_object(step, object),
    };
    witness.run(witness.graph.clone()).memory_error(error)
}

/// An access to a local variable of another thread.
fn gone(step: &Step) -> MemoryError<'_> {
    let owner = match step.pointer().map(region) {
        Some(Region::Stack { thread }) => Some(thread as usize),
        _ => None,
    };
    MemoryError::Returned { access: step, owner, end: LifetimeEnd::Earlier }
}

/// An access to bytes of the heap that belong to no object that is alive.
fn no_object<'w>(step: &'w Step, object: Option<Object<'w>>) -> MemoryError<'w> {
    let (pointer, size) = step.action.address().and_then(|at| at.pointer_and_size()).unwrap_or_default();
    let covering = object.filter(|object| pointer + u64::from(size) <= object.start + object.size);
    match covering.and_then(|object| Some((object, object.free?))) {
        Some((object, free)) => {
            MemoryError::UseAfterFree { access: step, free, alloc: Some(object.alloc), end: LifetimeEnd::Earlier }
        }
        None => MemoryError::OutOfBounds { access: step, alloc: object.map(|object| object.alloc) },
    }
}

fn not_allocated<'w>(witness: &Witness, step: &'w Step, object: Option<Object<'w>>) -> MemoryError<'w> {
    // A stale read tells its thread of nothing, although it may read what tells it of the allocation.
    let confirmed = !witness.has_stale_reads();
    MemoryError::NotAllocated { user: step, alloc: object.map(|object| object.alloc), confirmed }
}

fn not_to_be_freed<'w>(step: &'w Step, object: Option<Object<'w>>, pointer: u64) -> MemoryError<'w> {
    let object = object.filter(|object| object.start == pointer);
    match object.and_then(|object| Some((object, object.free?))) {
        Some((object, first)) => MemoryError::DoubleFree { first, second: step, alloc: Some(object.alloc) },
        None => MemoryError::NoObject { free: step },
    }
}

/// The step frees an object, and some access to it, or its allocation, does not happen before that.
fn freed_too_early<'w>(witness: &'w Witness, step: &'w Step, object: Option<Object<'w>>) -> MemoryError<'w> {
    let Some(object) = object else { return not_allocated(witness, step, object) };
    let inside = |step: &&Step| {
        let at = step.action.address().and_then(|at| at.pointer_and_size());
        at.is_some_and(|(at, _)| (object.start..object.start + object.size).contains(&at))
    };
    // A plain write in place of the free races with what the free races with.
    let is_early = |access: &&Step| {
        let Some((event, at)) = access.event.zip(access.action.address()) else { return false };
        let last = witness.graph.writes(at).last().copied();
        let write = EventLabel::write(Ordering::NonAtomic, at, 0);
        let graph = witness.graph.extended(step.thread as u32, write, last);
        let new = EventId(graph.len() as u32 - 1);
        let hb = witness.definition.hb(&Relations::of(&graph));
        races(&graph, &hb).iter().any(|&pair| pair == (event, new) || pair == (new, event))
    };
    let others = witness.steps.iter().map(|taken| &taken.step).filter(|other| other.thread != step.thread);
    match others.filter(inside).find(is_early) {
        Some(access) => {
            MemoryError::UseAfterFree { access, free: step, alloc: Some(object.alloc), end: LifetimeEnd::Unordered }
        }
        None => not_allocated(witness, step, Some(object)),
    }
}
