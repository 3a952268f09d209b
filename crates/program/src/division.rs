//! Accesses of different sizes to the same bytes.
//!
//! Models know locations, not bytes: two accesses are to the same location or have nothing to do with each other. So an
//! access that is not atomic, and of which others access a part, is divided into accesses to the parts, one after the
//! other. For a program without data races that makes no difference, because each part can read from one write only;
//! and a race of the access is a race of one of its parts. Atomic accesses are never divided.
//!
//! What is not at a multiple of its size, as in a packed struct, is divided too.
//!
//! Which accesses must be divided is known only when the smaller access occurs. The engine then restarts.

use std::collections::BTreeSet;

use smallvec::SmallVec;

use crate::memory::sign_extended;
use crate::{Address, Value};

/// The cells that an access consists of, in the order of memory.
pub type CellParts = SmallVec<[Address; 8]>;

#[derive(Clone, Debug, Default)]
pub struct Division {
    /// The addresses at which no divisible access may go on.
    cuts: BTreeSet<u64>,
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

    pub fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// The parts of an access that is not atomic; nothing if it is whole. An access that is not at a multiple of its
    /// size never is.
    pub fn parts(&self, at: Address) -> Option<CellParts> {
        let (start, size) = at.pointer_and_size()?;
        let end = start + u64::from(size);
        let aligned = start.is_multiple_of(u64::from(size));
        if aligned && (self.is_empty() || size == 1 || self.cuts.range(start + 1..end).next().is_none()) {
            return None;
        }
        let mut parts = CellParts::new();
        let mut next = start;
        while next < end {
            let until = self.cuts.range(next + 1..end).next().map_or(end, |&cut| cut);
            // Cells have a power of two of bytes, and start at a multiple of it.
            let room = 1 << (until - next).ilog2();
            let size = if next == 0 { room } else { room.min(1 << next.trailing_zeros().min(3)) };
            parts.push(Address::of_memory(next, size as u8));
            next += size;
        }
        Some(parts)
    }
}

/// Of a value that a whole access writes, what goes to a part.
pub fn part_of(value: Value, whole: Address, part: Address) -> Value {
    let (Some((start, _)), Some((pointer, size))) = (whole.pointer_and_size(), part.pointer_and_size()) else {
        return value;
    };
    sign_extended(value >> (8 * (pointer - start)), 8 * u32::from(size))
}

/// The value that a whole access reads, from those of its parts.
pub fn joined(whole: Address, parts: impl IntoIterator<Item = (Address, Value)>) -> Value {
    let Some((start, size)) = whole.pointer_and_size() else { return 0 };
    let mut word = 0u64;
    for (part, value) in parts {
        if let Some((pointer, size)) = part.pointer_and_size() {
            let low = if size >= 8 { value as u64 } else { value as u64 & ((1 << (8 * size)) - 1) };
            word |= low << (8 * (pointer - start));
        }
    }
    sign_extended(word as Value, 8 * u32::from(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_an_access_are_its_bytes_and_respect_every_cut() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..10_000 {
            let mut division = Division::default();
            for _ in 0..random.u32(1..6) {
                let size = 1u8 << random.u32(0..3);
                let small = 0x1_0000 + u64::from(random.u32(0..4) * 4 / u32::from(size) * u32::from(size));
                let large = small / 8 * 8;
                division.divide([Address::of_memory(large, 8), Address::of_memory(small, size)]);
            }
            let size = 1u8 << random.u32(0..4);
            let start = 0x1_0000 + u64::from(random.u8(0..16) / size * size);
            let whole = Address::of_memory(start, size);
            let Some(parts) = division.parts(whole) else {
                let inside = |&cut: &u64| start < cut && cut < start + u64::from(size);
                assert!(!division.cuts.iter().any(inside));
                continue;
            };
            let mut next = start;
            for part in &parts {
                let (pointer, size) = part.pointer_and_size().expect("a cell of memory");
                assert_eq!(pointer, next);
                assert!(pointer.is_multiple_of(u64::from(size)));
                next += u64::from(size);
                assert!(!division.cuts.iter().any(|&cut| pointer < cut && cut < next));
            }
            assert_eq!(next, start + u64::from(size));
            let value = sign_extended(random.i64(..), 8 * u32::from(size));
            assert_eq!(joined(whole, parts.iter().map(|&part| (part, part_of(value, whole, part)))), value);
        }
    }

    #[test]
    fn the_smaller_of_two_cells_becomes_a_part_of_the_larger() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..10_000 {
            let (m, n) = (1u64 << random.u32(..4), 1u64 << random.u32(..4));
            let large = 0x1_0000 + random.u64(..8);
            let small = large + random.u64(..8) / n * n;
            let small = small / n * n;
            if n >= m || small < large || small + n > large + m {
                continue;
            }
            let cells = [Address::of_memory(large, m as u8), Address::of_memory(small, n as u8)];
            for cells in [cells, [cells[1], cells[0]]] {
                let mut division = Division::default();
                division.divide(cells);
                let whole = Address::of_memory(large, m as u8);
                let parts = division.parts(whole).expect("it is divided");
                assert!(parts.contains(&Address::of_memory(small, n as u8)), "{small:#x} in {large:#x}: {parts:?}");
                assert_eq!(division.parts(Address::of_memory(small, n as u8)), None);
            }
        }
    }

    #[test]
    fn cells_of_declared_objects_are_whole() {
        let mut division = Division::default();
        division.divide([Address(0), Address(1)]);
        assert!(division.is_empty() && division.parts(Address(0)).is_none());
    }
}
