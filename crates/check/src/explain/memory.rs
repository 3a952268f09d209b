//! Errors of memory in words.

use fencepost_graph::{EventId, EventLabel, Relations, races};
use fencepost_program::memory::{Region, region};
use fencepost_program::{Action, Ordering};
use fencepost_story::{AccessSite, Finding, FindingKind, operation};

use super::{event_text, violation};
use crate::compiled::Fault;
use crate::witness::{RunStep, Witness};

/// An object of the run.
#[derive(Clone, Copy)]
struct Object<'w> {
    start: u64,
    size: u64,
    alloc: &'w RunStep,
    free: Option<&'w RunStep>,
}

/// The object that has the byte, or the last one before it of those that the same thread allocated.
fn nearest<'w>(witness: &'w Witness, pointer: u64) -> Option<Object<'w>> {
    let allocs = witness.steps.iter().filter_map(|alloc| match alloc.action {
        Action::Alloc { pointer: start, size, .. } if start <= pointer && region(start) == region(pointer) => {
            Some((start, size, alloc))
        }
        _ => None,
    });
    let (start, size, alloc) = allocs.max_by_key(|&(start, ..)| start)?;
    let frees = |step: &&RunStep| matches!(step.action, Action::Free { pointer } if pointer == start);
    Some(Object { start, size, alloc, free: witness.steps.iter().find(frees) })
}

pub(super) fn memory(witness: &Witness, thread: usize, fault: Fault) -> Finding {
    let (action, _) = witness.next[thread];
    match (action, fault) {
        (_, Fault::Gone) => gone(witness, thread),
        (_, Fault::Uninitialised) => uninitialised(witness, thread),
        (Action::Free { pointer }, Fault::NoObject) => not_to_be_freed(witness, thread, pointer),
        (Action::Free { pointer }, Fault::Unordered) => freed_too_early(witness, thread, pointer),
        (_, Fault::Unordered) => not_allocated(witness, thread),
        (_, Fault::NoObject) => no_object(witness, thread),
    }
}

/// The next step of a thread.
fn next_site(witness: &Witness, thread: usize, role: &str) -> AccessSite {
    let (action, span) = witness.next[thread];
    AccessSite {
        role: role.into(),
        thread: witness.program.thread_name(thread),
        operation: operation(&action).into(),
        location: pointer_of(&action).map(|pointer| witness.program.pointer_name(pointer)).unwrap_or_default(),
        ordering: action.labels().next().map(|label| label.order),
        span,
    }
}

fn pointer_of(action: &Action) -> Option<u64> {
    match *action {
        Action::Free { pointer } | Action::Alloc { pointer, .. } => Some(pointer),
        _ => action.address()?.pointer_and_size().map(|(pointer, _)| pointer),
    }
}

fn site(witness: &Witness, step: &RunStep, role: &str) -> AccessSite {
    AccessSite {
        role: role.into(),
        thread: witness.program.thread_name(step.thread),
        operation: operation(&step.action).into(),
        location: pointer_of(&step.action).map(|pointer| witness.program.pointer_name(pointer)).unwrap_or_default(),
        ordering: step.action.labels().next().map(|label| label.order),
        span: step.span,
    }
}

fn report(kind: FindingKind, message: String, accesses: Vec<AccessSite>, why: &str) -> Finding {
    let mut violation = violation(kind, message);
    violation.accesses = accesses;
    violation.explanation.push(why.to_owned());
    violation
}

/// An access to a local variable of another thread.
fn gone(witness: &Witness, thread: usize) -> Finding {
    let pointer = pointer_of(&witness.next[thread].0).unwrap_or_default();
    let owner = match region(pointer) {
        Region::Stack { thread } => witness.program.thread_name(thread as usize),
        _ => "another thread".to_owned(),
    };
    let message = format!(
        "{} accesses a local variable of {owner} whose lifetime has ended",
        witness.program.thread_name(thread)
    );
    let why = "Its function has returned in this run, or its thread has ended.";
    report(FindingKind::UseAfterFree, message, vec![next_site(witness, thread, "accesses it")], why)
}

/// An access to bytes of the heap that belong to no object that is alive.
fn no_object(witness: &Witness, thread: usize) -> Finding {
    let name = witness.program.thread_name(thread);
    let at = witness.next[thread].0.address().and_then(|at| at.pointer_and_size());
    let (pointer, size) = at.unwrap_or_default();
    let object = nearest(witness, pointer);
    let covering = object.filter(|object| pointer + u64::from(size) <= object.start + object.size);
    if let Some((object, free)) = covering.and_then(|object| Some((object, object.free?))) {
        let message = format!("{name} accesses memory that {} freed", by(witness, free.thread, thread));
        let accesses = vec![
            next_site(witness, thread, "accesses it"),
            site(witness, free, "frees it"),
            site(witness, object.alloc, "allocates it"),
        ];
        return report(FindingKind::UseAfterFree, message, accesses, "The `free` comes before the access in this run.");
    }
    let message = match object {
        Some(object) => {
            let offset = pointer - object.start;
            format!("{name} accesses offset {offset} of an object of {} bytes", object.size)
        }
        None => format!("{name} accesses memory that was not allocated"),
    };
    let mut accesses = vec![next_site(witness, thread, "accesses memory outside it")];
    accesses.extend(object.map(|object| site(witness, object.alloc, "allocates")));
    report(FindingKind::OutOfBounds, message, accesses, "No object on the heap contains all of these bytes.")
}

/// `main`, or "it" if that is who the sentence is about.
fn by(witness: &Witness, thread: usize, subject: usize) -> String {
    if thread == subject { "it has".to_owned() } else { witness.program.thread_name(thread) }
}

fn not_allocated(witness: &Witness, thread: usize) -> Finding {
    let name = witness.program.thread_name(thread);
    let object = pointer_of(&witness.next[thread].0).and_then(|pointer| nearest(witness, pointer));
    let maker = object.map_or("its owner".to_owned(), |object| witness.program.thread_name(object.alloc.thread));
    let mut accesses = vec![next_site(witness, thread, "uses it")];
    accesses.extend(object.map(|object| site(witness, object.alloc, "allocates it")));
    let why = "Nothing orders the allocation before the use. It must happen before the use, along program order and \
               synchronisation.";
    let message = format!("{name} uses memory that {maker} may not have allocated yet");
    // A stale read tells its thread of nothing, although it may read what tells it of the allocation.
    let confirmed = !witness.has_stale_reads();
    Finding { confirmed, ..report(FindingKind::UseAfterFree, message, accesses, why) }
}

fn uninitialised(witness: &Witness, thread: usize) -> Finding {
    let name = witness.program.thread_name(thread);
    let object = pointer_of(&witness.next[thread].0)
        .filter(|&pointer| crate::lts::is_heap(pointer))
        .and_then(|pointer| nearest(witness, pointer));
    let mut accesses = vec![next_site(witness, thread, "reads it")];
    accesses.extend(object.map(|object| site(witness, object.alloc, "allocates it")));
    let message = format!("{name} reads uninitialised memory");
    report(FindingKind::UninitialisedRead, message, accesses, "Nothing was written there in this run.")
}

fn not_to_be_freed(witness: &Witness, thread: usize, pointer: u64) -> Finding {
    let name = witness.program.thread_name(thread);
    let object = nearest(witness, pointer).filter(|object| object.start == pointer);
    if let Some((object, first)) = object.and_then(|object| Some((object, object.free?))) {
        let message = format!("{name} frees memory that {} freed", by(witness, first.thread, thread));
        let accesses = vec![
            next_site(witness, thread, "frees it"),
            site(witness, first, "frees it too"),
            site(witness, object.alloc, "allocates it"),
        ];
        return report(FindingKind::InvalidFree, message, accesses, "An object on the heap can be freed once.");
    }
    let message = format!("{name} frees {}, where no object starts", witness.program.pointer_name(pointer));
    let why = "Only pointers from `malloc` and similar functions can be freed.";
    report(FindingKind::InvalidFree, message, vec![next_site(witness, thread, "frees it")], why)
}

/// The next step of the thread frees an object, and some access to it, or its allocation, does not happen before that.
fn freed_too_early(witness: &Witness, thread: usize, pointer: u64) -> Finding {
    let Some(object) = nearest(witness, pointer) else { return not_allocated(witness, thread) };
    let inside = |step: &&RunStep| {
        let at = step.action.address().and_then(|at| at.pointer_and_size());
        at.is_some_and(|(at, _)| (object.start..object.start + object.size).contains(&at))
    };
    // A plain write in place of the free races with what the free races with.
    let early = witness.steps.iter().filter(inside).filter(|step| step.thread != thread).find(|step| {
        let Some((event, at)) = step.event.zip(step.action.address()) else { return false };
        let last = witness.graph.writes(at).last().copied();
        let graph = witness.graph.extended(thread as u32, EventLabel::write(Ordering::NonAtomic, at, 0), last);
        let new = EventId(graph.len() as u32 - 1);
        let hb = witness.definition.hb(&Relations::of(&graph));
        races(&graph, &hb).iter().any(|&pair| pair == (event, new) || pair == (new, event))
    });
    let Some((step, event)) = early.and_then(|step| Some((step, step.event?))) else {
        return not_allocated(witness, thread);
    };
    let name = witness.program.thread_name(thread);
    let message = format!("{} does not happen before {name} frees the object", event_text(witness, event));
    let accesses = vec![
        site(witness, step, "accesses it"),
        next_site(witness, thread, "frees it"),
        site(witness, object.alloc, "allocates it"),
    ];
    let why = "Nothing orders the access before the free, so it may come after it: this is undefined behaviour.";
    report(FindingKind::UseAfterFree, message, accesses, why)
}
