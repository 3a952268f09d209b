//! Calls: of functions, through pointers, and of what the analysis itself provides.

use fencepost_llvm::{Argument, Call, Callee, ConstantKind, LocalId, Op, Operand as Value, Symbol, TypeId};
use fencepost_program::{
    Allocation, ArithmeticOp, Comparison, Failure, Inst, Memory, Misuse, Operand, Ordering, Place, Reg, UpdateOp,
    Value as Word, memory,
};

use super::function::{Access, FunctionLowering};
use super::globals::{Unsupported, step_into};
use super::leaves::leaves;
use super::link::Definition;
use super::nondet::nondet_range;
use super::output::is_output;

/// Copies of more scalars than this are left to the library's loop.
const MOST_COPIES: usize = 64;

impl FunctionLowering<'_, '_> {
    pub(super) fn call(&mut self, result: Option<LocalId>, call: &Call) -> Result<(), Unsupported> {
        match call.callee {
            Callee::Symbol(name) => self.call_symbol(result, call, name),
            Callee::Local(local) => {
                let target = self.value(Value::Local(local))?;
                let args = self.arguments(&call.arguments)?;
                self.call_with(result, call.result, |dst| Inst::CallPointer { dst, target, args })
            }
            Callee::Constant(constant) => {
                let target = Operand::Const(self.lowering.constant(self.m, constant)?);
                let args = self.arguments(&call.arguments)?;
                self.call_with(result, call.result, |dst| Inst::CallPointer { dst, target, args })
            }
            Callee::Asm { template, .. } => self.assembly(template),
        }
    }

    /// A barrier for the compiler and a pause of the processor do nothing here.
    fn assembly(&mut self, template: Symbol) -> Result<(), Unsupported> {
        let text = self.module.name(template).trim();
        match text {
            "" | "pause" | "rep; nop" | "rep;nop" | "rep ; nop" | "nop" | "yield" => Ok(()),
            "mfence" => {
                self.emit(Inst::Fence { order: Ordering::SeqCst });
                Ok(())
            }
            _ => Err(format!("the inline assembly `{text}`")),
        }
    }

    fn call_symbol(&mut self, result: Option<LocalId>, call: &Call, name: Symbol) -> Result<(), Unsupported> {
        let text = self.module.name(name);
        if text.starts_with("llvm.") {
            return self.intrinsic(result, call, text);
        }
        if self.primitive(result, call, text)? {
            return Ok(());
        }
        match self.lowering.linked.resolve(self.m, name) {
            Some(Definition::Function(m, i)) if self.lowering.linked.function((m, i)).is_defined() => {
                let func = self.lowering.function_id((m, i));
                let function = self.lowering.linked.function((m, i));
                let (fixed, rest) = match function.varargs {
                    true => call.arguments.split_at(function.parameters.len().min(call.arguments.len())),
                    false => (&call.arguments[..], &[][..]),
                };
                let mut args = self.arguments(fixed)?;
                if function.varargs {
                    args.push(self.spilled(rest)?);
                }
                self.call_with(result, call.result, |dst| Inst::Call { dst, func, args })
            }
            // A call of what is null.
            Some(definition) if self.lowering.is_null(definition) => {
                let (target, args) = (Operand::Const(0), self.arguments(&call.arguments)?);
                self.call_with(result, call.result, |dst| Inst::CallPointer { dst, target, args })
            }
            _ if is_output(text) => {
                self.read_printed(call, text)?;
                self.print(call, text)?;
                self.printed(result, call, text)
            }
            _ => Err(format!("a call of `{text}`, whose code is not known")),
        }
    }

    /// Calls a function of our library by its name.
    pub(super) fn call_library(
        &mut self,
        result: Option<LocalId>,
        name: &str,
        args: Vec<Operand>,
    ) -> Result<(), Unsupported> {
        let Some(Definition::Function(m, i)) = self.lowering.linked.named(name) else {
            return Err(format!("a call of `{name}`, whose code is not known"));
        };
        let func = self.lowering.function_id((m, i));
        let dst = result.map(|local| self.result(Some(local)));
        self.emit(Inst::Call { dst, func, args });
        Ok(())
    }

    fn call_with(
        &mut self,
        result: Option<LocalId>,
        ty: TypeId,
        inst: impl FnOnce(Option<Reg>) -> Inst,
    ) -> Result<(), Unsupported> {
        let count = self.leaves(ty)?.len() as u32;
        if count == 0 {
            self.emit(inst(None));
            return Ok(());
        }
        let (first, _) = match result {
            Some(local) => self.registers_of(local, count),
            None => (self.temporary().0, 1),
        };
        self.emit(inst(Some(Reg(first))));
        if count > 1 && result.is_some() {
            self.emit(Inst::TakeResults { dsts: (first + 1..first + count).map(Reg).collect() });
        }
        Ok(())
    }

    pub(super) fn arguments(&mut self, arguments: &[Argument]) -> Result<Vec<Operand>, Unsupported> {
        let mut out = Vec::new();
        for argument in arguments {
            match argument.by_value {
                Some(ty) => {
                    let from = self.value(argument.value)?;
                    out.push(self.copied(ty, from)?);
                }
                None => out.extend(self.values(argument.ty, argument.value)?),
            }
        }
        Ok(out)
    }

    /// A private copy of what a pointer points to.
    fn copied(&mut self, ty: TypeId, from: Operand) -> Result<Operand, Unsupported> {
        let size = self.module.types.size(ty).ok_or("a type without a size")?;
        let offset = self.private(size)?;
        let copy = self.temporary();
        self.emit(Inst::PrivateAddress { dst: copy, offset });
        match leaves(&self.module.types, ty) {
            Ok(leaves) if leaves.len() <= MOST_COPIES => self.copy_leaves(ty, Operand::Reg(copy), from)?,
            _ => {
                let args = vec![Operand::Reg(copy), from, Operand::Const(size as Word)];
                self.call_library(None, "memcpy", args)?;
            }
        }
        Ok(Operand::Reg(copy))
    }

    pub(super) fn copy_leaves(&mut self, ty: TypeId, to: Operand, from: Operand) -> Result<(), Unsupported> {
        let leaves = self.leaves(ty)?;
        // All is read before anything is written: the two may be one.
        let values: Vec<Operand> = leaves
            .iter()
            .map(|&leaf| {
                let value = self.temporary();
                self.load_leaf(value, Access::copying(from, leaf));
                Operand::Reg(value)
            })
            .collect();
        for (leaf, value) in leaves.into_iter().zip(values) {
            self.store_leaf(value, Access::copying(to, leaf));
        }
        Ok(())
    }

    /// `memcpy` and `memmove`: scalar by scalar where the type is known, so that other accesses find their cells.
    pub(super) fn copy_memory(&mut self, call: &Call, name: &str) -> Result<(), Unsupported> {
        let [to, from, size, ..] = &call.arguments[..] else { return Err("a copy without a size".to_owned()) };
        let (to_value, from_value, size) = (self.value(to.value)?, self.value(from.value)?, self.value(size.value)?);
        if let Operand::Const(size) = size {
            if size == 0 {
                return Ok(());
            }
            if let Some(ty) = self.type_of_size(to.value, size).or_else(|| self.type_of_size(from.value, size)) {
                return self.copy_leaves(ty, to_value, from_value);
            }
        }
        self.call_library(None, name, vec![to_value, from_value, size])
    }

    pub(super) fn set_memory(&mut self, call: &Call) -> Result<(), Unsupported> {
        let [to, byte, size, ..] = &call.arguments[..] else { return Err("a `memset` without a size".to_owned()) };
        let (pointer, byte, size) = (self.value(to.value)?, self.value(byte.value)?, self.value(size.value)?);
        if let (Operand::Const(byte), Operand::Const(size)) = (byte, size) {
            if size == 0 {
                return Ok(());
            }
            if let Some(ty) = self.type_of_size(to.value, size) {
                let word = (byte & 0xff).wrapping_mul(0x0101_0101_0101_0101);
                for leaf in self.leaves(ty)? {
                    let value = memory::sign_extended(word, leaf.bits);
                    self.store_leaf(Operand::Const(value), Access::copying(pointer, leaf));
                }
                return Ok(());
            }
        }
        self.call_library(None, "memset", vec![pointer, byte, size])
    }

    /// The type that a pointer is known to point to, if it has this size and few scalars.
    fn type_of_size(&self, pointer: Value, size: Word) -> Option<TypeId> {
        let types = &self.module.types;
        let ty = match pointer {
            Value::Local(local) => match &self.definitions.get(&local)?.op {
                Op::Alloca { ty, count: None, .. } => *ty,
                Op::GetElementPtr { source, indices, .. } => {
                    let mut ty = *source;
                    for (i, &(_, index)) in indices.iter().enumerate() {
                        let index = match index {
                            Value::Constant(id) => match self.module.constant(id).kind {
                                ConstantKind::Int { value, .. } => value,
                                _ => 0,
                            },
                            Value::Local(_) => 0,
                        };
                        ty = step_into(types, ty, i, index).ok()?.1;
                    }
                    ty
                }
                _ => return None,
            },
            Value::Constant(id) => {
                let ConstantKind::Symbol(name) = self.module.constant(id).kind else { return None };
                match self.lowering.linked.resolve(self.m, name)? {
                    Definition::Global(m, i) if m == self.m => self.module.globals[i].ty,
                    _ => return None,
                }
            }
        };
        let fits = types.size(ty) == Some(size as u64) && leaves(types, ty).is_ok_and(|l| l.len() <= MOST_COPIES);
        fits.then_some(ty)
    }

    /// What our header and the library ask of the analysis itself.
    fn primitive(&mut self, result: Option<LocalId>, call: &Call, name: &str) -> Result<bool, Unsupported> {
        let arguments = &call.arguments;
        let argument = |lowering: &mut Self, i: usize| match arguments.get(i) {
            Some(argument) => lowering.value(argument.value),
            None => Err(format!("a call of `{name}` without its arguments")),
        };
        match name {
            "__fencepost_spawn" => {
                let (function, argument) = (argument(self, 0)?, argument(self, 1)?);
                let dst = result.map(|local| self.result(Some(local)));
                self.emit(Inst::Spawn { dst, function, argument });
            }
            "__fencepost_self" => {
                let dst = self.result(result);
                self.emit(Inst::CurrentThread { dst });
            }
            "__fencepost_print" => {
                let args = vec![argument(self, 0)?];
                self.emit(Inst::Print { format: Box::default(), args, shown: false });
            }
            "__fencepost_exit_thread" => {
                let value = argument(self, 0)?;
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
                let status = argument(self, 0)?;
                self.emit(Inst::ExitProgram { status });
            }
            "__fencepost_start_cell"
            | "__fencepost_end_cell"
            | "__fencepost_result_cell"
            | "__fencepost_wake_cell"
            | "__fencepost_claim_cell" => {
                let thread = argument(self, 0)?;
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
            "__fencepost_wait" => {
                let (pointer, value) = (argument(self, 0)?, argument(self, 1)?);
                let (size, except, order) = (argument(self, 2)?, argument(self, 3)?, argument(self, 4)?);
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
                let (pointer, value) = (argument(self, 0)?, argument(self, 1)?);
                let (size, order) = (argument(self, 2)?, argument(self, 3)?);
                let (place, order) = place_and_order(name, pointer, size, order)?;
                let comparison = if name == "__fencepost_wait_eq" { Comparison::Eq } else { Comparison::Ge };
                let value = self.narrowed(value, &place);
                self.emit(Inst::Wait { dst: None, place, comparison, value, order });
            }
            "__fencepost_bcas" => {
                let (pointer, expected) = (argument(self, 0)?, argument(self, 1)?);
                let desired = argument(self, 2)?;
                let (size, order) = (argument(self, 3)?, argument(self, 4)?);
                let (place, order) = place_and_order(name, pointer, size, order)?;
                let (expected, desired) = (self.narrowed(expected, &place), self.narrowed(desired, &place));
                self.emit(Inst::blocking_cas(place, expected, desired, order));
            }
            "__fencepost_add_when_ge" => {
                let (pointer, operand, least) = (argument(self, 0)?, argument(self, 1)?, argument(self, 2)?);
                let (size, order) = (argument(self, 3)?, argument(self, 4)?);
                let (place, order) = place_and_order(name, pointer, size, order)?;
                let when = Some((Comparison::Ge, self.narrowed(least, &place)));
                self.emit(Inst::Rmw { dst: None, place, op: UpdateOp::Add, operand, order, when });
            }
            "__fencepost_alloc" if self.lowering.reuses_memory => {
                let size = argument(self, 0)?;
                self.call_library(result, "__fencepost_alloc_or_reuse", vec![size])?;
            }
            "__fencepost_free" if self.lowering.reuses_memory => {
                let pointer = argument(self, 0)?;
                self.call_library(result, "__fencepost_free_for_reuse", vec![pointer])?;
            }
            "__fencepost_alloc"
            | "__fencepost_alloc_fresh"
            | "__fencepost_alloc_zeroed"
            | "__fencepost_alloc_aligned" => {
                let size = argument(self, 0)?;
                let alignment = if name.ends_with("aligned") { argument(self, 1)? } else { Operand::Const(1) };
                let dst = self.result(result);
                let zeroed = name.ends_with("zeroed");
                let allocation = if zeroed { Allocation::Zeroed } else { Allocation::Uninitialised };
                self.emit(Inst::Alloc { dst, size, alignment, allocation, at: None });
            }
            "__fencepost_alloc_at" => {
                let (at, size) = (Some(argument(self, 0)?), argument(self, 1)?);
                let dst = self.result(result);
                let alignment = Operand::Const(1);
                self.emit(Inst::Alloc { dst, size, alignment, allocation: Allocation::Uninitialised, at });
            }
            "__fencepost_reuse" => {
                let size = argument(self, 0)?;
                let dst = self.result(result);
                self.emit(Inst::Reuse { dst, size });
            }
            "__fencepost_freed_cell" => {
                let pointer = argument(self, 0)?;
                let dst = self.result(result);
                self.arithmetic(dst, ArithmeticOp::Add, 64, pointer, memory::FREED_CELL as Word);
            }
            "__fencepost_free" | "__fencepost_end_object" => {
                let pointer = argument(self, 0)?;
                self.emit(Inst::Free { pointer });
            }
            "__fencepost_misuse" => {
                let misuse = match argument(self, 0)? {
                    Operand::Const(1) => Misuse::Destroyed,
                    Operand::Const(2) => Misuse::NotInitialised,
                    Operand::Const(3) => Misuse::InitialisedTwice,
                    Operand::Const(4) => Misuse::JoinedTwice,
                    _ => Misuse::PrintsNull,
                };
                self.emit(Inst::Fail { failure: Failure::Misuse(misuse) });
            }
            "__fencepost_refuse" => {
                let text = argument(self, 0)?;
                let text = self.literal(text).unwrap_or_default();
                return Err(String::from_utf8_lossy(&text).into_owned());
            }
            "__fencepost_heap_size" => {
                let pointer = argument(self, 0)?;
                let dst = self.result(result);
                self.emit(Inst::HeapSize { dst, pointer });
            }
            "__fencepost_refuse_format" => {
                return Err("a conversion of `printf` that is not known".to_owned());
            }
            "fencepost_assume" | "__fencepost_assume" | "__VERIFIER_assume" | "__CPROVER_assume" => {
                let cond = argument(self, 0)?;
                self.emit(Inst::Assume { cond });
            }
            "fencepost_choose" | "__fencepost_choose" => match (argument(self, 0)?, argument(self, 1)?) {
                (Operand::Const(lo), Operand::Const(hi)) if lo <= hi => {
                    let dst = self.result(result);
                    self.emit(Inst::Choose { dst, lo, hi });
                }
                _ => return Err("a `fencepost_choose` whose bounds are not constants, the smaller first".to_owned()),
            },
            "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool" => {
                let dst = self.result(result);
                self.emit(Inst::Choose { dst, lo: 0, hi: 1 });
            }
            // Registers hold bytes sign extended, so both have the same values.
            "__VERIFIER_nondet_char" | "__VERIFIER_nondet_uchar" => {
                let dst = self.result(result);
                self.emit(Inst::Choose { dst, lo: -128, hi: 127 });
            }
            _ if name.starts_with("__VERIFIER_nondet_") => {
                let bits = leaves(&self.module.types, call.result)?.first().map_or(64, |leaf| leaf.bits);
                let (lo, hi) = nondet_range(name, bits, self.lowering.settings.nondet)?;
                let dst = self.result(result);
                self.emit(Inst::Choose { dst, lo, hi });
            }
            ASSERTS => self.emit(Inst::Assert { cond: Operand::Const(1) }),
            _ if is_failed_assertion(name) => self.emit(Inst::Fail { failure: Failure::Assertion }),
            "abort"
            | "__fencepost_abort"
            | "_ZSt9terminatev"
            | "__cxa_pure_virtual"
            | "__cxa_throw_bad_array_new_length" => {
                self.emit(Inst::Fail { failure: Failure::Abort });
            }
            // GenMC's marks around spin loops, which are found without them, and hints for its search.
            "__VERIFIER_loop_begin"
            | "__VERIFIER_loop_bound"
            | "__VERIFIER_spin_start"
            | "__VERIFIER_spin_end"
            | "__VERIFIER_annotate_begin"
            | "__VERIFIER_annotate_end" => {}
            "__VERIFIER_opt_begin" => self.set_all(result, vec![Operand::Const(0)]),
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
        let op = fencepost_program::UnaryOp::ZExt;
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
                let op = fencepost_program::UnaryOp::Trunc;
                self.emit(Inst::Unary { dst, op, from: 64, to: 8 * size, a: value });
                Operand::Reg(dst)
            }
        }
    }
}

/// What `assert` calls before it looks at its condition.
pub(super) const ASSERTS: &str = "__fencepost_asserts";

/// Whether a call of the function is an assertion that failed.
pub(super) fn is_failed_assertion(name: &str) -> bool {
    let names = [
        "__fencepost_assertion_fails",
        "__assert_fail",
        "__assert",
        "__assert_rtn",
        "__VERIFIER_assert_fail",
        "__VERIFIER_error",
        "reach_error",
    ];
    names.contains(&name)
}

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
