//! Which registers can still be read. A dead register is set to 0, so that states that differ only in it are one state.

use super::bits::{BitMatrix, BitSet, row_contains};
use crate::{Function, Inst, Reg};

/// For each instruction of a function, and for its end, the registers that are live before it.
pub struct Liveness {
    live: BitMatrix,
}

impl Liveness {
    pub fn of(function: &Function) -> Liveness {
        Liveness::with(function, |_| true)
    }

    /// Liveness in which output that is not shown uses no register.
    pub fn without_output(function: &Function) -> Liveness {
        Liveness::with(function, |inst| !matches!(inst, Inst::Print { shown: false, .. }))
    }

    /// `reads`: whether the operands of an instruction count.
    fn with(function: &Function, reads: impl Fn(&Inst) -> bool) -> Liveness {
        let n = function.code.len();
        let registers = function.registers.len().max(1);
        let mut live = BitMatrix::with(n + 1, registers);
        for &Reg(r) in &function.observed {
            live.insert(n, r as usize);
        }
        let mut row = BitSet::new(registers);
        let mut changed = true;
        while changed {
            changed = false;
            for (pc, inst) in function.code.iter().enumerate().rev() {
                row.clear();
                inst.for_each_successor(pc, |next| row.insert_words(live.row(next.unwrap_or(n).min(n))));
                inst.for_each_defined(|&Reg(r)| row.remove(r as usize));
                if reads(inst) {
                    inst.for_each_used(|Reg(r)| row.insert(r as usize));
                }
                let here = live.row_mut(pc);
                if here != row.words() {
                    here.copy_from_slice(row.words());
                    changed = true;
                }
            }
        }
        Liveness { live }
    }

    /// The registers that are live before an instruction, or at the end, as a row of bits.
    pub(crate) fn before(&self, pc: usize) -> &[u64] {
        self.live.row(pc)
    }

    /// Whether a register is live before an instruction, or at the end.
    pub fn is_live(&self, Reg(r): Reg, pc: usize) -> bool {
        row_contains(self.before(pc), r as usize)
    }
}

impl Function {
    /// The registers that may be read before anything was assigned to them, but for the parameters.
    pub fn unassigned_registers(&self) -> Vec<Reg> {
        let live = Liveness::of(self);
        (self.params..self.registers.len() as u32).map(Reg).filter(|&reg| live.is_live(reg, 0)).collect()
    }

    /// Whether the function looks at an argument.
    pub fn reads_parameter(&self, parameter: Reg) -> bool {
        Liveness::of(self).is_live(parameter, 0)
    }
}
