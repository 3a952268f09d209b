//! The events of an access that is divided into parts.

use fencepost_program::{Action, Address, Ordering, Value, joined};

use super::{Step, Steps};
use crate::event::{Event, Part};
use crate::execution::Execution;

impl Steps<'_> {
    /// Which part of an access comes next, and its cell.
    pub(crate) fn next_part(
        &self,
        execution: &Execution,
        thread: usize,
        at: Address,
        order: Ordering,
    ) -> (Address, Part) {
        let Some(parts) = self.division.parts(at).filter(|_| !order.is_atomic()) else { return (at, Part::Whole) };
        let number = match execution.last(thread) {
            Some(Event { part: Part::Before(number), .. }) => number + 1,
            _ => 0,
        };
        let is_last = usize::from(number) + 1 == parts.len();
        (parts[usize::from(number)], if is_last { Part::Last(number) } else { Part::Before(number) })
    }

    /// The value that a divided access reads, once its last part is read.
    pub(crate) fn joined(&self, execution: &Execution, step: &Step, number: u8) -> Value {
        let Action::Load { at: whole, .. } = self.action(execution, step.thread) else {
            unreachable!("the step was made for this action")
        };
        let events = &execution.threads[step.thread];
        let earlier = events[events.len() - usize::from(number)..].iter().map(|&id| execution.event(id).value);
        let cells = self.division.parts(whole).unwrap_or_default();
        joined(whole, cells.into_iter().zip(earlier.chain([step.value])))
    }
}
