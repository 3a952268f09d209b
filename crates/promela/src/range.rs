//! Intervals of values, for the types of variables and to see what needs no check. All fit into a Promela `int`.

use fencepost_program::{ArithmeticOp, Ty, UnaryOp, Value};

/// `lo..hi`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub lo: Value,
    pub hi: Value,
}

pub(crate) const INT: Range = Range { lo: i32::MIN as Value, hi: i32::MAX as Value };
const BOOL: Range = Range { lo: 0, hi: 1 };
/// Sums of two of these fit.
const HALF: Range = Range { lo: -(1 << 30), hi: (1 << 30) - 1 };
/// Products of two of these fit.
const ROOT: Range = Range { lo: -46_340, hi: 46_340 };
const SHIFTS: Range = Range { lo: 0, hi: 31 };

impl Range {
    pub(crate) fn just(value: Value) -> Range {
        Range { lo: value, hi: value }
    }

    pub(crate) fn of_values(values: impl IntoIterator<Item = Value>) -> Option<Range> {
        values.into_iter().map(Range::just).reduce(Range::hull)
    }

    pub(crate) fn hull(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub(crate) fn intersect(self, other: Range) -> Option<Range> {
        let both = Range { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) };
        (both.lo <= both.hi).then_some(both)
    }

    pub(crate) fn within(self, other: Range) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    pub(crate) fn contains(self, value: Value) -> bool {
        Range::just(value).within(self)
    }

    /// The only value.
    pub(crate) fn constant(self) -> Option<Value> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub(crate) fn of_type(ty: Ty) -> Option<Range> {
        match ty {
            Ty::Int => None,
            Ty::Range { lo, hi } => Some(Range { lo, hi }),
        }
    }

    fn clamp(self, to: Range) -> Range {
        Range { lo: self.lo.clamp(to.lo, to.hi), hi: self.hi.clamp(to.lo, to.hi) }
    }
}

/// Operands beyond these are refused when the model runs, because the result might not fit.
pub(crate) fn operand_limits(op: ArithmeticOp, a: Range, b: Range) -> (Range, Range) {
    let fits = |corners: [i128; 4]| corners.iter().all(|c| (INT.lo as i128..=INT.hi as i128).contains(c));
    let corners = |f: fn(i128, i128) -> i128| {
        let (al, ah, bl, bh) = (a.lo as i128, a.hi as i128, b.lo as i128, b.hi as i128);
        [f(al, bl), f(al, bh), f(ah, bl), f(ah, bh)]
    };
    match op {
        ArithmeticOp::Add if !fits(corners(|a, b| a + b)) => (HALF, HALF),
        ArithmeticOp::Sub if !fits(corners(|a, b| a - b)) => (HALF, HALF),
        ArithmeticOp::Mul if !fits(corners(|a, b| a * b)) => (ROOT, ROOT),
        // i32::MIN / -1
        ArithmeticOp::WrappingDiv | ArithmeticOp::WrappingRem if !a.within(Range { lo: INT.lo + 1, hi: INT.hi }) => {
            (HALF, INT)
        }
        ArithmeticOp::WrappingShl => {
            let most = b.hi.clamp(0, 30);
            (Range { lo: 0, hi: INT.hi >> most }, Range { lo: 0, hi: 30 })
        }
        ArithmeticOp::WrappingShr => (INT, SHIFTS),
        _ => (INT, INT),
    }
}

pub(crate) fn unary_limit(op: UnaryOp) -> Range {
    match op {
        UnaryOp::Neg => Range { lo: INT.lo + 1, hi: INT.hi },
        _ => INT,
    }
}

/// The results for operands within their limits.
pub(crate) fn binary(op: ArithmeticOp, a: Range, b: Range) -> Range {
    let (a_limit, b_limit) = operand_limits(op, a, b);
    let (a, b) = (a.clamp(a_limit), b.clamp(b_limit));
    let corners = |f: fn(Value, Value) -> Value| {
        Range::of_values([f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)]).unwrap_or(INT)
    };
    let decide = |yes: bool, no: bool| match (yes, no) {
        (true, _) => Range::just(1),
        (_, true) => Range::just(0),
        _ => BOOL,
    };
    let magnitude = |r: Range| r.lo.abs().max(r.hi.abs());
    let apart = a.hi < b.lo || b.hi < a.lo;
    let same = a.constant().is_some() && a == b;
    match op {
        ArithmeticOp::Add => corners(|a, b| a + b),
        ArithmeticOp::Sub => corners(|a, b| a - b),
        ArithmeticOp::Mul => corners(|a, b| a * b),
        ArithmeticOp::WrappingDiv => {
            let most = magnitude(a);
            Range { lo: if a.lo >= 0 && b.lo >= 0 { 0 } else { -most }, hi: most }
        }
        ArithmeticOp::WrappingRem => {
            let most = (magnitude(b) - 1).max(0).min(magnitude(a));
            Range { lo: if a.lo >= 0 { 0 } else { -most }, hi: if a.hi <= 0 { 0 } else { most } }
        }
        ArithmeticOp::And if a.lo >= 0 && b.lo >= 0 => Range { lo: 0, hi: a.hi.min(b.hi) },
        ArithmeticOp::And if a.lo >= 0 => Range { lo: 0, hi: a.hi },
        ArithmeticOp::And if b.lo >= 0 => Range { lo: 0, hi: b.hi },
        ArithmeticOp::Or | ArithmeticOp::Xor if a.lo >= 0 && b.lo >= 0 => {
            Range { lo: 0, hi: ((a.hi.max(b.hi) + 1) as u64).next_power_of_two() as Value - 1 }
        }
        ArithmeticOp::And | ArithmeticOp::Or | ArithmeticOp::Xor => INT,
        ArithmeticOp::WrappingShl => corners(|a, b| a << b),
        ArithmeticOp::WrappingShr => corners(|a, b| a >> b),
        ArithmeticOp::Eq => decide(same, apart),
        ArithmeticOp::Ne => decide(apart, same),
        ArithmeticOp::SLt => decide(a.hi < b.lo, a.lo >= b.hi),
        ArithmeticOp::SLe => decide(a.hi <= b.lo, a.lo > b.hi),
        _ => INT,
    }
}

pub(crate) fn unary(op: UnaryOp, a: Range) -> Range {
    let a = a.clamp(unary_limit(op));
    match op {
        UnaryOp::Neg => Range { lo: -a.hi, hi: -a.lo },
        UnaryOp::Not if !a.contains(0) => Range::just(0),
        UnaryOp::Not if a == Range::just(0) => Range::just(1),
        UnaryOp::Not => BOOL,
        UnaryOp::BitNot => Range { lo: !a.hi, hi: !a.lo },
        _ => INT,
    }
}

/// What a value becomes in a variable of a type. Types that do not fit into an `int` do not wrap: what lies beyond is
/// refused when the model runs.
pub(crate) fn wrapped(ty: Ty, value: Range) -> Range {
    let Some(range) = Range::of_type(ty) else { return value };
    if value.within(range) {
        value
    } else if range.within(INT) {
        range
    } else {
        value.intersect(range).unwrap_or(Range::just(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expressions::sign;

    #[test]
    fn the_result_of_every_operation_lies_in_its_range() {
        let ends = [-7, -2, -1, 0, 1, 3, 6];
        let ranges =
            || ends.iter().flat_map(|&lo| ends.iter().filter(move |&&hi| lo <= hi).map(move |&hi| Range { lo, hi }));
        for op in ArithmeticOp::INTEGER.into_iter().filter(|&op| sign(op).is_some()) {
            for (a, b) in ranges().flat_map(|a| ranges().map(move |b| (a, b))) {
                let result = binary(op, a, b);
                let (a_limit, b_limit) = operand_limits(op, a, b);
                for (x, y) in (a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).map(move |y| (x, y))) {
                    if !a_limit.contains(x) || !b_limit.contains(y) {
                        continue;
                    }
                    if let Some(value) = op.apply(64, x, y) {
                        assert!(result.contains(value), "{x} {op:?} {y} = {value}, not in {result:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn results_fit_into_32_bits_whatever_the_operands() {
        for op in ArithmeticOp::INTEGER.into_iter().filter(|&op| sign(op).is_some()) {
            for (a, b) in [(INT, INT), (Range::just(i32::MAX as Value), BOOL), (Range::just(i32::MIN as Value), INT)] {
                assert!(binary(op, a, b).within(INT), "{op:?} {a:?} {b:?}");
            }
        }
        for op in [UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot] {
            assert!(unary(op, INT).within(INT));
        }
    }
}
