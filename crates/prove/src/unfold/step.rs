//! One instruction: what is known after it, and what is left to do when the program runs.

use std::collections::HashMap;
use std::rc::Rc;

use fencepost_models::Refusal;
use fencepost_program::{Allocation, Failure, FuncId, Global, Inst, Names, Operand, Reg, Value as Word, memory};

use super::analysis::{Analysis, DEEPEST_CALL, MOST_ROUNDS};
use super::frames::{Frame, FrameId, Point};
use super::objects::{ObjectId, Origin, ThreadId};
use super::state::{OwnCell, State};
use super::value::{Target, Value, arithmetic, unary};
use crate::domains::Interval;

/// What a register of the program that is left holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Var {
    Register(FrameId, u32),
    Own(OwnCell),
    /// Nothing for longer than an instruction.
    Scratch,
}

/// The registers of the program that is left.
#[derive(Default)]
pub(super) struct Vars {
    known: HashMap<Var, Reg>,
    pub(super) list: Vec<Var>,
}

impl Vars {
    pub(super) fn get(&self, var: Var) -> Option<Reg> {
        self.known.get(&var).copied()
    }

    pub(super) fn register(&mut self, var: Var) -> Reg {
        let list = &mut self.list;
        *self.known.entry(var).or_insert_with(|| {
            list.push(var);
            Reg(list.len() as u32 - 1)
        })
    }
}

/// What is left of an instruction.
#[derive(Clone, Debug)]
pub(super) enum Residual {
    Inst(Inst),
    /// An access to one of these, told apart by the pointer.
    Access {
        inst: Inst,
        pointer: Operand,
        targets: Vec<Target>,
    },
    /// An access to a cell that its thread alone accesses, for the order that it keeps. What it reads and writes is
    /// known already.
    Ordering {
        inst: Inst,
        pointer: Operand,
        targets: Vec<Target>,
    },
}

/// How a point leads to those that follow it.
#[derive(Clone, Debug)]
pub(super) enum Way {
    Goto,
    /// To the first if it is not 0, else to the second.
    Branch(Operand),
    /// To the one whose key it is, or else to the last.
    Match(Operand, Vec<Word>),
    End,
}

pub(super) struct Step {
    pub(super) residual: Vec<Residual>,
    pub(super) way: Way,
    pub(super) outs: Vec<(Point, State)>,
    /// It reads shared memory.
    pub(super) reads: bool,
}

pub(super) struct Walk<'a, 'p> {
    pub(super) analysis: &'a mut Analysis<'p>,
    pub(super) thread: ThreadId,
    pub(super) point: Point,
    pub(super) state: State,
    pub(super) vars: &'a mut Vars,
    pub(super) residual: Vec<Residual>,
    pub(super) reads: bool,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(super) fn new(
        analysis: &'a mut Analysis<'p>,
        thread: ThreadId,
        point: Point,
        state: State,
        vars: &'a mut Vars,
    ) -> Walk<'a, 'p> {
        Walk { analysis, thread, point, state, vars, residual: Vec::new(), reads: false }
    }

    pub(super) fn value(&self, operand: Operand) -> Value {
        match operand {
            Operand::Const(word) => Value::Const(word),
            Operand::Reg(reg) => self.state.register(reg),
        }
    }

    /// The operand in the program that is left.
    pub(super) fn operand(&mut self, operand: Operand) -> Operand {
        match (self.value(operand), operand) {
            (Value::Const(word), _) | (_, Operand::Const(word)) => Operand::Const(word),
            (_, Operand::Reg(reg)) => Operand::Reg(self.var(reg)),
        }
    }

    pub(super) fn var(&mut self, Reg(r): Reg) -> Reg {
        self.vars.register(Var::Register(self.point.frame, r))
    }

    pub(super) fn push(&mut self, inst: Inst) {
        self.residual.push(Residual::Inst(inst));
    }

    /// Sets a register. What computes it is left unless it is a constant.
    pub(super) fn assign(&mut self, dst: Reg, value: Value, inst: impl FnOnce(Reg) -> Inst) {
        if value.as_const().is_none() {
            let var = self.var(dst);
            self.push(inst(var));
        }
        self.state.set(dst, value);
    }

    /// The same for what depends on addresses if it is not exact: then it is any word.
    fn assign_computed(&mut self, dst: Reg, (value, exact): (Value, bool), bits: u8, inst: impl FnOnce(Reg) -> Inst) {
        let Interval { lo, hi } = Interval::of_bits(bits);
        if !exact {
            self.analysis.exact.set(false);
        }
        self.assign(dst, value, |dst| if exact { inst(dst) } else { Inst::Choose { dst, lo, hi } });
    }

    pub(super) fn step(mut self) -> Step {
        let program = self.analysis.program;
        let frame = self.point.frame;
        let func = self.analysis.frames.frame(frame).func;
        let Some(inst) = program.function(func).code.get(self.point.pc as usize) else {
            return self.leave(frame, &[]);
        };
        match inst {
            Inst::Jump { target } => self.go(*target),
            Inst::Branch { cond, yes, no } => match self.value(*cond) {
                Value::Const(word) => self.go(if word != 0 { *yes } else { *no }),
                _ => {
                    let way = Way::Branch(self.operand(*cond));
                    self.go_to_one(way, &[*yes, *no])
                }
            },
            Inst::Switch { value, cases, default } => match self.value(*value) {
                Value::Const(word) => {
                    let target = cases.binary_search_by_key(&word, |case| case.0).map_or(*default, |i| cases[i].1);
                    self.go(target)
                }
                _ => {
                    let way = Way::Match(self.operand(*value), cases.iter().map(|case| case.0).collect());
                    let targets: Vec<u32> = cases.iter().map(|case| case.1).chain([*default]).collect();
                    self.go_to_one(way, &targets)
                }
            },
            Inst::Call { func, args, .. } => self.call(&[*func], Way::Goto, args),
            Inst::CallPointer { target, args, .. } => self.call_pointer(*target, args),
            Inst::Return { value } => {
                let values: Vec<Operand> = value.iter().copied().collect();
                self.leave(frame, &values)
            }
            Inst::ReturnMany { values } => self.leave(frame, values),
            Inst::ExitThread { value } => {
                let mut frame = self.point.frame;
                while self.analysis.frames.depth(frame) > 1 {
                    frame = self.analysis.frames.frame(frame).caller.map_or(frame, |caller| caller.frame);
                }
                self.leave(frame, &[*value])
            }
            Inst::ExitProgram { .. } => self.end(),
            Inst::Assume { cond } | Inst::Assert { cond } => {
                let fails = matches!(inst, Inst::Assert { .. });
                match self.value(*cond) {
                    Value::Const(0) if fails => return self.fail(),
                    Value::Const(0) => return self.end(),
                    // It holds, but it is asked about, and whether it is reached.
                    Value::Const(_) if fails => self.push(Inst::Assert { cond: Operand::Const(1) }),
                    Value::Const(_) => {}
                    _ => {
                        let cond = self.operand(*cond);
                        self.push(if fails { Inst::Assert { cond } } else { Inst::Assume { cond } });
                    }
                }
                self.advance()
            }
            Inst::Fail { failure } => {
                if let Failure::Unsupported { .. } = failure {
                    let message = format!("this program {}", failure.text(&Names::of(program)));
                    self.refuse(message);
                }
                self.fail()
            }
            _ => match super::access::memory_of(inst) {
                Some(_) => self.access(inst),
                None => {
                    self.compute(inst);
                    self.advance()
                }
            },
        }
    }

    /// An instruction that sets registers and touches no memory.
    fn compute(&mut self, inst: &Inst) {
        let objects = &self.analysis.objects;
        match *inst {
            Inst::Copy { dst, a } => {
                let (value, a) = (self.value(a), self.operand(a));
                self.assign(dst, value, |dst| Inst::Copy { dst, a });
            }
            Inst::Arithmetic { dst, op, bits, a, b } => {
                let result = arithmetic(op, bits, &self.value(a), &self.value(b), objects);
                let width = if result.0 == Value::any(1) { 1 } else { bits };
                let (a, b) = (self.operand(a), self.operand(b));
                self.assign_computed(dst, result, width, |dst| Inst::Arithmetic { dst, op, bits, a, b });
            }
            Inst::Unary { dst, op, from, to, a } => {
                let result = unary(op, from, to, &self.value(a), objects);
                let a = self.operand(a);
                self.assign_computed(dst, result, to, |dst| Inst::Unary { dst, op, from, to, a });
            }
            Inst::Select { dst, cond, yes, no } => {
                if let Value::Const(word) = self.value(cond) {
                    let a = if word != 0 { yes } else { no };
                    let (value, a) = (self.value(a), self.operand(a));
                    self.assign(dst, value, |dst| Inst::Copy { dst, a });
                } else {
                    let value = self.value(yes).join(&self.value(no), objects);
                    let (cond, yes, no) = (self.operand(cond), self.operand(yes), self.operand(no));
                    self.assign(dst, value, |dst| Inst::Select { dst, cond, yes, no });
                }
            }
            Inst::Choose { dst, lo, hi } => {
                let value = if lo == hi { Value::Const(lo) } else { Value::any(64) };
                self.assign(dst, value, |dst| Inst::Choose { dst, lo, hi });
            }
            Inst::Fence { order } => self.push(Inst::Fence { order }),
            Inst::CurrentThread { dst } => {
                let value = match self.analysis.doubts.repeated.contains(&self.thread) {
                    true => Value::any(32),
                    false => Value::Const(Word::from(self.thread)),
                };
                self.assign(dst, value, |dst| Inst::Choose { dst, lo: 0, hi: Word::from(memory::THREADS_LIMIT) });
            }
            Inst::PrivateAddress { dst, offset } => self.address_of_local(dst, offset, true),
            Inst::StackAddress { dst, offset } => self.address_of_local(dst, offset, false),
            Inst::ThreadLocalAddress { dst, offset, shared } => {
                let (start, size) = self.analysis.thread_local_at(offset, shared);
                let origin = Origin::ThreadLocal { thread: self.thread, start, shared };
                _ = self.address(dst, origin, Some(size), start, offset - start);
            }
            Inst::Alloc { dst, size, allocation, .. } => {
                let size = self.value(size).as_const().map(|size| size as u64).filter(|&size| size < 1 << 30);
                let object = self.address(dst, Origin::Heap(self.thread, self.point), size, 0, 0);
                if allocation == Allocation::Zeroed {
                    self.analysis.objects.starts_with_zeros(object);
                }
                if size.is_none() {
                    self.or_null(dst);
                }
            }
            Inst::HeapSize { dst, .. } => {
                self.analysis.exact.set(false);
                self.assign(dst, Value::any(62), |dst| Inst::Choose { dst, lo: 0, hi: Word::MAX >> 2 });
            }
            Inst::Spawn { dst, function, argument } => self.spawn(dst, function, argument),
            Inst::TakeResults { ref dsts } => dsts.iter().for_each(|&dst| self.state.set(dst, Value::Const(0))),
            // Freed memory is taken to be still there. What is printed is nobody's value.
            Inst::Free { .. } | Inst::Print { .. } => {}
            _ => self.refuse("an instruction that `prove` does not know".to_owned()),
        }
    }

    fn address_of_local(&mut self, dst: Reg, offset: u32, private: bool) {
        let frame = self.point.frame;
        let func = self.analysis.frames.frame(frame).func;
        let (start, size) = self.analysis.local_at(func, offset, private);
        let origin = if private { Origin::Private { frame, start } } else { Origin::Stack { frame, start } };
        _ = self.address(dst, origin, Some(size), start, offset - start);
    }

    /// A pointer into an object. One that stands for several has no certain address.
    fn address(&mut self, dst: Reg, origin: Origin, size: Option<u64>, low: u32, offset: u32) -> ObjectId {
        let span = self.analysis.frames.span(self.analysis.program, self.point);
        let object = self.analysis.objects.of_origin(origin, size, u64::from(low), span);
        let known = self.analysis.objects.get(object);
        if known.several {
            self.analysis.exact.set(false);
            let (lo, hi) = self.analysis.objects.range(object);
            let offset = super::value::Offset::exact(i64::from(offset));
            let value = Value::Pointer(Rc::new([Target { object, offset }]));
            self.assign(dst, value, |dst| Inst::Choose { dst, lo, hi });
        } else {
            let word = known.base.wrapping_add(u64::from(offset)) as Word;
            self.assign(dst, Value::Const(word), |dst| Inst::Copy { dst, a: Operand::Const(word) });
        }
        object
    }

    /// There may be no room for what was to be allocated.
    fn or_null(&mut self, dst: Reg) {
        self.analysis.exact.set(false);
        let pointer = self.operand(Operand::Reg(dst));
        let value = self.value(Operand::Reg(dst)).join(&Value::Const(0), &self.analysis.objects);
        self.state.set(dst, value);
        let (var, room) = (self.var(dst), self.vars.register(Var::Scratch));
        self.push(Inst::Choose { dst: room, lo: 0, hi: 1 });
        self.push(Inst::Select { dst: var, cond: Operand::Reg(room), yes: pointer, no: Operand::Const(0) });
    }

    fn spawn(&mut self, dst: Option<Reg>, function: Operand, argument: Operand) {
        let arguments = vec![self.value(function), self.value(argument)];
        let Some(child) = self.analysis.spawn(self.thread, self.point, arguments) else {
            // Perhaps there are fewer if they are not told apart.
            if !self.analysis.doubts.large.insert(self.thread) {
                self.refuse("there are too many threads for `prove`".to_owned());
            }
            return;
        };
        self.tell_arguments(child, [function, argument]);
        self.let_start(child);
        if let Some(dst) = dst {
            let value = match self.analysis.doubts.repeated.contains(&child) {
                true => Value::any(32),
                false => Value::Const(Word::from(child)),
            };
            self.assign(dst, value, |dst| Inst::Choose { dst, lo: 0, hi: Word::from(memory::THREADS_LIMIT) });
        }
    }

    fn call_pointer(mut self, target: Operand, args: &[Operand]) -> Step {
        let program = self.analysis.program;
        let value = self.value(target);
        if value.as_const().is_none() {
            self.analysis.exact.set(false);
        }
        let functions: Vec<FuncId> = value
            .targets(&self.analysis.objects)
            .iter()
            .filter_map(|t| match self.analysis.objects.get(t.object).origin {
                Origin::Function(f) if t.offset.as_exact().is_none_or(|o| o == 0) => Some(FuncId(f)),
                _ => None,
            })
            .filter(|&func| program.function(func).params as usize <= args.len())
            .collect();
        if functions.is_empty() {
            if matches!(value, Value::Number(..)) {
                self.refuse("a call through a pointer that may point to anything".to_owned());
            }
            return self.fail();
        }
        let keys: Vec<Word> = functions.iter().map(|func| memory::function_pointer(func.0) as Word).collect();
        let way = match functions.len() {
            1 => Way::Goto,
            n => Way::Match(self.operand(target), keys[..n - 1].to_vec()),
        };
        self.call(&functions, way, args)
    }

    fn call(mut self, functions: &[FuncId], way: Way, args: &[Operand]) -> Step {
        let program = self.analysis.program;
        if self.analysis.frames.depth(self.point.frame) >= DEEPEST_CALL {
            let name = &program.function(functions[0]).name;
            self.refuse(format!(
                "`{name}` is called {DEEPEST_CALL} deep; recursion without a constant bound is not supported by `prove`"
            ));
            return self.end();
        }
        let values: Vec<(Value, Operand)> = args.iter().map(|&arg| (self.value(arg), self.operand(arg))).collect();
        let mut outs = Vec::new();
        let mut anything = Vec::new();
        for &func in functions {
            let function = program.function(func);
            let frame = self.analysis.frames.enter(Frame { thread: self.thread, func, caller: Some(self.point) });
            let mut registers = self.analysis.first_values(func);
            for &unassigned in &self.analysis.unassigned[func.0 as usize] {
                let dst = self.vars.register(Var::Register(frame, unassigned.0));
                anything.push(Inst::Choose { dst, lo: Word::MIN, hi: Word::MAX });
            }
            for (i, (value, operand)) in values.iter().enumerate().take(function.params as usize) {
                registers[i] = value.clone();
                if value.as_const().is_none() {
                    let dst = self.vars.register(Var::Register(frame, i as u32));
                    self.push(Inst::Copy { dst, a: *operand });
                }
            }
            let mut state = self.state.clone();
            state.frames.push(Rc::new(registers));
            self.forget_locals(&mut state, frame);
            outs.push((Point { frame, loops: self.analysis.frames.no_loops(), pc: 0 }, state));
        }
        if !anything.is_empty() {
            self.analysis.reads_uninitialised();
        }
        anything.into_iter().for_each(|inst| self.push(inst));
        self.finish(way, outs)
    }

    /// A call begins with private memory to which nothing was written.
    fn forget_locals(&self, state: &mut State, frame: FrameId) {
        let objects = &self.analysis.objects;
        let is_local = |&(object, ..): &OwnCell| matches!(objects.get(object).origin, Origin::Private { frame: f, .. } if f == frame);
        if state.own.keys().any(is_local) {
            Rc::make_mut(&mut state.own).retain(|cell, _| !is_local(cell));
        }
    }

    /// Returns from a call, and from those inside it.
    fn leave(mut self, frame: FrameId, values: &[Operand]) -> Step {
        let program = self.analysis.program;
        let Some(caller) = self.analysis.frames.frame(frame).caller else { return self.end() };
        let values: Vec<(Value, Operand)> = values.iter().map(|&v| (self.value(v), self.operand(v))).collect();
        let depth = self.analysis.frames.depth(frame) as usize;
        let mut state = self.state.clone();
        state.frames.truncate(depth);
        for inner in self.frames_within(frame) {
            self.forget_locals(&mut state, inner);
        }
        self.state = state;
        self.point = caller;
        let code = &program.function(self.analysis.frames.frame(caller.frame).func).code;
        let dst = match &code[caller.pc as usize] {
            Inst::Call { dst, .. } | Inst::CallPointer { dst, .. } => *dst,
            _ => None,
        };
        let mut next = caller.pc + 1;
        let mut dsts: Vec<(Reg, usize)> = dst.map(|dst| (dst, 0)).into_iter().collect();
        if let Some(Inst::TakeResults { dsts: others }) = code.get(next as usize) {
            dsts.extend(others.iter().enumerate().map(|(i, &dst)| (dst, i + 1)));
            next += 1;
        }
        for (dst, i) in dsts {
            let (value, a) = values.get(i).cloned().unwrap_or((Value::Const(0), Operand::Const(0)));
            self.assign(dst, value, |dst| Inst::Copy { dst, a });
        }
        self.go(next)
    }

    /// The frames from the current one out to this one.
    fn frames_within(&self, frame: FrameId) -> Vec<FrameId> {
        let mut found = vec![self.point.frame];
        while let Some(&last) = found.last()
            && last != frame
            && let Some(caller) = self.analysis.frames.frame(last).caller
        {
            found.push(caller.frame);
        }
        found
    }

    pub(super) fn refuse(&mut self, message: String) {
        let span = Some(self.analysis.frames.span(self.analysis.program, self.point));
        self.analysis.refusal.get_or_insert(Refusal { message, span });
    }

    /// Goes on with the next instruction.
    pub(super) fn advance(self) -> Step {
        let next = self.point.pc + 1;
        self.go(next)
    }

    fn go(self, target: u32) -> Step {
        self.go_to_one(Way::Goto, &[target])
    }

    fn go_to_one(mut self, way: Way, targets: &[u32]) -> Step {
        let outs: Vec<Option<Point>> = targets.iter().map(|&target| self.jump(target)).collect();
        if outs.iter().any(Option::is_none) {
            // The pass is given up anyway.
            return self.end();
        }
        let outs = outs.into_iter().flatten().map(|point| (point, self.state.clone())).collect();
        self.finish(way, outs)
    }

    /// The point that a jump leads to; `None` if its loop turns out to have too many rounds.
    fn jump(&mut self, target: u32) -> Option<Point> {
        let analysis = &mut *self.analysis;
        let frame = self.point.frame;
        let func = analysis.frames.frame(frame).func;
        let target = target.min(analysis.program.function(func).code.len() as u32);
        let (rolled, large) = (&analysis.doubts.rolled, analysis.doubts.large.contains(&self.thread));
        let counts = |head: u32| !large && !rolled.contains(&(frame, head));
        let (point, round) = analysis.frames.jump(self.point, target, &analysis.loops[func.0 as usize], &counts);
        match round {
            Some((head, count)) if count > MOST_ROUNDS => {
                analysis.doubts.rolled.insert((frame, head));
                None
            }
            _ => Some(point),
        }
    }

    /// An execution that goes wrong here.
    pub(super) fn fail(mut self) -> Step {
        self.push(Inst::Assert { cond: Operand::Const(0) });
        self.end()
    }

    pub(super) fn end(self) -> Step {
        self.finish(Way::End, Vec::new())
    }

    fn finish(self, way: Way, outs: Vec<(Point, State)>) -> Step {
        Step { residual: self.residual, way, outs, reads: self.reads }
    }
}

impl Analysis<'_> {
    /// The local at an offset of a call's memory: where it starts, and its size.
    fn local_at(&self, func: FuncId, offset: u32, private: bool) -> (u32, u64) {
        let function = self.program.function(func);
        let locals = if private { &function.private } else { &function.shared };
        let local = locals.iter().find(|&&(start, length)| (start..start + length.max(1)).contains(&offset));
        local.map_or((offset, 1), |&(start, length)| (start, u64::from(length)))
    }

    fn thread_local_at(&self, offset: u32, shared: bool) -> (u32, u64) {
        if shared {
            let inside = |global: &&Global| {
                (global.pointer..global.pointer + global.bytes.len() as u64).contains(&u64::from(offset))
            };
            let known = self.program.shared_thread_locals.iter().find(inside);
            return known.map_or((offset, 1), |global| (global.pointer as u32, global.bytes.len() as u64));
        }
        let code = self.program.functions.iter().flat_map(|function| &function.code);
        let starts = code.filter_map(|inst| match inst {
            Inst::ThreadLocalAddress { offset, shared: false, .. } => Some(*offset),
            _ => None,
        });
        // Objects begin where something takes their address.
        let next = starts.filter(|&start| start > offset).min().unwrap_or(self.program.thread_local.len() as u32);
        (offset, u64::from(next.saturating_sub(offset)))
    }
}
