//! Accesses that are divided or widened, because others access a part of them or more. Each piece is a step from a
//! local state of its own.

use fencepost_program::{Action, Address, Division, Ordering, Piece, Pieces, Role, ThreadState, Value};

use super::{LocalState, Lts};

/// How much of an access in pieces is done, and what it has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Progress {
    /// Number of pieces that are done.
    done: u8,
    /// The value of the whole, as far as it is known; before an insertion, what was fetched.
    read: Value,
}

impl Lts<'_> {
    /// What the thread does next, and whether that is a whole instruction or a piece of an access.
    pub(super) fn action(&self, state: &ThreadState, progress: Progress) -> (Action, bool) {
        let action = self.machine.next(state);
        let Some((whole, order, pieces)) = self.pieces(&action) else { return (action, true) };
        let piece = pieces[usize::from(progress.done)];
        let at = piece.cell;
        let part = match action {
            Action::Store { value, .. } if piece.role != Role::Fetch => {
                Action::Store { at, value: piece.written(value, whole, progress.read), order }
            }
            _ => Action::Load { at, order },
        };
        (part, false)
    }

    fn pieces(&self, action: &Action) -> Option<(Address, Ordering, Pieces)> {
        let (at, order, writes) = match *action {
            Action::Load { at, order } => (at, order, false),
            Action::Store { at, order, .. } => (at, order, true),
            _ => return None,
        };
        if order.is_atomic() {
            return None;
        }
        Some((at, order, self.foreknown.division.pieces(at, writes)?))
    }

    /// The piece that the step of a local state is; all of its cell if its access is whole.
    pub(crate) fn piece(&self, local: &LocalState) -> Option<Piece> {
        let cell = local.step.address()?;
        if !self.is_wide(cell) {
            return Some(Piece::whole(cell));
        }
        match self.pieces(&self.machine.next(&local.state)) {
            Some((_, _, pieces)) => Some(pieces[usize::from(local.progress.done)]),
            None => Some(Piece::whole(cell)),
        }
    }

    /// Whether accesses to parts of a cell are widened to it.
    pub(crate) fn is_wide(&self, cell: Address) -> bool {
        self.foreknown.division.is_wide(cell)
    }

    /// After a piece of an access that read a value: `Ok` if further pieces follow, otherwise `Err` with what the whole
    /// access read.
    pub(super) fn after_part(&self, local: &LocalState, value: Value) -> Result<Progress, Value> {
        let Some((whole, _, pieces)) = self.pieces(&self.machine.next(&local.state)) else { return Err(value) };
        let Progress { done, read } = local.progress;
        let piece = pieces[usize::from(done)];
        let read = match (piece.role, local.action) {
            (Role::Fetch, _) => value,
            (_, Action::Store { .. }) => 0,
            _ => piece.joined(whole, read, value),
        };
        if usize::from(done) + 1 < pieces.len() { Ok(Progress { done: done + 1, read }) } else { Err(read) }
    }

    /// Looks for a known cell that shares bytes with a new one. The larger of both is divided, or if it is atomic, the
    /// smaller is widened; and the search restarts. But not if both are atomic.
    pub(super) fn note_overlap(&mut self, new: Address, new_is_atomic: bool, state: &ThreadState) {
        let overlapping = new.overlapping().find_map(|near| Some((near, self.locations.at(near)?)));
        let Some((known, known_location)) = overlapping else { return };
        let mut usages = self.uses.usages.iter();
        let known_is_atomic = usages.any(|usage| usage.location == known_location && usage.order.atomic);
        let cells = [(new, new_is_atomic), (known, known_is_atomic)];
        if let Some(overlap) = Overlap::of(cells[0], cells[1], &self.foreknown.division) {
            self.foreknown.note_overlap(overlap);
            return;
        }
        let size = |at: Address| at.pointer_and_size().map_or(0, |(_, size)| size);
        let (program, span) = (self.machine.program(), self.machine.span(state));
        let place = program.place(span).map_or(String::new(), |place| format!("{place}: "));
        let name = program.cell_name(new);
        self.obstacle = Some(format!(
            "{place}an access to {} bytes at `{name}` overlaps one to {} bytes, both are atomic, and no memory model has \
             that",
            size(new),
            size(known)
        ));
    }
}

/// Two cells that overlap: the larger must be divided, or the smaller widened to this one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Overlap {
    Divide([Address; 2]),
    Widen(Address),
}

impl Overlap {
    /// What two cells that overlap need, each with whether it is accessed atomically. `None` if nothing helps.
    pub(super) fn of(
        (new, new_is_atomic): (Address, bool),
        (known, known_is_atomic): (Address, bool),
        division: &Division,
    ) -> Option<Overlap> {
        let size = |at: Address| at.pointer_and_size().map_or(0, |(_, size)| size);
        let (larger, larger_is_atomic, smaller_is_atomic) = match size(new) > size(known) {
            true => (new, new_is_atomic, known_is_atomic),
            false => (known, known_is_atomic, new_is_atomic),
        };
        if !larger_is_atomic {
            return Some(Overlap::Divide([known, new]));
        }
        (!smaller_is_atomic && division.can_widen(larger)).then_some(Overlap::Widen(larger))
    }

    pub(super) fn mend(self, division: &mut Division) {
        match self {
            Overlap::Divide(cells) => division.divide(cells),
            Overlap::Widen(cell) => division.widen(cell),
        }
    }
}
