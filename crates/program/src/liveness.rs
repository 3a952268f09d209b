//! Which registers can still be read. A dead register is set to 0, so that states that differ only in it are one state.

use crate::visit::{for_each_defined, for_each_operand, for_each_successor};
use crate::{Function, Inst, Operand, Reg};

/// For each instruction of a function, and for its end, the registers that are live before it.
pub(crate) struct Liveness {
    words: usize,
    live: Vec<u64>,
}

impl Liveness {
    pub(crate) fn of(function: &Function) -> Liveness {
        Liveness::with(function, used)
    }

    /// The same, but what is printed and not shown need not be kept.
    pub(crate) fn without_output(function: &Function) -> Liveness {
        Liveness::with(function, |inst| {
            let printed = matches!(inst, Inst::Print { shown: false, .. });
            used(inst).filter(move |_| !printed)
        })
    }

    fn with<R: Iterator<Item = Reg>>(function: &Function, used: impl Fn(&Inst) -> R) -> Liveness {
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
                for_each_successor(&function.code[pc], pc, |next| {
                    let next = next.min(n);
                    for w in 0..words {
                        row[w] |= live[next * words + w];
                    }
                });
                for_each_defined(&function.code[pc], |&Reg(r)| row[r as usize / 64] &= !(1 << (r % 64)));
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

    /// The registers that are live before an instruction, or at the end, as a set of bits.
    pub(crate) fn before(&self, pc: usize) -> &[u64] {
        &self.live[pc * self.words..(pc + 1) * self.words]
    }
}

impl Function {
    /// The registers that may be read before anything was assigned to them, but for the parameters.
    pub fn unassigned_registers(&self) -> Vec<Reg> {
        let live = Liveness::of(self);
        let first = live.before(0);
        let is_live = |r: &u32| first[*r as usize / 64] >> (r % 64) & 1 == 1;
        (self.params..self.registers.len() as u32).filter(is_live).map(Reg).collect()
    }

    /// Whether the function looks at an argument.
    pub fn reads_parameter(&self, Reg(r): Reg) -> bool {
        Liveness::of(self).before(0)[r as usize / 64] >> (r % 64) & 1 == 1
    }
}

/// The registers that an instruction reads: R_in of paper 001 Def. 2.3.
pub(crate) fn used(inst: &Inst) -> impl Iterator<Item = Reg> + use<> {
    let mut registers = Vec::new();
    for_each_operand(inst, |operand| {
        if let Operand::Reg(reg) = *operand {
            registers.push(reg);
        }
    });
    registers.into_iter()
}
