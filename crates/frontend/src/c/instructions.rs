//! Instructions that are no calls.

use fencepost_llvm::{
    AtomicOrdering, Cast, Instruction, IntPredicate, LocalId, Op, Operand as Value, RmwOp, Type, TypeId,
};
use fencepost_program::{
    Allocation, ArithmeticOp, CasKind, Failure, Inst, Memory, Operand, Ordering, Place, Reg, UnaryOp, UpdateOp,
    Value as Word, wide,
};

use super::escape::Storage;
use super::function::{Access, FunctionLowering};
use super::globals::{Unsupported, arithmetic, block_address, step_into};
use super::leaves::{Leaf, leaves};
use super::wide::consecutive;

/// Locals that are larger are not kept in a thread's state.
const MOST_LOCAL_BYTES: u64 = 1 << 20;

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn instruction(&mut self, instruction: &'m Instruction) -> Result<(), Unsupported> {
        let result = instruction.result;
        if self.wide_operation(instruction)? || self.vector_operation(instruction)? {
            return Ok(());
        }
        match &instruction.op {
            Op::Binary { op, ty, a, b } => {
                let bits = self.bits(*ty)?;
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                let dst = self.result(result);
                self.arithmetic(dst, arithmetic(*op), bits, a, b);
            }
            Op::FNeg { ty, a } => {
                let bits = self.bits(*ty)?;
                let a = self.value(*a)?;
                let dst = self.result(result);
                let sign = if bits == 32 { Word::from(i32::MIN) } else { Word::MIN };
                self.arithmetic(dst, ArithmeticOp::Xor, bits, a, sign);
            }
            Op::ICmp { predicate, ty, a, b } => self.compare(result, *predicate, *ty, *a, *b)?,
            Op::FCmp { predicate, ty, a, b } => {
                let bits = self.bits(*ty)?;
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                let dst = self.result(result);
                let fencepost_llvm::FloatPredicate { less, equal, greater, unordered } = *predicate;
                self.arithmetic(dst, ArithmeticOp::FCmp { less, equal, greater, unordered }, bits, a, b);
            }
            Op::Cast { op, from, value, to } => self.cast(result, *op, *from, *value, *to)?,
            Op::ExtractElement { .. } | Op::InsertElement { .. } | Op::ShuffleVector { .. } => {
                unreachable!("these are operations on vectors")
            }
            Op::Select { condition, ty, yes, no, .. } => {
                let cond = self.value(*condition)?;
                let (yes, no) = (self.values(*ty, *yes)?, self.values(*ty, *no)?);
                let first = self.first_of(result, yes.len())?;
                for (i, (yes, no)) in yes.into_iter().zip(no).enumerate() {
                    self.emit(Inst::Select { dst: Reg(first + i as u32), cond, yes, no });
                }
            }
            Op::Freeze { ty, value } => {
                let values = self.values(*ty, *value)?;
                self.set_all(result, values)?;
            }
            Op::Alloca { ty, count, alignment } => self.alloca(result, *ty, *count, *alignment)?,
            Op::Load { ty, pointer, ordering, alignment, .. } => {
                let alignment = self.promised(*ty, *alignment);
                self.load(result, *ty, *pointer, *ordering, alignment)?
            }
            Op::Store { ty, value, pointer, ordering, alignment, .. } => {
                let alignment = self.promised(*ty, *alignment);
                self.store(*ty, *value, *pointer, *ordering, alignment)?
            }
            Op::GetElementPtr { source, base, indices } => self.address(result, *source, *base, indices)?,
            Op::CmpXchg { weak, ty, pointer, expected, desired, success, failure } => {
                let place = self.atomic_place(*ty, *pointer)?;
                let (expected, desired) = (self.value(*expected)?, self.value(*desired)?);
                let first = self.first_of(result, 2)?;
                let kind = if *weak { CasKind::Weak } else { CasKind::Strong };
                let (success, failure) = (ordering(Some(*success)), ordering(Some(*failure)));
                let (old, ok) = (Some(Reg(first)), Some(Reg(first + 1)));
                self.emit(Inst::Cas { old, ok, place, expected, desired, success, failure, kind });
            }
            Op::AtomicRmw { op, ty, pointer, value, ordering: order } => {
                if self.computed_update(result, *op, (*ty, *pointer), *value, *order)? {
                    return Ok(());
                }
                let place = self.atomic_place(*ty, *pointer)?;
                let operand = self.value(*value)?;
                let op = self.update(*op)?;
                let dst = Some(self.result(result));
                self.emit(Inst::Rmw { dst, place, op, operand, order: ordering(Some(*order)), when: None });
            }
            // Between a thread and its own signal handlers.
            Op::Fence { single_thread: true, .. } => {}
            Op::Fence { ordering: order, .. } => self.emit(Inst::Fence { order: ordering(Some(*order)) }),
            Op::ExtractValue { ty, aggregate, indices } => {
                let (start, part) = self.flat_index(*ty, indices)?;
                let values = self.values(*ty, *aggregate)?;
                self.set_all(result, values[start..start + part].to_vec())?;
            }
            Op::InsertValue { ty, aggregate, part, value, indices } => {
                let (start, count) = self.flat_index(*ty, indices)?;
                let mut values = self.values(*ty, *aggregate)?;
                let inner = self.values(*part, *value)?;
                if inner.len() != count {
                    return Err("a value of two types".to_owned());
                }
                values.splice(start..start + count, inner);
                self.set_all(result, values)?;
            }
            Op::Call(call) => {
                self.call(result, call)?;
                self.pass_on(call)?;
            }
            Op::Invoke { call, normal, unwind } => {
                self.call(result, call)?;
                self.go_on(call, *normal, *unwind)?;
            }
            // Its registers are set on the way into the block.
            Op::Phi { .. } => {}
            Op::Br { target } => self.jump(*target)?,
            Op::CondBr { condition, yes, no } => {
                let cond = self.value(*condition)?;
                let mut edges = Vec::new();
                let (yes, no) = (self.edge(*yes, &mut edges), self.edge(*no, &mut edges));
                self.code.branch(cond, yes, no);
                self.edges(edges)?;
            }
            Op::Switch { value, default, cases, .. } => {
                let value = self.value(*value)?;
                let mut edges = Vec::new();
                let default = self.edge(*default, &mut edges);
                let mut targets = Vec::new();
                for (case, target) in cases {
                    let Operand::Const(case) = self.value(*case)? else {
                        return Err("a case that is not constant".to_owned());
                    };
                    targets.push((case, self.edge(*target, &mut edges)));
                }
                self.code.switch(value, targets, default);
                self.edges(edges)?;
            }
            Op::IndirectBr { address, targets } => {
                let address = self.value(*address)?;
                let mut edges = Vec::new();
                let mut cases = Vec::new();
                for &(block, target) in targets {
                    cases.push((block_address(self.source.name, block), self.edge(target, &mut edges)));
                }
                let elsewhere = self.code.label();
                self.code.switch(address, cases, elsewhere);
                self.edges(edges)?;
                self.code.here(elsewhere);
                self.fail("a `goto` to an address that is no label of its function".to_owned());
            }
            Op::Ret { ty, value } => {
                let mut values = match value {
                    Some(value) => self.values(*ty, *value)?,
                    None => Vec::new(),
                };
                self.leave_section();
                match values.len() {
                    0 | 1 => self.emit(Inst::Return { value: values.pop() }),
                    _ => self.emit(Inst::ReturnMany { values }),
                }
            }
            Op::Unreachable => self.emit(Inst::Fail { failure: Failure::Unreachable }),
            Op::LandingPad { ty, cleanup, clauses } => self.landing_pad(result, *ty, *cleanup, clauses)?,
            Op::Resume { ty, value } => self.resume(*ty, *value)?,
            Op::Unsupported { keyword, .. } => {
                return Err(format!("the instruction `{}` of LLVM", self.module.name(*keyword)));
            }
        }
        Ok(())
    }

    fn first_of(&mut self, result: Option<LocalId>, count: usize) -> Result<u32, Unsupported> {
        match result {
            Some(local) => match self.registers_of(local, count as u32) {
                (first, known) if known == count as u32 => Ok(first),
                _ => Err("a value of two types".to_owned()),
            },
            None => Ok((0..count).map(|_| self.temporary().0).min().unwrap_or(0)),
        }
    }

    pub(super) fn set_all(&mut self, result: Option<LocalId>, values: Vec<Operand>) -> Result<(), Unsupported> {
        let first = self.first_of(result, values.len())?;
        for (dst, value) in consecutive(first, values.len()).zip(values) {
            self.copy(dst, value);
        }
        Ok(())
    }

    fn compare(
        &mut self,
        result: Option<LocalId>,
        predicate: IntPredicate,
        ty: TypeId,
        a: Value,
        b: Value,
    ) -> Result<(), Unsupported> {
        let bits = self.bits(ty)?;
        let (a, b) = (self.value(a)?, self.value(b)?);
        let (op, a, b) = comparison(predicate, a, b);
        let dst = self.result(result);
        self.arithmetic(dst, op, bits, a, b);
        Ok(())
    }

    /// Whether two words compare so.
    pub(super) fn compared(&mut self, predicate: IntPredicate, bits: u8, a: Operand, b: Operand) -> Operand {
        let (op, a, b) = comparison(predicate, a, b);
        let dst = self.temporary();
        self.arithmetic(dst, op, bits, a, b);
        Operand::Reg(dst)
    }

    fn cast(
        &mut self,
        result: Option<LocalId>,
        op: Cast,
        from: TypeId,
        value: Value,
        to: TypeId,
    ) -> Result<(), Unsupported> {
        let (from, to) = (self.bits(from)?, self.bits(to)?);
        let a = self.value(value)?;
        let dst = self.result(result);
        self.cast_into(dst, op, from, to, a);
        Ok(())
    }

    /// A word as one of another type.
    pub(super) fn cast_word(&mut self, op: Cast, from: u8, to: u8, a: Operand) -> Operand {
        let dst = self.temporary();
        self.cast_into(dst, op, from, to, a);
        Operand::Reg(dst)
    }

    fn cast_into(&mut self, dst: Reg, op: Cast, from: u8, to: u8, a: Operand) {
        let op = match op {
            Cast::Trunc => UnaryOp::Trunc,
            Cast::ZExt => UnaryOp::ZExt,
            Cast::SExt => UnaryOp::SExt,
            Cast::PtrToInt if to < 64 => UnaryOp::Trunc,
            Cast::IntToPtr if from < 64 => UnaryOp::ZExt,
            Cast::PtrToInt | Cast::IntToPtr | Cast::BitCast | Cast::AddrSpaceCast => return self.copy(dst, a),
            Cast::FpTrunc | Cast::FpExt => UnaryOp::FloatToFloat,
            Cast::FpToUi => UnaryOp::FloatToUnsigned,
            Cast::FpToSi => UnaryOp::FloatToSigned,
            Cast::UiToFp => UnaryOp::UnsignedToFloat,
            Cast::SiToFp => UnaryOp::SignedToFloat,
        };
        self.emit(Inst::Unary { dst, op, from, to, a });
    }

    fn alloca(
        &mut self,
        result: Option<LocalId>,
        ty: TypeId,
        count: Option<(TypeId, Value)>,
        alignment: u64,
    ) -> Result<(), Unsupported> {
        let Some(local) = result else { return Ok(()) };
        let size = self.module.types.size(ty).ok_or("a local variable without a size")?;
        let storage = self.storage.get(&local).copied().unwrap_or(Storage::Shared);
        if let Storage::Register(_) = storage {
            let name = self.result(Some(local));
            self.variables.insert(local, name);
            self.note_assigned(local, false);
            return Ok(());
        }
        let count = count.map(|(_, count)| self.value(count)).transpose()?;
        let dst = self.result(Some(local));
        let constant = match count {
            None => Some(size),
            Some(Operand::Const(count)) => size.checked_mul(count as u64),
            Some(Operand::Reg(_)) => None,
        };
        let overflows = constant.is_none() && matches!(count, Some(Operand::Const(_)));
        if overflows || constant.is_some_and(|bytes| bytes >> 32 > 0) {
            let declared = self.declaration(local);
            self.code.at(declared);
            let name = self.module.name(self.source.locals[local.0 as usize]);
            return Err(format!("the local variable `{name}`, which has 4 GiB or more"));
        }
        match constant.filter(|&bytes| bytes <= MOST_LOCAL_BYTES && alignment <= 16) {
            Some(bytes) if storage == Storage::Private => {
                let offset = self.private(bytes)?;
                self.emit(Inst::PrivateAddress { dst, offset });
            }
            Some(bytes) => {
                let offset = self.shared(bytes)?;
                self.emit(Inst::StackAddress { dst, offset });
            }
            // An array of variable length; each time it is reached it is a new one.
            None => {
                let bytes = self.temporary();
                let count = count.unwrap_or(Operand::Const(1));
                self.arithmetic(bytes, ArithmeticOp::Mul, 64, count, size as Word);
                let (size, alignment) = (Operand::Reg(bytes), Operand::Const(alignment as Word));
                self.emit(Inst::Alloc { dst, size, alignment, allocation: Allocation::Local, at: None });
            }
        }
        Ok(())
    }

    fn load(
        &mut self,
        result: Option<LocalId>,
        ty: TypeId,
        pointer: Value,
        order: Option<AtomicOrdering>,
        alignment: u64,
    ) -> Result<(), Unsupported> {
        if let Value::Local(local) = pointer
            && let Some(Storage::Register(_)) = self.storage.get(&local)
        {
            self.must_be_assigned(local, ty)?;
            let variable = Operand::Reg(self.result(Some(local)));
            self.set_all(result, vec![variable])?;
            return Ok(());
        }
        let leaves = self.leaves_in_memory(ty)?;
        let pointer = self.value(pointer)?;
        // A struct as a value is copied whole, whatever of it was written.
        let is_aggregate = matches!(self.module.types.get(ty), Type::Struct { .. } | Type::Array { .. });
        let copied = (leaves.len() > 1 && is_aggregate) || result.is_some_and(|local| self.bit_fields.contains(&local));
        let first = self.first_of(result, leaves.len())?;
        for (i, leaf) in leaves.into_iter().enumerate() {
            // Of a struct that is read as an integer of 128 bits, the second half may be padding.
            let copied = copied || i > 0 && self.is_wide(ty);
            let access = Access { pointer, leaf, order: ordering(order), alignment, copied };
            self.load_leaf(Reg(first + i as u32), access);
        }
        Ok(())
    }

    fn store(
        &mut self,
        ty: TypeId,
        value: Value,
        pointer: Value,
        order: Option<AtomicOrdering>,
        alignment: u64,
    ) -> Result<(), Unsupported> {
        if let Value::Local(local) = pointer
            && let Some(Storage::Register(_)) = self.storage.get(&local)
        {
            let value = self.value(value)?;
            let variable = self.result(Some(local));
            self.copy(variable, value);
            self.note_assigned(local, true);
            return Ok(());
        }
        let leaves = self.leaves_in_memory(ty)?;
        let values = self.values(ty, value)?;
        let pointer = self.value(pointer)?;
        for (leaf, value) in leaves.into_iter().zip(values) {
            self.store_leaf(value, Access { pointer, leaf, order: ordering(order), alignment, copied: false });
        }
        Ok(())
    }

    /// The scalars of what is loaded or stored.
    fn leaves_in_memory(&self, ty: TypeId) -> Result<Vec<Leaf>, Unsupported> {
        let leaves = self.leaves(ty)?;
        match self.vector(ty) {
            // Elements have no space between them, and these would share bytes.
            Some(_) if leaves.iter().any(|leaf| leaf.bits % 8 != 0) => Err("a vector of bits in memory".to_owned()),
            _ => Ok(leaves),
        }
    }

    /// What an access to a type promises of its address.
    fn promised(&self, ty: TypeId, said: Option<u64>) -> u64 {
        said.or_else(|| Some(self.module.types.size_and_alignment(ty)?.1)).unwrap_or(1)
    }

    fn address(
        &mut self,
        result: Option<LocalId>,
        source: TypeId,
        base: Value,
        indices: &[(TypeId, Value)],
    ) -> Result<(), Unsupported> {
        let mut pointer = self.value(base)?;
        let mut offset: Word = 0;
        let mut ty = source;
        for (i, &(_, index)) in indices.iter().enumerate() {
            let index = self.value(index)?;
            if let Operand::Const(index) = index {
                let (step, inner) = step_into(&self.module.types, ty, i, index)?;
                offset = offset.wrapping_add(step);
                ty = inner;
                continue;
            }
            let (size, inner) = step_into(&self.module.types, ty, i, 1)?;
            if i > 0 && matches!(self.module.types.get(ty), Type::Struct { .. }) {
                return Err("a field that is not constant".to_owned());
            }
            ty = inner;
            let scaled = match size {
                1 => index,
                _ => {
                    let scaled = self.temporary();
                    self.arithmetic(scaled, ArithmeticOp::Mul, 64, index, size);
                    Operand::Reg(scaled)
                }
            };
            let sum = self.temporary();
            self.arithmetic(sum, ArithmeticOp::Add, 64, pointer, scaled);
            pointer = Operand::Reg(sum);
        }
        let dst = self.result(result);
        match (pointer, offset) {
            (Operand::Const(pointer), _) => self.copy(dst, Operand::Const(pointer.wrapping_add(offset))),
            (_, 0) => self.copy(dst, pointer),
            _ => self.arithmetic(dst, ArithmeticOp::Add, 64, pointer, offset),
        }
        Ok(())
    }

    pub(super) fn atomic_place(&mut self, ty: TypeId, pointer: Value) -> Result<Place, Unsupported> {
        let bits = leaves(&self.module.types, ty).ok().filter(|l| l.len() == 1).map(|l| l[0].bits);
        match bits {
            _ if self.is_wide(ty) => Ok(Place::Memory(Memory::aligned(self.value(pointer)?, 0, wide::SIZE))),
            Some(bits @ (8 | 16 | 32 | 64)) => {
                let pointer = self.value(pointer)?;
                Ok(Place::Memory(Memory::aligned(pointer, 0, (bits / 8) as u8)))
            }
            _ => Err("an atomic access of another size than 1, 2, 4, 8 or 16 bytes".to_owned()),
        }
    }

    pub(super) fn update(&self, op: RmwOp) -> Result<UpdateOp, Unsupported> {
        Ok(match op {
            RmwOp::Xchg => UpdateOp::Exchange,
            RmwOp::Add => UpdateOp::Add,
            RmwOp::Sub => UpdateOp::Sub,
            RmwOp::And => UpdateOp::And,
            RmwOp::Nand => UpdateOp::Nand,
            RmwOp::Or => UpdateOp::Or,
            RmwOp::Xor => UpdateOp::Xor,
            RmwOp::Max => UpdateOp::Max,
            RmwOp::Min => UpdateOp::Min,
            RmwOp::UMax => UpdateOp::UMax,
            RmwOp::UMin => UpdateOp::UMin,
            RmwOp::Other(name) => return Err(format!("the atomic update `{}`", self.module.name(name))),
        })
    }

    /// Where a part of an aggregate is among its scalars, and how many it has.
    fn flat_index(&self, mut ty: TypeId, indices: &[u32]) -> Result<(usize, usize), Unsupported> {
        let types = &self.module.types;
        let mut start = 0;
        for &index in indices {
            let parts = types.parts(ty, index as usize + 1);
            let &(_, inner) = parts.get(index as usize).ok_or("a part that does not exist")?;
            for &(_, before) in &parts[..index as usize] {
                start += leaves(types, before)?.len();
            }
            ty = inner;
        }
        Ok((start, leaves(types, ty)?.len()))
    }
}

fn comparison(predicate: IntPredicate, a: Operand, b: Operand) -> (ArithmeticOp, Operand, Operand) {
    match predicate {
        IntPredicate::Eq => (ArithmeticOp::Eq, a, b),
        IntPredicate::Ne => (ArithmeticOp::Ne, a, b),
        IntPredicate::Ult => (ArithmeticOp::ULt, a, b),
        IntPredicate::Ule => (ArithmeticOp::ULe, a, b),
        IntPredicate::Ugt => (ArithmeticOp::ULt, b, a),
        IntPredicate::Uge => (ArithmeticOp::ULe, b, a),
        IntPredicate::Slt => (ArithmeticOp::SLt, a, b),
        IntPredicate::Sle => (ArithmeticOp::SLe, a, b),
        IntPredicate::Sgt => (ArithmeticOp::SLt, b, a),
        IntPredicate::Sge => (ArithmeticOp::SLe, b, a),
    }
}

pub(super) fn ordering(order: Option<AtomicOrdering>) -> Ordering {
    match order {
        None => Ordering::NonAtomic,
        Some(AtomicOrdering::Unordered | AtomicOrdering::Monotonic) => Ordering::Relaxed,
        Some(AtomicOrdering::Acquire) => Ordering::Acquire,
        Some(AtomicOrdering::Release) => Ordering::Release,
        Some(AtomicOrdering::AcqRel) => Ordering::AcqRel,
        Some(AtomicOrdering::SeqCst) => Ordering::SeqCst,
    }
}
