//! What instructions read, set and jump to; each visitor once for looking and once for changing.

use crate::{Inst, Operand, Place, Reg};

impl Inst {
    /// Where it accesses memory, if it does.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Inst::Load { place, .. }
            | Inst::Store { place, .. }
            | Inst::Rmw { place, .. }
            | Inst::Cas { place, .. }
            | Inst::Wait { place, .. } => Some(place),
            _ => None,
        }
    }

    pub fn place_mut(&mut self) -> Option<&mut Place> {
        match self {
            Inst::Load { place, .. }
            | Inst::Store { place, .. }
            | Inst::Rmw { place, .. }
            | Inst::Cas { place, .. }
            | Inst::Wait { place, .. } => Some(place),
            _ => None,
        }
    }

    /// Whether it may read memory.
    pub fn reads(&self) -> bool {
        self.place().is_some() && !matches!(self, Inst::Store { .. })
    }

    /// Whether it may write memory.
    pub fn writes(&self) -> bool {
        matches!(self, Inst::Store { .. } | Inst::Rmw { .. } | Inst::Cas { .. })
    }

    /// Whether it sets a register.
    pub fn defines(&self, reg: Reg) -> bool {
        let mut found = false;
        self.for_each_defined(|&defined| found |= defined == reg);
        found
    }

    /// Whether it may be followed by another instruction than the next one.
    pub fn jumps(&self) -> bool {
        matches!(self, Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. })
    }

    /// Whether nothing of the function follows it.
    pub fn ends(&self) -> bool {
        matches!(
            self,
            Inst::Return { .. }
                | Inst::ReturnMany { .. }
                | Inst::ExitThread { .. }
                | Inst::ExitProgram { .. }
                | Inst::Fail { .. }
        )
    }

    /// Calls `f` with the instructions that can follow the one at `pc`. `None` is the end of the function; so is an
    /// index beyond the last instruction.
    pub fn for_each_successor(&self, pc: usize, mut f: impl FnMut(Option<usize>)) {
        if self.jumps() {
            self.for_each_target(|target| f(Some(*target as usize)));
        } else {
            f((!self.ends()).then_some(pc + 1));
        }
    }

    /// Calls `f` with the registers that it reads: R_in of paper 001 Def. 2.3.
    pub fn for_each_used(&self, mut f: impl FnMut(Reg)) {
        self.for_each_operand(|operand| {
            if let Operand::Reg(reg) = *operand {
                f(reg);
            }
        });
    }

    /// Replaces each register that it reads or sets.
    pub fn rename_registers(&mut self, mut to: impl FnMut(Reg) -> Reg) {
        self.for_each_defined_mut(|reg| *reg = to(*reg));
        self.for_each_operand_mut(|operand| {
            if let Operand::Reg(reg) = operand {
                *reg = to(*reg);
            }
        });
    }
}

macro_rules! visitors {
    ($targets:ident, $defined:ident, $operands:ident, $place:ident, $iter:ident, [$($mutable:tt)?]) => {
        impl Inst {
            /// Calls `f` with each target of a jump.
            pub fn $targets(&$($mutable)? self, mut f: impl FnMut(&$($mutable)? u32)) {
                match self {
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
            pub fn $defined(&$($mutable)? self, mut f: impl FnMut(&$($mutable)? Reg)) {
                match self {
                    Inst::Copy { dst, .. }
                    | Inst::Arithmetic { dst, .. }
                    | Inst::Unary { dst, .. }
                    | Inst::Select { dst, .. }
                    | Inst::Choose { dst, .. }
                    | Inst::Reuse { dst, .. }
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
            pub fn $operands(&$($mutable)? self, mut f: impl FnMut(&$($mutable)? Operand)) {
                if let Some(place) = self.$place() {
                    match place {
                        Place::Cell(cell) => f(&$($mutable)? cell.index),
                        Place::Memory(memory) => f(&$($mutable)? memory.pointer),
                    }
                }
                match self {
                    Inst::Copy { a, .. } | Inst::Unary { a, .. } => f(a),
                    Inst::Arithmetic { a, b, .. } => {
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
        }
    };
}

visitors!(for_each_target, for_each_defined, for_each_operand, place, iter, []);
visitors!(for_each_target_mut, for_each_defined_mut, for_each_operand_mut, place_mut, iter_mut, [mut]);
