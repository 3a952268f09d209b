//! As few registers as values that are alive at the same time ask for.

use super::bits::{BitMatrix, BitSet};
use super::liveness::Liveness;
use crate::{Function, Inst, Operand, Reg, Register, Ty};

/// Functions with more registers keep them: the table of conflicts would be too large.
const MOST: usize = 10_000;

impl Function {
    /// Gives registers that are never alive together one register.
    pub(crate) fn allocate_registers(&mut self) {
        let count = self.registers.len();
        if count > MOST || count <= self.params as usize || !self.observed.is_empty() {
            return;
        }
        let conflicts = self.conflicts();
        let mut given: Vec<Option<Reg>> = vec![None; count];
        for (r, register) in given.iter_mut().enumerate().take(self.params as usize) {
            *register = Some(Reg(r as u32));
        }
        let mut order: Vec<(Reg, Option<Reg>)> = Vec::new();
        for inst in &self.code {
            let source = match inst {
                Inst::Copy { a: Operand::Reg(source), .. } => Some(*source),
                _ => None,
            };
            inst.for_each_defined(|&dst| order.push((dst, source)));
        }
        // What is read but never set is 0, and keeps a register of its own.
        order.extend((0..count as u32).map(|r| (Reg(r), None)));
        let mut taken = BitSet::new(count + 1);
        for (Reg(r), source) in order {
            if given[r as usize].is_some() {
                continue;
            }
            taken.clear();
            conflicts.iter_row(r as usize).filter_map(|other| given[other]).for_each(|Reg(g)| taken.insert(g as usize));
            let is_free = |Reg(g): &Reg| !taken.contains(*g as usize);
            let preferred = source.and_then(|Reg(s)| given[s as usize]).filter(is_free);
            given[r as usize] = preferred.or_else(|| (0..=count as u32).map(Reg).find(is_free));
        }
        let given: Vec<Reg> = given.into_iter().map(|reg| reg.expect("more registers than conflicts")).collect();
        self.share(&given);
    }

    /// Which registers hold values at the same time.
    fn conflicts(&self) -> BitMatrix {
        let count = self.registers.len();
        let liveness = Liveness::of(self);
        let mut conflicts = BitMatrix::new(count);
        // Parameters are set, and everything else is 0, at the start.
        let mut start = BitSet::of(count, 0..self.params as usize);
        start.insert_words(liveness.before(0));
        start.iter().for_each(|r| conflicts.insert_words(r, start.words()));
        let mut after = BitSet::new(count);
        for (pc, inst) in self.code.iter().enumerate() {
            after.clear();
            after.insert_words(liveness.before(pc + 1));
            inst.for_each_defined(|&Reg(r)| after.insert(r as usize));
            if let Inst::Copy { a: Operand::Reg(Reg(source)), .. } = inst {
                // A copy and its source may share a register.
                after.remove(*source as usize);
            }
            inst.for_each_defined(|&Reg(r)| conflicts.insert_words(r as usize, after.words()));
        }
        conflicts.make_symmetric();
        (0..count).for_each(|r| conflicts.remove(r, r));
        conflicts
    }

    /// Replaces each register by the one that it is given; those that share have the name of the first.
    fn share(&mut self, given: &[Reg]) {
        let mut used = self.params;
        for inst in &mut self.code {
            inst.rename_registers(|Reg(r)| {
                let reg = given[r as usize];
                used = used.max(reg.0 + 1);
                reg
            });
        }
        let mut registers = vec![None; used as usize];
        for (r, register) in self.registers.drain(..).enumerate() {
            if let Some(place) = registers.get_mut(given[r].0 as usize) {
                place.get_or_insert(register);
            }
        }
        self.registers = registers.into_iter().map(|r| r.unwrap_or(Register::temporary(Ty::Int))).collect();
    }
}
