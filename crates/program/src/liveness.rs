//! Which registers can still be read. A dead register is set to 0, so that states that differ only in it are one state.

use crate::{Function, Inst, Operand, Place, Reg};

/// For each instruction of a function, and for its end, the registers that are live before it.
pub(crate) struct Liveness {
    words: usize,
    live: Vec<u64>,
}

impl Liveness {
    pub(crate) fn of(function: &Function) -> Liveness {
        let words = function.registers.len().div_ceil(64).max(1);
        let n = function.code.len();
        let mut live = vec![0u64; words * (n + 1)];
        for &Reg(r) in &function.observed {
            live[n * words + r as usize / 64] |= 1 << (r % 64);
        }
        let mut row = vec![0u64; words];
        let mut changed = true;
        while changed {
            changed = false;
            for pc in (0..n).rev() {
                row.fill(0);
                for next in successors(&function.code[pc], pc) {
                    let next = next.min(n);
                    for w in 0..words {
                        row[w] |= live[next * words + w];
                    }
                }
                for Reg(r) in defined(&function.code[pc]) {
                    row[r as usize / 64] &= !(1 << (r % 64));
                }
                for Reg(r) in used(&function.code[pc]) {
                    row[r as usize / 64] |= 1 << (r % 64);
                }
                let here = &mut live[pc * words..(pc + 1) * words];
                if here != row.as_slice() {
                    here.copy_from_slice(&row);
                    changed = true;
                }
            }
        }
        Liveness { words, live }
    }

    pub(crate) fn is_live(&self, pc: usize, reg: usize) -> bool {
        self.live[pc * self.words + reg / 64] >> (reg % 64) & 1 == 1
    }
}

pub(crate) fn successors(inst: &Inst, pc: usize) -> impl Iterator<Item = usize> + use<> {
    let (a, b) = match *inst {
        Inst::Jump { target } => (Some(target as usize), None),
        Inst::Branch { yes, no, .. } => (Some(yes as usize), Some(no as usize)),
        // The end of the function, wherever that is.
        Inst::Return { .. } => (Some(usize::MAX), None),
        _ => (Some(pc + 1), None),
    };
    a.into_iter().chain(b)
}

fn defined(inst: &Inst) -> impl Iterator<Item = Reg> + use<> {
    let (a, b) = match *inst {
        Inst::Unary { dst, .. } | Inst::Binary { dst, .. } | Inst::Choose { dst, .. } => (Some(dst), None),
        Inst::Load { dst, .. } | Inst::Rmw { dst, .. } | Inst::Call { dst, .. } => (dst, None),
        Inst::Cas { old, ok, .. } => (old, ok),
        _ => (None, None),
    };
    a.into_iter().chain(b)
}

/// The registers that an instruction reads: R_in of paper 001 Def. 2.3.
pub(crate) fn used(inst: &Inst) -> impl Iterator<Item = Reg> + use<> {
    let mut operands: Vec<Operand> = Vec::new();
    let mut at = |place: &Place| operands.push(place.index);
    match inst {
        Inst::Unary { a, .. } => operands.push(*a),
        Inst::Binary { a, b, .. } => operands.extend([*a, *b]),
        Inst::Load { place, .. } => at(place),
        Inst::Store { place, value, .. } => {
            at(place);
            operands.push(*value);
        }
        Inst::Rmw { place, operand, .. } => {
            at(place);
            operands.push(*operand);
        }
        Inst::Cas { place, expected, desired, .. } | Inst::BlockingCas { place, expected, desired, .. } => {
            at(place);
            operands.extend([*expected, *desired]);
        }
        Inst::Wait { place, value, .. } => {
            at(place);
            operands.push(*value);
        }
        Inst::Assert { cond } | Inst::Assume { cond } | Inst::Branch { cond, .. } => operands.push(*cond),
        Inst::Call { args, .. } => operands.extend(args.iter().copied()),
        Inst::Return { value } => operands.extend(*value),
        Inst::Fence { .. } | Inst::Choose { .. } | Inst::Jump { .. } => {}
    }
    operands.into_iter().filter_map(|o| match o {
        Operand::Reg(r) => Some(r),
        Operand::Const(_) => None,
    })
}
