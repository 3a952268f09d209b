//! Functions with variable arguments.
//!
//! The caller puts the further arguments side by side in its private memory and passes a pointer to them. On x86-64
//! clang compiles `va_arg` to code that takes an argument from saved registers while there are some, and else from
//! memory: so a `va_list` that has no registers left finds all of them there.

use fencepost_llvm::{Argument, Call};
use fencepost_program::{ArithmeticOp, Inst, Memory, Operand, Ordering, Place};

use super::function::FunctionLowering;
use super::globals::Unsupported;

/// The offsets in the area of saved registers that are beyond its integers, and beyond its floats.
const NO_INTEGERS: i64 = 48;
const NO_FLOATS: i64 = 176;
/// Where a `va_list` has the pointer to the arguments in memory, and its size.
const IN_MEMORY: i32 = 8;
const LIST_SIZE: i32 = 24;

impl FunctionLowering<'_, '_> {
    /// Puts arguments into memory, each in as many times eight bytes as it needs.
    pub(super) fn spilled(&mut self, arguments: &[Argument]) -> Result<Operand, Unsupported> {
        let mut words = 0u64;
        for argument in arguments {
            words = words.saturating_add(match argument.by_value {
                Some(ty) => self.module.types.size(ty).ok_or("a type without a size")?.div_ceil(8),
                None => self.leaves(argument.ty)?.len() as u64,
            });
        }
        if words == 0 {
            return Ok(Operand::Const(0));
        }
        let offset = self.private(words.saturating_mul(8))?;
        let area = self.temporary();
        self.emit(Inst::PrivateAddress { dst: area, offset });
        let mut next = 0;
        for argument in arguments {
            match argument.by_value {
                Some(ty) => {
                    let from = self.value(argument.value)?;
                    let to = self.temporary();
                    self.arithmetic(to, ArithmeticOp::Add, 64, Operand::Reg(area), i64::from(next));
                    self.copy_leaves(ty, Operand::Reg(to), from)?;
                    next += self.module.types.size(ty).unwrap_or(0).next_multiple_of(8) as i32;
                }
                None => {
                    for value in self.values(argument.ty, argument.value)? {
                        self.put(Operand::Reg(area), next, 8, value);
                        next += 8;
                    }
                }
            }
        }
        Ok(Operand::Reg(area))
    }

    /// `va_start`: a list of all further arguments of this call.
    pub(super) fn start_arguments(&mut self, call: &Call) -> Result<(), Unsupported> {
        let (Some(rest), Some(list), true) = (self.rest, call.arguments.first(), cfg!(target_arch = "x86_64")) else {
            return Err("variable arguments".to_owned());
        };
        let list = self.value(list.value)?;
        self.put(list, 0, 4, Operand::Const(NO_INTEGERS));
        self.put(list, 4, 4, Operand::Const(NO_FLOATS));
        self.put(list, IN_MEMORY, 8, Operand::Reg(rest));
        self.put(list, IN_MEMORY + 8, 8, Operand::Const(0));
        Ok(())
    }

    /// `va_copy`.
    pub(super) fn copy_arguments(&mut self, call: &Call) -> Result<(), Unsupported> {
        let ([to, from], true) = (&call.arguments[..], cfg!(target_arch = "x86_64")) else {
            return Err("variable arguments".to_owned());
        };
        let (to, from) = (self.value(to.value)?, self.value(from.value)?);
        for offset in (0..LIST_SIZE).step_by(8) {
            let word = self.temporary();
            let place = Place::Memory(Memory { copied: true, ..Memory::aligned(from, offset, 8) });
            self.emit(Inst::Load { dst: Some(word), place, order: Ordering::NonAtomic });
            self.put(to, offset, 8, Operand::Reg(word));
        }
        Ok(())
    }

    fn put(&mut self, pointer: Operand, offset: i32, size: u8, value: Operand) {
        let place = Place::Memory(Memory::aligned(pointer, offset, size));
        self.emit(Inst::Store { place, value, order: Ordering::NonAtomic });
    }
}
