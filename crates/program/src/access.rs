//! Which memory an access goes to, and the memory that one thread alone can reach.

use crate::memory::{self, Region, sign_extended, zero_extended};
use crate::state::{NOWHERE, Stuck, ThreadState};
use crate::step::Progress;
use crate::unwritten::UNWRITTEN;
use crate::{
    Address, Comparison, Failure, Global, Inst, Machine, Memory, Operand, Place, Update, UpdateOp, Value, wide,
};

/// Where an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Located {
    Shared(Address),
    /// An offset in bytes from the start of the thread's stack.
    Private(u32),
    /// What is there never changes.
    Constant(Value),
    Failed(Failure),
}

impl Machine<'_> {
    /// Where an instruction that has a place goes.
    pub(crate) fn locate(&self, state: &ThreadState, inst: &Inst) -> Located {
        let Some(place) = inst.place() else { unreachable!("only accesses have a place") };
        match place {
            Place::Cell(cell) => {
                let object = self.program.object(cell.object);
                let index = self.get(state, cell.index);
                if index < 0 || index as usize >= object.init.len() {
                    return Located::Failed(Failure::OutOfBounds { index, length: object.init.len() });
                }
                Located::Shared(Address(object.first.0 + index as u64))
            }
            Place::Memory(memory) => self.locate_memory(state, memory, inst),
        }
    }

    fn locate_memory(&self, state: &ThreadState, place: &Memory, inst: &Inst) -> Located {
        let pointer = (self.get(state, place.pointer) as u64).wrapping_add_signed(i64::from(place.offset));
        let size = place.size;
        let invalid = Located::Failed(Failure::InvalidAccess { pointer });
        let alignment = place.alignment;
        let misaligned = Located::Failed(Failure::MisalignedAccess { pointer, size, alignment });
        if let Some(construct) = self.program.undefined_at(pointer) {
            return Located::Failed(Failure::Unsupported { construct });
        }
        match memory::region(pointer) {
            Region::Nothing | Region::Function => invalid,
            // Private memory is at multiples of eight, whatever is promised: its place cannot be observed.
            Region::Private { .. } if !pointer.is_multiple_of(u64::from(alignment.min(8))) => misaligned,
            Region::Private { .. } => match state.private_offset(pointer) {
                Some(Ok(offset)) if self.is_private_object(state, offset, u32::from(size)) => Located::Private(offset),
                _ => invalid,
            },
            _ if !pointer.is_multiple_of(u64::from(alignment)) => misaligned,
            Region::Global => {
                let end = pointer + u64::from(size);
                match self.program.global_at(pointer) {
                    Some(global) if end > global.pointer + global.bytes.len() as u64 => invalid,
                    Some(global) if global.constant => {
                        let start = (pointer - global.pointer) as usize;
                        match inst {
                            Inst::Load { order, .. } if !order.is_atomic() => {
                                Located::Constant(memory::value_of(&global.bytes[start..start + size as usize]))
                            }
                            // Whether it changes or not, an atomic access keeps others in order.
                            Inst::Load { .. } | Inst::Wait { .. } => Located::Shared(Address::of_memory(pointer, size)),
                            _ => Located::Failed(Failure::ConstantWrite { pointer }),
                        }
                    }
                    Some(_) => Located::Shared(Address::of_memory(pointer, size)),
                    None => invalid,
                }
            }
            Region::Stack { thread }
                if thread == state.thread && !self.is_stack_object(state, memory::stack_offset(pointer), size) =>
            {
                invalid
            }
            Region::Freed | Region::Beside if !self.function(state).library => invalid,
            Region::Thread | Region::Stack { .. } | Region::Heap { .. } | Region::Freed | Region::Beside => {
                Located::Shared(Address::of_memory(pointer, size))
            }
        }
    }

    /// What a pointer for `%s` points to, as far as it never changes or only this thread can change it.
    pub(crate) fn string(&self, state: &ThreadState, pointer: u64) -> String {
        let literal = |global: &&Global| global.constant && pointer < global.pointer + global.bytes.len() as u64;
        let bytes: Vec<u8> = match memory::region(pointer) {
            Region::Global => match self.program.global_at(pointer).filter(literal) {
                Some(global) => global.bytes[(pointer - global.pointer) as usize..].to_vec(),
                None => return format!("<{}>", self.program.pointer_name(pointer)),
            },
            Region::Private { .. } => {
                let byte = |at: u64| match state.private_offset(pointer + at) {
                    Some(Ok(offset)) if self.is_private_object(state, offset, 1) => Some(read(state, offset, 1) as u8),
                    _ => None,
                };
                (0..).map_while(byte).take_while(|&byte| byte != 0).collect()
            }
            _ => return format!("<{}>", self.program.pointer_name(pointer)),
        };
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    }

    /// Whether the bytes belong to one object of some call, or to thread-local memory.
    fn is_private_object(&self, state: &ThreadState, offset: u32, size: u32) -> bool {
        if offset < self.thread_local_words * 8 {
            return offset + size <= self.program.thread_local.len() as u32;
        }
        let (mut func, mut base) = (state.func, state.base);
        for depth in (0..=state.depth).rev() {
            let function = &self.program.functions[func as usize];
            let start = (base + function.registers.len() as u32) * 8;
            if offset >= start {
                let inside = |&(at, length): &(u32, u32)| {
                    (start + at..start + at + length).contains(&offset) && offset + size <= start + at + length
                };
                return function.private.iter().any(inside);
            }
            if depth > 0 {
                let link = state.link(base);
                (func, base) = (link.func, link.base);
            }
        }
        false
    }

    /// Whether the bytes of this thread's shared stack memory belong to one object of a call that has not returned, or
    /// to a thread-local variable.
    pub(crate) fn is_stack_object(&self, state: &ThreadState, offset: u32, size: u8) -> bool {
        let inside = |(start, length): (u32, u32)| start <= offset && offset + u32::from(size) <= start + length;
        self.stack_objects(state).any(inside)
    }

    /// The objects of this thread's shared stack memory: where each starts, and its length.
    pub(crate) fn stack_objects(&self, state: &ThreadState) -> impl Iterator<Item = (u32, u32)> {
        let (mut base, mut depth) = (state.base, state.depth);
        let mut frame = (state.func != NOWHERE).then_some((state.func, state.stack_bytes));
        let frames = std::iter::from_fn(move || {
            let (func, start) = frame.take()?;
            if depth > 0 {
                let link = state.link(base);
                (depth, base) = (depth - 1, link.base);
                frame = Some((link.func, start - self.program.functions[link.func as usize].stack_bytes));
            }
            Some((func, start))
        });
        let locals = frames.flat_map(|(func, start)| {
            self.program.functions[func as usize].shared.iter().map(move |&(at, length)| (start + at, length))
        });
        let alive = if state.func == NOWHERE { &[][..] } else { &self.program.shared_thread_locals };
        locals.chain(alive.iter().map(|global| (global.pointer as u32, global.bytes.len() as u32)))
    }

    /// A plain read of what never changes is a local step. It depends on the address, so its value needs no marks.
    pub(crate) fn read_constant(&self, state: &mut ThreadState, inst: &Inst, value: Value) -> Progress {
        if let Inst::Load { dst: Some(dst), .. } = inst {
            self.set(state, *dst, value, 0);
        }
        state.pc += 1;
        Progress::Local
    }

    /// An access to private memory is a local step, whatever its ordering.
    pub(crate) fn access_private(&self, state: &mut ThreadState, inst: &Inst, offset: u32) -> Progress {
        let Some(place) = inst.place() else { unreachable!("an access has a place") };
        let Place::Memory(Memory { size, .. }) = *place else { unreachable!("a declared object is shared") };
        let old = read(state, offset, size);
        let bytes = offset..offset + u32::from(size);
        if state.unwritten.has_all(&bytes) && !matches!(inst, Inst::Store { .. }) && self.uses_value(state) {
            return Progress::Stuck(Stuck::Failed(Failure::Unassigned));
        }
        let old_marks = state.marks.of(bytes.clone()) | state.unwritten.marks(&bytes);
        let write = |state: &mut ThreadState, value: Value, marks: u64| {
            write(state, offset, size, value);
            state.marks.set(bytes.clone(), marks & !UNWRITTEN);
            state.unwritten.write(&bytes, marks);
        };
        if matches!(inst, Inst::Cas { .. } | Inst::Rmw { when: Some(_), .. } | Inst::Wait { .. }) {
            // What is there decides what happens, as in shared memory.
            state.used |= old_marks & !UNWRITTEN;
        }
        match inst {
            Inst::Load { dst, .. } => {
                if let Some(dst) = dst {
                    self.set(state, *dst, old, old_marks);
                }
            }
            Inst::Store { value, .. } => {
                let (value, marks) = (self.get(state, *value), self.operand_marks(state, *value));
                write(state, value, marks);
            }
            Inst::Rmw { dst, op, operand, when, .. } => {
                let accepts =
                    |(comparison, value): (Comparison, Operand)| comparison.accept(self.get(state, value)).accepts(old);
                if !when.is_none_or(accepts) {
                    return Progress::Stuck(Stuck::Hangs);
                }
                let update = Update { op: *op, operand: self.get(state, *operand), ty: self.type_of(place) };
                let kept = if *op == UpdateOp::Exchange { 0 } else { old_marks };
                write(state, update.apply(old), self.operand_marks(state, *operand) | kept);
                if let Some(dst) = dst {
                    self.set(state, *dst, old, old_marks);
                }
            }
            Inst::Cas { old: old_dst, ok, expected, desired, .. } => {
                let success = old == self.get(state, *expected);
                if success {
                    let (value, marks) = (self.get(state, *desired), self.operand_marks(state, *desired));
                    write(state, value, marks);
                }
                if let Some(dst) = old_dst {
                    self.set(state, *dst, old, old_marks);
                }
                if let Some(dst) = ok {
                    self.set(state, *dst, success as Value, old_marks);
                }
            }
            Inst::Wait { dst, comparison, value, .. } => {
                if !comparison.accept(self.get(state, *value)).accepts(old) {
                    return Progress::Stuck(Stuck::Hangs);
                }
                if let Some(dst) = dst {
                    self.set(state, *dst, old, old_marks);
                }
            }
            _ => unreachable!("only accesses have a place"),
        }
        state.pc += 1;
        Progress::Local
    }
}

fn read(state: &ThreadState, offset: u32, size: u8) -> Value {
    if size == wide::SIZE {
        return wide::join(read(state, offset, 8), read(state, offset + 8, 8));
    }
    let (word, shift, bits) = (offset as usize / 8, offset % 8 * 8, 8 * u32::from(size));
    let mut value = state.stack[word] as u64 >> shift;
    if shift + bits > 64 {
        value |= (state.stack[word + 1] as u64) << (64 - shift);
    }
    sign_extended(value as Value, bits)
}

fn write(state: &mut ThreadState, offset: u32, size: u8, value: Value) {
    if size == wide::SIZE {
        let [low, high] = wide::halves(value);
        write(state, offset, 8, low);
        return write(state, offset + 8, 8, high);
    }
    let (word, shift, bits) = (offset as usize / 8, offset % 8 * 8, 8 * u32::from(size));
    let (value, mask) = (zero_extended(value, bits), zero_extended(-1, bits));
    let mut put = |at: usize, value: u64, mask: u64| {
        state.stack[at] = (state.stack[at] as u64 & !mask | value & mask) as Value;
    };
    put(word, value << shift, mask << shift);
    if shift + bits > 64 {
        put(word + 1, value >> (64 - shift), mask >> (64 - shift));
    }
}
