//! The events of an access that is divided or widened.

use fencepost_program::{Action, Address, Ordering, Piece, Value};

use super::{Step, Steps};
use crate::event::{Event, Part};
use crate::execution::Execution;

impl Steps<'_> {
    /// Which piece of an access comes next; nothing if it is whole.
    pub(crate) fn next_part(
        &self,
        execution: &Execution,
        thread: usize,
        at: Address,
        order: Ordering,
        writes: bool,
    ) -> Option<(Piece, Part)> {
        if order.is_atomic() {
            return None;
        }
        let pieces = self.division.pieces(at, writes)?;
        let number = match execution.last(thread) {
            Some(Event { part: Part::Before(number), .. }) => number + 1,
            _ => 0,
        };
        let is_last = usize::from(number) + 1 == pieces.len();
        Some((pieces[usize::from(number)], if is_last { Part::Last(number) } else { Part::Before(number) }))
    }

    /// The value that an access in pieces reads, once its last piece is read.
    pub(crate) fn joined(&self, execution: &Execution, step: &Step, number: u8) -> Value {
        let Action::Load { at: whole, .. } = self.action(execution, step.thread) else {
            unreachable!("the step was made for this action")
        };
        let events = &execution.threads[step.thread];
        let earlier = events[events.len() - usize::from(number)..].iter().map(|&id| execution.event(id).value);
        let pieces = self.division.pieces(whole, false).unwrap_or_default();
        let read = pieces.iter().zip(earlier.chain([step.value]));
        read.fold(0, |so_far, (piece, value)| piece.joined(whole, so_far, value))
    }

    /// The piece that an event is; all of its cell if its access is whole.
    pub(crate) fn piece(&self, execution: &Execution, addresses: &[Address], event: &Event) -> Piece {
        let cell = addresses[event.location];
        let number = match event.part {
            Part::Before(number) | Part::Last(number) if self.division.is_wide(cell) => usize::from(number),
            _ => return Piece::whole(cell),
        };
        let pieces = match self.before(execution, event) {
            Some((_, &Action::Load { at, .. })) => self.division.pieces(at, false),
            Some((_, &Action::Store { at, .. })) => self.division.pieces(at, true),
            _ => None,
        };
        pieces.and_then(|pieces| pieces.get(number).copied()).unwrap_or_else(|| Piece::whole(cell))
    }
}
