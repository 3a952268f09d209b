//! The steps of a thread, with memory left open.

use crate::liveness::{Liveness, used};
use crate::{
    Address, CasKind, Comparison, FuncId, Inst, Operand, Ordering, Place, Program, Reg, Span, UnaryOp, Update, Value,
};

/// The values that a reading step accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accept {
    Any,
    Exactly(Value),
    AllBut(Value),
}

impl Accept {
    pub fn accepts(self, value: Value) -> bool {
        match self {
            Accept::Any => true,
            Accept::Exactly(v) => v == value,
            Accept::AllBut(v) => v != value,
        }
    }
}

/// What a thread wants to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Load {
        at: Address,
        order: Ordering,
    },
    Wait {
        at: Address,
        accept: Accept,
        order: Ordering,
    },
    Store {
        at: Address,
        value: Value,
        order: Ordering,
    },
    Rmw {
        at: Address,
        update: Update,
        order: Ordering,
    },
    Cas {
        at: Address,
        expected: Value,
        desired: Value,
        success: Ordering,
        failure: Ordering,
        kind: CasKind,
    },
    BlockingCas {
        at: Address,
        expected: Value,
        desired: Value,
        order: Ordering,
    },
    Fence {
        order: Ordering,
    },
    /// A value from `lo` to `hi`, both included, that nothing else determines.
    Choose {
        lo: Value,
        hi: Value,
    },
    /// Cut off by an assumption, or in a loop that does nothing.
    Blocked,
    Failed(Failure),
    End,
}

/// A step that a program must not reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    Assertion,
    OutOfBounds {
        index: Value,
        length: usize,
    },
    DivisionByZero,
    /// Too many steps without an access to memory: whether the loop ends is not known.
    EndlessLocalLoop,
}

/// The kinds of labels that touch a location (paper 001 Def. 2.2). A `Read` comes from a load; an `AwaitRead` is R*,
/// from a `wait` or a failed CAS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelKind {
    Read,
    AwaitRead,
    Write,
    Rmw,
}

/// A step on memory that a thread could take "by its program alone", whatever memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub kind: LabelKind,
    pub at: Address,
    pub order: Ordering,
    /// Which values it would read; `Any` for a write.
    pub accept: Accept,
}

impl Action {
    /// The cell that the action goes to.
    pub fn address(&self) -> Option<Address> {
        match *self {
            Action::Load { at, .. }
            | Action::Wait { at, .. }
            | Action::Store { at, .. }
            | Action::Rmw { at, .. }
            | Action::Cas { at, .. }
            | Action::BlockingCas { at, .. } => Some(at),
            _ => None,
        }
    }

    /// The labels that the program enables here; a CAS has one for success and one for failure.
    pub fn labels(&self) -> impl Iterator<Item = Label> + use<> {
        let label = |kind, at, order, accept| Label { kind, at, order, accept };
        let (a, b) = match *self {
            Action::Load { at, order } => (Some(label(LabelKind::Read, at, order, Accept::Any)), None),
            Action::Wait { at, accept, order } => (Some(label(LabelKind::AwaitRead, at, order, accept)), None),
            Action::Store { at, order, .. } => (Some(label(LabelKind::Write, at, order, Accept::Any)), None),
            Action::Rmw { at, order, .. } => (Some(label(LabelKind::Rmw, at, order, Accept::Any)), None),
            Action::BlockingCas { at, expected, order, .. } => {
                (Some(label(LabelKind::Rmw, at, order, Accept::Exactly(expected))), None)
            }
            Action::Cas { at, expected, success, failure, kind, .. } => {
                let fails = match kind {
                    CasKind::Strong => Accept::AllBut(expected),
                    CasKind::Weak => Accept::Any,
                };
                (
                    Some(label(LabelKind::Rmw, at, success, Accept::Exactly(expected))),
                    Some(label(LabelKind::AwaitRead, at, failure, fails)),
                )
            }
            Action::Fence { .. } | Action::Choose { .. } | Action::Blocked | Action::Failed(_) | Action::End => {
                (None, None)
            }
        };
        a.into_iter().chain(b)
    }

    /// The value that a write or an RMW stores after reading `old`.
    pub fn written(&self, old: Value) -> Option<Value> {
        match *self {
            Action::Store { value, .. } => Some(value),
            Action::Rmw { update, .. } => Some(update.apply(old)),
            Action::Cas { desired, .. } | Action::BlockingCas { desired, .. } => Some(desired),
            _ => None,
        }
    }
}

/// What memory, or the engine, answers to an [`Action`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// A store or a fence was performed.
    Done,
    /// A load, a wait or a failed CAS read this.
    Read(Value),
    /// An RMW, a successful CAS or a BCAS read this and wrote.
    Updated(Value),
    /// The value of a `Choose`.
    Chose(Value),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Frame {
    func: FuncId,
    pc: u32,
    /// Where the function's registers start.
    base: u32,
    /// The caller's register that receives the result.
    dst: Option<Reg>,
    /// With a bound on loops: the heads of the loops that it is in, outermost first, and how often each was gone back to.
    loops: Vec<(u32, u32)>,
}

/// Where a thread is: always before an action that is not a local step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreadState {
    frames: Vec<Frame>,
    registers: Vec<Value>,
    /// For each register, the marks of the reads that its value depends on (the dependency store of paper 001
    /// Def. 3.9). Empty while no read was marked.
    marks: Vec<u64>,
    /// The marks of all reads that something depended on: a branch, an assertion, a write, an RMW, R*, an address.
    used: u64,
    stuck: Option<Stuck>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stuck {
    Blocked,
    /// A loop went on beyond the bound.
    OutOfBound,
    Failed(Failure),
}

impl ThreadState {
    /// The marks of the reads that some step has depended on so far.
    pub fn used_marks(&self) -> u64 {
        self.used
    }

    /// Whether the thread is where it was, with the same values: what it did in between left no trace in it.
    pub fn is_back_at(&self, earlier: &ThreadState) -> bool {
        let same = |(a, b): (&Frame, &Frame)| (a.func, a.pc, a.base, a.dst) == (b.func, b.pc, b.base, b.dst);
        self.stuck == earlier.stuck
            && self.frames.len() == earlier.frames.len()
            && self.frames.iter().zip(&earlier.frames).all(same)
            && self.registers == earlier.registers
    }

    /// Cut off because a loop went on beyond the bound of [`Machine::unrolling`].
    pub fn is_out_of_bound(&self) -> bool {
        self.stuck == Some(Stuck::OutOfBound)
    }

    pub fn has_ended(&self) -> bool {
        self.frames.is_empty()
    }

    /// Of a thread that has ended, the values of its function's [`Function::observed`](crate::Function::observed).
    pub fn observed(&self) -> &[Value] {
        if self.has_ended() { &self.registers } else { &[] }
    }
}

/// Local steps after which a loop without accesses is looked at for a repeated state.
const LOCAL_STEPS_UNWATCHED: u32 = 10_000;
/// Local steps after which a loop without accesses is given up.
const LOCAL_STEPS_LIMIT: u32 = 20_000_000;
const FRAMES_LIMIT: usize = 10_000;

/// The transition system of a program's threads.
pub struct Machine<'p> {
    program: &'p Program,
    liveness: Vec<Liveness>,
    /// How often a loop may be gone back to.
    unroll: Option<u32>,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program) -> Machine<'p> {
        Machine { program, liveness: program.functions.iter().map(Liveness::of).collect(), unroll: None }
    }

    /// The same, but a thread that goes back in one loop more than `bound` times is cut off.
    pub fn unrolling(program: &'p Program, bound: u32) -> Machine<'p> {
        Machine { unroll: Some(bound), ..Machine::new(program) }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The state of a thread before its first action.
    pub fn start(&self, thread: usize) -> ThreadState {
        let thread = &self.program.threads[thread];
        let mut state =
            ThreadState { frames: Vec::new(), registers: Vec::new(), marks: Vec::new(), used: 0, stuck: None };
        self.push(&mut state, thread.func, None);
        for (i, &arg) in thread.args.iter().enumerate() {
            self.set(&mut state, Reg(i as u32), arg, 0);
        }
        self.settle(&mut state);
        state
    }

    /// What the thread wants to do.
    pub fn next(&self, state: &ThreadState) -> Action {
        match state.stuck {
            Some(Stuck::Blocked | Stuck::OutOfBound) => return Action::Blocked,
            Some(Stuck::Failed(failure)) => return Action::Failed(failure),
            None => {}
        }
        let Some(inst) = self.inst(state) else { return Action::End };
        let at = |place: &Place| self.address(state, place).expect("settled on a place in bounds");
        let value = |operand: &Operand| self.get(state, *operand);
        let ty = |place: &Place| self.program.object(place.object).ty;
        match inst {
            Inst::Load { place, order, .. } => Action::Load { at: at(place), order: *order },
            Inst::Store { place, value: v, order } => {
                Action::Store { at: at(place), value: ty(place).wrap(value(v)), order: *order }
            }
            Inst::Rmw { place, op, operand, order, .. } => Action::Rmw {
                at: at(place),
                update: Update { op: *op, operand: value(operand), ty: ty(place) },
                order: *order,
            },
            Inst::Cas { place, expected, desired, success, failure, kind, .. } => Action::Cas {
                at: at(place),
                expected: value(expected),
                desired: ty(place).wrap(value(desired)),
                success: *success,
                failure: *failure,
                kind: *kind,
            },
            Inst::BlockingCas { place, expected, desired, order } => Action::BlockingCas {
                at: at(place),
                expected: value(expected),
                desired: ty(place).wrap(value(desired)),
                order: *order,
            },
            Inst::Wait { place, comparison, value: v, order } => Action::Wait {
                at: at(place),
                accept: match comparison {
                    Comparison::Eq => Accept::Exactly(value(v)),
                    Comparison::Ne => Accept::AllBut(value(v)),
                },
                order: *order,
            },
            Inst::Fence { order } => Action::Fence { order: *order },
            Inst::Choose { lo, hi, .. } => Action::Choose { lo: *lo, hi: *hi },
            _ => unreachable!("settled on a local step"),
        }
    }

    /// Takes the answer to [`Machine::next`] and runs to the next action. `marks` are put on the value that was read.
    pub fn resume(&self, state: &mut ThreadState, answer: Answer, marks: u64) {
        let inst = self.inst(state).expect("a thread that has ended cannot resume");
        if !matches!(inst, Inst::Fence { .. } | Inst::Choose { .. }) {
            state.used |= self.marks_read(state, inst);
        }
        state.frames.last_mut().expect("not ended").pc += 1;
        match (inst, answer) {
            (Inst::Load { dst, .. }, Answer::Read(v)) | (Inst::Rmw { dst, .. }, Answer::Updated(v)) => {
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
            (Inst::Store { .. } | Inst::Fence { .. }, Answer::Done)
            | (Inst::Wait { .. }, Answer::Read(_))
            | (Inst::BlockingCas { .. }, Answer::Updated(_)) => {}
            (inst, answer) => unreachable!("{answer:?} does not answer {inst:?}"),
        }
        self.settle(state);
    }

    /// Where the thread stands in the source.
    pub fn span(&self, state: &ThreadState) -> Span {
        let Some(frame) = state.frames.last() else { return Span::default() };
        let spans = &self.program.function(frame.func).spans;
        spans.get(frame.pc as usize).or(spans.last()).copied().unwrap_or_default()
    }

    /// The marks that the next action depends on: its operands and its address.
    pub fn action_marks(&self, state: &ThreadState) -> u64 {
        self.inst(state).map_or(0, |inst| self.marks_read(state, inst))
    }

    fn inst(&self, state: &ThreadState) -> Option<&'p Inst> {
        let frame = state.frames.last()?;
        self.program.function(frame.func).code.get(frame.pc as usize)
    }

    fn get(&self, state: &ThreadState, operand: Operand) -> Value {
        match operand {
            Operand::Const(v) => v,
            Operand::Reg(Reg(r)) => state.registers[(state.frames.last().expect("not ended").base + r) as usize],
        }
    }

    fn set(&self, state: &mut ThreadState, reg: Reg, value: Value, marks: u64) {
        let frame = state.frames.last().expect("not ended");
        let ty = self.program.function(frame.func).registers[reg.0 as usize].1;
        let slot = (frame.base + reg.0) as usize;
        state.registers[slot] = ty.wrap(value);
        if marks != 0 && state.marks.is_empty() {
            state.marks = vec![0; state.registers.len()];
        }
        if !state.marks.is_empty() {
            state.marks[slot] = marks;
        }
    }

    fn marks_read(&self, state: &ThreadState, inst: &Inst) -> u64 {
        if state.marks.is_empty() {
            return 0;
        }
        let base = state.frames.last().expect("not ended").base;
        used(inst).map(|Reg(r)| state.marks[(base + r) as usize]).fold(0, |a, b| a | b)
    }

    fn address(&self, state: &ThreadState, place: &Place) -> Result<Address, Failure> {
        let object = self.program.object(place.object);
        let index = self.get(state, place.index);
        if index < 0 || index as usize >= object.init.len() {
            return Err(Failure::OutOfBounds { index, length: object.init.len() });
        }
        Ok(Address(object.first.0 + index as u64))
    }

    fn push(&self, state: &mut ThreadState, func: FuncId, dst: Option<Reg>) {
        let base = state.registers.len() as u32;
        let count = self.program.function(func).registers.len();
        state.registers.resize(state.registers.len() + count, 0);
        if !state.marks.is_empty() {
            state.marks.resize(state.registers.len(), 0);
        }
        state.frames.push(Frame { func, pc: 0, base, dst, loops: Vec::new() });
    }

    /// Runs local steps up to the next action, then forgets the registers that are dead there.
    fn settle(&self, state: &mut ThreadState) {
        let mut steps = 0;
        let mut seen: Option<ThreadState> = None;
        let mut watch_until = LOCAL_STEPS_UNWATCHED;
        while let Some(done) = self.local_step(state) {
            if let Some(stuck) = done {
                state.stuck = Some(stuck);
                break;
            }
            steps += 1;
            // Brent's cycle detection: compare with a state that is renewed at powers of two.
            if steps >= LOCAL_STEPS_UNWATCHED {
                if seen.as_ref() == Some(state) {
                    state.stuck = Some(Stuck::Blocked);
                    break;
                }
                if steps >= LOCAL_STEPS_LIMIT || state.frames.len() > FRAMES_LIMIT {
                    state.stuck = Some(Stuck::Failed(Failure::EndlessLocalLoop));
                    break;
                }
                if steps == watch_until {
                    seen = Some(state.clone());
                    watch_until = watch_until.saturating_mul(2);
                }
            }
        }
        if matches!(state.stuck, Some(Stuck::Blocked | Stuck::OutOfBound)) {
            *state = ThreadState { used: state.used, stuck: state.stuck, ..ThreadState::ended() };
        } else {
            self.forget_dead(state, None);
        }
    }

    /// Sets the registers of the top frame that are not live at its `pc` to 0. A register in `except` counts as dead.
    fn forget_dead(&self, state: &mut ThreadState, except: Option<Reg>) {
        let Some(frame) = state.frames.last() else { return };
        let liveness = &self.liveness[frame.func.0 as usize];
        for r in 0..self.program.function(frame.func).registers.len() {
            if !liveness.is_live(frame.pc as usize, r) || except == Some(Reg(r as u32)) {
                let slot = frame.base as usize + r;
                state.registers[slot] = 0;
                if !state.marks.is_empty() {
                    state.marks[slot] = 0;
                }
            }
        }
        if state.marks.iter().all(|&m| m == 0) {
            state.marks = Vec::new();
        }
    }

    /// Takes one local step. `None`: the thread stands before an action; `Some(Some(_))`: it is stuck.
    fn local_step(&self, state: &mut ThreadState) -> Option<Option<Stuck>> {
        let frame = state.frames.last()?;
        let function = self.program.function(frame.func);
        let pc = frame.pc;
        let Some(inst) = function.code.get(pc as usize) else {
            self.pop(state, 0, 0);
            return Some(None);
        };
        let marks = self.marks_read(state, inst);
        let go = |state: &mut ThreadState, pc| state.frames.last_mut().expect("not ended").pc = pc;
        match inst {
            Inst::Unary { dst, op, a } => {
                let a = self.get(state, *a);
                let value = match op {
                    UnaryOp::Copy => a,
                    UnaryOp::Neg => a.wrapping_neg(),
                    UnaryOp::Not => (a == 0) as Value,
                    UnaryOp::BitNot => !a,
                };
                self.set(state, *dst, value, marks);
                go(state, pc + 1);
            }
            Inst::Binary { dst, op, a, b } => {
                let Some(value) = op.apply(self.get(state, *a), self.get(state, *b)) else {
                    state.used |= marks;
                    return Some(Some(Stuck::Failed(Failure::DivisionByZero)));
                };
                self.set(state, *dst, value, marks);
                go(state, pc + 1);
            }
            Inst::Assert { cond } => {
                state.used |= marks;
                if self.get(state, *cond) == 0 {
                    return Some(Some(Stuck::Failed(Failure::Assertion)));
                }
                go(state, pc + 1);
            }
            Inst::Assume { cond } => {
                state.used |= marks;
                if self.get(state, *cond) == 0 {
                    return Some(Some(Stuck::Blocked));
                }
                go(state, pc + 1);
            }
            Inst::Jump { target } => return Some(self.jump(state, *target)),
            Inst::Branch { cond, yes, no } => {
                state.used |= marks;
                let target = if self.get(state, *cond) != 0 { *yes } else { *no };
                return Some(self.jump(state, target));
            }
            Inst::Call { dst, func, args } => {
                if state.frames.len() >= FRAMES_LIMIT {
                    return Some(Some(Stuck::Failed(Failure::EndlessLocalLoop)));
                }
                let values: Vec<(Value, u64)> =
                    args.iter().map(|&a| (self.get(state, a), self.operand_marks(state, a))).collect();
                go(state, pc + 1);
                self.forget_dead(state, *dst);
                self.push(state, *func, *dst);
                for (i, (value, marks)) in values.into_iter().enumerate() {
                    self.set(state, Reg(i as u32), value, marks);
                }
            }
            Inst::Return { value } => {
                let value = value.map_or(0, |v| self.get(state, v));
                self.pop(state, value, marks);
            }
            Inst::Load { place, .. }
            | Inst::Store { place, .. }
            | Inst::Rmw { place, .. }
            | Inst::Cas { place, .. }
            | Inst::BlockingCas { place, .. }
            | Inst::Wait { place, .. } => {
                if let Err(failure) = self.address(state, place) {
                    state.used |= marks;
                    return Some(Some(Stuck::Failed(failure)));
                }
                return None;
            }
            Inst::Fence { .. } | Inst::Choose { .. } => return None,
        }
        Some(None)
    }

    fn jump(&self, state: &mut ThreadState, target: u32) -> Option<Stuck> {
        let frame = state.frames.last_mut().expect("not ended");
        let back = target <= frame.pc;
        frame.pc = target;
        let bound = self.unroll.filter(|_| back)?;
        // Loops inside this one start anew.
        frame.loops.retain(|&(head, _)| head <= target);
        if frame.loops.last().is_none_or(|&(head, _)| head != target) {
            frame.loops.push((target, 0));
        }
        let (_, count) = frame.loops.last_mut().expect("just made");
        *count += 1;
        (*count > bound).then_some(Stuck::OutOfBound)
    }

    fn operand_marks(&self, state: &ThreadState, operand: Operand) -> u64 {
        match operand {
            Operand::Reg(Reg(r)) if !state.marks.is_empty() => {
                state.marks[(state.frames.last().expect("not ended").base + r) as usize]
            }
            _ => 0,
        }
    }

    fn pop(&self, state: &mut ThreadState, value: Value, marks: u64) {
        let frame = state.frames.pop().expect("not ended");
        if state.frames.is_empty() {
            let observed = &self.program.function(frame.func).observed;
            let registers = observed.iter().map(|r| state.registers[r.0 as usize]).collect();
            *state = ThreadState { used: state.used, registers, ..ThreadState::ended() };
            return;
        }
        state.registers.truncate(frame.base as usize);
        if !state.marks.is_empty() {
            state.marks.truncate(frame.base as usize);
        }
        if let Some(dst) = frame.dst {
            self.set(state, dst, value, marks);
        }
    }
}

impl ThreadState {
    fn ended() -> ThreadState {
        ThreadState { frames: Vec::new(), registers: Vec::new(), marks: Vec::new(), used: 0, stuck: None }
    }
}
