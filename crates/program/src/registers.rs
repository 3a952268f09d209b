//! As few registers as values that are alive at the same time ask for.

use crate::liveness::Liveness;
use crate::visit::{for_each_defined, for_each_defined_mut, for_each_operand_mut};
use crate::{Function, Inst, Operand, Reg, UnaryOp};

/// Functions with more registers keep them: the table of conflicts would be too large.
const MOST: usize = 10_000;
/// Not given a register yet.
const NONE: u32 = u32::MAX;

/// Which registers hold values at the same time.
struct Conflicts {
    words: usize,
    bits: Vec<u64>,
}

impl Conflicts {
    fn add(&mut self, Reg(a): Reg, live: &[u64]) {
        let row = a as usize * self.words;
        for (w, &word) in live.iter().enumerate() {
            self.bits[row + w] |= word;
        }
    }

    /// A conflict has two sides.
    fn mirror(&mut self, count: usize) {
        for a in 0..count {
            for w in 0..self.words {
                let mut word = self.bits[a * self.words + w];
                while word != 0 {
                    let b = w * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    self.bits[b * self.words + a / 64] |= 1 << (a % 64);
                }
            }
        }
    }

    fn of(&self, a: usize) -> impl Iterator<Item = usize> + '_ {
        self.bits[a * self.words..(a + 1) * self.words].iter().enumerate().flat_map(|(w, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                (word != 0).then(|| {
                    word &= word - 1;
                    w * 64 + bit as usize
                })
            })
        })
    }
}

impl Function {
    /// Gives registers that are never alive together one register.
    pub(crate) fn allocate_registers(&mut self) {
        let count = self.registers.len();
        if count > MOST || count <= self.params as usize || !self.observed.is_empty() {
            return;
        }
        let conflicts = self.conflicts();
        let mut given = vec![NONE; count];
        for (r, register) in given.iter_mut().enumerate().take(self.params as usize) {
            *register = r as u32;
        }
        let mut taken = vec![false; count + 1];
        let mut order: Vec<(Reg, Option<Reg>)> = Vec::new();
        for inst in &self.code {
            let source = match inst {
                Inst::Unary { op: UnaryOp::Copy, a: Operand::Reg(source), .. } => Some(*source),
                _ => None,
            };
            for_each_defined(inst, |&dst| order.push((dst, source)));
        }
        // What is read but never set is 0, and keeps a register of its own.
        order.extend((0..count as u32).map(|r| (Reg(r), None)));
        for (Reg(r), source) in order {
            if given[r as usize] != NONE {
                continue;
            }
            taken.fill(false);
            for other in conflicts.of(r as usize) {
                if given[other] != NONE {
                    taken[given[other] as usize] = true;
                }
            }
            let preferred = source.map(|Reg(s)| given[s as usize]).filter(|&g| g != NONE && !taken[g as usize]);
            let free = || taken.iter().position(|taken| !taken).expect("more registers than conflicts") as u32;
            given[r as usize] = preferred.unwrap_or_else(free);
        }
        self.rename(&given);
    }

    fn conflicts(&self) -> Conflicts {
        let count = self.registers.len();
        let words = count.div_ceil(64).max(1);
        let liveness = Liveness::of(self);
        let mut conflicts = Conflicts { words, bits: vec![0; words * count] };
        // Parameters are set, and everything else is 0, at the start.
        let mut start = liveness.before(0).to_vec();
        for r in 0..self.params as usize {
            start[r / 64] |= 1 << (r % 64);
        }
        for r in 0..count {
            if start[r / 64] >> (r % 64) & 1 == 1 {
                conflicts.add(Reg(r as u32), &start);
            }
        }
        let mut after = vec![0u64; words];
        for (pc, inst) in self.code.iter().enumerate() {
            let mut defines = false;
            for_each_defined(inst, |_| defines = true);
            if !defines {
                continue;
            }
            after.copy_from_slice(liveness.before(pc + 1));
            for_each_defined(inst, |&Reg(r)| after[r as usize / 64] |= 1 << (r % 64));
            if let Inst::Unary { op: UnaryOp::Copy, a: Operand::Reg(Reg(source)), .. } = inst {
                // A copy and its source may share a register.
                after[*source as usize / 64] &= !(1 << (source % 64));
            }
            for_each_defined(inst, |&dst| conflicts.add(dst, &after));
        }
        conflicts.mirror(count);
        for r in 0..count {
            conflicts.bits[r * words + r / 64] &= !(1 << (r % 64));
        }
        conflicts
    }

    fn rename(&mut self, given: &[u32]) {
        let mut used = self.params;
        for inst in &mut self.code {
            for_each_defined_mut(inst, |reg| {
                reg.0 = given[reg.0 as usize];
                used = used.max(reg.0 + 1);
            });
            for_each_operand_mut(inst, |operand| {
                if let Operand::Reg(reg) = operand {
                    reg.0 = given[reg.0 as usize];
                    used = used.max(reg.0 + 1);
                }
            });
        }
        let mut registers = vec![None; used as usize];
        for (r, register) in self.registers.drain(..).enumerate() {
            if let Some(place) = registers.get_mut(given[r] as usize) {
                place.get_or_insert(register);
            }
        }
        self.registers = registers.into_iter().map(|r| r.unwrap_or((String::new(), crate::Ty::Int))).collect();
    }
}
