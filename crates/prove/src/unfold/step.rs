//! One instruction: what is known after it, and what is left to do when the program runs.

use std::collections::HashMap;

use fencepost_models::Refusal;
use fencepost_program::{Failure, Inst, Names, Operand, Reg, Value as Word};

use super::analysis::{Analysis, MOST_ROUNDS};
use super::frames::{FrameId, Point};
use super::objects::ThreadId;
use super::state::{OwnCell, State};
use super::value::{Target, Value};

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

    pub(super) fn refuse(&mut self, message: String) {
        let span = Some(self.analysis.frames.span(self.analysis.program, self.point));
        self.analysis.refusal.get_or_insert(Refusal { message, span });
    }

    /// Goes on with the next instruction.
    pub(super) fn advance(self) -> Step {
        let next = self.point.pc + 1;
        self.go(next)
    }

    pub(super) fn go(self, target: u32) -> Step {
        self.go_to_one(Way::Goto, &[target])
    }

    pub(super) fn go_to_one(mut self, way: Way, targets: &[u32]) -> Step {
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

    pub(super) fn finish(self, way: Way, outs: Vec<(Point, State)>) -> Step {
        Step { residual: self.residual, way, outs, reads: self.reads }
    }
}
