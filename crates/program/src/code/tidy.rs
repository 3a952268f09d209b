//! Fewer instructions and registers for code that was lowered from a compiler's output.
//!
//! Such code copies every value through a register of its own. What is left here is what the states of threads are made
//! of, so every register less makes them smaller, and every instruction less makes threads faster.

use hashbrown::HashMap;

use super::liveness::Liveness;
use crate::{ArithmeticOp, Function, Inst, Operand, Place, Reg};

impl Function {
    /// Does the same with less. Its registers must all hold any word.
    pub fn tidy(&mut self) {
        self.forward_copies();
        while self.drop_dead() {}
        self.forward_copies();
        while self.drop_dead() {}
        self.allocate_registers();
        let idle = |inst: &Inst| matches!(inst, Inst::Copy { dst, a } if *a == Operand::Reg(*dst));
        let keep: Vec<bool> = self.code.iter().map(|inst| !idle(inst)).collect();
        self.retain(&keep);
        self.thread_forward_jumps();
    }

    /// Within a block, reads a copy's source instead of the copy, and adds constants to pointers where they are used.
    fn forward_copies(&mut self) {
        let mut leaders = vec![false; self.code.len() + 1];
        for inst in &self.code {
            inst.for_each_target(|&target| leaders[target as usize] = true);
        }
        let mut copies: HashMap<Reg, Operand> = HashMap::new();
        let mut sums: HashMap<Reg, (Reg, i32)> = HashMap::new();
        for (pc, inst) in self.code.iter_mut().enumerate() {
            if leaders[pc] {
                copies.clear();
                sums.clear();
            }
            inst.for_each_operand_mut(|operand| {
                if let Operand::Reg(reg) = operand
                    && let Some(&source) = copies.get(reg)
                {
                    *operand = source;
                }
            });
            if let Some(Place::Memory(memory)) = inst.place_mut()
                && let Operand::Reg(pointer) = memory.pointer
                && let Some(&(base, offset)) = sums.get(&pointer)
                && let Some(offset) = offset.checked_add(memory.offset)
            {
                (memory.pointer, memory.offset) = (Operand::Reg(base), offset);
            }
            fold(inst);
            inst.for_each_defined(|defined| {
                copies.retain(|dst, source| dst != defined && *source != Operand::Reg(*defined));
                sums.retain(|dst, (base, _)| dst != defined && base != defined);
            });
            match *inst {
                Inst::Copy { dst, a } if a != Operand::Reg(dst) => {
                    copies.insert(dst, a);
                }
                Inst::Arithmetic {
                    dst,
                    op: ArithmeticOp::Add,
                    bits: 64,
                    a: Operand::Reg(base),
                    b: Operand::Const(offset),
                } if base != dst && i32::try_from(offset).is_ok() => {
                    sums.insert(dst, (base, offset as i32));
                }
                _ => {}
            }
        }
    }

    /// Drops what cannot be reached, and what computes values that nobody reads. Returns whether there was any.
    fn drop_dead(&mut self) -> bool {
        let reachable = self.reachable();
        let liveness = Liveness::of(self);
        let mut keep = reachable;
        let mut changed = false;
        for (pc, inst) in self.code.iter_mut().enumerate() {
            if !keep[pc] {
                continue;
            }
            // What comes after: such an instruction does not jump.
            let live = |reg: Reg| liveness.is_live(reg, pc + 1);
            match inst {
                Inst::Load { dst, .. }
                | Inst::Rmw { dst, .. }
                | Inst::Wait { dst, .. }
                | Inst::Call { dst, .. }
                | Inst::CallPointer { dst, .. }
                    if dst.is_some_and(|dst| !live(dst)) =>
                {
                    *dst = None;
                    changed = true;
                }
                _ if is_pure(inst) => inst.for_each_defined(|&dst| keep[pc] = live(dst)),
                _ => {}
            }
        }
        changed |= keep.contains(&false);
        self.retain(&keep);
        changed
    }
}

/// Computes what is constant.
fn fold(inst: &mut Inst) {
    let (dst, value) = match *inst {
        Inst::Arithmetic { dst, op, bits, a: Operand::Const(a), b: Operand::Const(b) } => (dst, op.apply(bits, a, b)),
        Inst::Unary { dst, op, from, to, a: Operand::Const(a) } => (dst, Some(op.apply(from, to, a))),
        Inst::Select { dst, cond: Operand::Const(cond), yes, no } => {
            *inst = Inst::Copy { dst, a: if cond != 0 { yes } else { no } };
            return;
        }
        Inst::Branch { cond: Operand::Const(cond), yes, no } => {
            *inst = Inst::Jump { target: if cond != 0 { yes } else { no } };
            return;
        }
        _ => return,
    };
    if let Some(value) = value {
        *inst = Inst::Copy { dst, a: Operand::Const(value) };
    }
}

/// Does nothing but to compute a register.
fn is_pure(inst: &Inst) -> bool {
    use ArithmeticOp::*;
    match inst {
        Inst::Arithmetic { op, .. } if op.divides() => false,
        // Undefined if the distance is too large, so something depends on it: see `dependency`.
        Inst::Arithmetic { op: Shl | LShr | AShr, b, .. } => matches!(b, Operand::Const(_)),
        Inst::Copy { .. }
        | Inst::Arithmetic { .. }
        | Inst::Unary { .. }
        | Inst::Select { .. }
        | Inst::PrivateAddress { .. }
        | Inst::StackAddress { .. }
        | Inst::ThreadLocalAddress { .. }
        | Inst::CurrentThread { .. } => true,
        _ => false,
    }
}
