//! Accesses that are divided, because others access a part of them: a local state for each part.

use fencepost_program::{Action, Address, CellParts, Ordering, ThreadState, Value, joined, part_of};

use super::{LocalState, Lts};

/// How far a divided access has come: how many parts are done, and what they have read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Progress {
    done: u8,
    /// The value of the whole, as far as it is known.
    read: Value,
}

/// Two cells that overlap, of which the larger must be divided.
pub(crate) type Overlap = [Address; 2];

impl Lts<'_> {
    /// What the thread does next, and whether that is whole: of a divided access it is the next part.
    pub(super) fn action(&self, state: &ThreadState, progress: Progress) -> (Action, bool) {
        let action = self.machine.next(state);
        let Some((whole, order, parts)) = self.parts(&action) else { return (action, true) };
        let at = parts[usize::from(progress.done)];
        let part = match action {
            Action::Store { value, .. } => Action::Store { at, value: part_of(value, whole, at), order },
            _ => Action::Load { at, order },
        };
        (part, false)
    }

    fn parts(&self, action: &Action) -> Option<(Address, Ordering, CellParts)> {
        match *action {
            Action::Load { at, order } | Action::Store { at, order, .. } if !order.is_atomic() => {
                Some((at, order, self.known.division.parts(at)?))
            }
            _ => None,
        }
    }

    /// What is to be done after a part of an access that read a value; or else what the whole access read.
    pub(super) fn after_part(&self, local: &LocalState, value: Value) -> Result<Progress, Value> {
        let Some((whole, _, parts)) = self.parts(&self.machine.next(&local.state)) else { return Err(value) };
        let Progress { done, read } = local.progress;
        let read = joined(whole, [(whole, read), (parts[usize::from(done)], value)]);
        if usize::from(done) + 1 < parts.len() { Ok(Progress { done: done + 1, read }) } else { Err(read) }
    }

    /// Two cells share bytes. If the larger is not atomic, it can be divided, and the search restarts.
    pub(super) fn overlap(&mut self, known: Address, new: Address, new_is_atomic: bool, state: &ThreadState) {
        let size = |at: Address| at.pointer_and_size().map_or(0, |(_, size)| size);
        let known_is_atomic = || {
            let location = self.location_index[&known] as usize;
            self.usages.iter().any(|usage| usage.location == location && usage.order.atomic)
        };
        let larger_is_atomic = if size(new) > size(known) { new_is_atomic } else { known_is_atomic() };
        if !larger_is_atomic {
            self.overlaps.push([known, new]);
            return;
        }
        let (program, span) = (self.machine.program(), self.machine.span(state));
        let place = program.place(span).map_or(String::new(), |place| format!("{place}: "));
        let name = program.cell_name(new);
        self.obstacle = Some(format!(
            "{place}an access to {} bytes at `{name}` overlaps one to {} bytes, the larger one is atomic, and no memory \
             model has that",
            size(new),
            size(known)
        ));
    }
}
