//! Which values each register can hold before each line of a thread: an interval analysis.

use fencepost_program::code::Interval;
use fencepost_program::{ArithmeticOp, Ty, UnaryOp, Value};

use crate::facts::Facts;
use crate::flat::{CellAt, Expr, Op, ThreadCode};
use crate::range::{self, INT};
use crate::tidy::Liveness;

/// Number of visits of a line before a range that grows there jumps to the next value that the program mentions.
const VISITS_BEFORE_WIDENING: u32 = 4;

type Registers = Vec<Interval>;

pub(crate) struct Analysis<'a> {
    code: &'a ThreadCode,
    liveness: &'a Liveness,
    stops: &'a [bool],
    facts: &'a Facts<'a>,
    /// `None`: the line cannot be reached.
    before: Vec<Option<Registers>>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(
        code: &'a ThreadCode,
        liveness: &'a Liveness,
        stops: &'a [bool],
        facts: &'a Facts<'a>,
    ) -> Analysis<'a> {
        let mut analysis = Analysis { code, liveness, stops, facts, before: vec![None; code.lines.len() + 1] };
        analysis.run();
        analysis
    }

    fn run(&mut self) {
        let thresholds = self.thresholds();
        let mut visits = vec![0u32; self.before.len()];
        self.before[0] = Some(vec![Interval::constant(0); self.code.registers.len()]);
        let mut work = vec![0];
        while let Some(pc) = work.pop() {
            if pc == self.code.lines.len() {
                continue;
            }
            for next in self.successors(pc) {
                let mut arriving = self.along(pc, next);
                self.forget_dead(next, &mut arriving);
                let joined = match &self.before[next] {
                    None => arriving,
                    Some(known) => {
                        let widen = visits[next] > VISITS_BEFORE_WIDENING;
                        let grown = known.iter().zip(&arriving).map(|(&known, &new)| {
                            let hull = known.join(new);
                            if widen { known.widen(hull, &thresholds) } else { hull }
                        });
                        grown.collect()
                    }
                };
                if self.before[next].as_ref() != Some(&joined) {
                    self.before[next] = Some(joined);
                    visits[next] += 1;
                    work.push(next);
                }
            }
        }
    }

    /// The values at which ranges may stop to grow.
    fn thresholds(&self) -> Vec<Value> {
        fn constants(expr: &Expr, found: &mut Vec<Value>) {
            match expr {
                Expr::Const(v) => found.extend([v.saturating_sub(1), *v, v.saturating_add(1)]),
                Expr::Register(_) => {}
                Expr::Unary(_, a) => constants(a, found),
                Expr::Binary(_, a, b) => {
                    constants(a, found);
                    constants(b, found);
                }
            }
        }
        let mut found = vec![INT.lo, 0, 1, INT.hi];
        for line in &self.code.lines {
            line.op.expressions().into_iter().for_each(|e| constants(e, &mut found));
        }
        for range in self.facts.ranges() {
            found.extend([range.lo - 1, range.lo, range.hi, range.hi + 1]);
        }
        found.retain(|&v| INT.contains(v));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The lines that control can come to from a line.
    pub(crate) fn reached_from(&self, start: usize) -> Vec<bool> {
        let mut reached = vec![false; self.before.len()];
        let mut work = vec![start];
        while let Some(pc) = work.pop() {
            if !std::mem::replace(&mut reached[pc], true) && pc < self.code.lines.len() {
                work.extend(self.successors(pc));
            }
        }
        reached
    }

    pub(crate) fn is_live(&self, pc: usize, register: usize) -> bool {
        self.liveness.before(pc, register)
    }

    /// The lines that may come next.
    pub(crate) fn successors(&self, pc: usize) -> Vec<usize> {
        let op = &self.code.lines[pc].op;
        match op {
            Op::Branch { cond, yes, no } => match self.value(pc, cond) {
                value if !value.contains(0) => vec![*yes],
                value if value.as_constant() == Some(0) => vec![*no],
                _ => op.successors(pc),
            },
            Op::Assume { cond } if self.value(pc, cond).as_constant() == Some(0) => Vec::new(),
            Op::Assert { cond } if self.value(pc, cond).as_constant() == Some(0) => Vec::new(),
            _ => op.successors(pc),
        }
    }

    /// The values of an expression before a line.
    pub(crate) fn value(&self, pc: usize, expr: &Expr) -> Interval {
        match &self.before[pc] {
            Some(registers) => value(registers, expr),
            None => INT,
        }
    }

    /// The values that a register can ever hold; `None` if it holds a constant wherever it is used.
    pub(crate) fn register(&self, register: usize) -> Option<Interval> {
        let uses = |pc: &usize| {
            let mut used = Vec::new();
            self.code.lines[*pc].op.expressions().into_iter().for_each(|e| e.registers(&mut used));
            used.contains(&register)
        };
        let before = |pc: usize| self.before[pc].as_ref().map(|registers| registers[register]);
        let varies =
            (0..self.code.lines.len()).filter(uses).filter_map(before).any(|range| range.as_constant().is_none());
        let all = self.before.iter().flatten().map(|registers| registers[register]);
        all.reduce(Interval::join).filter(|_| varies)
    }

    /// Runs the code before the first stop, as far as its result is certain: where the thread then is, and its
    /// registers.
    pub(crate) fn start(&self) -> (usize, Vec<Value>) {
        let mut registers = vec![0; self.code.registers.len()];
        let mut seen = vec![false; self.before.len()];
        let mut pc = 0;
        while !self.stops[pc] && !std::mem::replace(&mut seen[pc], true) {
            let [next] = self.successors(pc)[..] else { break };
            match self.code.lines[pc].op {
                Op::Assign { dst, .. } | Op::Clear { dst } => match self.along(pc, next)[dst].as_constant() {
                    Some(value) if self.is_certain(pc) => registers[dst] = value,
                    _ => break,
                },
                Op::Nothing | Op::Jump { .. } | Op::Branch { .. } => {}
                _ => break,
            }
            pc = next;
        }
        (pc, registers)
    }

    /// Whether a line before the first stop computes something that cannot fail.
    fn is_certain(&self, pc: usize) -> bool {
        let mut expressions = self.code.lines[pc].op.expressions().into_iter();
        expressions.all(|e| !super::tidy::may_fail(e) && self.value(pc, e).is_within(INT))
    }

    /// The registers that a line leaves with a value that nothing reads any more after `next`.
    pub(crate) fn to_clear(&self, pc: usize, next: usize) -> Vec<usize> {
        let leaving = self.along(pc, next);
        let dead = |&r: &usize| !self.liveness.before(next, r) && leaving[r] != Interval::constant(0);
        if self.stops[next] { (0..leaving.len()).filter(dead).collect() } else { Vec::new() }
    }

    /// Dead registers are cleared where other threads may run.
    fn forget_dead(&self, pc: usize, registers: &mut Registers) {
        if self.stops[pc] {
            for (r, range) in registers.iter_mut().enumerate() {
                if !self.liveness.before(pc, r) {
                    *range = Interval::constant(0);
                }
            }
        }
    }

    /// The registers after a line, on the way to `next`.
    fn along(&self, pc: usize, next: usize) -> Registers {
        let Some(before) = &self.before[pc] else { return vec![INT; self.code.registers.len()] };
        let mut registers = before.clone();
        let mut set = |dst: usize, value: Interval| {
            registers[dst] = range::wrapped(self.code.registers[dst].ty, value).meet(INT).unwrap_or(INT);
        };
        match &self.code.lines[pc].op {
            Op::Assign { dst, value: expr } => set(*dst, value(before, expr)),
            Op::Clear { dst } => registers[*dst] = Interval::constant(0),
            Op::Choose { dst, lo, hi } => set(*dst, Interval { lo: *lo, hi: *hi }),
            Op::Load { dst: Some(dst), cell, .. } | Op::Rmw { dst: Some(dst), cell, .. } => {
                set(*dst, self.memory(pc, cell))
            }
            Op::Cas { old, ok, cell, .. } => {
                old.iter().for_each(|&old| set(old, self.memory(pc, cell)));
                ok.iter().for_each(|&ok| set(ok, Interval { lo: 0, hi: 1 }));
            }
            Op::Branch { cond, yes, no } if yes != no => refine(&mut registers, cond, next == *yes),
            Op::Assert { cond } | Op::Assume { cond } => refine(&mut registers, cond, true),
            _ => {}
        }
        registers
    }

    /// What an access can find in memory.
    fn memory(&self, pc: usize, cell: &CellAt) -> Interval {
        let cells = self.facts.cells(cell.object, self.value(pc, &cell.index));
        cells.filter_map(|at| self.facts.range(at)).reduce(Interval::join).unwrap_or(Interval::constant(0))
    }
}

fn value(registers: &Registers, expr: &Expr) -> Interval {
    match expr {
        Expr::Const(v) => Interval::constant(*v),
        Expr::Register(r) => registers[*r],
        Expr::Unary(op, a) => range::unary(*op, value(registers, a)),
        Expr::Binary(op, a, b) => range::binary(*op, value(registers, a), value(registers, b)),
    }
}

/// Narrows a register that a condition compares with something.
fn refine(registers: &mut Registers, cond: &Expr, holds: bool) {
    let Expr::Binary(op, a, b) = cond else {
        match cond {
            Expr::Unary(UnaryOp::Not, a) => refine(registers, a, !holds),
            Expr::Register(r) if !holds => registers[*r] = Interval::constant(0),
            _ => {}
        }
        return;
    };
    let (of_a, of_b) = (value(registers, a), value(registers, b));
    let below = |r: Interval, strictly: bool| Interval { lo: INT.lo, hi: r.hi - strictly as Value };
    let above = |r: Interval, strictly: bool| Interval { lo: r.lo + strictly as Value, hi: INT.hi };
    let (for_a, for_b) = match (op, holds) {
        (ArithmeticOp::Eq, true) | (ArithmeticOp::Ne, false) => (of_b, of_a),
        (ArithmeticOp::SLt, true) => (below(of_b, true), above(of_a, true)),
        (ArithmeticOp::SLt, false) => (above(of_b, false), below(of_a, false)),
        (ArithmeticOp::SLe, true) => (below(of_b, false), above(of_a, false)),
        (ArithmeticOp::SLe, false) => (above(of_b, true), below(of_a, true)),
        (ArithmeticOp::Eq, false) | (ArithmeticOp::Ne, true) => (without(of_a, of_b), without(of_b, of_a)),
        _ => return,
    };
    for (side, to) in [(a, for_a), (b, for_b)] {
        if let Expr::Register(r) = **side {
            registers[r] = registers[r].meet(to).unwrap_or(registers[r]);
        }
    }
}

/// An interval without a value at one of its ends, unless that is all of it.
fn without(range: Interval, other: Interval) -> Interval {
    other.as_constant().and_then(|value| range.without(value)).unwrap_or(range)
}

/// Whether a value of a type can need wrapping at all.
pub(crate) fn wraps(ty: Ty, value: Interval) -> bool {
    !value.is_within(Interval::of(ty))
}
