//! Fewer instructions and registers for code that was lowered from a compiler's output.
//!
//! Such code copies every value through a register of its own. What is left here is what the states of threads are made
//! of, so every register less makes them smaller, and every instruction less makes threads faster.

use hashbrown::HashMap;

use crate::liveness::Liveness;
use crate::visit::{for_each_defined, for_each_operand_mut, for_each_successor, for_each_target, for_each_target_mut};
use crate::{ArithmeticOp, Function, Inst, Operand, Place, Reg, UnaryOp};

impl Function {
    /// Does the same with less. Its registers must all hold any word.
    pub fn tidy(&mut self) {
        self.forward_copies();
        while self.drop_dead() {}
        self.forward_copies();
        while self.drop_dead() {}
        self.allocate_registers();
        let idle = |inst: &Inst| matches!(inst, Inst::Unary { dst, op: UnaryOp::Copy, a } if *a == Operand::Reg(*dst));
        let keep: Vec<bool> = self.code.iter().map(|inst| !idle(inst)).collect();
        self.retain(&keep);
        self.thread_jumps();
    }

    /// Within a block, reads a copy's source instead of the copy, and adds constants to pointers where they are used.
    fn forward_copies(&mut self) {
        let mut leaders = vec![false; self.code.len() + 1];
        for inst in &self.code {
            for_each_target(inst, |&target| leaders[target as usize] = true);
        }
        let mut copies: HashMap<Reg, Operand> = HashMap::new();
        let mut sums: HashMap<Reg, (Reg, i32)> = HashMap::new();
        for (pc, inst) in self.code.iter_mut().enumerate() {
            if leaders[pc] {
                copies.clear();
                sums.clear();
            }
            for_each_operand_mut(inst, |operand| {
                if let Operand::Reg(reg) = operand
                    && let Some(&source) = copies.get(reg)
                {
                    *operand = source;
                }
            });
            if let Some(Place::Memory(memory)) = place_mut(inst)
                && let Operand::Reg(pointer) = memory.pointer
                && let Some(&(base, offset)) = sums.get(&pointer)
                && let Some(offset) = offset.checked_add(memory.offset)
            {
                (memory.pointer, memory.offset) = (Operand::Reg(base), offset);
            }
            fold(inst);
            for_each_defined(inst, |defined| {
                copies.retain(|dst, source| dst != defined && *source != Operand::Reg(*defined));
                sums.retain(|dst, (base, _)| dst != defined && base != defined);
            });
            match *inst {
                Inst::Unary { dst, op: UnaryOp::Copy, a } if a != Operand::Reg(dst) => {
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
            let after = liveness.before(pc + 1);
            let live = |Reg(r): Reg| after[r as usize / 64] >> (r % 64) & 1 == 1;
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
                _ if is_pure(inst) => for_each_defined(inst, |&dst| keep[pc] = live(dst)),
                _ => {}
            }
        }
        changed |= keep.contains(&false);
        self.retain(&keep);
        changed
    }

    fn reachable(&self) -> Vec<bool> {
        let mut reachable = vec![false; self.code.len()];
        let mut todo = vec![0];
        while let Some(pc) = todo.pop() {
            if pc < self.code.len() && !std::mem::replace(&mut reachable[pc], true) {
                for_each_successor(&self.code[pc], pc, |next| todo.push(next));
            }
        }
        reachable
    }

    /// Keeps some of the instructions; a jump to another goes to the next one that is kept.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        let mut index = Vec::with_capacity(keep.len() + 1);
        let mut count = 0;
        for &kept in keep {
            index.push(count);
            count += kept as u32;
        }
        index.push(count);
        for inst in &mut self.code {
            for_each_target_mut(inst, |target| *target = index[*target as usize]);
        }
        let mut kept = keep.iter();
        self.code.retain(|_| *kept.next().expect("one for each"));
        let mut kept = keep.iter();
        self.spans.retain(|_| *kept.next().expect("one for each"));
    }

    /// Puts an instruction before each of some others; what jumps to these comes to it first.
    pub fn insert_before(&mut self, wanted: impl Fn(usize, &Inst) -> bool, inserted: &Inst) {
        let (mut code, mut spans, mut index) = (Vec::new(), Vec::new(), Vec::new());
        for (pc, (inst, &span)) in self.code.drain(..).zip(&self.spans).enumerate() {
            index.push(code.len() as u32);
            if wanted(pc, &inst) {
                code.push(inserted.clone());
                spans.push(span);
            }
            code.push(inst);
            spans.push(span);
        }
        index.push(code.len() as u32);
        for inst in &mut code {
            if inst.jumps() {
                for_each_target_mut(inst, |target| *target = index[*target as usize]);
            }
        }
        (self.code, self.spans) = (code, spans);
    }

    /// A jump to a jump goes where that one goes, unless that is back; a jump to the next instruction is none.
    fn thread_jumps(&mut self) {
        let ahead: Vec<Option<u32>> = self
            .code
            .iter()
            .enumerate()
            .map(|(pc, inst)| match inst {
                // Which jumps go back is what bounds on loops are counted by.
                Inst::Jump { target } if *target as usize > pc => Some(*target),
                _ => None,
            })
            .collect();
        for (pc, inst) in self.code.iter_mut().enumerate() {
            for_each_target_mut(inst, |target| {
                while *target as usize > pc
                    && let Some(next) = ahead.get(*target as usize).copied().flatten()
                {
                    *target = next;
                }
            });
        }
        let mut keep = self.reachable();
        for (pc, inst) in self.code.iter().enumerate() {
            if let Inst::Jump { target } = inst
                && *target as usize > pc
                && !keep[pc + 1..*target as usize].contains(&true)
            {
                keep[pc] = false;
            }
        }
        self.retain(&keep);
    }
}

fn place_mut(inst: &mut Inst) -> Option<&mut Place> {
    match inst {
        Inst::Load { place, .. }
        | Inst::Store { place, .. }
        | Inst::Rmw { place, .. }
        | Inst::Cas { place, .. }
        | Inst::Wait { place, .. } => Some(place),
        _ => None,
    }
}

/// Computes what is constant.
fn fold(inst: &mut Inst) {
    let (dst, value) = match *inst {
        Inst::Arithmetic { dst, op, bits, a: Operand::Const(a), b: Operand::Const(b) } => (dst, op.apply(bits, a, b)),
        Inst::Cast { dst, op, from, to, a: Operand::Const(a) } => (dst, Some(op.apply(from, to, a))),
        Inst::Select { dst, cond: Operand::Const(cond), yes, no } => {
            *inst = Inst::Unary { dst, op: UnaryOp::Copy, a: if cond != 0 { yes } else { no } };
            return;
        }
        Inst::Branch { cond: Operand::Const(cond), yes, no } => {
            *inst = Inst::Jump { target: if cond != 0 { yes } else { no } };
            return;
        }
        _ => return,
    };
    if let Some(value) = value {
        *inst = Inst::Unary { dst, op: UnaryOp::Copy, a: Operand::Const(value) };
    }
}

/// Does nothing but to compute a register.
fn is_pure(inst: &Inst) -> bool {
    use ArithmeticOp::*;
    match inst {
        Inst::Arithmetic { op: UDiv | SDiv | URem | SRem, .. } => false,
        // Undefined if the distance is too large, so something depends on it: see `dependency`.
        Inst::Arithmetic { op: Shl | LShr | AShr, b, .. } => matches!(b, Operand::Const(_)),
        Inst::Arithmetic { .. } => true,
        Inst::Unary { .. }
        | Inst::Cast { .. }
        | Inst::Select { .. }
        | Inst::PrivateAddress { .. }
        | Inst::StackAddress { .. }
        | Inst::ThreadLocalAddress { .. }
        | Inst::CurrentThread { .. } => true,
        _ => false,
    }
}
