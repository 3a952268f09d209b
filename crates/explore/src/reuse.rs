//! Memory that was freed is allocated again.
//!
//! `malloc` takes any object of its size that some execution frees, and goes on when the object is free in this one: it
//! reads a cell that `free` has written, so that every order of the two is explored as that of other accesses. An
//! execution in which the object is never free is given up: the one in which `malloc` takes something else stands for
//! it.

use fencepost_program::Action;
use fencepost_program::memory::{Region, region};

use crate::event::Kind;
use crate::execution::Execution;
use crate::explorer::Explorer;

impl Explorer<'_, '_> {
    /// The start and the size of the object that the last event freed, if it was not known that it can be freed.
    pub(crate) fn newly_freed(&self, execution: &Execution) -> Option<(u64, u64)> {
        let last = execution.last_added().filter(|event| event.kind == Kind::Free && self.steps.reuses_memory)?;
        let object = execution.heap.object_at(last.value as u64)?;
        (!self.steps.freed.contains(object.start, object.size)).then_some((object.start, object.size))
    }
}

/// Whether a thread waits for what an assumption rules out, or for an object that it would allocate again.
pub(crate) fn is_given_up(action: Action) -> bool {
    let pointer = action.address().and_then(|at| at.pointer_and_size());
    let takes_object = || matches!(pointer, Some((pointer, _)) if region(pointer) == Region::Freed);
    action == Action::Blocked || matches!(action, Action::Rmw { .. }) && takes_object()
}
