//! Accesses that are divided, because others access a part of them. Each part is a step from a local state of its own.

use fencepost_program::{Action, Address, CellParts, Ordering, ThreadState, Value, joined, part_of};

use super::{LocalState, Lts};

/// How much of a divided access is done, and what it has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Progress {
    /// Number of parts that are done.
    done: u8,
    /// The value of the whole, as far as it is known.
    read: Value,
}

impl Lts<'_> {
    /// What the thread does next, and whether that is a whole instruction or a part of a divided access.
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
                Some((at, order, self.foreknown.division.parts(at)?))
            }
            _ => None,
        }
    }

    /// After a part of an access that read a value: `Ok` if further parts follow, otherwise `Err` with what the whole
    /// access read.
    pub(super) fn after_part(&self, local: &LocalState, value: Value) -> Result<Progress, Value> {
        let Some((whole, _, parts)) = self.parts(&self.machine.next(&local.state)) else { return Err(value) };
        let Progress { done, read } = local.progress;
        let read = joined(whole, [(whole, read), (parts[usize::from(done)], value)]);
        if usize::from(done) + 1 < parts.len() { Ok(Progress { done: done + 1, read }) } else { Err(read) }
    }

    /// Looks for a known cell that shares bytes with a new one. The larger of both is divided, and the search restarts;
    /// but not if it is atomic.
    pub(super) fn note_overlap(&mut self, new: Address, new_is_atomic: bool, state: &ThreadState) {
        let overlapping = new.overlapping().find_map(|near| Some((near, self.locations.at(near)?)));
        let Some((known, known_location)) = overlapping else { return };
        let size = |at: Address| at.pointer_and_size().map_or(0, |(_, size)| size);
        let known_is_atomic = || {
            let mut usages = self.uses.usages.iter();
            usages.any(|usage| usage.location == known_location && usage.order.atomic)
        };
        let larger_is_atomic = if size(new) > size(known) { new_is_atomic } else { known_is_atomic() };
        if !larger_is_atomic {
            self.foreknown.note_overlap([known, new]);
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
