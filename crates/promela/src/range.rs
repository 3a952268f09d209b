//! Values that fit into a Promela `int`: for the types of variables, and to see what needs no check.

use fencepost_program::code::Interval;
use fencepost_program::{ArithmeticOp, Ty, UnaryOp, UpdateOp, Value};

pub(crate) const INT: Interval = Interval { lo: i32::MIN as Value, hi: i32::MAX as Value };
/// Sums of two of these fit.
const HALF: Interval = Interval { lo: -(1 << 30), hi: (1 << 30) - 1 };
/// Products of two of these fit.
const ROOT: Interval = Interval { lo: -46_340, hi: 46_340 };
const SHIFTS: Interval = Interval { lo: 0, hi: 31 };

/// Operands beyond these are refused when the model runs, because the result might not fit.
pub(crate) fn operand_limits(op: ArithmeticOp, a: Interval, b: Interval) -> (Interval, Interval) {
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
        ArithmeticOp::WrappingDiv | ArithmeticOp::WrappingRem
            if !a.is_within(Interval { lo: INT.lo + 1, hi: INT.hi }) =>
        {
            (HALF, INT)
        }
        ArithmeticOp::WrappingShl => {
            let most = b.hi.clamp(0, 30);
            (Interval { lo: 0, hi: INT.hi >> most }, Interval { lo: 0, hi: 30 })
        }
        ArithmeticOp::WrappingShr => (INT, SHIFTS),
        _ => (INT, INT),
    }
}

pub(crate) fn unary_limit(op: UnaryOp) -> Interval {
    match op {
        UnaryOp::Neg => Interval { lo: INT.lo + 1, hi: INT.hi },
        _ => INT,
    }
}

/// The results for operands within their limits.
pub(crate) fn binary(op: ArithmeticOp, a: Interval, b: Interval) -> Interval {
    let (a_limit, b_limit) = operand_limits(op, a, b);
    let result = Interval::arithmetic(op, 64, a.clamp(a_limit), b.clamp(b_limit));
    result.and_then(|result| result.meet(INT)).unwrap_or(INT)
}

pub(crate) fn unary(op: UnaryOp, a: Interval) -> Interval {
    Interval::unary(op, 64, 64, a.clamp(unary_limit(op)))
}

/// What an RMW writes over the old value, before it is wrapped.
pub(crate) fn updated(op: UpdateOp, old: Interval, operand: Interval) -> Interval {
    match op.arithmetic() {
        Some(op) => binary(op, old, operand),
        // No such result leaves the range of the operands, or that of an `int`.
        None => Interval::updated(op, old, operand),
    }
}

/// What a value becomes in a variable of a type. Types that do not fit into an `int` do not wrap: what lies beyond is
/// refused when the model runs.
pub(crate) fn wrapped(ty: Ty, value: Interval) -> Interval {
    let range = Interval::of(ty);
    if value.is_within(range) {
        value
    } else if range.is_within(INT) {
        range
    } else {
        value.meet(range).unwrap_or(Interval::constant(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expressions::sign;

    const BOOL: Interval = Interval { lo: 0, hi: 1 };

    #[test]
    fn the_result_of_every_operation_lies_in_its_range() {
        let ends = [-7, -2, -1, 0, 1, 3, 6];
        let ranges =
            || ends.iter().flat_map(|&lo| ends.iter().filter(move |&&hi| lo <= hi).map(move |&hi| Interval { lo, hi }));
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
            for (a, b) in [
                (INT, INT),
                (Interval::constant(i32::MAX as Value), BOOL),
                (Interval::constant(i32::MIN as Value), INT),
            ] {
                assert!(binary(op, a, b).is_within(INT), "{op:?} {a:?} {b:?}");
            }
        }
        for op in [UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot] {
            assert!(unary(op, INT).is_within(INT));
        }
    }
}
