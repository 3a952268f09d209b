//! An execution that goes wrong: what the narrator is told of it.

use fencepost_fixes::Wrong;
use fencepost_graph::Graph;
use fencepost_program::Failure;
use fencepost_story::{Finding, LifetimeEnd, MemoryError};

use crate::event::Id;
use crate::execution::Execution;
use crate::explorer::Explorer;
use crate::heap::HeapError;
use crate::narration::{Narration, next_step};

/// A violation, and the execution that shows it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub violation: Finding,
    pub graph: Graph,
    pub wrong: Wrong,
}

fn narration<'p>(explorer: &Explorer<'_, 'p>, execution: &Execution) -> Narration<'p> {
    Narration::new(explorer, execution).with_output(explorer.steps, execution)
}

pub(crate) fn failed(explorer: &Explorer, execution: &Execution, thread: usize, failure: Failure) -> Found {
    let Narration { run, .. } = narration(explorer, execution);
    let violation = run.failed(&next_step(explorer.steps, execution, thread), failure);
    Found { violation, graph: run.graph, wrong: Wrong::Allowed }
}

/// Threads that wait for ever.
pub(crate) fn deadlock(explorer: &Explorer, execution: &Execution, stuck: &[usize]) -> Found {
    let execution = &execution.without_refused();
    let Narration { run, .. } = narration(explorer, execution);
    let steps = explorer.steps;
    let waiting = |&thread: &usize| (next_step(steps, execution, thread), steps.waiting(&run.names, execution, thread));
    let violation = run.deadlock(&stuck.iter().map(waiting).collect::<Vec<_>>());
    Found { violation, graph: run.graph, wrong: Wrong::Allowed }
}

pub(crate) fn race(explorer: &Explorer, execution: &Execution, first: Id, second: Id) -> Found {
    let narration = narration(explorer, execution);
    let mut accesses = [narration.step(first), narration.step(second)];
    accesses.sort_by_key(|step| step.event);
    let [first, second] = accesses;
    let violation = narration.run.race(second, first.event, true);
    let wrong = match (second.event, first.event) {
        (Some(second), Some(first)) => Wrong::Race(second, first),
        _ => Wrong::Unordered,
    };
    Found { violation, graph: narration.run.graph, wrong }
}

/// Misuse of the heap.
pub(crate) fn heap_error(explorer: &Explorer, execution: &Execution, error: HeapError) -> Found {
    let narration = narration(explorer, execution);
    let step = |id: Id| narration.step(id);
    let nearest = |id: Id| execution.heap.nearest(step(id).pointer()?);
    let alloc = |id: Id| {
        let object = nearest(id)?;
        Some(step(object.life_of(execution, id).unwrap_or(&object.life).alloc))
    };
    let told = match error {
        HeapError::UseAfterFree { access, free } => MemoryError::UseAfterFree {
            access: step(access),
            free: step(free),
            alloc: alloc(access),
            end: match execution.happens_before(free, access) {
                true => LifetimeEnd::Before,
                false => LifetimeEnd::Unordered,
            },
        },
        HeapError::OutOfBounds { access } => MemoryError::OutOfBounds {
            access: step(access),
            alloc: nearest(access).map(|object| step(object.life.alloc)),
        },
        HeapError::NotAllocated { user, alloc } => {
            MemoryError::NotAllocated { user: step(user), alloc: Some(step(alloc)), confirmed: true }
        }
        HeapError::DoubleFree { first, second } => {
            MemoryError::DoubleFree { first: step(first), second: step(second), alloc: alloc(second) }
        }
        HeapError::NoObject { free } => MemoryError::NoObject { free: step(free) },
        HeapError::Returned { access, owner } => {
            MemoryError::Returned { access: step(access), owner: Some(owner), end: LifetimeEnd::Unordered }
        }
        HeapError::Leak { alloc } => MemoryError::Leak { alloc: step(alloc) },
        HeapError::Uninitialised { read } => MemoryError::Uninitialised { read: step(read), alloc: alloc(read) },
    };
    let violation = narration.run.memory_error(told);
    // These are matters of happens-before, the others of values.
    let wrong = match error {
        HeapError::OutOfBounds { .. } | HeapError::NoObject { .. } | HeapError::Leak { .. } => Wrong::Allowed,
        _ => Wrong::Unordered,
    };
    Found { violation, graph: narration.run.graph, wrong }
}
