//! One function: its locals, its blocks, and the values that flow between them.

use fencepost_llvm::{BlockId, Function as Source, Instruction, LocalId, Module, Op, Operand as Value, TypeId};
use fencepost_program::code::{Builder, Label};
use fencepost_program::{
    Failure, Function, Inst, Memory, Operand, Ordering, Place, Reg, Service, Span, Ty, UnaryOp, Value as Word,
};
use hashbrown::{HashMap, HashSet};

use super::debug::is_in_system_header;
use super::escape::Storage;
use super::globals::Unsupported;
use super::leaves::{Leaf, bit_field_stores, is_of_bits, leaves};
use super::lower::{Lowering, ThreadLocal};
use super::sections::Guard;
use super::unassigned::unassigned;
use super::unknown::readable_alone;

/// Bytes of the local variables of one call: they are part of a thread's state.
const MOST_FRAME_BYTES: u32 = 1 << 24;

pub(super) struct FunctionLowering<'l, 'm> {
    pub lowering: &'l mut Lowering<'m>,
    pub m: usize,
    pub module: &'m Module,
    pub source: &'m Source,
    pub code: Builder,
    /// Where each block starts.
    blocks: Vec<Label>,
    /// The registers that hold a local's scalars: the first, and how many.
    registers: HashMap<LocalId, (u32, u32)>,
    pub storage: HashMap<LocalId, Storage>,
    /// The register of a local variable that is one.
    pub variables: HashMap<LocalId, Reg>,
    /// Loads that keep the bits around a bit field that is stored.
    pub bit_fields: HashSet<LocalId>,
    /// The instruction that makes each local.
    pub definitions: HashMap<LocalId, &'m Instruction>,
    /// Locals that may be read before anything was assigned to them, with the register that says whether it was.
    pub unassigned: HashMap<LocalId, Option<Reg>>,
    /// Holds a pointer to the variable arguments.
    pub rest: Option<Reg>,
    pub block: usize,
    /// Which function it is, in its module.
    pub at: (usize, usize),
    /// Which accesses of the instruction that is being lowered take the lock of atomic sections.
    pub guard: Option<Guard>,
    /// Where the function is left with an exception on its way, if it may be.
    pub unwinding: Option<Label>,
}

impl<'l, 'm> FunctionLowering<'l, 'm> {
    pub(super) fn new(lowering: &'l mut Lowering<'m>, at: (usize, usize)) -> FunctionLowering<'l, 'm> {
        let module = lowering.linked.modules[at.0];
        let source = lowering.linked.function(at);
        let storage = lowering.escapes.storage(&lowering.linked, at);
        let name = source.debug.and_then(|id| module.metadata.subprogram(id)).map(|(name, _)| module.name(name));
        let header = source.debug.is_some_and(|id| is_in_system_header(module, id));
        // Proofs take such a local to hold anything.
        let strict = !(lowering.settings.proof || header || lowering.is_library(at.0));
        let unassigned = match strict {
            false => HashMap::new(),
            true => unassigned(source, &storage).into_iter().map(|local| (local, None)).collect(),
        };
        let instructions = source.blocks.iter().flat_map(|b| &b.instructions);
        let mut code = Builder::of(Function {
            name: name.map_or_else(|| readable_alone(module.name(source.name)).into_owned(), str::to_owned),
            library: lowering.is_library(at.0),
            service: service(module.name(source.name)).filter(|_| lowering.is_library(at.0)),
            may_time_out: may_time_out(module.name(source.name)) && lowering.is_library(at.0),
            header,
            starts_unwritten: strict,
            ..Function::default()
        });
        FunctionLowering {
            m: at.0,
            module,
            source,
            blocks: source.blocks.iter().map(|_| code.label()).collect(),
            code,
            registers: HashMap::new(),
            storage,
            variables: HashMap::new(),
            bit_fields: bit_field_stores(source, is_of_bits(module.name(source.name))),
            definitions: instructions.filter_map(|i| Some((i.result?, i))).collect(),
            unassigned,
            rest: None,
            block: 0,
            at,
            guard: None,
            unwinding: None,
            lowering,
        }
    }

    pub(super) fn lower(mut self) -> Function {
        if !self.source.is_defined() {
            let name = self.module.name(self.source.name);
            self.fail(format!("a call of `{name}`, whose code is not known"));
            return self.code.finish();
        }
        for parameter in &self.source.parameters {
            let count = leaves(&self.module.types, parameter.ty).map_or(1, |l| l.len() as u32);
            let first = self.code.function.registers.len() as u32;
            let name = self.module.name(self.source.locals[parameter.local.0 as usize]);
            for _ in 0..count {
                self.code.variable(name, Ty::Int);
            }
            self.code.function.params += count;
            self.registers.insert(parameter.local, (first, count));
        }
        if self.source.varargs {
            self.rest = Some(self.temporary());
            self.code.function.params += 1;
        }
        self.enter_section();
        for b in 0..self.source.blocks.len() {
            self.block = b;
            self.code.here(self.blocks[b]);
            let block: &'m fencepost_llvm::Block = &self.source.blocks[b];
            for (i, instruction) in block.instructions.iter().enumerate() {
                let location = instruction.location;
                let span = location.map(|location| self.lowering.sources.span(self.m, self.module, location));
                self.code.at(span.unwrap_or_default());
                self.look_around(i, instruction);
                self.begin_lives((b, i));
                if let Err(construct) = self.instruction(instruction) {
                    self.fail(construct);
                }
            }
        }
        self.end();
        let mut function = self.code.finish();
        if !function.library && !function.header {
            function.note_assertions();
        }
        function.tidy();
        function
    }

    /// What is not supported fails when it is reached.
    pub(super) fn fail(&mut self, construct: String) {
        let construct = self.lowering.construct(construct);
        self.emit(Inst::Fail { failure: Failure::Unsupported { construct } });
    }

    pub(super) fn temporary(&mut self) -> Reg {
        self.code.temporary()
    }

    /// Where the variable is declared that lives at an address.
    pub(super) fn declaration(&mut self, address: LocalId) -> Span {
        let variable = self.source.variables.iter().find(|variable| variable.address == address);
        let variable = variable.and_then(|variable| self.module.metadata.variable(variable.variable));
        let Some((file, line)) = variable.and_then(|variable| Some((variable.file?, variable.line))) else {
            return self.code.span();
        };
        Span { file: self.lowering.sources.file(self.m, self.module, file), line, column: 1, length: 1 }
    }

    pub(super) fn leaves(&self, ty: TypeId) -> Result<Vec<Leaf>, Unsupported> {
        leaves(&self.module.types, ty).map_err(str::to_owned)
    }

    /// The one scalar of a type.
    pub(super) fn leaf(&self, ty: TypeId) -> Result<Leaf, Unsupported> {
        match self.leaves(ty)?[..] {
            [leaf] => Ok(leaf),
            _ => Err("an aggregate as a value".to_owned()),
        }
    }

    pub(super) fn bits(&self, ty: TypeId) -> Result<u8, Unsupported> {
        Ok(self.leaf(ty)?.bits as u8)
    }

    /// The registers that hold a local, made when it is first mentioned.
    pub(super) fn registers_of(&mut self, local: LocalId, count: u32) -> (u32, u32) {
        if let Some(&known) = self.registers.get(&local) {
            return known;
        }
        let first = self.code.function.registers.len() as u32;
        let name = self.module.name(self.source.locals[local.0 as usize]);
        for _ in 0..count {
            self.code.variable(name, Ty::Int);
        }
        self.registers.insert(local, (first, count));
        (first, count)
    }

    /// The register of a result that is one scalar.
    pub(super) fn result(&mut self, result: Option<LocalId>) -> Reg {
        match result {
            Some(local) => Reg(self.registers_of(local, 1).0),
            None => self.temporary(),
        }
    }

    /// The scalars of a value.
    pub(super) fn values(&mut self, ty: TypeId, value: Value) -> Result<Vec<Operand>, Unsupported> {
        let count = self.leaves(ty)?.len() as u32;
        match value {
            Value::Local(local) => {
                let (first, known) = self.registers_of(local, count);
                if known != count {
                    return Err("a value of two types".to_owned());
                }
                Ok((first..first + count).map(|r| Operand::Reg(Reg(r))).collect())
            }
            Value::Constant(id) => {
                let mut scalars = Vec::new();
                if let Some(address) = self.thread_local_address(id) {
                    return Ok(vec![address]);
                }
                self.lowering.scalars(self.m, id, &mut scalars)?;
                Ok(scalars.into_iter().map(Operand::Const).collect())
            }
        }
    }

    /// A value that is one scalar.
    pub(super) fn value(&mut self, value: Value) -> Result<Operand, Unsupported> {
        match value {
            Value::Local(local) => match self.registers_of(local, 1) {
                (first, 1) => Ok(Operand::Reg(Reg(first))),
                _ => Err("an aggregate as a value".to_owned()),
            },
            Value::Constant(id) => match self.thread_local_address(id) {
                Some(address) => Ok(address),
                None => Ok(Operand::Const(self.lowering.constant(self.m, id)?)),
            },
        }
    }

    /// Before LLVM 15, a thread-local is named directly, also inside of constant expressions.
    fn thread_local_address(&mut self, id: fencepost_llvm::ConstantId) -> Option<Operand> {
        let (name, at) = super::named::named_with_offset(self.module, id)?;
        let super::link::Definition::Global(m, i) = self.lowering.linked.resolve(self.m, name)? else { return None };
        let ThreadLocal { offset, shared } = *self.lowering.thread_locals.get(&(m, i))?;
        let dst = self.temporary();
        self.emit(Inst::ThreadLocalAddress { dst, offset, shared });
        if at != 0 {
            self.arithmetic(dst, fencepost_program::ArithmeticOp::Add, 64, Operand::Reg(dst), Operand::Const(at));
        }
        Some(Operand::Reg(dst))
    }

    pub(super) fn copy(&mut self, dst: Reg, a: Operand) {
        self.emit(Inst::Copy { dst, a });
    }

    /// Room in private memory, and the offset of its start.
    pub(super) fn private(&mut self, size: u64) -> Result<u32, Unsupported> {
        let size = room(size)?;
        // Eight bytes between two objects, so that running over the end of one is noticed.
        let end = self.code.function.private.iter().map(|&(at, length)| at + length).max();
        let at = end.map_or(0, |end| (end + 8).next_multiple_of(16));
        room(u64::from(at) + u64::from(size))?;
        self.code.function.private.push((at, size.max(1)));
        Ok(at)
    }

    /// Room in memory that others may reach.
    pub(super) fn shared(&mut self, size: u64) -> Result<u32, Unsupported> {
        let at = self.code.function.stack_bytes;
        let size = room(u64::from(at) + size)? - at;
        self.code.function.shared.push((at, size.max(1)));
        self.code.function.stack_bytes = (at + size + 8).next_multiple_of(16);
        Ok(at)
    }

    /// Reads a scalar from memory.
    pub(super) fn load_leaf(&mut self, dst: Reg, access: Access) {
        let Access { leaf, order, .. } = access;
        let pieces: Vec<_> = leaf.pieces().collect();
        let place = |at: u32, size| access.piece(at, size);
        if let [(0, size)] = pieces[..] {
            self.emit(Inst::Load { dst: Some(dst), place: place(0, size), order });
            if leaf.bits < 8 * u32::from(size) {
                let (op, from) = (UnaryOp::Trunc, 8 * size);
                self.emit(Inst::Unary { dst, op, from, to: leaf.bits as u8, a: Operand::Reg(dst) });
            }
            return;
        }
        // An integer of three bytes, say, is read in parts; the destination may be the pointer itself.
        let whole = self.temporary();
        self.copy(whole, Operand::Const(0));
        for (at, size) in pieces {
            let piece = self.temporary();
            self.emit(Inst::Load { dst: Some(piece), place: place(at, size), order });
            self.emit(Inst::Unary { dst: piece, op: UnaryOp::ZExt, from: 8 * size, to: 64, a: Operand::Reg(piece) });
            self.arithmetic(piece, fencepost_program::ArithmeticOp::Shl, 64, Operand::Reg(piece), 8 * Word::from(at));
            let or = fencepost_program::ArithmeticOp::Or;
            self.emit(Inst::Arithmetic {
                dst: whole,
                op: or,
                bits: 64,
                a: Operand::Reg(whole),
                b: Operand::Reg(piece),
            });
        }
        let (op, to) = (UnaryOp::Trunc, leaf.bits as u8);
        self.emit(Inst::Unary { dst, op, from: 64, to, a: Operand::Reg(whole) });
    }

    pub(super) fn arithmetic(
        &mut self,
        dst: Reg,
        op: fencepost_program::ArithmeticOp,
        bits: u8,
        a: Operand,
        b: impl Into<WordOrOperand>,
    ) {
        let b = match b.into() {
            WordOrOperand::Word(word) => Operand::Const(word),
            WordOrOperand::Operand(operand) => operand,
        };
        self.emit(Inst::Arithmetic { dst, op, bits, a, b });
    }

    pub(super) fn store_leaf(&mut self, value: Operand, access: Access) {
        let Access { leaf, order, .. } = access;
        for (at, size) in leaf.pieces().collect::<Vec<_>>() {
            let place = access.piece(at, size);
            let value = if at == 0 {
                value
            } else {
                let shifted = self.temporary();
                self.arithmetic(shifted, fencepost_program::ArithmeticOp::LShr, 64, value, 8 * Word::from(at));
                Operand::Reg(shifted)
            };
            self.emit(Inst::Store { place, value, order });
        }
    }

    pub(super) fn jump(&mut self, target: BlockId) -> Result<(), Unsupported> {
        self.copies(target)?;
        self.code.jump(self.blocks[target.0 as usize]);
        Ok(())
    }

    /// A label for the edge to a block: the block itself, or the copies that the edge needs, to be emitted by
    /// [`FunctionLowering::edges`].
    pub(super) fn edge(&mut self, target: BlockId, edges: &mut Vec<(Label, BlockId)>) -> Label {
        if !self.has_phis(target) {
            return self.blocks[target.0 as usize];
        }
        let label = self.code.label();
        edges.push((label, target));
        label
    }

    pub(super) fn edges(&mut self, edges: Vec<(Label, BlockId)>) -> Result<(), Unsupported> {
        for (label, target) in edges {
            self.code.here(label);
            self.jump(target)?;
        }
        Ok(())
    }

    fn has_phis(&self, target: BlockId) -> bool {
        let first = self.source.blocks[target.0 as usize].instructions.first();
        matches!(first, Some(Instruction { op: Op::Phi { .. }, .. }))
    }

    /// What the phis of a block take from this one. They all happen at once.
    fn copies(&mut self, target: BlockId) -> Result<(), Unsupported> {
        let mut copies: Vec<(Reg, Operand)> = Vec::new();
        let block: &'m fencepost_llvm::Block = &self.source.blocks[target.0 as usize];
        for instruction in &block.instructions {
            let (Op::Phi { ty, incoming }, Some(result)) = (&instruction.op, instruction.result) else { break };
            let from = incoming.iter().find(|(_, from)| from.0 as usize == self.block);
            let &(value, _) = from.ok_or("a phi without a value for the block before it")?;
            let values = self.values(*ty, value)?;
            let (first, _) = self.registers_of(result, values.len() as u32);
            copies.extend(values.into_iter().enumerate().map(|(i, value)| (Reg(first + i as u32), value)));
        }
        let clash = copies
            .iter()
            .enumerate()
            .any(|(i, (dst, _))| copies[i + 1..].iter().any(|(_, later)| *later == Operand::Reg(*dst)));
        if clash {
            for copy in &mut copies {
                let temporary = self.temporary();
                self.copy(temporary, copy.1);
                copy.1 = Operand::Reg(temporary);
            }
        }
        for (dst, value) in copies {
            self.copy(dst, value);
        }
        Ok(())
    }
}

/// Bytes of the local variables of one call, unless there are too many.
fn room(bytes: u64) -> Result<u32, Unsupported> {
    let few = u32::try_from(bytes).ok().filter(|&bytes| bytes <= MOST_FRAME_BYTES);
    few.ok_or_else(|| format!("local variables of {bytes} bytes in one call (at most {MOST_FRAME_BYTES})"))
}

/// An access to a scalar of what a pointer points to.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub pointer: Operand,
    pub leaf: Leaf,
    pub order: Ordering,
    /// What the pointer is promised to be a multiple of.
    pub alignment: u64,
    pub copied: bool,
}

impl Access {
    /// One of a copy, which promises nothing.
    pub(super) fn copying(pointer: Operand, leaf: Leaf) -> Access {
        Access { pointer, leaf, order: Ordering::NonAtomic, alignment: 1, copied: true }
    }

    /// The access to some bytes of the scalar.
    fn piece(self, at: u32, size: u8) -> Place {
        let offset = self.leaf.offset + u64::from(at);
        // What is so far from a multiple of something is itself one of its lowest bit.
        let mut alignment = if offset == 0 { self.alignment } else { self.alignment.min(1 << offset.trailing_zeros()) };
        if self.order.is_atomic() {
            alignment = alignment.max(size.into());
        }
        let alignment = alignment.clamp(1, MOST_PROMISED) as u16;
        Place::Memory(Memory { pointer: self.pointer, offset: offset as i32, size, alignment, copied: self.copied })
    }
}

/// Larger alignments are not told apart.
const MOST_PROMISED: u64 = 1 << 15;

/// What a function of our library does with a lock or the like that must be there.
fn service(name: &str) -> Option<Service> {
    match name {
        "pthread_barrier_wait" => Some(Service::Barrier),
        "pthread_cond_wait" | "pthread_cond_timedwait" => Some(Service::Condition),
        "__fencepost_time_is_over" => Some(Service::TimeLimit),
        "pthread_mutex_unlock" | "pthread_spin_unlock" | "pthread_rwlock_unlock" => Some(Service::Unlock),
        "pthread_mutex_lock"
        | "pthread_mutex_trylock"
        | "pthread_spin_lock"
        | "pthread_spin_trylock"
        | "pthread_rwlock_rdlock"
        | "pthread_rwlock_tryrdlock"
        | "pthread_rwlock_wrlock"
        | "pthread_rwlock_trywrlock"
        | "pthread_mutex_timedlock"
        | "pthread_rwlock_timedrdlock"
        | "pthread_rwlock_timedwrlock" => Some(Service::Lock),
        "pthread_cond_signal"
        | "pthread_cond_broadcast"
        // What is printed must have been written, too.
        | "__fencepost_read_string"
        | "__fencepost_read_bytes"
        | "__fencepost_put_string" => Some(Service::Other),
        _ => None,
    }
}

/// Functions of the library whose waits have a time limit, and the one that reads the time.
fn may_time_out(name: &str) -> bool {
    matches!(
        name,
        "pthread_mutex_timedlock"
            | "pthread_rwlock_timedrdlock"
            | "pthread_rwlock_timedwrlock"
            | "pthread_cond_timedwait"
            | "pthread_timedjoin_np"
            | "sem_timedwait"
            | "__fencepost_steps_of_time"
    )
}

/// Either, so that constants can be written as they are.
pub(super) enum WordOrOperand {
    Word(Word),
    Operand(Operand),
}

impl From<Word> for WordOrOperand {
    fn from(word: Word) -> WordOrOperand {
        WordOrOperand::Word(word)
    }
}

impl From<Operand> for WordOrOperand {
    fn from(operand: Operand) -> WordOrOperand {
        WordOrOperand::Operand(operand)
    }
}
