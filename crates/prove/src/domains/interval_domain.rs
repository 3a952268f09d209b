//! One interval a register. A register also remembers the operation that made it, so that a branch on `a == b` says
//! something about `a` and `b`.

use std::rc::Rc;

use fencepost_program::{ArithmeticOp, Operand, Reg, Ty, UnaryOp};

use crate::domains::Domain;
use crate::domains::chunks::Chunks;
use crate::domains::{Interval, THRESHOLDS};
use fencepost_program::code::BitSet;

#[derive(Clone, Debug, PartialEq)]
pub struct IntervalDomain {
    values: Chunks<Interval>,
    /// What a register is, as long as its operands are what they were.
    made_by: Chunks<Option<Operation>>,
    /// Registers that an operation may mention; with the others, nothing has to be looked for.
    mentioned: Rc<BitSet>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operation {
    Copy(Operand),
    /// With the widths of the operand and the result.
    Unary(UnaryOp, u8, u8, Operand),
    Arithmetic(ArithmeticOp, u8, Operand, Operand),
}

/// So many copies of copies are followed, and operations on operations.
const LONGEST_CHAIN: usize = 8;
const DEEPEST_OPERATION: u32 = 3;

impl Operation {
    /// With another register that has the same value.
    fn with(self, old: Reg, new: Reg) -> Operation {
        let renamed = |operand: Operand| if operand == Operand::Reg(old) { Operand::Reg(new) } else { operand };
        match self {
            Operation::Copy(a) => Operation::Copy(renamed(a)),
            Operation::Unary(op, from, to, a) => Operation::Unary(op, from, to, renamed(a)),
            Operation::Arithmetic(op, bits, a, b) => Operation::Arithmetic(op, bits, renamed(a), renamed(b)),
        }
    }

    fn operands(self) -> [Operand; 2] {
        match self {
            Operation::Copy(a) | Operation::Unary(.., a) => [a, a],
            Operation::Arithmetic(_, _, a, b) => [a, b],
        }
    }

    fn mentions(self, reg: Reg) -> bool {
        self.operands().contains(&Operand::Reg(reg))
    }
}

impl IntervalDomain {
    /// What the register is, if its operands still are what they were.
    pub(crate) fn made_by(&self, Reg(reg): Reg) -> Option<Operation> {
        self.made_by.get(reg as usize)
    }

    fn set(&mut self, Reg(dst): Reg, value: Interval, operation: Option<Operation>) {
        // An operation on what it was before is lost, unless another register has the result already.
        let twin = operation.filter(|o| o.mentions(Reg(dst))).and_then(|o| self.made_by.position(Some(o)));
        let copy = |twin: usize| Operation::Copy(Operand::Reg(Reg(twin as u32)));
        let operation = twin.filter(|&r| r != dst as usize).map(copy).or(operation);
        let heir = self.mentioned.contains(dst as usize).then(|| self.forget(Reg(dst))).flatten();
        self.values.set(dst as usize, value);
        // What it was before may be known by another name.
        let operation = operation.map(|o| heir.map_or(o, |heir| o.with(Reg(dst), heir)));
        let operation = operation.filter(|o| !o.mentions(Reg(dst)));
        self.made_by.set(dst as usize, operation);
        for operand in operation.into_iter().flat_map(Operation::operands) {
            if let Operand::Reg(Reg(r)) = operand {
                self.mention(Reg(r));
            }
        }
    }

    /// Sets a register to the results of an operation, as its type wraps them.
    fn set_computed(&mut self, dst: Reg, exact: Interval, ty: Ty, operation: Operation) {
        let fits = exact.meet(Interval::of(ty)) == Some(exact);
        self.set(dst, exact.wrap(ty), Some(operation).filter(|_| fits));
    }

    fn mention(&mut self, Reg(reg): Reg) {
        if !self.mentioned.contains(reg as usize) {
            Rc::make_mut(&mut self.mentioned).insert(reg as usize);
        }
    }

    /// Before a register is assigned: if another is a copy of it, that takes its place in what it is mentioned in, and
    /// is returned.
    fn forget(&mut self, old: Reg) -> Option<Reg> {
        let copy = Some(Operation::Copy(Operand::Reg(old)));
        let made_by = self.made_by.get(old.0 as usize);
        let heir = self.made_by.position(copy).filter(|&r| r != old.0 as usize).map(|r| Reg(r as u32));
        match heir {
            Some(heir) => {
                let renamed = |o: Operation| o.with(old, heir);
                self.made_by.update(|made_by| made_by.filter(|o| o.mentions(old)).map(|o| Some(renamed(o))));
                self.made_by.set(heir.0 as usize, made_by.filter(|o| !o.mentions(heir)));
                self.mention(heir);
            }
            None => self.made_by.update(|made_by| made_by.is_some_and(|o| o.mentions(old)).then_some(None)),
        }
        Rc::make_mut(&mut self.mentioned).remove(old.0 as usize);
        heir
    }

    /// What a register is a copy of.
    fn original(&self, mut operand: Operand) -> Operand {
        for _ in 0..LONGEST_CHAIN {
            let Operand::Reg(Reg(r)) = operand else { break };
            operand = match self.made_by.get(r as usize) {
                Some(Operation::Copy(a)) => a,
                _ => break,
            };
        }
        operand
    }

    /// Whether two operands certainly have the same value: copies of one, or results of one operation on such.
    fn is_same(&self, a: Operand, b: Operand, depth: u32) -> bool {
        let (a, b) = (self.original(a), self.original(b));
        if a == b {
            return true;
        }
        let (Operand::Reg(Reg(x)), Operand::Reg(Reg(y))) = (a, b) else { return false };
        let (x, y) = (self.made_by.get(x as usize), self.made_by.get(y as usize));
        let (Some(x), Some(y)) = (x, y) else { return false };
        let alike = match (x, y) {
            (Operation::Unary(p, i, j, _), Operation::Unary(q, m, n, _)) => (p, i, j) == (q, m, n),
            (Operation::Arithmetic(p, m, ..), Operation::Arithmetic(q, n, ..)) => p == q && m == n,
            _ => false,
        };
        let operands = || x.operands().into_iter().zip(y.operands());
        alike && depth > 0 && operands().all(|(a, b)| self.is_same(a, b, depth - 1))
    }

    fn restrict_pair(&mut self, a: Operand, to_a: Option<Interval>, b: Operand, to_b: Option<Interval>) -> bool {
        match (to_a, to_b) {
            (Some(to_a), Some(to_b)) => self.restrict(a, to_a) && self.restrict(b, to_b),
            _ => false,
        }
    }

    /// Restricts the operands to what makes an operation on `bits`-wide words nonzero, or zero.
    fn assume_arithmetic(&mut self, op: ArithmeticOp, bits: u8, a: Operand, b: Operand, nonzero: bool) -> bool {
        use ArithmeticOp::*;
        if of_equals(op).is_some_and(|result| (result != 0) != nonzero) && self.is_same(a, b, DEEPEST_OPERATION) {
            return false;
        }
        let (x, y) = (self.interval(a), self.interval(b));
        let is_bit = |i: Interval| i.lo >= 0 && i.hi <= 1;
        let op = match op {
            ULt if x.lo >= 0 && y.lo >= 0 => SLt,
            ULe if x.lo >= 0 && y.lo >= 0 => SLe,
            // What is less than a number without its sign bit has none.
            ULt | ULe if nonzero && y.lo >= 0 => {
                return self.restrict(a, Interval { lo: 0, hi: i64::MAX }) && self.less(a, b, (op == ULt) as i64);
            }
            // One bit stands for 0 or -1.
            SLt | SLe if bits == 1 => return true,
            _ => op,
        };
        match (op, nonzero) {
            (Eq, true) | (Ne | Sub | Xor, false) => self.restrict_pair(a, x.meet(y), b, x.meet(y)),
            (Eq, false) | (Ne | Sub | Xor, true) => {
                let without = |i: Interval, other: Interval| other.as_constant().map_or(Some(i), |v| i.without(v));
                self.restrict_pair(a, without(x, y), b, without(y, x))
            }
            (SLt, true) => self.less(a, b, 1),
            (SLt, false) => self.less(b, a, 0),
            (SLe, true) => self.less(a, b, 0),
            (SLe, false) => self.less(b, a, 1),
            (And, true) if is_bit(x) && is_bit(y) => self.assume(a, true) && self.assume(b, true),
            (Or, false) => self.assume(a, false) && self.assume(b, false),
            _ => true,
        }
    }

    /// What follows for its operands if the operation gave one of these values.
    fn restrict_operation(&mut self, operation: Operation, to: Interval) -> bool {
        match operation {
            Operation::Copy(a) => self.restrict(a, to),
            Operation::Unary(UnaryOp::SExt, 2.., _, a) => self.restrict(a, to),
            Operation::Unary(UnaryOp::ZExt, from @ 2.., _, a) if to.lo >= 0 && to.hi <= Interval::of_bits(from).hi => {
                self.restrict(a, to)
            }
            Operation::Unary(UnaryOp::ZExt, 1, _, a) => match to.as_constant() {
                Some(value) => self.assume(a, value != 0),
                None => true,
            },
            Operation::Arithmetic(op, bits, a, b) => match to.as_constant() {
                Some(0) => self.assume_arithmetic(op, bits, a, b, false),
                Some(1) if is_comparison(op) => self.assume_arithmetic(op, bits, a, b, true),
                _ => true,
            },
            _ => true,
        }
    }

    /// `a + by <= b`, where `by` is 0 or 1.
    fn less(&mut self, a: Operand, b: Operand, by: i64) -> bool {
        let (x, y) = (self.interval(a), self.interval(b));
        let (Some(top), Some(bottom)) = (y.hi.checked_sub(by), x.lo.checked_add(by)) else { return false };
        self.restrict_pair(a, Interval::new(x.lo, x.hi.min(top)), b, Interval::new(y.lo.max(bottom), y.hi))
    }
}

impl Domain for IntervalDomain {
    fn start(types: &[Ty]) -> IntervalDomain {
        let values = Chunks::new(types.iter().map(|ty| Interval::constant(ty.wrap(0))), Interval::constant(0));
        let made_by = Chunks::new(types.iter().map(|_| None), None);
        IntervalDomain { values, made_by, mentioned: Rc::new(BitSet::new(types.len())) }
    }

    fn interval(&self, operand: Operand) -> Interval {
        match operand {
            Operand::Reg(Reg(r)) => self.values.get(r as usize),
            Operand::Const(value) => Interval::constant(value),
        }
    }

    fn assign(&mut self, dst: Reg, value: Interval, ty: Ty) {
        self.set(dst, value.wrap(ty), None);
    }

    fn assign_copy(&mut self, dst: Reg, a: Operand, ty: Ty) {
        self.set_computed(dst, self.interval(a), ty, Operation::Copy(a));
    }

    fn assign_unary(&mut self, dst: Reg, op: UnaryOp, from: u8, to: u8, a: Operand, ty: Ty) {
        let of = self.interval(a);
        let is_copy = match op {
            UnaryOp::SExt => from > 1,
            UnaryOp::ZExt => from > 1 && of.lo >= 0,
            UnaryOp::Trunc => to > 1 && of.meet(Interval::of_bits(to)) == Some(of),
            _ => false,
        };
        let operation = if is_copy { Operation::Copy(a) } else { Operation::Unary(op, from, to, a) };
        self.set_computed(dst, Interval::unary(op, from, to, of), ty, operation);
    }

    fn assign_arithmetic(&mut self, dst: Reg, op: ArithmeticOp, bits: u8, a: Operand, b: Operand, ty: Ty) -> bool {
        let Some(mut exact) = Interval::arithmetic(op, bits, self.interval(a), self.interval(b)) else { return false };
        if let Some(result) = of_equals(op).filter(|_| self.is_same(a, b, DEEPEST_OPERATION)) {
            exact = Interval::constant(result);
        }
        self.set_computed(dst, exact, ty, Operation::Arithmetic(op, bits, a, b));
        true
    }

    fn assume(&mut self, condition: Operand, nonzero: bool) -> bool {
        let value = self.interval(condition);
        let left = if nonzero { value.without(0) } else { value.meet(Interval::constant(0)) };
        let Some(left) = left else { return false };
        let Operand::Reg(Reg(r)) = condition else { return true };
        self.values.set(r as usize, left);
        match self.made_by.get(r as usize) {
            Some(Operation::Arithmetic(op, bits, a, b)) => self.assume_arithmetic(op, bits, a, b, nonzero),
            Some(Operation::Unary(UnaryOp::Not, _, _, a)) => self.assume(a, !nonzero),
            Some(Operation::Copy(a) | Operation::Unary(UnaryOp::Neg | UnaryOp::ZExt | UnaryOp::SExt, _, _, a)) => {
                self.assume(a, nonzero)
            }
            Some(Operation::Unary(UnaryOp::Trunc, _, _, a)) if nonzero => self.assume(a, true),
            _ => true,
        }
    }

    fn restrict(&mut self, operand: Operand, to: Interval) -> bool {
        let Some(left) = self.interval(operand).meet(to) else { return false };
        let Operand::Reg(Reg(r)) = operand else { return true };
        self.values.set(r as usize, left);
        match self.made_by.get(r as usize) {
            Some(operation) => self.restrict_operation(operation, left),
            None => true,
        }
    }

    fn join(&mut self, other: &IntervalDomain) {
        self.values.merge(&other.values, Interval::join);
        self.forget_differences(other);
    }

    fn widen(&mut self, other: &IntervalDomain) {
        self.values.merge(&other.values, |mine, theirs| mine.widen(mine.join(theirs), &THRESHOLDS));
        self.forget_differences(other);
    }
}

impl IntervalDomain {
    fn forget_differences(&mut self, other: &IntervalDomain) {
        self.made_by.merge(&other.made_by, |mine, theirs| mine.filter(|_| mine == theirs));
        if self.mentioned != other.mentioned {
            Rc::make_mut(&mut self.mentioned).union(&other.mentioned);
        }
    }
}

/// The result for two operands that are equal, where it is always the same.
fn of_equals(op: ArithmeticOp) -> Option<i64> {
    use ArithmeticOp::*;
    match op {
        Eq | ULe | SLe => Some(1),
        Ne | ULt | SLt | Sub | Xor => Some(0),
        _ => None,
    }
}

fn is_comparison(op: ArithmeticOp) -> bool {
    use ArithmeticOp::*;
    matches!(op, Eq | Ne | ULt | ULe | SLt | SLe)
}
