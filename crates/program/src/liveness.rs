//! Which registers can still be read. A dead register is set to 0, so that states that differ only in it are one state.

use crate::{Function, Inst, Operand, Reg};

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
                for_each_successor(&function.code[pc], pc, |next| {
                    let next = next.min(n);
                    for w in 0..words {
                        row[w] |= live[next * words + w];
                    }
                });
                for_each_defined(&function.code[pc], |Reg(r)| row[r as usize / 64] &= !(1 << (r % 64)));
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

/// Calls `f` with the places that can come after an instruction; [`usize::MAX`] is the end of the function.
pub(crate) fn for_each_successor(inst: &Inst, pc: usize, mut f: impl FnMut(usize)) {
    match inst {
        Inst::Jump { target } => f(*target as usize),
        Inst::Branch { yes, no, .. } => {
            f(*yes as usize);
            f(*no as usize);
        }
        Inst::Switch { cases, default, .. } => {
            cases.iter().for_each(|case| f(case.1 as usize));
            f(*default as usize);
        }
        Inst::Return { .. } | Inst::ReturnMany { .. } | Inst::ExitThread { .. } | Inst::Fail { .. } => f(usize::MAX),
        _ => f(pc + 1),
    }
}

/// Calls `f` with the registers that an instruction sets.
pub(crate) fn for_each_defined(inst: &Inst, mut f: impl FnMut(Reg)) {
    match inst {
        Inst::Unary { dst, .. }
        | Inst::Binary { dst, .. }
        | Inst::Choose { dst, .. }
        | Inst::Arithmetic { dst, .. }
        | Inst::Cast { dst, .. }
        | Inst::Select { dst, .. }
        | Inst::PrivateAddress { dst, .. }
        | Inst::StackAddress { dst, .. }
        | Inst::ThreadLocalAddress { dst, .. }
        | Inst::CurrentThread { dst }
        | Inst::Alloc { dst, .. } => f(*dst),
        Inst::Load { dst, .. }
        | Inst::Rmw { dst, .. }
        | Inst::Call { dst, .. }
        | Inst::CallPointer { dst, .. }
        | Inst::Spawn { dst, .. } => dst.iter().copied().for_each(f),
        Inst::Cas { old, ok, .. } => old.iter().chain(ok).copied().for_each(f),
        Inst::TakeResults { dsts } => dsts.iter().copied().for_each(f),
        Inst::Store { .. }
        | Inst::BlockingCas { .. }
        | Inst::Wait { .. }
        | Inst::Fence { .. }
        | Inst::Assert { .. }
        | Inst::Assume { .. }
        | Inst::Jump { .. }
        | Inst::Branch { .. }
        | Inst::Switch { .. }
        | Inst::Return { .. }
        | Inst::ReturnMany { .. }
        | Inst::ExitThread { .. }
        | Inst::Fail { .. } => {}
    }
}

/// Calls `f` with each operand of an instruction.
pub(crate) fn for_each_operand(inst: &Inst, mut f: impl FnMut(Operand)) {
    if let Some(place) = crate::access::place_of(inst) {
        f(place.operand());
    }
    match inst {
        Inst::Unary { a, .. } | Inst::Cast { a, .. } => f(*a),
        Inst::Binary { a, b, .. } | Inst::Arithmetic { a, b, .. } => {
            f(*a);
            f(*b);
        }
        Inst::Select { cond, yes, no, .. } => [cond, yes, no].into_iter().copied().for_each(f),
        Inst::Store { value, .. } | Inst::Wait { value, .. } | Inst::Switch { value, .. } => f(*value),
        Inst::ExitThread { value } => f(*value),
        Inst::Rmw { operand, .. } => f(*operand),
        Inst::Cas { expected, desired, .. } | Inst::BlockingCas { expected, desired, .. } => {
            f(*expected);
            f(*desired);
        }
        Inst::Assert { cond } | Inst::Assume { cond } | Inst::Branch { cond, .. } => f(*cond),
        Inst::Call { args, .. } => args.iter().copied().for_each(f),
        Inst::CallPointer { target, args, .. } => {
            f(*target);
            args.iter().copied().for_each(f);
        }
        Inst::Return { value } => value.iter().copied().for_each(f),
        Inst::ReturnMany { values } => values.iter().copied().for_each(f),
        Inst::Alloc { size, .. } => f(*size),
        Inst::Spawn { function, argument, .. } => {
            f(*function);
            f(*argument);
        }
        Inst::Load { .. }
        | Inst::Fence { .. }
        | Inst::Choose { .. }
        | Inst::Jump { .. }
        | Inst::PrivateAddress { .. }
        | Inst::StackAddress { .. }
        | Inst::ThreadLocalAddress { .. }
        | Inst::CurrentThread { .. }
        | Inst::TakeResults { .. }
        | Inst::Fail { .. } => {}
    }
}

/// The registers that an instruction reads: R_in of paper 001 Def. 2.3.
pub(crate) fn used(inst: &Inst) -> impl Iterator<Item = Reg> + use<> {
    let mut registers = Vec::new();
    for_each_operand(inst, |operand| {
        if let Operand::Reg(reg) = operand {
            registers.push(reg);
        }
    });
    registers.into_iter()
}
