//! What a read becomes, by the write that it reads from.

use fencepost_program::{Accept, Address, CasKind, Ordering, Value};

use super::{Step, Steps};
use crate::event::{Event, Id, Kind, Part, signal};
use crate::execution::Execution;

/// What reads: its location, and by the value read, what it becomes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub at: Address,
    pub order: Ordering,
    pub(super) failure_order: Ordering,
    pub(super) how: How,
    pub(super) part: Part,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    Load,
    Wait(Accept),
    Update(Accept),
    Cas { expected: Value, kind: CasKind },
}

impl Steps<'_> {
    /// What reading from a write can be. A weak CAS that reads what it expects may succeed or fail: two variants.
    pub(crate) fn reading(
        &self,
        execution: &Execution,
        thread: usize,
        location: usize,
        reading: &Reading,
        source: Option<Id>,
        variant: u8,
    ) -> Option<Event> {
        let value = match source {
            None => self.initial_value(reading.at),
            Some(source) => execution.event(source).value,
        };
        let success = (Kind::ExclusiveRead, reading.order);
        let failure = (Kind::AwaitRead, reading.failure_order);
        let (kind, order) = match (reading.how, variant) {
            (How::Load, 0) => (Kind::Read, reading.order),
            (How::Wait(_), 0) => failure,
            (How::Update(accept), 0) if accept.accepts(value) => success,
            (How::Cas { expected, .. }, 0) if value == expected => success,
            (How::Update(_) | How::Cas { .. }, 0) => failure,
            (How::Cas { expected, kind: CasKind::Weak }, 1) if value == expected => failure,
            _ => return None,
        };
        // It waited for the one write that it accepts.
        if let How::Wait(accept) = reading.how
            && signal(reading.at).is_some()
            && !accept.accepts(value)
        {
            return None;
        }
        let refused = match reading.how {
            How::Wait(accept) | How::Update(accept) => !accept.accepts(value),
            How::Load | How::Cas { .. } => false,
        };
        let first_choice = variant == 0;
        let Reading { at, part, .. } = *reading;
        let step = Step { thread, kind, location, at, order, value, source, part, first_choice, refused };
        Some(self.event(execution, step))
    }
}
