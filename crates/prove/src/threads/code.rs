//! A thread as one flow graph: calls are inlined, so that every node stands for one place in one calling context.

use fencepost_models::Refusal;
use fencepost_program::{Address, Cell, FuncId, Inst, Operand, Place, Program, Reg, Span, Ty, UnaryOp};

use crate::threads::passes::Passes;

/// An instruction over the thread's own registers, and where the thread may go from it.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) step: Step,
    pub(crate) span: Span,
    /// A branch goes to the first if its condition is not 0, to the second if it is.
    pub(crate) next: Vec<u32>,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Anything but jumps, branches, calls and returns, which are in the edges.
    Do(Inst),
    Branch(Operand),
    /// Any of the successors.
    Either,
    Nothing,
    End,
}

/// The flow graph of a thread. It starts at node 0 and has one [`Step::End`], the last node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) nodes: Vec<Node>,
    /// The types of the registers. Those of the thread's own function come first.
    pub(crate) types: Vec<Ty>,
    pub(crate) names: Vec<String>,
    /// For each node, which passes of which loops it belongs to.
    pub(crate) passes: Vec<Passes>,
    /// For each node, or none at all, what it does to the register that remembers its cell.
    pub(crate) remembered: Vec<Option<Remembered>>,
    /// The cells that have such a register.
    pub(crate) remembered_cells: Vec<(Address, Reg)>,
}

/// An access to a cell that its thread remembers, because nobody else writes it for a while (`guarded`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remembered {
    pub(crate) register: Reg,
    /// Whether it reads what is remembered; or else what it reads or writes is to be remembered.
    pub(crate) is_read_back: bool,
}

/// A loop that chooses a value for a register of this name stands for several threads: its rounds are in no order.
pub(crate) const SEVERAL_THREADS: &str = "another thread";

/// Maximum number of instructions of a thread, with all calls inlined.
const MOST_NODES: usize = 20_000;

impl Code {
    pub(crate) fn of(program: &Program, thread: usize) -> Result<Code, Refusal> {
        let thread = &program.threads[thread];
        let mut builder = Builder { program, code: Code::default(), calls: Vec::new() };
        let base = builder.registers(thread.func);
        for (i, &arg) in thread.args.iter().enumerate() {
            builder.copy(Reg(base + i as u32), Operand::Const(arg), Span::default());
        }
        let returns = builder.inline(thread.func, base, None)?;
        let end = builder.code.nodes.len() as u32;
        let span = program.function(thread.func).spans.last().copied().unwrap_or_default();
        builder.code.nodes.push(Node { step: Step::End, span, next: Vec::new() });
        builder.connect(&returns, end);
        Ok(builder.code.with_loops_taken_apart())
    }

    pub(crate) fn remembered(&self, node: usize) -> Option<Remembered> {
        self.remembered.get(node).copied().flatten()
    }

    pub(crate) fn end(&self) -> usize {
        self.nodes.len() - 1
    }
}

struct Builder<'p> {
    program: &'p Program,
    code: Code,
    calls: Vec<FuncId>,
}

impl Builder<'_> {
    /// Fresh registers for a call, which hold 0 until something else is assigned.
    fn registers(&mut self, func: FuncId) -> u32 {
        let base = self.code.types.len() as u32;
        for (name, ty) in &self.program.function(func).registers {
            self.code.types.push(*ty);
            self.code.names.push(name.clone());
        }
        base
    }

    /// A node whose successor is the next node that is made.
    fn push(&mut self, step: Step, span: Span) {
        let next = vec![self.code.nodes.len() as u32 + 1];
        self.code.nodes.push(Node { step, span, next });
    }

    fn copy(&mut self, dst: Reg, a: Operand, span: Span) {
        self.push(Step::Do(Inst::Unary { dst, op: UnaryOp::Copy, a }), span);
    }

    fn connect(&mut self, nodes: &[u32], to: u32) {
        for &node in nodes {
            self.code.nodes[node as usize].next = vec![to];
        }
    }

    /// Inlines a function; returns the nodes at which it returns, whose successors are to be set.
    fn inline(&mut self, func: FuncId, base: u32, dst: Option<Reg>) -> Result<Vec<u32>, Refusal> {
        let function = self.program.function(func);
        if self.calls.contains(&func) {
            let message = format!("`{}` calls itself; recursion is not supported by `prove`", function.name);
            return Err(Refusal { message, span: function.spans.first().copied() });
        }
        self.calls.push(func);
        let moved = Moved { base };
        let mut starts = Vec::with_capacity(function.code.len() + 1);
        let mut jumps: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut returns = Vec::new();
        for (inst, &span) in function.code.iter().zip(&function.spans) {
            let here = self.code.nodes.len() as u32;
            starts.push(here);
            if here as usize > MOST_NODES {
                let message = format!("a thread has more than {MOST_NODES} instructions once its calls are inlined");
                return Err(Refusal { message, span: Some(span) });
            }
            match inst {
                Inst::Jump { target } => {
                    self.push(Step::Nothing, span);
                    jumps.push((here, vec![*target]));
                }
                Inst::Branch { cond, yes, no } => {
                    self.push(Step::Branch(moved.operand(*cond)), span);
                    jumps.push((here, vec![*yes, *no]));
                }
                Inst::Call { dst: result, func: callee, args } => {
                    let base = self.registers(*callee);
                    // A call in a loop starts with fresh registers each time.
                    for i in args.len() as u32..self.program.function(*callee).registers.len() as u32 {
                        self.copy(Reg(base + i), Operand::Const(0), span);
                    }
                    for (i, arg) in args.iter().enumerate() {
                        self.copy(Reg(base + i as u32), moved.operand(*arg), span);
                    }
                    let returned = self.inline(*callee, base, result.map(|r| moved.reg(r)))?;
                    let after = self.code.nodes.len() as u32;
                    self.push(Step::Nothing, span);
                    self.connect(&returned, after);
                }
                Inst::Return { value } => {
                    self.result(dst, value.map_or(Operand::Const(0), |v| moved.operand(v)), span);
                    returns.push(self.code.nodes.len() as u32 - 1);
                }
                other => match moved.inst(other) {
                    Some(inst) => self.push(Step::Do(inst), span),
                    None => {
                        let message = "`prove` does not support pointers and other constructs of C yet".to_owned();
                        return Err(Refusal { message, span: Some(span) });
                    }
                },
            }
        }
        let span = function.spans.last().copied().unwrap_or_default();
        starts.push(self.code.nodes.len() as u32);
        self.result(dst, Operand::Const(0), span);
        returns.push(self.code.nodes.len() as u32 - 1);
        for (node, targets) in jumps {
            self.code.nodes[node as usize].next =
                targets.iter().map(|&t| starts[(t as usize).min(starts.len() - 1)]).collect();
        }
        self.calls.pop();
        Ok(returns)
    }

    fn result(&mut self, dst: Option<Reg>, value: Operand, span: Span) {
        match dst {
            Some(dst) => self.copy(dst, value, span),
            None => self.push(Step::Nothing, span),
        }
    }
}

/// The registers of an inlined function, moved to where its call has them.
struct Moved {
    base: u32,
}

impl Moved {
    fn reg(&self, Reg(r): Reg) -> Reg {
        Reg(self.base + r)
    }

    fn operand(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Reg(r) => Operand::Reg(self.reg(r)),
            constant => constant,
        }
    }

    fn place(&self, place: Place) -> Option<Place> {
        match place {
            Place::Cell(cell) => Some(Place::Cell(Cell { index: self.operand(cell.index), ..cell })),
            Place::Memory(_) => None,
        }
    }

    /// `None` for what is not supported.
    fn inst(&self, inst: &Inst) -> Option<Inst> {
        let reg = |r: Reg| self.reg(r);
        let operand = |o: Operand| self.operand(o);
        let at = |p: Place| self.place(p);
        Some(match *inst {
            Inst::Unary { dst, op, a } => Inst::Unary { dst: reg(dst), op, a: operand(a) },
            Inst::Binary { dst, op, a, b } => Inst::Binary { dst: reg(dst), op, a: operand(a), b: operand(b) },
            Inst::Load { dst, place, order } => Inst::Load { dst: dst.map(reg), place: at(place)?, order },
            Inst::Store { place, value, order } => Inst::Store { place: at(place)?, value: operand(value), order },
            Inst::Rmw { dst, place, op, operand: by, order, when } => {
                let when = when.map(|(comparison, value)| (comparison, operand(value)));
                Inst::Rmw { dst: dst.map(reg), place: at(place)?, op, operand: operand(by), order, when }
            }
            Inst::Cas { old, ok, place, expected, desired, success, failure, kind } => Inst::Cas {
                old: old.map(reg),
                ok: ok.map(reg),
                place: at(place)?,
                expected: operand(expected),
                desired: operand(desired),
                success,
                failure,
                kind,
            },
            Inst::Wait { dst, place, comparison, value, order } => {
                Inst::Wait { dst: dst.map(reg), place: at(place)?, comparison, value: operand(value), order }
            }
            Inst::Assert { cond } => Inst::Assert { cond: operand(cond) },
            Inst::Assume { cond } => Inst::Assume { cond: operand(cond) },
            Inst::Choose { dst, lo, hi } => Inst::Choose { dst: reg(dst), lo, hi },
            Inst::Fence { order } => Inst::Fence { order },
            Inst::Arithmetic { dst, op, bits, a, b } => {
                Inst::Arithmetic { dst: reg(dst), op, bits, a: operand(a), b: operand(b) }
            }
            Inst::Cast { dst, op, from, to, a } => Inst::Cast { dst: reg(dst), op, from, to, a: operand(a) },
            Inst::Select { dst, cond, yes, no } => {
                Inst::Select { dst: reg(dst), cond: operand(cond), yes: operand(yes), no: operand(no) }
            }
            _ => return None,
        })
    }
}
