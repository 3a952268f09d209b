//! Primitives: what our header and our C library ask of the analysis itself.

use fencepost_llvm::{Call, LocalId};
use fencepost_program::{
    Allocation, ArithmeticOp, Comparison, Failure, Inst, Memory, Misuse, Operand, Ordering, Place, UnaryOp, UpdateOp,
    Value as Word, memory,
};

use super::function::FunctionLowering;
use super::globals::Unsupported;
use super::sections;
use super::throwing::UNWIND;

/// A call of what may be a primitive.
struct Primitive<'c> {
    name: &'c str,
    call: &'c Call,
    result: Option<LocalId>,
}

impl Primitive<'_> {
    fn argument(&self, lowering: &mut FunctionLowering<'_, '_>, i: usize) -> Result<Operand, Unsupported> {
        match self.call.arguments.get(i) {
            Some(argument) => lowering.value(argument.value),
            None => Err(format!("a call of `{}` without its arguments", self.name)),
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// Lowers a call of a primitive. Returns false if the function is none.
    pub(super) fn primitive(&mut self, result: Option<LocalId>, call: &Call, name: &str) -> Result<bool, Unsupported> {
        let primitive = Primitive { name, call, result };
        Ok(self.thread_primitive(&primitive)?
            || self.waiting_primitive(&primitive)?
            || self.heap_primitive(&primitive)?
            || self.choice_primitive(&primitive)?
            || self.ending_primitive(&primitive)?
            || self.convention(result, call, name)?)
    }

    /// Threads, and the end of the program.
    fn thread_primitive(&mut self, primitive: &Primitive<'_>) -> Result<bool, Unsupported> {
        let &Primitive { result, name, .. } = primitive;
        match name {
            "__fencepost_spawn" => {
                let (function, argument) = (primitive.argument(self, 0)?, primitive.argument(self, 1)?);
                let dst = result.map(|local| self.result(Some(local)));
                self.emit(Inst::Spawn { dst, function, argument });
            }
            "__fencepost_self" => {
                let dst = self.result(result);
                self.emit(Inst::CurrentThread { dst });
            }
            "__fencepost_exit_thread" => {
                let value = primitive.argument(self, 0)?;
                self.emit(Inst::ExitThread { value });
            }
            "__fencepost_destructors" => {
                for func in self.lowering.listed_functions("llvm.global_dtors")? {
                    self.emit(Inst::Call { dst: None, func, args: Vec::new() });
                }
            }
            // What was registered runs first.
            "exit" | "quick_exit" if self.lowering.has_exit_functions() => return Ok(false),
            "exit" | "_exit" | "quick_exit" | "_Exit" | "__fencepost_exit" => {
                let status = primitive.argument(self, 0)?;
                self.emit(Inst::ExitProgram { status });
            }
            "__fencepost_start_cell"
            | "__fencepost_end_cell"
            | "__fencepost_result_cell"
            | "__fencepost_wake_cell"
            | "__fencepost_claim_cell" => {
                let thread = primitive.argument(self, 0)?;
                let dst = self.result(result);
                let first = match name {
                    "__fencepost_start_cell" => memory::start_cell(0),
                    "__fencepost_end_cell" => memory::end_cell(0),
                    "__fencepost_wake_cell" => memory::wake_cell(0),
                    "__fencepost_claim_cell" => memory::claim_cell(0),
                    _ => memory::result_cell(0),
                };
                let stride = (memory::start_cell(1) - memory::start_cell(0)) as Word;
                self.arithmetic(dst, ArithmeticOp::Mul, 64, thread, stride);
                self.arithmetic(dst, ArithmeticOp::Add, 64, Operand::Reg(dst), first as Word);
            }
            "__fencepost_beside" => {
                let pointer = primitive.argument(self, 0)?;
                let dst = self.result(result);
                self.arithmetic(dst, ArithmeticOp::Mul, 64, pointer, 8);
                self.arithmetic(dst, ArithmeticOp::Add, 64, Operand::Reg(dst), memory::BESIDE_CELL as Word);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Accesses that block, as in `fencepost.h`.
    fn waiting_primitive(&mut self, primitive: &Primitive<'_>) -> Result<bool, Unsupported> {
        let &Primitive { result, name, .. } = primitive;
        if sections::waits(name) && self.lowering.sections.is_some() && !self.lowering.is_library(self.m) {
            return Err(format!("a call of `{name}` in a program with atomic sections"));
        }
        match name {
            "__fencepost_wait" => {
                let (pointer, value) = (primitive.argument(self, 0)?, primitive.argument(self, 1)?);
                let (size, except, order) =
                    (primitive.argument(self, 2)?, primitive.argument(self, 3)?, primitive.argument(self, 4)?);
                let (place, order) = place_and_order(name, pointer, size, order)?;
                let comparison = match except {
                    Operand::Const(0) => Comparison::Eq,
                    Operand::Const(_) => Comparison::Ne,
                    Operand::Reg(_) => return Err(format!("a call of `{name}` whose kind is not a constant")),
                };
                let value = self.narrowed(value, &place);
                self.wait(result, place, comparison, value, order);
            }
            "__fencepost_wait_eq" | "__fencepost_wait_ge" => {
                let (pointer, value) = (primitive.argument(self, 0)?, primitive.argument(self, 1)?);
                let (size, order) = (primitive.argument(self, 2)?, primitive.argument(self, 3)?);
                let (place, order) = place_and_order(name, pointer, size, order)?;
                let comparison = if name == "__fencepost_wait_eq" { Comparison::Eq } else { Comparison::Ge };
                let value = self.narrowed(value, &place);
                self.emit(Inst::Wait { dst: None, place, comparison, value, order });
            }
            "__fencepost_bcas" => {
                let (pointer, expected) = (primitive.argument(self, 0)?, primitive.argument(self, 1)?);
                let desired = primitive.argument(self, 2)?;
                let (size, order) = (primitive.argument(self, 3)?, primitive.argument(self, 4)?);
                let (place, order) = place_and_order(name, pointer, size, order)?;
                let (expected, desired) = (self.narrowed(expected, &place), self.narrowed(desired, &place));
                self.emit(Inst::blocking_cas(place, expected, desired, order));
            }
            "__fencepost_add_when_ge" => {
                let (pointer, operand, least) =
                    (primitive.argument(self, 0)?, primitive.argument(self, 1)?, primitive.argument(self, 2)?);
                let (size, order) = (primitive.argument(self, 3)?, primitive.argument(self, 4)?);
                let (place, order) = place_and_order(name, pointer, size, order)?;
                let when = Some((Comparison::Ge, self.narrowed(least, &place)));
                self.emit(Inst::Rmw { dst: None, place, op: UpdateOp::Add, operand, order, when });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The heap.
    fn heap_primitive(&mut self, primitive: &Primitive<'_>) -> Result<bool, Unsupported> {
        let &Primitive { result, name, .. } = primitive;
        match name {
            "__fencepost_alloc" if self.lowering.reuses_memory => {
                let size = primitive.argument(self, 0)?;
                self.call_library(result, "__fencepost_alloc_or_reuse", vec![size])?;
            }
            "__fencepost_free" if self.lowering.reuses_memory => {
                let pointer = primitive.argument(self, 0)?;
                self.call_library(result, "__fencepost_free_for_reuse", vec![pointer])?;
            }
            "__fencepost_alloc"
            | "__fencepost_alloc_fresh"
            | "__fencepost_alloc_zeroed"
            | "__fencepost_alloc_aligned" => {
                let size = primitive.argument(self, 0)?;
                let alignment =
                    if name.ends_with("aligned") { primitive.argument(self, 1)? } else { Operand::Const(1) };
                let dst = self.result(result);
                let zeroed = name.ends_with("zeroed");
                let allocation = if zeroed { Allocation::Zeroed } else { Allocation::Uninitialised };
                self.emit(Inst::Alloc { dst, size, alignment, allocation, at: None });
            }
            "__fencepost_alloc_at" => {
                let (at, size) = (Some(primitive.argument(self, 0)?), primitive.argument(self, 1)?);
                let dst = self.result(result);
                let alignment = Operand::Const(1);
                self.emit(Inst::Alloc { dst, size, alignment, allocation: Allocation::Uninitialised, at });
            }
            "__fencepost_reuse" => {
                let size = primitive.argument(self, 0)?;
                let dst = self.result(result);
                self.emit(Inst::Reuse { dst, size });
            }
            "__fencepost_freed_cell" => {
                let pointer = primitive.argument(self, 0)?;
                let dst = self.result(result);
                self.arithmetic(dst, ArithmeticOp::Add, 64, pointer, memory::FREED_CELL as Word);
            }
            "__fencepost_free" | "__fencepost_end_object" => {
                let pointer = primitive.argument(self, 0)?;
                self.emit(Inst::Free { pointer });
            }
            "__fencepost_heap_size" => {
                let pointer = primitive.argument(self, 0)?;
                let dst = self.result(result);
                self.emit(Inst::HeapSize { dst, pointer });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Choices, and executions that are given up.
    fn choice_primitive(&mut self, primitive: &Primitive<'_>) -> Result<bool, Unsupported> {
        let &Primitive { result, name, .. } = primitive;
        match name {
            "fencepost_assume" | "__fencepost_assume" => {
                let cond = primitive.argument(self, 0)?;
                self.emit(Inst::Assume { cond });
            }
            "fencepost_choose" | "__fencepost_choose" => {
                match (primitive.argument(self, 0)?, primitive.argument(self, 1)?) {
                    (Operand::Const(lo), Operand::Const(hi)) if lo <= hi => {
                        let dst = self.result(result);
                        self.emit(Inst::Choose { dst, lo, hi });
                    }
                    _ => {
                        return Err("a `fencepost_choose` whose bounds are not constants, the smaller first".to_owned());
                    }
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Failures and output, and what other tools take for hints.
    fn ending_primitive(&mut self, primitive: &Primitive<'_>) -> Result<bool, Unsupported> {
        let &Primitive { result, name, .. } = primitive;
        match name {
            "__fencepost_print" => {
                let args = vec![primitive.argument(self, 0)?];
                self.emit(Inst::Print { format: Box::default(), args, shown: false });
            }
            "__fencepost_misuse" => {
                let misuse = match primitive.argument(self, 0)? {
                    Operand::Const(1) => Misuse::Destroyed,
                    Operand::Const(2) => Misuse::NotInitialised,
                    Operand::Const(3) => Misuse::InitialisedTwice,
                    Operand::Const(4) => Misuse::JoinedTwice,
                    _ => Misuse::PrintsNull,
                };
                self.emit(Inst::Fail { failure: Failure::Misuse(misuse) });
            }
            UNWIND => {
                let exception = primitive.argument(self, 0)?;
                self.unwind(exception)?;
            }
            "__fencepost_uncaught" => self.emit(Inst::Fail { failure: Failure::Uncaught }),
            // Called by all that changes how a stream writes: what matters is whether the program has it.
            "__fencepost_changes_stream" => {}
            "__fencepost_streams_change" => {
                let changes = self.lowering.linked.mentions("__fencepost_changes_stream");
                self.set_all(result, vec![Operand::Const(Word::from(changes))])?;
            }
            "__fencepost_refuse" => {
                let text = primitive.argument(self, 0)?;
                let text = self.literal(text).unwrap_or_default();
                return Err(String::from_utf8_lossy(&text).into_owned());
            }
            "__fencepost_refuse_format" => {
                return Err("a conversion of `printf` that is not known".to_owned());
            }
            ASSERTS => self.emit(Inst::Assert { cond: Operand::Const(1) }),
            "__fencepost_abort" | "__cxa_pure_virtual" | "__cxa_throw_bad_array_new_length" => {
                self.emit(Inst::Fail { failure: Failure::Abort });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A wait that returns what it read, as an unsigned number. What ends a wait for one value is that value.
    fn wait(&mut self, result: Option<LocalId>, place: Place, comparison: Comparison, value: Operand, order: Ordering) {
        let Some(result) = result else {
            return self.emit(Inst::Wait { dst: None, place, comparison, value, order });
        };
        let Place::Memory(Memory { size, .. }) = place else { unreachable!("C has memory, not cells") };
        let read = if comparison == Comparison::Eq {
            self.emit(Inst::Wait { dst: None, place, comparison, value, order });
            value
        } else {
            let dst = self.temporary();
            self.emit(Inst::Wait { dst: Some(dst), place, comparison, value, order });
            Operand::Reg(dst)
        };
        let dst = self.result(Some(result));
        let op = UnaryOp::ZExt;
        match size {
            8 => self.emit(Inst::Copy { dst, a: read }),
            _ => self.emit(Inst::Unary { dst, op, from: 8 * size, to: 64, a: read }),
        }
    }

    /// A value as memory of this size would return it.
    fn narrowed(&mut self, value: Operand, place: &Place) -> Operand {
        let Place::Memory(Memory { size, .. }) = *place else { return value };
        match value {
            Operand::Const(value) => Operand::Const(memory::sign_extended(value, 8 * u32::from(size))),
            Operand::Reg(_) if size == 8 => value,
            Operand::Reg(_) => {
                let dst = self.temporary();
                let op = UnaryOp::Trunc;
                self.emit(Inst::Unary { dst, op, from: 64, to: 8 * size, a: value });
                Operand::Reg(dst)
            }
        }
    }
}

/// What `assert` calls before it looks at its condition.
pub(super) const ASSERTS: &str = "__fencepost_asserts";

fn place_and_order(
    name: &str,
    pointer: Operand,
    size: Operand,
    order: Operand,
) -> Result<(Place, Ordering), Unsupported> {
    let (Operand::Const(size @ (1 | 2 | 4 | 8)), Operand::Const(order)) = (size, order) else {
        return Err(format!("a call of `{name}` whose size and ordering are not constants"));
    };
    // The numbers of C11's memory_order.
    let order = match order {
        0 => Ordering::Relaxed,
        1 | 2 => Ordering::Acquire,
        3 => Ordering::Release,
        4 => Ordering::AcqRel,
        _ => Ordering::SeqCst,
    };
    Ok((Place::Memory(Memory::aligned(pointer, 0, size as u8)), order))
}
