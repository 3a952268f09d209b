//! Accesses of different sizes to the same bytes.
//!
//! Models know locations, not bytes: two accesses are to the same location or have nothing to do with each other. So of
//! two accesses that overlap in part, one that is not atomic must change.
//!
//! - The larger one is *divided* into accesses to the parts, one after the other. For a program without data races that
//!   makes no difference, because each part can read from one write only; and a race of the access is a race of one of
//!   its parts. What is not at a multiple of its size, as in a packed struct, is divided too.
//! - If the larger one is atomic, the smaller one is *widened* to its cell. A load reads the whole and takes its part.
//!   A store reads the whole, replaces its part, and writes the whole. For a program without data races that makes no
//!   difference either: what is read is known. But two such accesses to different bytes may conflict only because they
//!   were widened; an engine must not call that a race, and must not go on after it.
//!
//! Two atomic accesses are never changed. Which accesses must change is known only when the second one occurs. The
//! engine then restarts.

use std::collections::{BTreeMap, BTreeSet};

use smallvec::SmallVec;

use crate::memory::{bits_of, value_of_bits};
use crate::{Address, Value};

/// What an access consists of, in the order in which it happens.
pub type Pieces = SmallVec<[Piece; 8]>;

/// An access to one cell, for some bytes of an access of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub cell: Address,
    /// The bytes that the program accesses.
    pub start: u64,
    pub size: u8,
    pub role: Role,
}

/// What happens to the cell of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// All of it is read or written.
    Whole,
    /// It is read for a part of it.
    Extract,
    /// It is read, so that a part of it can be replaced.
    Fetch,
    /// It is written with the new part. This follows at once.
    Insert,
}

impl Role {
    pub fn is_widened(self) -> bool {
        self != Role::Whole
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Division {
    /// The addresses at which no divisible access may go on.
    cuts: BTreeSet<u64>,
    /// Cells to which smaller accesses are widened: where each starts, and its size. They do not overlap.
    wide: BTreeMap<u64, u8>,
}

impl Division {
    /// Divides the larger of two cells that overlap, so that the smaller is a part of it.
    pub fn divide(&mut self, cells: [Address; 2]) {
        let Some([(a, m), (b, n)]) = cells[0].pointer_and_size().zip(cells[1].pointer_and_size()).map(<[_; 2]>::from)
        else {
            return;
        };
        let (start, size) = if m < n { (a, m) } else { (b, n) };
        self.cuts.extend([start, start + u64::from(size)]);
    }

    /// Widens all accesses to a part of a cell. That must be [possible](Division::can_widen).
    pub fn widen(&mut self, cell: Address) {
        if self.can_widen(cell)
            && let Some((start, size)) = cell.pointer_and_size()
        {
            self.wide.insert(start, size);
        }
    }

    /// Whether accesses to parts of a cell can be widened: they are not yet, neither to it nor to one that overlaps.
    pub fn can_widen(&self, cell: Address) -> bool {
        let Some((start, size)) = cell.pointer_and_size() else { return false };
        let end = start + u64::from(size);
        self.wide_at(start).is_none() && self.wide.range(start..end).next().is_none()
    }

    /// Whether some accesses are widened.
    pub fn widens(&self) -> bool {
        !self.wide.is_empty()
    }

    /// Whether accesses to parts of a cell are widened to it.
    pub fn is_wide(&self, cell: Address) -> bool {
        self.widens() && cell.pointer_and_size().is_some_and(|(start, size)| self.wide.get(&start) == Some(&size))
    }

    /// The cell, of those to which accesses are widened, that contains a byte: where it starts and ends.
    fn wide_at(&self, byte: u64) -> Option<(u64, u64)> {
        let (&start, &size) = self.wide.range(..=byte).next_back()?;
        let end = start + u64::from(size);
        (byte < end).then_some((start, end))
    }

    pub fn is_empty(&self) -> bool {
        self.cuts.is_empty() && self.wide.is_empty()
    }

    /// The pieces of an access that is not atomic; nothing if it is whole. An access that is not at a multiple of its
    /// size never is.
    pub fn pieces(&self, at: Address, writes: bool) -> Option<Pieces> {
        let (start, size) = at.pointer_and_size()?;
        let end = start + u64::from(size);
        if start.is_multiple_of(u64::from(size)) && (self.is_empty() || self.is_whole(start, end)) {
            return None;
        }
        let mut pieces = Pieces::new();
        let mut next = start;
        while next < end {
            if let Some((first, after)) = self.wide_at(next) {
                let cell = Address::of_memory(first, (after - first) as u8);
                let until = after.min(end);
                let piece = |role| Piece { cell, start: next, size: (until - next) as u8, role };
                match (next, until) == (first, after) {
                    true => pieces.push(piece(Role::Whole)),
                    false if writes => pieces.extend([piece(Role::Fetch), piece(Role::Insert)]),
                    false => pieces.push(piece(Role::Extract)),
                }
                next = until;
                continue;
            }
            let cut = self.cuts.range(next + 1..end).next().map_or(end, |&cut| cut);
            let until = self.wide.range(next + 1..cut).next().map_or(cut, |(&wide, _)| wide);
            // Cells have a power of two of bytes, and start at a multiple of it.
            let room = 1 << (until - next).ilog2();
            let size = if next == 0 { room } else { room.min(1 << next.trailing_zeros().min(3)) };
            let cell = Address::of_memory(next, size as u8);
            pieces.push(Piece { cell, start: next, size: size as u8, role: Role::Whole });
            next += size;
        }
        Some(pieces)
    }

    /// Whether bytes are one cell.
    fn is_whole(&self, start: u64, end: u64) -> bool {
        if self.widens() {
            if let Some(wide) = self.wide_at(start) {
                return wide == (start, end);
            }
            if self.wide.range(start..end).next().is_some() {
                return false;
            }
        }
        end - start == 1 || self.cuts.range(start + 1..end).next().is_none()
    }
}

impl Piece {
    /// How far its bytes lie behind the start of some cell, in bits.
    fn shift(self, cell: Address) -> u32 {
        8 * cell.pointer_and_size().map_or(0, |(first, _)| self.start.wrapping_sub(first) as u32)
    }

    fn mask(self) -> u128 {
        if self.size >= 16 { u128::MAX } else { (1 << (8 * self.size)) - 1 }
    }

    /// What is written to the cell if the access writes a value. An insertion needs what the cell held `before`.
    pub fn written(self, value: Value, access: Address, before: Value) -> Value {
        let bits = bits_of(value, size(access)) >> self.shift(access) & self.mask();
        let (size, shift) = (size(self.cell), self.shift(self.cell));
        let bits = match self.role {
            Role::Insert => bits_of(before, size) & !(self.mask() << shift) | bits << shift,
            Role::Whole | Role::Extract | Role::Fetch => bits,
        };
        value_of_bits(bits, size)
    }

    /// Adds what was read from the cell to what the access has read so far.
    pub fn joined(self, access: Address, so_far: Value, cell: Value) -> Value {
        let bits = bits_of(cell, size(self.cell)) >> self.shift(self.cell) & self.mask();
        let (size, shift) = (size(access), self.shift(access));
        value_of_bits(bits_of(so_far, size) & !(self.mask() << shift) | bits << shift, size)
    }

    /// Whether two pieces share bytes.
    pub fn overlaps(self, other: Piece) -> bool {
        self.start < other.start + u64::from(other.size) && other.start < self.start + u64::from(self.size)
    }

    /// An access that is not in pieces.
    pub fn whole(cell: Address) -> Piece {
        let (start, size) = cell.pointer_and_size().unwrap_or((cell.0, 1));
        Piece { cell, start, size, role: Role::Whole }
    }
}

fn size(cell: Address) -> u8 {
    cell.pointer_and_size().map_or(8, |(_, size)| size)
}

#[cfg(test)]
mod tests;
