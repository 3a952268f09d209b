//! What instructions read, set and jump to; each visitor once for looking and once for changing.

use crate::{Function, Inst, Operand, Place, Reg};

/// Calls `f` with the places that can come after an instruction; [`usize::MAX`] is the end of the function.
pub(crate) fn for_each_successor(inst: &Inst, pc: usize, mut f: impl FnMut(usize)) {
    match inst {
        Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. } => {
            for_each_target(inst, |target| f(*target as usize));
        }
        Inst::Return { .. }
        | Inst::ReturnMany { .. }
        | Inst::ExitThread { .. }
        | Inst::ExitProgram { .. }
        | Inst::Fail { .. } => f(usize::MAX),
        _ => f(pc + 1),
    }
}

impl Function {
    /// For each instruction, and for the end of the function, those that may be followed by it.
    pub fn predecessors(&self) -> Vec<Vec<u32>> {
        let mut found = vec![Vec::new(); self.code.len() + 1];
        for (pc, inst) in self.code.iter().enumerate() {
            for_each_successor(inst, pc, |next| found[next.min(self.code.len())].push(pc as u32));
        }
        found
    }
}

impl Inst {
    /// Whether it may be followed by another instruction than the next one.
    pub fn jumps(&self) -> bool {
        matches!(self, Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. })
    }
}

macro_rules! visitors {
    ($targets:ident, $defined:ident, $operands:ident, $iter:ident, [$($mutable:tt)?]) => {
        /// Calls `f` with each target of a jump.
        pub(crate) fn $targets(inst: &$($mutable)? Inst, mut f: impl FnMut(&$($mutable)? u32)) {
            match inst {
                Inst::Jump { target } => f(target),
                Inst::Branch { yes, no, .. } => {
                    f(yes);
                    f(no);
                }
                Inst::Switch { cases, default, .. } => {
                    cases.$iter().for_each(|case| f(&$($mutable)? case.1));
                    f(default);
                }
                _ => {}
            }
        }

        /// Calls `f` with the registers that an instruction sets.
        pub(crate) fn $defined(inst: &$($mutable)? Inst, mut f: impl FnMut(&$($mutable)? Reg)) {
            match inst {
                Inst::Unary { dst, .. }
                | Inst::Binary { dst, .. }
                | Inst::Choose { dst, .. }
                | Inst::Reuse { dst, .. }
                | Inst::Arithmetic { dst, .. }
                | Inst::Cast { dst, .. }
                | Inst::Select { dst, .. }
                | Inst::PrivateAddress { dst, .. }
                | Inst::StackAddress { dst, .. }
                | Inst::ThreadLocalAddress { dst, .. }
                | Inst::CurrentThread { dst }
                | Inst::Alloc { dst, .. }
                | Inst::HeapSize { dst, .. } => f(dst),
                Inst::Load { dst, .. }
                | Inst::Rmw { dst, .. }
                | Inst::Wait { dst, .. }
                | Inst::Call { dst, .. }
                | Inst::CallPointer { dst, .. }
                | Inst::Spawn { dst, .. } => dst.$iter().for_each(f),
                Inst::Cas { old, ok, .. } => {
                    old.$iter().for_each(&mut f);
                    ok.$iter().for_each(f);
                }
                Inst::TakeResults { dsts } => dsts.$iter().for_each(f),
                Inst::Store { .. }
                | Inst::Free { .. }
                | Inst::Fence { .. }
                | Inst::Assert { .. }
                | Inst::Assume { .. }
                | Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::Switch { .. }
                | Inst::Return { .. }
                | Inst::ReturnMany { .. }
                | Inst::ExitThread { .. }
                | Inst::ExitProgram { .. }
                | Inst::Print { .. }
                | Inst::Fail { .. } => {}
            }
        }

        /// Calls `f` with each operand of an instruction, its place first.
        pub(crate) fn $operands(inst: &$($mutable)? Inst, mut f: impl FnMut(&$($mutable)? Operand)) {
            if let Inst::Load { place, .. }
            | Inst::Store { place, .. }
            | Inst::Rmw { place, .. }
            | Inst::Cas { place, .. }
            | Inst::Wait { place, .. } = inst
            {
                match place {
                    Place::Cell(cell) => f(&$($mutable)? cell.index),
                    Place::Memory(memory) => f(&$($mutable)? memory.pointer),
                }
            }
            match inst {
                Inst::Unary { a, .. } | Inst::Cast { a, .. } => f(a),
                Inst::Binary { a, b, .. } | Inst::Arithmetic { a, b, .. } => {
                    f(a);
                    f(b);
                }
                Inst::Select { cond, yes, no, .. } => [cond, yes, no].into_iter().for_each(f),
                Inst::Store { value, .. } | Inst::Wait { value, .. } | Inst::Switch { value, .. } => f(value),
                Inst::ExitThread { value } => f(value),
                Inst::ExitProgram { status } => f(status),
                Inst::Rmw { operand, when, .. } => {
                    if let Some((_, value)) = when {
                        f(value);
                    }
                    f(operand);
                }
                Inst::Cas { expected, desired, .. } => {
                    f(expected);
                    f(desired);
                }
                Inst::Assert { cond } | Inst::Assume { cond } | Inst::Branch { cond, .. } => f(cond),
                Inst::Call { args, .. } | Inst::Print { args, .. } => args.$iter().for_each(f),
                Inst::CallPointer { target, args, .. } => {
                    f(target);
                    args.$iter().for_each(f);
                }
                Inst::Return { value } => value.$iter().for_each(f),
                Inst::ReturnMany { values } => values.$iter().for_each(f),
                Inst::Alloc { size, alignment, at, .. } => {
                    f(size);
                    f(alignment);
                    at.$iter().for_each(f);
                }
                Inst::Free { pointer } | Inst::HeapSize { pointer, .. } => f(pointer),
                Inst::Reuse { size, .. } => f(size),
                Inst::Spawn { function, argument, .. } => {
                    f(function);
                    f(argument);
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
    };
}

visitors!(for_each_target, for_each_defined, for_each_operand, iter, []);
visitors!(for_each_target_mut, for_each_defined_mut, for_each_operand_mut, iter_mut, [mut]);
