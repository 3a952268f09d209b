//! Writes down what is left of one thread.

use fencepost_program::code::{Builder, Label};
use fencepost_program::{ArithmeticOp, Cell, Function, Inst, Memory, Operand, Ordering, Place, Span, Value as Word};

use super::access::memory_of;
use super::analysis::{Analysis, in_cycles};
use super::frames::{FrameId, Point};
use super::layout::{Element, Layout};
use super::objects::{Origin, ThreadId};
use super::state::State;
use super::step::{Residual, Step, Var, Vars, Way};
use super::value::Target;
use crate::domains::Interval;

/// A thread, with what is left of each instruction.
pub(super) struct Leftover {
    pub(super) thread: ThreadId,
    pub(super) vars: Vars,
    pub(super) steps: Vec<(Point, Span, Step)>,
}

/// How a thread is written down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Once,
    /// Any number of threads of one kind, other than one that stands beside it: its code in a loop, so that nothing is
    /// said of the order of its instructions or how often they run. What it may fail to do is asked of the one beside
    /// it.
    Repeatedly,
}

pub(super) struct Writer<'a, 'p> {
    analysis: &'a Analysis<'p>,
    layout: &'a Layout,
    leftover: &'a mut Leftover,
    role: Role,
    code: Builder,
    labels: Vec<Label>,
}

impl<'a, 'p> Writer<'a, 'p> {
    pub(super) fn new(
        analysis: &'a Analysis<'p>,
        layout: &'a Layout,
        leftover: &'a mut Leftover,
        role: Role,
        name: String,
    ) -> Writer<'a, 'p> {
        let mut code = Builder::new(name);
        // What LLVM calls its registers is not what the source calls anything.
        for _ in &leftover.vars.list {
            code.temporary();
        }
        let labels = leftover.steps.iter().map(|_| code.label()).collect();
        Writer { analysis, layout, leftover, role, code, labels }
    }

    pub(super) fn write(mut self, settled: &[Span]) -> Function {
        for span in settled {
            self.code.at(*span);
            self.code.push(Inst::Assert { cond: Operand::Const(1) });
        }
        let (again, end) = (self.code.label(), self.code.label());
        if self.role == Role::Repeatedly {
            let more = self.code.temporary();
            self.code.here(again);
            self.code.push(Inst::Choose { dst: more, lo: 0, hi: 1 });
            let first = self.labels.first().copied().unwrap_or(end);
            self.code.branch(Operand::Reg(more), first, end);
        }
        let at = self.analysis.runs.iter().position(|run| run.thread == self.leftover.thread).unwrap_or(0);
        let steps = std::mem::take(&mut self.leftover.steps);
        let repeated = in_cycles(&self.analysis.runs[at].next);
        for (id, (point, span, step)) in steps.iter().enumerate() {
            self.code.here(self.labels[id]);
            self.code.at(*span);
            if repeated[id] && point.pc == 0 {
                self.new_locals(point.frame);
            }
            for residual in &step.residual {
                self.residual(residual);
            }
            let next = &self.analysis.runs[at].next[id];
            let mut edges = Vec::new();
            for (to, (_, state)) in next.iter().zip(&step.outs) {
                edges.push((self.edge(at, *to, state), self.labels[*to as usize]));
            }
            self.way(&step.way, edges, if self.role == Role::Repeatedly { again } else { end });
        }
        self.leftover.steps = steps;
        self.code.here(end);
        self.code.push(Inst::Return { value: None });
        let mut function = self.code.finish();
        function.tidy();
        function
    }

    /// A call that may happen several times has new locals each time, which hold anything.
    fn new_locals(&mut self, frame: FrameId) {
        let of_call =
            |origin| matches!(origin, Origin::Private { frame: f, .. } | Origin::Stack { frame: f, .. } if f == frame);
        for object in self.analysis.objects.ids().filter(|&id| of_call(self.analysis.objects.get(id).origin)) {
            for cell in self.layout.cells_of(object) {
                let dst = self.code.temporary();
                self.code.push(Inst::Choose { dst, lo: Word::MIN, hi: Word::MAX });
                let (place, value) = (Place::Cell(cell), Operand::Reg(dst));
                self.code.push(Inst::Store { place, value, order: Ordering::NonAtomic });
            }
        }
    }

    /// What becomes unknown along an edge has to be put into its register.
    fn edge(&mut self, at: usize, to: u32, out: &State) -> Vec<Inst> {
        let run = &self.analysis.runs[at];
        let (state, program, objects) = (&run.states[to as usize], self.analysis.program, &self.analysis.objects);
        let mut frame = Some(run.points[to as usize].frame);
        let mut copies = Vec::new();
        for (known, mine) in state.frames.iter().zip(&out.frames).rev() {
            let Some(id) = frame else { break };
            frame = self.analysis.frames.frame(id).caller.map(|caller| caller.frame);
            if std::rc::Rc::ptr_eq(known, mine) {
                continue;
            }
            for (r, (after, before)) in known.iter().zip(mine.iter()).enumerate() {
                if let (None, Some(word)) = (after.as_const(), before.as_const()) {
                    copies.push((Var::Register(id, r as u32), word));
                }
            }
        }
        for cell in state.own.keys() {
            if let (None, Some(word)) =
                (state.cell(*cell, program, objects).as_const(), out.cell(*cell, program, objects).as_const())
            {
                copies.push((Var::Own(*cell), word));
            }
        }
        let mut insts = Vec::new();
        for &cell in state.own.keys().filter(|&&cell| out.is_uninitialised(cell, objects)) {
            if let Some(dst) = self.leftover.vars.get(Var::Own(cell)) {
                let Interval { lo, hi } = Interval::of_bits(8 * cell.2);
                insts.push(Inst::Choose { dst, lo, hi });
                self.analysis.reads_uninitialised();
            }
        }
        for (var, word) in copies {
            // A register that nothing reads has no place.
            if let Some(dst) = self.leftover.vars.get(var) {
                insts.push(Inst::Copy { dst, a: Operand::Const(word) });
            }
        }
        insts
    }

    fn way(&mut self, way: &Way, edges: Vec<(Vec<Inst>, Label)>, end: Label) {
        match way {
            Way::End => self.code.jump(end),
            Way::Goto => {
                for (copies, to) in edges {
                    self.leave_by(copies, to);
                }
            }
            Way::Branch(cond) => {
                let ways: Vec<Label> = edges.iter().map(|_| self.code.label()).collect();
                if let [yes, no] = ways[..] {
                    self.code.branch(*cond, yes, no);
                }
                for ((copies, to), label) in edges.into_iter().zip(ways) {
                    self.code.here(label);
                    self.leave_by(copies, to);
                }
            }
            Way::Match(value, keys) => {
                for (i, (copies, to)) in edges.into_iter().enumerate() {
                    let Some(&key) = keys.get(i) else {
                        self.leave_by(copies, to);
                        continue;
                    };
                    let (yes, no) = (self.code.label(), self.code.label());
                    let is = self.computed(ArithmeticOp::Eq, *value, Operand::Const(key));
                    self.code.branch(is, yes, no);
                    self.code.here(yes);
                    self.leave_by(copies, to);
                    self.code.here(no);
                }
            }
        }
    }

    fn leave_by(&mut self, copies: Vec<Inst>, to: Label) {
        copies.into_iter().for_each(|inst| self.code.push(inst));
        self.code.jump(to);
    }

    fn computed(&mut self, op: ArithmeticOp, a: Operand, b: Operand) -> Operand {
        let dst = self.code.temporary();
        self.code.push(Inst::Arithmetic { dst, op, bits: 64, a, b });
        Operand::Reg(dst)
    }

    fn residual(&mut self, residual: &Residual) {
        match residual {
            Residual::Inst(Inst::Assert { .. }) if self.role == Role::Repeatedly => {}
            Residual::Inst(inst) => self.code.push(inst.clone()),
            // Each of several threads has a cell of its own, and nothing is said of the order of theirs.
            Residual::Ordering { .. } if self.role == Role::Repeatedly => {}
            Residual::Access { inst, pointer, targets } | Residual::Ordering { inst, pointer, targets } => {
                let Some(memory) = memory_of(inst) else { return };
                self.access(inst, memory, *pointer, targets);
            }
        }
    }

    /// The pointer says which of the targets is meant; the last needs no question.
    fn access(&mut self, inst: &Inst, memory: Memory, pointer: Operand, targets: &[Target]) {
        // A pointer that points to none of them would still be taken to point to the last.
        let certain =
            targets.len() == 1 && (matches!(pointer, Operand::Const(_)) || targets[0].offset.as_exact().is_none());
        self.analysis.exact.set(self.analysis.exact.get() && certain);
        let done = self.code.label();
        for (i, target) in targets.iter().enumerate() {
            let skip = self.code.label();
            if i + 1 < targets.len() {
                let is = self.points_to(memory, pointer, target);
                let here = self.code.label();
                self.code.branch(is, here, skip);
                self.code.here(here);
            }
            match self.layout.element(self.analysis, target, memory.size) {
                Some(element) => {
                    let cell = self.cell(element, memory, pointer);
                    let mut inst = inst.clone();
                    inst.place_mut().into_iter().for_each(|place| *place = Place::Cell(cell));
                    self.code.push(inst);
                }
                None => self.anything(inst, memory.size),
            }
            self.code.jump(done);
            self.code.here(skip);
        }
        self.code.here(done);
    }

    /// An access to bytes that others access in other sizes: what it reads may be anything, and nothing is known of
    /// what it writes.
    fn anything(&mut self, inst: &Inst, size: u8) {
        self.analysis.exact.set(false);
        let Interval { lo, hi } = Interval::of_bits(8 * size);
        let read = match *inst {
            Inst::Load { dst, .. } | Inst::Rmw { dst, .. } | Inst::Wait { dst, .. } => dst,
            Inst::Cas { old, ok, .. } => {
                ok.into_iter().for_each(|dst| self.code.push(Inst::Choose { dst, lo: 0, hi: 1 }));
                old
            }
            _ => None,
        };
        read.into_iter().for_each(|dst| self.code.push(Inst::Choose { dst, lo, hi }));
    }

    fn points_to(&mut self, memory: Memory, pointer: Operand, target: &Target) -> Operand {
        let object = self.analysis.objects.get(target.object);
        if let (Some(at), false) = (target.offset.as_exact(), object.several) {
            let word = (object.base as Word).wrapping_add(at - i64::from(memory.offset));
            return self.computed(ArithmeticOp::Eq, pointer, Operand::Const(word));
        }
        let (lo, hi) = self.analysis.objects.range(target.object);
        let by = i64::from(memory.offset);
        let above = self.computed(ArithmeticOp::SLe, Operand::Const(lo - by), pointer);
        let below = self.computed(ArithmeticOp::SLt, pointer, Operand::Const(hi - by));
        self.computed(ArithmeticOp::And, above, below)
    }

    fn cell(&mut self, element: Element, memory: Memory, pointer: Operand) -> Cell {
        match element {
            Element::Cell(cell) => cell,
            Element::Any { cells, elements } => {
                self.analysis.exact.set(false);
                let dst = self.code.temporary();
                self.code.push(Inst::Choose { dst, lo: 0, hi: elements - 1 });
                Cell { object: cells, index: Operand::Reg(dst) }
            }
            Element::At { cells, base, step, length } => {
                let from = Operand::Const(base - i64::from(memory.offset));
                let mut index = self.computed(ArithmeticOp::Sub, pointer, from);
                if step > 1 {
                    index = self.computed(ArithmeticOp::SDiv, index, Operand::Const(step as Word));
                }
                if self.role == Role::Repeatedly {
                    let above = self.computed(ArithmeticOp::SLe, Operand::Const(0), index);
                    let below = self.computed(ArithmeticOp::SLt, index, Operand::Const(length));
                    self.code.push(Inst::Assume { cond: above });
                    self.code.push(Inst::Assume { cond: below });
                }
                Cell { object: cells, index }
            }
        }
    }
}
