//! What a thread wants to do next, as a step of the exploration.

use fencepost_graph::SC_FENCE_CELL;
use fencepost_program::{Accept, Action, Address, Allocation, Ordering, Role, Value};

use super::Steps;
use super::reading::{How, Reading};
use crate::event::{Kind, Part};
use crate::execution::Execution;

/// The step that a thread takes next.
pub(crate) enum Next {
    Read(Reading),
    /// The write of an RMW whose read was the thread's last event.
    Update(Value),
    Write {
        at: Address,
        value: Value,
        order: Ordering,
        part: Part,
    },
    Fence(Ordering),
    Choose {
        lo: Value,
        hi: Value,
    },
    /// The number of the new thread.
    Spawn(usize),
    Alloc {
        pointer: u64,
        size: u64,
        allocation: Allocation,
    },
    Free(u64),
    HeapSize(u64),
}

impl Steps<'_> {
    /// The next step of a thread that can go on.
    pub(crate) fn next(&self, execution: &Execution, thread: usize) -> Next {
        let action = self.action(execution, thread);
        if let Some(read) = execution.last(thread).filter(|e| e.kind == Kind::ExclusiveRead) {
            return Next::Update(action.written(read.value).unwrap_or(read.value));
        }
        let read =
            |at, order, failure_order, how| Next::Read(Reading { at, order, failure_order, how, part: Part::Whole });
        match action {
            Action::Load { at, order } => {
                let piece = self.next_part(execution, thread, at, order, false);
                let (at, part) = piece.map_or((at, Part::Whole), |(piece, part)| (piece.cell, part));
                Next::Read(Reading { at, order, failure_order: order, how: How::Load, part })
            }
            Action::Wait { at, accept, order } => read(at, order, order, How::Wait(accept)),
            Action::Rmw { at, accept, order, .. } => read(at, order, order, How::Update(accept)),
            Action::Cas { at, expected, success, failure, kind, .. } => {
                read(at, success, failure, How::Cas { expected, kind })
            }
            Action::Store { at, value, order } => match self.next_part(execution, thread, at, order, true) {
                None => Next::Write { at, value, order, part: Part::Whole },
                Some((piece, part)) if piece.role == Role::Fetch => {
                    Next::Read(Reading { at: piece.cell, order, failure_order: order, how: How::Load, part })
                }
                Some((piece, part)) => {
                    let fetched = execution.last(thread).map_or(0, |event| event.value);
                    Next::Write { at: piece.cell, value: piece.written(value, at, fetched), order, part }
                }
            },
            Action::Fence { order } if order.is_sc() && self.model.sc_fence_is_rmw() => {
                read(SC_FENCE_CELL, order, order, How::Update(Accept::Any))
            }
            Action::Fence { order } => Next::Fence(order),
            Action::Choose { lo, .. } if self.woke_for_nothing(execution, thread) => Next::Choose { lo, hi: lo },
            Action::Choose { lo, hi } => Next::Choose { lo, hi },
            Action::Spawn { func, number, .. } => Next::Spawn(self.child(thread, number, func)),
            Action::Alloc { pointer, size, allocation } => Next::Alloc { pointer, size, allocation },
            Action::Free { pointer } => Next::Free(pointer),
            Action::HeapSize { pointer } => Next::HeapSize(pointer),
            Action::Blocked | Action::Hangs | Action::Endless | Action::Failed(_) | Action::End => {
                unreachable!("the thread can go on")
            }
        }
    }
}
