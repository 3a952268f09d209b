//! Types as the scalars that they consist of.

use fencepost_llvm::{Binary, Function, LocalId, Op, Operand, Type, TypeId, Types};
use hashbrown::{HashMap, HashSet};

/// A scalar within a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// In bytes.
    pub offset: u64,
    pub bits: u32,
}

impl Leaf {
    /// Bytes that it takes in memory.
    pub(super) fn size(self) -> u32 {
        self.bits.div_ceil(8)
    }

    /// The accesses of 1, 2, 4 or 8 bytes that it is made of: offset and size.
    pub(super) fn pieces(self) -> impl Iterator<Item = (u32, u8)> {
        let size = self.size();
        let mut at = 0;
        std::iter::from_fn(move || {
            let left = size - at;
            let piece = if left == 0 { return None } else { 1 << left.ilog2() };
            at += piece;
            Some((at - piece, piece as u8))
        })
    }
}

/// More scalars than a value in registers has.
pub(super) const MOST: usize = 4096;
/// Types nest no deeper than this.
const DEEPEST: u32 = 100;

/// The scalars of a type in the order of memory, or the kind of scalar that is not supported.
pub(super) fn leaves(types: &Types, ty: TypeId) -> Result<Vec<Leaf>, &'static str> {
    let mut out = Vec::new();
    collect(types, ty, 0, 0, &mut out)?;
    Ok(out)
}

fn collect(types: &Types, ty: TypeId, offset: u64, depth: u32, out: &mut Vec<Leaf>) -> Result<(), &'static str> {
    if depth > DEEPEST {
        return Err("a type that nests too deeply");
    }
    // However many parts it has, there is nothing in them.
    if types.size(ty) == Some(0) {
        return Ok(());
    }
    let bits = match types.get(ty) {
        Type::Int(bits @ 1..=64) => *bits,
        // Two words, as in memory.
        Type::Int(128) => {
            out.extend([Leaf { offset, bits: 64 }, Leaf { offset: offset + 8, bits: 64 }]);
            return Ok(());
        }
        Type::Int(_) => return Err("an integer of more than 64 bits"),
        Type::Float => 32,
        Type::Double | Type::Pointer => 64,
        Type::Void => return Ok(()),
        Type::Array { length, element } => {
            if *length > MOST as u64 {
                return Err("an array as a value");
            }
            let size = types.size(*element).ok_or("a type without a size")?;
            for i in 0..*length {
                collect(types, *element, offset + i * size, depth + 1, out)?;
            }
            return Ok(());
        }
        Type::Struct { .. } => {
            types.size(ty).ok_or("a type without a size")?;
            for (at, field) in types.parts(ty, usize::MAX) {
                collect(types, field, offset + at, depth + 1, out)?;
            }
            return Ok(());
        }
        Type::Vector { length, element } => {
            if *length > MOST as u64 {
                return Err("a vector of so many elements");
            }
            if matches!(types.get(*element), Type::Int(65..)) {
                return Err("a vector of integers of more than 64 bits");
            }
            let size = types.size(*element).ok_or("a type without a size")?;
            for i in 0..*length {
                collect(types, *element, offset + i * size, depth + 1, out)?;
            }
            return Ok(());
        }
        Type::X86Fp80 | Type::Fp128 => return Err("a long double"),
        Type::Half | Type::BFloat => return Err("a half-precision float"),
        _ => return Err("a type without a size"),
    };
    if out.len() >= MOST {
        return Err("an aggregate as a value");
    }
    out.push(Leaf { offset, bits });
    Ok(())
}

/// Whether a function changes bits of a `std::vector<bool>`: in libstdc++, in libc++.
pub(super) fn is_of_bits(name: &str) -> bool {
    ["_Bit_reference", "__fill_bvector", "__bit_reference", "__bit_iterator"].iter().any(|part| name.contains(part))
}

/// The loads of what surrounds a bit field: masked, joined with the new bits, and stored back to where they came from.
/// So are the bits around one of a `std::vector<bool>`, if the function is one of its code (`of_bits`).
pub(super) fn bit_field_stores(function: &Function, of_bits: bool) -> HashSet<LocalId> {
    let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
    let mut loads: HashMap<LocalId, Operand> = HashMap::new();
    // What was masked or joined, and the load that it comes from.
    let mut masked: HashMap<LocalId, LocalId> = HashMap::new();
    let mut joined: HashMap<LocalId, LocalId> = HashMap::new();
    // What has some bits changed, and what was loaded.
    let mut bits: Vec<(LocalId, LocalId)> = Vec::new();
    let mut found = HashSet::new();
    for instruction in instructions() {
        match (&instruction.op, instruction.result) {
            (Op::Load { pointer, .. }, Some(result)) => {
                loads.insert(result, *pointer);
            }
            (Op::Binary { op: Binary::And | Binary::Or | Binary::Xor, a, b, .. }, Some(result)) if of_bits => {
                for operand in [a, b] {
                    if let Operand::Local(load) = operand
                        && loads.contains_key(load)
                    {
                        bits.push((result, *load));
                    }
                }
            }
            (Op::Binary { op: Binary::And, a: Operand::Local(a), b: Operand::Constant(_), .. }, Some(result))
                if loads.contains_key(a) =>
            {
                masked.insert(result, *a);
            }
            (Op::Binary { op: Binary::Or, a, b, .. }, Some(result)) => {
                let part = [a, b].into_iter().find_map(|operand| match operand {
                    Operand::Local(local) => masked.get(local),
                    Operand::Constant(_) => None,
                });
                joined.extend(part.map(|&load| (result, load)));
            }
            (Op::Store { value: Operand::Local(value), pointer, .. }, _) => {
                let bits = bits.iter().filter(|(changed, _)| changed == value).map(|&(_, load)| load);
                found.extend(joined.get(value).copied().into_iter().chain(bits).filter(|load| loads[load] == *pointer));
            }
            _ => {}
        }
    }
    found
}
