use std::collections::HashMap;

use super::*;
use crate::memory::bytes_of;

const BASE: u64 = 0x1_0000;

/// A division with random cuts and wide cells between `BASE` and `BASE + 48`.
fn random_division(random: &mut fastrand::Rng) -> Division {
    let mut division = Division::default();
    for _ in 0..random.u32(..6) {
        let size = 1u8 << random.u32(0..4);
        let large = size.max(4) * 2;
        let small = BASE + random.u64(..32) / u64::from(size) * u64::from(size);
        let start = small / u64::from(large) * u64::from(large);
        division.divide([Address::of_memory(start, large), Address::of_memory(small, size)]);
    }
    for _ in 0..random.u32(..3) {
        let size = 1u8 << random.u32(1..5);
        let cell = Address::of_memory(BASE + random.u64(..32) / u64::from(size) * u64::from(size), size);
        let could = division.can_widen(cell);
        division.widen(cell);
        assert!(!could || division.is_wide(cell));
        assert!(!division.can_widen(cell));
    }
    division
}

#[test]
fn the_pieces_of_an_access_are_its_bytes_and_respect_every_cut_outside_of_wide_cells() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20_000 {
        let division = random_division(&mut random);
        let size = 1u8 << random.u32(0..5);
        let whole = Address::of_memory(BASE + random.u64(..24), size);
        let (start, _) = whole.pointer_and_size().expect("a cell of memory");
        let end = start + u64::from(size);
        let Some(pieces) = division.pieces(whole, false) else {
            assert!(start.is_multiple_of(u64::from(size)));
            let wide = |byte| division.wide_at(byte);
            assert!((start..end).all(|byte| wide(byte).is_none_or(|wide| wide == (start, end))));
            let inside = |&cut: &u64| start < cut && cut < end;
            assert!(wide(start).is_some() || !division.cuts.iter().any(inside));
            continue;
        };
        let mut next = start;
        for piece in &pieces {
            assert_eq!(piece.start, next);
            let (first, size) = piece.cell.pointer_and_size().expect("a cell of memory");
            assert!(first.is_multiple_of(u64::from(size)));
            next += u64::from(piece.size);
            assert!(first <= piece.start && next <= first + u64::from(size));
            assert_eq!(division.wide_at(first).is_some(), division.is_wide(piece.cell));
            match piece.role {
                Role::Whole => assert_eq!((first, size), (piece.start, piece.size)),
                Role::Extract => assert!(division.is_wide(piece.cell) && piece.size < size),
                Role::Fetch | Role::Insert => unreachable!("a load writes nothing"),
            }
            let inside = |&cut: &u64| piece.start < cut && cut < next;
            assert!(division.is_wide(piece.cell) || !division.cuts.iter().any(inside));
        }
        assert_eq!(next, end);
    }
}

/// Memory by cells, each holding its bytes.
fn cell_value(bytes: &HashMap<u64, u8>, cell: Address) -> Value {
    let (start, size) = cell.pointer_and_size().expect("a cell of memory");
    let bytes: Vec<u8> = (0..u64::from(size)).map(|i| bytes.get(&(start + i)).copied().unwrap_or(0)).collect();
    crate::memory::value_of(&bytes)
}

fn set_cell(bytes: &mut HashMap<u64, u8>, cell: Address, value: Value) {
    let (start, size) = cell.pointer_and_size().expect("a cell of memory");
    for (at, byte) in (start..).zip(bytes_of(value, size)).take(size.into()) {
        bytes.insert(at, byte);
    }
}

#[test]
fn accesses_in_pieces_read_and_write_the_bytes_of_whole_ones() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..20_000 {
        let division = random_division(&mut random);
        let mut bytes: HashMap<u64, u8> = (BASE..BASE + 48).map(|at| (at, random.u8(..))).collect();
        let size = 1u8 << random.u32(0..5);
        let access = Address::of_memory(BASE + random.u64(..24), size);
        let value = value_of_bits(random.u128(..), size);
        let mut expected = bytes.clone();
        set_cell(&mut expected, access, value);

        let read = |bytes: &HashMap<u64, u8>| match division.pieces(access, false) {
            Some(pieces) => {
                pieces.iter().fold(0, |read, piece| piece.joined(access, read, cell_value(bytes, piece.cell)))
            }
            None => cell_value(bytes, access),
        };
        assert_eq!(read(&bytes), cell_value(&bytes, access));
        let mut fetched = 0;
        for piece in division.pieces(access, true).unwrap_or_else(|| Pieces::from_iter([Piece::whole(access)])) {
            match piece.role {
                Role::Fetch => fetched = cell_value(&bytes, piece.cell),
                _ => set_cell(&mut bytes, piece.cell, piece.written(value, access, fetched)),
            }
        }
        assert_eq!(bytes, expected);
        assert_eq!(read(&bytes), value);
    }
}

#[test]
fn the_smaller_of_two_cells_becomes_a_part_of_the_larger() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..10_000 {
        let (m, n) = (1u64 << random.u32(..5), 1u64 << random.u32(..5));
        let large = BASE + random.u64(..8);
        let small = (large + random.u64(..16) / n * n) / n * n;
        if n >= m || small < large || small + n > large + m {
            continue;
        }
        let cells = [Address::of_memory(large, m as u8), Address::of_memory(small, n as u8)];
        for cells in [cells, [cells[1], cells[0]]] {
            let mut division = Division::default();
            division.divide(cells);
            let whole = Address::of_memory(large, m as u8);
            let pieces = division.pieces(whole, false).expect("it is divided");
            let part = Piece::whole(Address::of_memory(small, n as u8));
            assert!(pieces.contains(&part), "{small:#x} in {large:#x}: {pieces:?}");
            assert_eq!(division.pieces(Address::of_memory(small, n as u8), true), None);
        }
    }
}

#[test]
fn cells_of_declared_objects_are_whole() {
    let mut division = Division::default();
    division.divide([Address(0), Address(1)]);
    division.widen(Address(0));
    assert!(division.is_empty() && division.pieces(Address(0), true).is_none());
}
