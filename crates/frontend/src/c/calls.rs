//! Calls: of functions, through pointers, and of what copies and fills memory.

use fencepost_llvm::{Argument, Call, Callee, ConstantKind, LocalId, Op, Operand as Value, Symbol, TypeId};
use fencepost_program::{Inst, Operand, Reg, Value as Word, memory};

use super::conventions;
use super::function::{Access, FunctionLowering};
use super::globals::{Unsupported, chosen_at_start, step_into};
use super::leaves::leaves;
use super::link::Definition;
use super::output::Output;
use super::refused;

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
            Callee::Asm { template, constraints } => self.assembly(result, call, template, constraints),
        }
    }

    fn call_symbol(&mut self, result: Option<LocalId>, call: &Call, name: Symbol) -> Result<(), Unsupported> {
        let text = self.module.name(name);
        if text.starts_with("llvm.") {
            return self.intrinsic(result, call, text);
        }
        let is_ours = !self.is_users(name);
        if is_ours && (self.system_primitive(result, call, text)? || self.primitive(result, call, text)?) {
            return Ok(());
        }
        if is_ours && self.libatomic(result, call, text)? {
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
                let types = &self.lowering.linked.modules[m].types;
                let count = |ty| leaves(types, ty).map_or(1, |leaves| leaves.len());
                let expected: usize = function.parameters.iter().map(|parameter| count(parameter.ty)).sum();
                // Without a prototype, or with that of another file, the compiler does not notice.
                if args.len() < expected {
                    return Err(format!("a call of `{text}` with fewer arguments than it has parameters"));
                }
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
            None if self.lowering.linked.is_chosen_at_start(text) => Err(chosen_at_start(text)),
            _ => match Output::of(text) {
                Some(output) => self.call_of_output(result, call, output),
                None => Err(refused::refusal(text)),
            },
        }
    }

    /// Whether the program itself defines a function, and that counts.
    fn is_users(&self, name: Symbol) -> bool {
        let text = self.module.name(name);
        match self.lowering.linked.resolve(self.m, name) {
            Some(Definition::Function(m, i)) => {
                let is_defined = self.lowering.linked.function((m, i)).is_defined();
                is_defined && !self.lowering.is_library(m) && !conventions::is_reserved(text)
            }
            _ => false,
        }
    }

    /// Calls a function of our library by its name.
    pub(super) fn call_library(
        &mut self,
        result: Option<LocalId>,
        name: &str,
        args: Vec<Operand>,
    ) -> Result<(), Unsupported> {
        let dst = result.map(|local| self.result(Some(local)));
        self.call_library_into(dst, name, args)
    }

    pub(super) fn call_library_into(
        &mut self,
        dst: Option<Reg>,
        name: &str,
        args: Vec<Operand>,
    ) -> Result<(), Unsupported> {
        let Some(Definition::Function(m, i)) = self.lowering.linked.library_named(name) else {
            return Err(format!("a call of `{name}`, whose code is not known"));
        };
        let func = self.lowering.function_id((m, i));
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
}
