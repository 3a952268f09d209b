//! The local steps of a thread: those that ask nothing of memory.

use std::cell::Cell;
use std::sync::PoisonError;

use crate::access::Located;
use crate::memory::Region;
use crate::printf::printf;
use crate::state::{LINK_WORDS, Link, Loop, NOWHERE, Stuck, ThreadState};
use crate::unwritten::UNWRITTEN;
use crate::{Allocation, Failure, FuncId, Function, Inst, Machine, Operand, Program, Reg, Value, memory};

/// Local steps after which a loop without accesses is looked at for a repeated state.
const LOCAL_STEPS_UNWATCHED: u32 = 10_000;
/// Local steps after which a loop without accesses is given up.
pub(crate) const LOCAL_STEPS_LIMIT: u32 = 20_000_000;
/// Words that are compared in the time of a local step, about.
const WORDS_PER_STEP: u32 = 256;
const DEPTH_LIMIT: u32 = 10_000;
/// Words of a thread's stack.
const STACK_LIMIT: usize = 1 << 24;
/// Bytes of a thread's locals that others may reach.
const STACK_BYTES_LIMIT: u32 = 1 << 31;

/// What one step has come to.
pub(crate) enum Progress {
    Local,
    /// The thread stands before an action.
    Action,
    Stuck(Stuck),
}

impl Machine<'_> {
    /// Runs local steps up to the next action, then forgets the registers that are dead there.
    pub(crate) fn settle(&self, state: &mut ThreadState) {
        let mut steps = 0;
        let mut seen: Option<ThreadState> = None;
        let mut watch_until = LOCAL_STEPS_UNWATCHED;
        loop {
            match self.local_step(state) {
                Progress::Local => {}
                Progress::Action => break,
                Progress::Stuck(stuck) => {
                    state.stuck = Some(stuck);
                    break;
                }
            }
            steps += 1;
            // Brent's cycle detection: compare with a state that is renewed at powers of two.
            if steps >= LOCAL_STEPS_UNWATCHED {
                // The more there is to compare, the less often that is done.
                let is_due = |seen: &&ThreadState| {
                    let every = 1 + seen.stack.len() as u32 / WORDS_PER_STEP;
                    (steps - watch_until / 2).is_multiple_of(every)
                };
                if seen.as_ref().filter(is_due) == Some(state) {
                    // A loop without an exit is meant to go on, so the thread does not wait.
                    state.stuck = Some(if self.may_end(state) { Stuck::Hangs } else { Stuck::Endless });
                    break;
                }
                if steps >= LOCAL_STEPS_LIMIT {
                    state.stuck = Some(Stuck::Failed(Failure::EndlessLocalLoop));
                    break;
                }
                if steps == watch_until {
                    seen = Some(state.clone());
                    watch_until = watch_until.saturating_mul(2);
                }
            }
        }
        if let Some(failure) = self.unlocks_wrongly(state) {
            state.stuck = Some(Stuck::Failed(failure));
        }
        if matches!(state.stuck, Some(Stuck::Blocked { .. } | Stuck::OutOfBound | Stuck::Exited)) {
            *state = ThreadState { used: state.used, stuck: state.stuck, ..ThreadState::ended(state.thread) };
        } else {
            self.forget_dead(state, None);
        }
    }

    pub(crate) fn local_step(&self, state: &mut ThreadState) -> Progress {
        let Some(function) = self.program.functions.get(state.func as usize) else { return Progress::Action };
        let Some(inst) = function.code.get(state.pc as usize) else {
            self.leave(state, 0, 0);
            return Progress::Local;
        };
        let seen = if state.marks.is_empty() {
            0
        } else {
            let private = inst.place().is_some() && matches!(self.locate(state, inst), Located::Private(_));
            self.dependencies(state, inst, private)
        };
        let progress = self.take_local_step(state, function, inst);
        // What an action depends on counts when it is taken.
        if !matches!(progress, Progress::Action) {
            state.used |= seen;
        }
        progress
    }

    fn take_local_step(&self, state: &mut ThreadState, function: &Function, inst: &Inst) -> Progress {
        let mut marks = self.marks_read(state, inst);
        // A copy of memory to which nothing was written is like it. What is computed from it is a value: the rest of a
        // bit field that is written.
        if matches!(inst, Inst::Arithmetic { .. } | Inst::Unary { .. }) {
            marks &= !UNWRITTEN;
        }
        let fail = |failure| Progress::Stuck(Stuck::Failed(failure));
        let (dst, value) = match inst {
            Inst::Copy { dst, a } => (*dst, self.get(state, *a)),
            Inst::Arithmetic { dst, op, bits, a, b } => {
                let (a, b) = (self.get(state, *a), self.get(state, *b));
                match op.apply(*bits, a, b) {
                    Some(value) => (*dst, value),
                    None => return fail(op.failure(b)),
                }
            }
            Inst::Unary { dst, op, from, to, a } => (*dst, op.apply(*from, *to, self.get(state, *a))),
            Inst::Select { dst, cond, yes, no } => {
                let chosen = if self.get(state, *cond) != 0 { yes } else { no };
                (*dst, self.get(state, *chosen))
            }
            Inst::PrivateAddress { dst, offset } => {
                let start = (state.base + function.registers.len() as u32) * 8;
                (*dst, memory::private_pointer(state.thread, start + offset) as Value)
            }
            Inst::StackAddress { dst, offset } => {
                (*dst, memory::stack_pointer(state.thread, state.stack_bytes + offset) as Value)
            }
            Inst::ThreadLocalAddress { dst, offset, shared: false } => {
                (*dst, memory::private_pointer(state.thread, *offset) as Value)
            }
            Inst::ThreadLocalAddress { dst, offset, shared: true } => {
                (*dst, memory::stack_pointer(state.thread, *offset) as Value)
            }
            Inst::CurrentThread { dst } => (*dst, Value::from(state.thread)),
            Inst::Alloc { at: Some(_), .. } => return Progress::Action,
            Inst::Reuse { dst, size } => {
                if self.freed.of_size(state, self.get(state, *size) as u64).next().is_some() {
                    return Progress::Action;
                }
                (*dst, 0)
            }
            Inst::Alloc { dst, size, alignment, allocation, .. } => {
                if self.new_object(state, *size, *alignment).is_some() {
                    return Progress::Action;
                }
                // No `malloc` gives more than half of the address space; others might give what we cannot.
                if self.get(state, *size) >= 0 || *allocation == Allocation::Local {
                    return fail(Failure::Unsupported { construct: Program::NO_ROOM });
                }
                (*dst, 0)
            }
            _ => return self.control_step(state, inst, marks),
        };
        self.set(state, dst, value, marks);
        state.pc += 1;
        Progress::Local
    }

    /// A step that does not only compute a register. No default: a new instruction must say what its step is.
    fn control_step(&self, state: &mut ThreadState, inst: &Inst, marks: u64) -> Progress {
        match inst {
            Inst::Assert { cond } => {
                if self.get(state, *cond) == 0 {
                    return Progress::Stuck(Stuck::Failed(Failure::Assertion));
                }
                state.pc += 1;
            }
            Inst::Assume { cond } => {
                if self.get(state, *cond) == 0 {
                    return Progress::Stuck(Stuck::Blocked { func: state.func, pc: state.pc });
                }
                state.pc += 1;
            }
            Inst::Jump { target } => return self.jump(state, *target),
            Inst::Branch { cond, yes, no } => {
                let target = if self.get(state, *cond) != 0 { *yes } else { *no };
                return self.jump(state, target);
            }
            Inst::Switch { value, cases, default } => {
                let value = self.get(state, *value);
                let target = cases.binary_search_by_key(&value, |case| case.0).map_or(*default, |i| cases[i].1);
                return self.jump(state, target);
            }
            Inst::Call { dst, func, args } => return self.call(state, *func, args, *dst),
            Inst::CallPointer { dst, target, args } => {
                let pointer = self.get(state, *target) as u64;
                return match self.callable(pointer, args.len()) {
                    Some(func) => self.call(state, func, args, *dst),
                    None => Progress::Stuck(Stuck::Failed(Failure::InvalidCall { pointer })),
                };
            }
            Inst::Return { value } => {
                let value = value.map_or(0, |v| self.get(state, v));
                self.leave(state, value, marks);
            }
            Inst::ReturnMany { values } => self.leave_with(state, values),
            Inst::TakeResults { dsts } => self.take_results(state, dsts),
            Inst::ExitThread { value } => {
                let value = self.get(state, *value);
                while state.depth > 1 {
                    self.leave(state, 0, 0);
                }
                self.leave(state, value, marks);
            }
            Inst::Print { format, args, shown } => {
                if *shown {
                    self.print(state, format, args);
                }
                state.pc += 1;
            }
            Inst::ExitProgram { .. } => return Progress::Stuck(Stuck::Exited),
            Inst::Fail { failure } => return Progress::Stuck(Stuck::Failed(*failure)),
            Inst::Spawn { function, .. } => {
                let pointer = self.get(state, *function) as u64;
                if self.callable(pointer, 1).is_none() {
                    return Progress::Stuck(Stuck::Failed(Failure::InvalidCall { pointer }));
                }
                return Progress::Action;
            }
            Inst::Free { pointer: freed } | Inst::HeapSize { pointer: freed, .. } => {
                let pointer = self.get(state, *freed) as u64;
                match memory::region(pointer) {
                    Region::Heap { .. } => return Progress::Action,
                    _ if pointer == 0 && matches!(inst, Inst::Free { .. }) => state.pc += 1,
                    _ => return Progress::Stuck(Stuck::Failed(Failure::InvalidFree { pointer })),
                }
            }
            Inst::Fence { .. } | Inst::Choose { .. } => return Progress::Action,
            Inst::Load { .. } | Inst::Store { .. } | Inst::Rmw { .. } | Inst::Cas { .. } | Inst::Wait { .. } => {
                return match self.locate(state, inst) {
                    Located::Constant(value) => self.read_constant(state, inst, value),
                    Located::Shared(_) => Progress::Action,
                    Located::Private(offset) => self.access_private(state, inst, offset),
                    Located::Failed(failure) => Progress::Stuck(Stuck::Failed(failure)),
                };
            }
            Inst::Copy { .. }
            | Inst::Arithmetic { .. }
            | Inst::Unary { .. }
            | Inst::Select { .. }
            | Inst::PrivateAddress { .. }
            | Inst::StackAddress { .. }
            | Inst::ThreadLocalAddress { .. }
            | Inst::CurrentThread { .. }
            | Inst::Alloc { .. }
            | Inst::Reuse { .. } => unreachable!("these compute a register"),
        }
        Progress::Local
    }

    /// Takes the further results of a call from the top of the stack.
    fn take_results(&self, state: &mut ThreadState, dsts: &[Reg]) {
        let start = state.stack.len() - dsts.len();
        for (i, &dst) in dsts.iter().enumerate() {
            self.set(state, dst, state.stack[start + i], state.marks.of_word(start + i));
        }
        state.resize(start);
        state.pc += 1;
    }

    /// The marks of the strings that a `printf` reads in private memory.
    pub(crate) fn printed_marks(&self, state: &ThreadState, format: &[u8], args: &[Operand]) -> u64 {
        let args: Vec<Value> = args.iter().map(|&arg| self.get(state, arg)).collect();
        let marks = Cell::new(0);
        printf(format, &args, |pointer| {
            let string = self.string(state, pointer);
            if let Some(Ok(start)) = state.private_offset(pointer) {
                // Its end belongs to it.
                marks.set(marks.get() | state.marks.of(start..start.saturating_add(string.len() as u32 + 1)));
            }
            string
        });
        marks.get()
    }

    fn print(&self, state: &ThreadState, format: &[u8], args: &[Operand]) {
        let Some(printed) = &self.printed else { return };
        let args: Vec<Value> = args.iter().map(|&arg| self.get(state, arg)).collect();
        let text = printf(format, &args, |pointer| self.string(state, pointer));
        printed.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
    }

    /// The function that a pointer points to, if it takes no more arguments than there are.
    fn callable(&self, pointer: u64, args: usize) -> Option<FuncId> {
        let func = memory::pointed_function(pointer)?;
        let function = self.program.functions.get(func as usize)?;
        (function.params as usize <= args).then_some(FuncId(func))
    }

    fn call(&self, state: &mut ThreadState, func: FuncId, args: &[Operand], dst: Option<Reg>) -> Progress {
        let is_full = state.stack.len() > STACK_LIMIT || state.stack_bytes > STACK_BYTES_LIMIT;
        if state.depth >= DEPTH_LIMIT || is_full {
            return Progress::Stuck(Stuck::Failed(Failure::EndlessLocalLoop));
        }
        let params = self.program.function(func).params as usize;
        // The arguments are put where the registers will be, before the caller forgets what it does not need.
        let base = state.stack.len() + LINK_WORDS as usize;
        state.pc += 1;
        let link = Link { func: state.func, pc: state.pc, base: state.base, dst: dst.map_or(NOWHERE, |r| r.0) };
        state.push_link(link);
        state.resize(base + self.frame_words[func.0 as usize]);
        for (i, &arg) in args.iter().take(params).enumerate() {
            let (value, marks) = (self.get(state, arg), self.operand_marks(state, arg));
            let ty = self.program.function(func).registers[i].ty;
            state.stack[base + i] = ty.wrap(value);
            state.marks.set_word(base + i, marks);
        }
        self.forget_dead(state, dst);
        state.stack_bytes += self.function(state).stack_bytes;
        (state.func, state.pc, state.base) = (func.0, 0, base as u32);
        let function = self.function(state);
        if function.starts_unwritten {
            let start = (state.base + function.registers.len() as u32) * 8;
            for &(at, length) in &function.private {
                state.unwritten.insert(&(start + at..start + at + length));
            }
        }
        state.depth += 1;
        Progress::Local
    }

    /// Starts the first call of a thread.
    pub(crate) fn enter(&self, state: &mut ThreadState, func: FuncId) {
        let base = state.stack.len();
        state.resize(base + self.frame_words[func.0 as usize]);
        (state.func, state.pc, state.base) = (func.0, 0, base as u32);
    }

    /// Returns from a call.
    pub(crate) fn leave(&self, state: &mut ThreadState, value: Value, marks: u64) {
        if state.depth == 0 {
            let observed = &self.function(state).observed;
            let stack = observed.iter().map(|r| state.stack[(state.base + r.0) as usize]).collect();
            *state = ThreadState { used: state.used, stack, ..ThreadState::ended(state.thread) };
            return;
        }
        let link = state.link(state.base);
        state.resize((state.base - LINK_WORDS) as usize);
        (state.func, state.pc, state.base) = (link.func, link.pc, link.base);
        state.depth -= 1;
        state.stack_bytes -= self.function(state).stack_bytes;
        if !state.loops.is_empty() {
            let depth = state.depth;
            state.loops.retain(|l| l.depth <= depth);
        }
        if link.dst != NOWHERE {
            self.set(state, Reg(link.dst), value, marks);
        }
    }

    /// Returns the first value to its register, and leaves the others on the stack.
    fn leave_with(&self, state: &mut ThreadState, values: &[Operand]) {
        let values: Vec<(Value, u64)> =
            values.iter().map(|&v| (self.get(state, v), self.operand_marks(state, v))).collect();
        let Some((&(first, marks), others)) = values.split_first() else { return self.leave(state, 0, 0) };
        self.leave(state, first, marks);
        // Nothing takes them if the thread has ended or the caller drops the result.
        if matches!(self.inst(state), Some(Inst::TakeResults { dsts }) if dsts.len() == others.len()) {
            for &(value, marks) in others {
                let slot = state.stack.len();
                state.resize(slot + 1);
                state.stack[slot] = value;
                state.marks.set_word(slot, marks);
            }
        }
    }

    fn jump(&self, state: &mut ThreadState, target: u32) -> Progress {
        let back = target <= state.pc;
        state.pc = target;
        let Some(bound) = self.unroll.filter(|_| back) else { return Progress::Local };
        let depth = state.depth;
        // Inner loops start over.
        state.loops.retain(|l| l.depth < depth || l.head <= target);
        if state.loops.last().is_none_or(|l| (l.depth, l.head) != (depth, target)) {
            state.loops.push(Loop { depth, head: target, count: 0 });
        }
        let innermost = state.loops.last_mut().expect("just made");
        innermost.count += 1;
        if innermost.count > bound { Progress::Stuck(Stuck::OutOfBound) } else { Progress::Local }
    }
}
