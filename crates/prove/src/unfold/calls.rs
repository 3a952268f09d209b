//! Calls, returns, and threads that are made.

use std::rc::Rc;

use fencepost_program::{FuncId, Inst, Operand, Reg, Value as Word, memory};

use super::analysis::DEEPEST_CALL;
use super::frames::{Frame, FrameId, Point};
use super::objects::Origin;
use super::state::{OwnCell, State};
use super::step::{Step, Var, Walk, Way};
use super::value::Value;

impl Walk<'_, '_> {
    pub(super) fn spawn(&mut self, dst: Option<Reg>, function: Operand, argument: Operand) {
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

    pub(super) fn call_pointer(mut self, target: Operand, args: &[Operand]) -> Step {
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

    pub(super) fn call(mut self, functions: &[FuncId], way: Way, args: &[Operand]) -> Step {
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
        let is_local = |&(object, ..): &OwnCell| match objects.get(object).origin {
            Origin::Private { frame: owner, .. } => owner == frame,
            _ => false,
        };
        if state.own.keys().any(is_local) {
            Rc::make_mut(&mut state.own).retain(|cell, _| !is_local(cell));
        }
    }

    /// Returns from a call, and from those inside it.
    pub(super) fn leave(mut self, frame: FrameId, values: &[Operand]) -> Step {
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
}
