//! The transition system of a program's threads: what a thread wants next, and what an answer makes of it.

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::access::Located;
use crate::code::Liveness;
use crate::state::{NOWHERE, Stuck, ThreadState};
use crate::{
    Accept, Action, Answer, Freed, FuncId, Function, Inst, Operand, Place, Program, Reg, Service, Span, Thread, Ty,
    Update, Value, memory, wide,
};

pub struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) liveness: Vec<Liveness>,
    /// For each function, the words of its registers and private memory.
    pub(crate) frame_words: Vec<usize>,
    /// Words of thread-local memory.
    pub(crate) thread_local_words: u32,
    pub(crate) shared_thread_local_bytes: u32,
    /// For each function, once somebody asks: by instruction, whether a way leads from it to the end.
    pub(crate) ends: Vec<OnceLock<Vec<bool>>>,
    /// How often a loop may be gone back to.
    pub(crate) unroll: Option<u32>,
    /// What can be allocated again.
    pub(crate) freed: Freed,
    /// What threads have printed, if that is kept.
    pub(crate) printed: Option<Mutex<String>>,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program) -> Machine<'p> {
        Machine {
            program,
            liveness: program.functions.iter().map(Liveness::without_output).collect(),
            frame_words: program.functions.iter().map(|f| f.registers.len() + f.private_words()).collect(),
            thread_local_words: program.thread_local.len().div_ceil(8) as u32,
            shared_thread_local_bytes: program.shared_thread_local_bytes(),
            ends: vec![OnceLock::new(); program.functions.len()],
            unroll: None,
            freed: Freed::default(),
            printed: None,
        }
    }

    /// A machine that keeps what is printed alive: output depends on it.
    pub fn observing(program: &'p Program) -> Machine<'p> {
        Machine { liveness: program.functions.iter().map(Liveness::of).collect(), ..Machine::new(program) }
    }

    /// Cuts a thread off when it goes back in one loop more than `bound` times.
    pub fn unrolling(program: &'p Program, bound: u32) -> Machine<'p> {
        Machine { unroll: Some(bound), ..Machine::new(program) }
    }

    /// Lets the memory of these objects be allocated again.
    pub fn reusing(self, freed: Freed) -> Machine<'p> {
        Machine { freed, ..self }
    }

    /// Keeps the text that threads print.
    pub fn printing(&self) -> Machine<'p> {
        let (unroll, freed) = (self.unroll, self.freed.clone());
        Machine { unroll, freed, printed: Some(Mutex::default()), ..Machine::new(self.program) }
    }

    /// What was printed since the last time.
    pub fn take_printed(&self) -> String {
        let take =
            |printed: &Mutex<String>| std::mem::take(&mut *printed.lock().unwrap_or_else(PoisonError::into_inner));
        self.printed.as_ref().map(take).unwrap_or_default()
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The state before its first action of a thread that runs from the start.
    pub fn start(&self, thread: usize) -> ThreadState {
        let Thread { func, args, .. } = &self.program.threads[thread];
        self.start_with(thread as u32, *func, args)
    }

    /// The state before its first action of a thread that an [`Action::Spawn`] makes. Its number is the engine's to
    /// choose.
    pub fn start_spawned(&self, thread: u32, func: FuncId, argument: Value) -> ThreadState {
        match self.program.thread_entry {
            Some(entry) => {
                let pointer = memory::function_pointer(func.0) as Value;
                self.start_with(thread, entry, &[pointer, argument])
            }
            None => self.start_with(thread, func, &[argument]),
        }
    }

    fn start_with(&self, thread: u32, func: FuncId, args: &[Value]) -> ThreadState {
        let mut state = ThreadState::ended(thread);
        let words = self.program.thread_local.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            Value::from_le_bytes(word)
        });
        state.stack.extend(words);
        state.stack_bytes = self.shared_thread_local_bytes;
        self.enter(&mut state, func);
        for (i, &arg) in args.iter().enumerate().take(self.function(&state).params as usize) {
            self.set(&mut state, Reg(i as u32), arg, 0);
        }
        self.settle(&mut state);
        state
    }

    /// What the thread wants to do.
    pub fn next(&self, state: &ThreadState) -> Action {
        match state.stuck {
            Some(Stuck::Blocked { .. } | Stuck::OutOfBound) => return Action::Blocked,
            Some(Stuck::Hangs) => return Action::Hangs,
            Some(Stuck::Endless) => return Action::Endless,
            Some(Stuck::Exited) => return Action::End,
            Some(Stuck::Failed(failure)) => return Action::Failed(failure),
            None => {}
        }
        let Some(inst) = self.inst(state) else { return Action::End };
        let at = |_: &Place| match self.locate(state, inst) {
            Located::Shared(address) => address,
            Located::Private(_) | Located::Constant(_) | Located::Failed(_) => {
                unreachable!("settled on a place that is shared")
            }
        };
        let value = |operand: &Operand| self.get(state, *operand);
        let wrapped = |place: &Place, operand: &Operand| self.type_of(place).wrap(value(operand));
        match inst {
            Inst::Load { place, order, .. } => Action::Load { at: at(place), order: *order },
            Inst::Store { place, value, order } => {
                Action::Store { at: at(place), value: wrapped(place, value), order: *order }
            }
            Inst::Rmw { place, op, operand, order, when, .. } => Action::Rmw {
                at: at(place),
                accept: when.as_ref().map_or(Accept::Any, |(comparison, v)| comparison.accept(value(v))),
                update: Update { op: *op, operand: value(operand), ty: self.type_of(place) },
                order: *order,
            },
            Inst::Cas { place, expected, desired, success, failure, kind, .. } => Action::Cas {
                at: at(place),
                expected: value(expected),
                desired: wrapped(place, desired),
                success: *success,
                failure: *failure,
                kind: *kind,
            },
            Inst::Wait { place, comparison, value: v, order, .. } => {
                Action::Wait { at: at(place), accept: comparison.accept(value(v)), order: *order }
            }
            Inst::Fence { order } => Action::Fence { order: *order },
            Inst::Choose { lo, hi, .. } => Action::Choose { lo: *lo, hi: *hi },
            Inst::Reuse { size, .. } => {
                Action::Choose { lo: 0, hi: self.freed.of_size(state, value(size) as u64).count() as Value }
            }
            Inst::Spawn { function, argument, .. } => {
                let pointer = value(function) as u64;
                let func = memory::pointed_function(pointer).expect("settled on a pointer to a function");
                Action::Spawn { func: FuncId(func), argument: value(argument), number: state.spawned }
            }
            Inst::Alloc { size, alignment, allocation, at, .. } => {
                let pointer = match at {
                    Some(at) => value(at) as u64,
                    None => self.new_object(state, *size, *alignment).expect("settled on an object that fits").0,
                };
                Action::Alloc { pointer, size: value(size) as u64, allocation: *allocation }
            }
            Inst::Free { pointer } => Action::Free { pointer: value(pointer) as u64 },
            Inst::HeapSize { pointer, .. } => Action::HeapSize { pointer: value(pointer) as u64 },
            _ => unreachable!("settled on a local step"),
        }
    }

    /// Takes the answer to [`Machine::next`] and runs to the next action. `marks` are put on the value that was read.
    pub fn resume(&self, state: &mut ThreadState, answer: Answer, marks: u64) {
        self.take(state, answer, marks);
        self.settle(state);
    }

    /// Takes the answer, and runs no further.
    pub(crate) fn take(&self, state: &mut ThreadState, answer: Answer, marks: u64) {
        self.note_lock(state, answer);
        let inst = self.inst(state).expect("a thread that has ended cannot resume");
        state.used |= self.dependencies(state, inst, false);
        state.pc += 1;
        match (inst, answer) {
            (Inst::Load { dst, .. } | Inst::Wait { dst, .. }, Answer::Read(v))
            | (Inst::Rmw { dst, .. }, Answer::Updated(v)) => {
                if let Some(dst) = dst {
                    self.set(state, *dst, v, marks);
                }
            }
            (Inst::Cas { old, ok, .. }, Answer::Read(v) | Answer::Updated(v)) => {
                if let Some(old) = old {
                    self.set(state, *old, v, marks);
                }
                if let Some(ok) = ok {
                    self.set(state, *ok, matches!(answer, Answer::Updated(_)) as Value, marks);
                }
            }
            (Inst::Choose { dst, .. }, Answer::Chose(v)) => self.set(state, *dst, v, 0),
            (Inst::Reuse { dst, size }, Answer::Chose(v)) => {
                let size = self.get(state, *size) as u64;
                let object = (v as usize).checked_sub(1).and_then(|n| self.freed.of_size(state, size).nth(n));
                self.set(state, *dst, object.unwrap_or(0) as Value, 0);
            }
            (Inst::Spawn { dst, .. }, Answer::Spawned(thread)) => {
                state.spawned += 1;
                if let Some(dst) = dst {
                    self.set(state, *dst, Value::from(thread), 0);
                }
            }
            (Inst::Alloc { dst, at: Some(at), .. }, Answer::Done) => {
                let pointer = self.get(state, *at);
                self.set(state, *dst, pointer, 0);
            }
            (Inst::Alloc { dst, size, alignment, .. }, Answer::Done) => {
                let object = self.new_object(state, *size, *alignment);
                let (pointer, allocated) = object.expect("settled on an object that fits");
                state.allocated = allocated;
                self.set(state, *dst, pointer as Value, 0);
            }
            (Inst::HeapSize { dst, .. }, Answer::Read(size)) => self.set(state, *dst, size, 0),
            (Inst::Store { .. } | Inst::Fence { .. } | Inst::Free { .. }, Answer::Done) => {}
            (inst, answer) => unreachable!("{answer:?} does not answer {inst:?}"),
        }
    }

    /// Where the thread stands in the source: in code of the user's, if a library was called from there.
    pub fn span(&self, state: &ThreadState) -> Span {
        if let Some(Stuck::Blocked { func, pc }) = state.stuck {
            return self.program.functions[func as usize].spans[pc as usize];
        }
        let (mut func, mut pc, mut base) = (state.func, state.pc, state.base);
        for depth in (0..=state.depth).rev() {
            let Some(function) = self.program.functions.get(func as usize) else { break };
            if !(function.library || function.header) || depth == 0 {
                let span = function.spans.get(pc as usize).or(function.spans.last());
                return span.copied().unwrap_or_default();
            }
            let link = state.link(base);
            // The caller stands behind its call.
            (func, pc, base) = (link.func, link.pc.saturating_sub(1), link.base);
        }
        Span::default()
    }

    /// Whether the thread stands in code from a header of the system.
    pub fn is_in_header(&self, state: &ThreadState) -> bool {
        self.program.functions.get(state.func as usize).is_some_and(|function| function.header)
    }

    /// Whether the thread stands in the code of a library.
    pub fn is_in_library(&self, state: &ThreadState) -> bool {
        self.program.functions.get(state.func as usize).is_some_and(|function| function.library)
    }

    /// Whether the thread is at a barrier.
    pub fn is_at_barrier(&self, state: &ThreadState) -> bool {
        self.service(state) == Some(Service::Barrier)
    }

    /// What the thread is asking of a lock or the like.
    pub fn service(&self, state: &ThreadState) -> Option<Service> {
        self.program.functions.get(state.func as usize)?.service
    }

    /// Whether the thread is in a function that waits for a limited time or reads the time.
    pub fn may_time_out(&self, state: &ThreadState) -> bool {
        self.program.functions.get(state.func as usize).is_some_and(|function| function.may_time_out)
    }

    /// Whether the bytes of a thread's stack belong to a local variable of a call that has not returned, or to a
    /// thread-local one of a thread that has not ended.
    pub fn has_local(&self, state: &ThreadState, pointer: u64, size: u8) -> bool {
        self.is_stack_object(state, memory::stack_offset(pointer), size)
    }

    /// All such variables: where each starts and ends.
    pub fn locals(&self, state: &ThreadState) -> Vec<Range<u64>> {
        let pointer = |offset| memory::stack_pointer(state.thread, offset);
        self.stack_objects(state).map(|(start, length)| pointer(start)..pointer(start + length)).collect()
    }

    /// What the thread would become if its call returned this value.
    pub fn returned(&self, state: &ThreadState, value: Value) -> ThreadState {
        let mut state = state.clone();
        self.leave(&mut state, value, 0);
        self.settle(&mut state);
        state
    }

    /// The pointer to the next object of this size, and the units of the heap that are used then.
    pub(crate) fn new_object(&self, state: &ThreadState, size: Operand, alignment: Operand) -> Option<(u64, u32)> {
        let [size, alignment] = [size, alignment].map(|operand| self.get(state, operand) as u64);
        memory::heap_object(state.thread, state.allocated, size, alignment)
    }

    /// Whether the next read is the program's own use of a value, so that something must have been written there: not
    /// one of a library, but for what it does with a lock, nor one that copies.
    pub fn uses_value(&self, state: &ThreadState) -> bool {
        let copies = |inst: &Inst| matches!(inst.place(), Some(Place::Memory(memory)) if memory.copied);
        let function = self.function(state);
        self.inst(state).is_some_and(|inst| !copies(inst)) && (!function.library || function.service.is_some())
    }

    pub(crate) fn inst(&self, state: &ThreadState) -> Option<&'p Inst> {
        self.program.functions.get(state.func as usize)?.code.get(state.pc as usize)
    }

    pub(crate) fn function(&self, state: &ThreadState) -> &'p Function {
        &self.program.functions[state.func as usize]
    }

    pub(crate) fn get(&self, state: &ThreadState, operand: Operand) -> Value {
        match operand {
            Operand::Const(v) => v,
            Operand::Reg(Reg(r)) => state.stack[(state.base + r) as usize],
        }
    }

    pub(crate) fn set(&self, state: &mut ThreadState, reg: Reg, value: Value, marks: u64) {
        let ty = self.function(state).registers[reg.0 as usize].ty;
        let slot = (state.base + reg.0) as usize;
        state.stack[slot] = ty.wrap(value);
        state.marks.set_word(slot, marks);
    }

    /// The marks of all registers that an instruction reads.
    pub(crate) fn marks_read(&self, state: &ThreadState, inst: &Inst) -> u64 {
        if state.marks.is_empty() {
            return 0;
        }
        let mut marks = 0;
        inst.for_each_used(|Reg(r)| marks |= state.marks.of_word((state.base + r) as usize));
        marks
    }

    pub(crate) fn operand_marks(&self, state: &ThreadState, operand: Operand) -> u64 {
        match operand {
            Operand::Reg(Reg(r)) => state.marks.of_word((state.base + r) as usize),
            Operand::Const(_) => 0,
        }
    }

    pub(crate) fn type_of(&self, place: &Place) -> Ty {
        match place {
            Place::Cell(cell) => self.program.object(cell.object).ty,
            Place::Memory(memory) if memory.size == wide::SIZE => Ty::Wide,
            Place::Memory(memory) if memory.size >= 8 => Ty::Int,
            Place::Memory(memory) => {
                let half = 1 << (8 * memory.size - 1);
                Ty::Range { lo: -half, hi: half - 1 }
            }
        }
    }

    /// Sets the registers of the call that are not live at its `pc` to 0. A register in `except` counts as dead.
    pub(crate) fn forget_dead(&self, state: &mut ThreadState, except: Option<Reg>) {
        if state.func == NOWHERE {
            return;
        }
        let registers = self.function(state).registers.len();
        let live = self.liveness[state.func as usize].before(state.pc as usize);
        let base = state.base as usize;
        for (w, &word) in live.iter().enumerate() {
            let mut dead = !word;
            if let Some(Reg(r)) = except
                && r as usize / 64 == w
            {
                dead |= 1 << (r % 64);
            }
            while dead != 0 {
                let r = w * 64 + dead.trailing_zeros() as usize;
                if r >= registers {
                    break;
                }
                dead &= dead - 1;
                state.stack[base + r] = 0;
                if !state.marks.is_empty() {
                    state.marks.set_word(base + r, 0);
                }
            }
        }
    }
}
