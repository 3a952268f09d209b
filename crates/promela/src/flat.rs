//! The code of one thread with its procedures inlined: no calls, one set of registers.
//!
//! Calls are not recursive, so a procedure runs at most once at a time in a thread and its registers can be static.

use std::collections::HashMap;

use fencepost_program::{
    ArithmeticOp, CasKind, Comparison, FuncId, Inst, ObjectId, Operand, Ordering, Place, Program, Reg, Span, Ty,
    UnaryOp, UpdateOp, Value,
};

use fencepost_models::Refusal;

use crate::expressions::{sign, unary_sign};

/// More than this is not a model that a person or SPIN would want to read.
const LINES_LIMIT: usize = 20_000;
const DEPTH_LIMIT: usize = 64;

/// An expression over the registers of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Const(Value),
    Register(usize),
    Unary(UnaryOp, Box<Expr>),
    Binary(ArithmeticOp, Box<Expr>, Box<Expr>),
}

/// The cell that an access goes to.
#[derive(Clone, Debug)]
pub(crate) struct CellAt {
    pub object: ObjectId,
    pub index: Expr,
}

#[derive(Clone, Debug)]
pub(crate) enum Op {
    Nothing,
    Assign {
        dst: usize,
        value: Expr,
    },
    /// The registers of a procedure start at 0, whatever their type.
    Clear {
        dst: usize,
    },
    Load {
        dst: Option<usize>,
        cell: CellAt,
        order: Ordering,
    },
    Store {
        cell: CellAt,
        value: Expr,
        order: Ordering,
    },
    Rmw {
        dst: Option<usize>,
        cell: CellAt,
        update: UpdateOp,
        operand: Expr,
        order: Ordering,
        when: Option<(Comparison, Expr)>,
    },
    Cas {
        old: Option<usize>,
        ok: Option<usize>,
        cell: CellAt,
        expected: Expr,
        desired: Expr,
        success: Ordering,
        failure: Ordering,
        kind: CasKind,
    },
    Wait {
        cell: CellAt,
        comparison: Comparison,
        value: Expr,
        order: Ordering,
    },
    Fence {
        order: Ordering,
    },
    Assert {
        cond: Expr,
    },
    Assume {
        cond: Expr,
    },
    Choose {
        dst: usize,
        lo: Value,
        hi: Value,
    },
    Jump {
        target: usize,
    },
    Branch {
        cond: Expr,
        yes: usize,
        no: usize,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub op: Op,
    /// What it depends on, of the expressions that it computes ([`Inst::for_each_dependency`]).
    pub depends: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Register {
    /// Empty for the thread's own function.
    pub procedure: String,
    /// The name of a variable; temporaries are numbered.
    pub name: String,
    pub ty: Ty,
}

/// Targets of jumps are indices into `lines`; the thread ends at `lines.len()`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadCode {
    pub registers: Vec<Register>,
    pub lines: Vec<Line>,
}

impl Op {
    /// Whether other threads may run before it: it touches memory or the monitors.
    pub(crate) fn is_step(&self) -> bool {
        matches!(
            self,
            Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } | Op::Cas { .. } | Op::Wait { .. } | Op::Fence { .. }
        )
    }

    pub(crate) fn jump(&self) -> Option<usize> {
        match *self {
            Op::Jump { target } => Some(target),
            _ => None,
        }
    }

    pub(crate) fn successors(&self, pc: usize) -> Vec<usize> {
        match *self {
            Op::Jump { target } => vec![target],
            Op::Branch { yes, no, .. } if yes != no => vec![yes, no],
            Op::Branch { yes, .. } => vec![yes],
            _ => vec![pc + 1],
        }
    }

    pub(crate) fn defined(&self) -> Vec<usize> {
        match *self {
            Op::Assign { dst, .. } | Op::Clear { dst } | Op::Choose { dst, .. } => vec![dst],
            Op::Load { dst, .. } | Op::Rmw { dst, .. } => dst.into_iter().collect(),
            Op::Cas { old, ok, .. } => old.into_iter().chain(ok).collect(),
            _ => Vec::new(),
        }
    }

    /// The expressions that it computes, the address first.
    pub(crate) fn expressions(&self) -> Vec<&Expr> {
        match self {
            Op::Assign { value, .. } => vec![value],
            Op::Load { cell, .. } => vec![&cell.index],
            Op::Store { cell, value, .. } | Op::Wait { cell, value, .. } => vec![&cell.index, value],
            Op::Rmw { cell, operand, when, .. } => {
                [&cell.index, operand].into_iter().chain(when.iter().map(|(_, value)| value)).collect()
            }
            Op::Cas { cell, expected, desired, .. } => {
                vec![&cell.index, expected, desired]
            }
            Op::Assert { cond } | Op::Assume { cond } | Op::Branch { cond, .. } => vec![cond],
            Op::Nothing | Op::Clear { .. } | Op::Fence { .. } | Op::Choose { .. } | Op::Jump { .. } => Vec::new(),
        }
    }

    pub(crate) fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Op::Assign { value, .. } => vec![value],
            Op::Load { cell, .. } => vec![&mut cell.index],
            Op::Store { cell, value, .. } | Op::Wait { cell, value, .. } => vec![&mut cell.index, value],
            Op::Rmw { cell, operand, when, .. } => {
                [&mut cell.index, operand].into_iter().chain(when.iter_mut().map(|(_, value)| value)).collect()
            }
            Op::Cas { cell, expected, desired, .. } => {
                vec![&mut cell.index, expected, desired]
            }
            Op::Assert { cond } | Op::Assume { cond } | Op::Branch { cond, .. } => vec![cond],
            Op::Nothing | Op::Clear { .. } | Op::Fence { .. } | Op::Choose { .. } | Op::Jump { .. } => Vec::new(),
        }
    }
}

impl Expr {
    pub(crate) fn registers(&self, found: &mut Vec<usize>) {
        match self {
            Expr::Const(_) => {}
            Expr::Register(r) => found.push(*r),
            Expr::Unary(_, a) => a.registers(found),
            Expr::Binary(_, a, b) => {
                a.registers(found);
                b.registers(found);
            }
        }
    }

    pub(crate) fn size(&self) -> usize {
        match self {
            Expr::Const(_) | Expr::Register(_) => 1,
            Expr::Unary(_, a) => 1 + a.size(),
            Expr::Binary(_, a, b) => 1 + a.size() + b.size(),
        }
    }
}

pub(crate) fn flatten(program: &Program, thread: usize) -> Result<ThreadCode, Refusal> {
    let started = &program.threads[thread];
    let mut inliner = Inliner { program, code: ThreadCode::default(), bases: HashMap::new() };
    let base = inliner.base(started.func, false);
    let first = program.function(started.func).spans.first().copied().unwrap_or_default();
    for (i, &arg) in started.args.iter().enumerate() {
        inliner.push(Op::Assign { dst: base + i, value: Expr::Const(arg) }, first);
    }
    inliner.inline(started.func, None, 0)?;
    Ok(inliner.code)
}

struct Inliner<'p> {
    program: &'p Program,
    code: ThreadCode,
    /// Where the registers of each function start.
    bases: HashMap<FuncId, usize>,
}

impl Inliner<'_> {
    fn base(&mut self, func: FuncId, procedure: bool) -> usize {
        if let Some(&base) = self.bases.get(&func) {
            return base;
        }
        let function = self.program.function(func);
        let base = self.code.registers.len();
        let mut temporaries = 0..;
        self.code.registers.extend(function.registers.iter().map(|register| Register {
            procedure: if procedure { function.name.clone() } else { String::new() },
            name: match register.name() {
                Some(name) => name.to_owned(),
                None => format!("t{}", temporaries.next().unwrap_or(0)),
            },
            ty: register.ty,
        }));
        self.bases.insert(func, base);
        base
    }

    /// Adds a line that depends on nothing.
    fn push(&mut self, op: Op, span: Span) {
        self.code.lines.push(Line { op, depends: Vec::new(), span });
    }

    fn push_inst(&mut self, base: usize, inst: &Inst, op: Op, span: Span) {
        let known = |operand| match operand {
            Operand::Const(value) => Some(value),
            Operand::Reg(_) => None,
        };
        let mut depends = Vec::new();
        inst.for_each_dependency(false, known, |operand| depends.push(expr(base, operand)));
        self.code.lines.push(Line { op, depends, span });
    }

    /// Appends the code of a function; control leaves it at its end.
    fn inline(&mut self, func: FuncId, dst: Option<usize>, depth: usize) -> Result<(), Refusal> {
        let function = self.program.function(func);
        let base = self.base(func, depth > 0);
        let refuse = |span| {
            Err(Refusal { message: "with its procedures inlined, this program is too large for Promela".into(), span })
        };
        let span_at = |pc: usize| function.spans.get(pc).or(function.spans.last()).copied().unwrap_or_default();
        if depth > DEPTH_LIMIT {
            return refuse(Some(span_at(0)));
        }
        let mut starts = Vec::new();
        let mut jumps = Vec::new();
        let mut returns = Vec::new();
        for (pc, inst) in function.code.iter().enumerate() {
            starts.push(self.code.lines.len());
            let span = span_at(pc);
            if self.code.lines.len() > LINES_LIMIT {
                return refuse(Some(span));
            }
            match inst {
                Inst::Call { dst, func, args } => {
                    let into = self.base(*func, true);
                    let callee = self.program.function(*func);
                    for (i, &arg) in args.iter().enumerate() {
                        self.push(Op::Assign { dst: into + i, value: expr(base, arg) }, span);
                    }
                    for r in args.len()..callee.registers.len() {
                        self.push(Op::Clear { dst: into + r }, span);
                    }
                    self.inline(*func, dst.map(|d| base + d.0 as usize), depth + 1)?;
                }
                Inst::Return { value } => {
                    if let Some(dst) = dst {
                        let value = value.map_or(Expr::Const(0), |v| expr(base, v));
                        self.push(Op::Assign { dst, value }, span);
                    }
                    returns.push(self.code.lines.len());
                    self.push(Op::Jump { target: 0 }, span);
                }
                Inst::Jump { .. } | Inst::Branch { .. } => {
                    jumps.push(self.code.lines.len());
                    self.push_inst(base, inst, op(base, inst).unwrap_or(Op::Nothing), span);
                }
                _ => match op(base, inst) {
                    Some(op) => self.push_inst(base, inst, op, span),
                    None => {
                        let message = "Promela is written for `.fp` programs and litmus tests only".into();
                        return Err(Refusal { message, span: Some(span) });
                    }
                },
            }
        }
        starts.push(self.code.lines.len());
        if let Some(dst) = dst {
            self.push(Op::Assign { dst, value: Expr::Const(0) }, span_at(function.code.len()));
        }
        let place = |target: &mut usize| *target = starts[(*target).min(function.code.len())];
        for at in jumps {
            match &mut self.code.lines[at].op {
                Op::Jump { target } => place(target),
                Op::Branch { yes, no, .. } => {
                    place(yes);
                    place(no);
                }
                _ => {}
            }
        }
        let end = self.code.lines.len();
        for at in returns {
            self.code.lines[at].op = Op::Jump { target: end };
        }
        Ok(())
    }
}

fn expr(base: usize, operand: Operand) -> Expr {
    match operand {
        Operand::Const(v) => Expr::Const(v),
        Operand::Reg(Reg(r)) => Expr::Register(base + r as usize),
    }
}

/// An instruction that is no call or return; jumps keep their targets within the function. Nothing for what only C
/// programs have.
fn op(base: usize, inst: &Inst) -> Option<Op> {
    let expr = |operand: &Operand| expr(base, *operand);
    let reg = |reg: &Reg| base + reg.0 as usize;
    if let Some(place) = inst.place() {
        let Place::Cell(cell) = place else { return None };
        if matches!(inst, Inst::Wait { dst: Some(_), .. }) {
            return None;
        }
        return Some(access(inst, CellAt { object: cell.object, index: expr(&cell.index) }, &expr, &reg));
    }
    Some(match inst {
        Inst::Copy { dst, a } => Op::Assign { dst: reg(dst), value: expr(a) },
        Inst::Unary { dst, op, a, .. } if unary_sign(*op).is_some() => {
            Op::Assign { dst: reg(dst), value: Expr::Unary(*op, Box::new(expr(a))) }
        }
        Inst::Arithmetic { dst, op, bits: 64, a, b } if sign(*op).is_some() => {
            Op::Assign { dst: reg(dst), value: Expr::Binary(*op, Box::new(expr(a)), Box::new(expr(b))) }
        }
        Inst::Fence { order } => Op::Fence { order: *order },
        Inst::Assert { cond } => Op::Assert { cond: expr(cond) },
        Inst::Assume { cond } => Op::Assume { cond: expr(cond) },
        Inst::Choose { dst, lo, hi } => Op::Choose { dst: reg(dst), lo: *lo, hi: *hi },
        Inst::Jump { target } => Op::Jump { target: *target as usize },
        Inst::Branch { cond, yes, no } => Op::Branch { cond: expr(cond), yes: *yes as usize, no: *no as usize },
        Inst::Call { .. } | Inst::Return { .. } => Op::Nothing,
        _ => return None,
    })
}

fn access(inst: &Inst, cell: CellAt, expr: &dyn Fn(&Operand) -> Expr, reg: &dyn Fn(&Reg) -> usize) -> Op {
    match inst {
        Inst::Load { dst, order, .. } => Op::Load { dst: dst.as_ref().map(reg), cell, order: *order },
        Inst::Store { value, order, .. } => Op::Store { cell, value: expr(value), order: *order },
        Inst::Rmw { dst, op, operand, order, when, .. } => Op::Rmw {
            dst: dst.as_ref().map(reg),
            cell,
            update: *op,
            operand: expr(operand),
            order: *order,
            when: when.as_ref().map(|(comparison, value)| (*comparison, expr(value))),
        },
        Inst::Cas { old, ok, expected, desired, success, failure, kind, .. } => Op::Cas {
            old: old.as_ref().map(reg),
            ok: ok.as_ref().map(reg),
            cell,
            expected: expr(expected),
            desired: expr(desired),
            success: *success,
            failure: *failure,
            kind: *kind,
        },
        Inst::Wait { comparison, value, order, .. } => {
            Op::Wait { cell, comparison: *comparison, value: expr(value), order: *order }
        }
        _ => Op::Nothing,
    }
}
