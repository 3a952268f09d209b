//! What operations on intervals give contains what they give for members of the intervals.

use super::Interval;
use crate::{ArithmeticOp, Ty, UnaryOp, Update, UpdateOp, Value};

const UPDATES: [UpdateOp; 11] = [
    UpdateOp::Exchange,
    UpdateOp::Add,
    UpdateOp::Sub,
    UpdateOp::And,
    UpdateOp::Or,
    UpdateOp::Xor,
    UpdateOp::Nand,
    UpdateOp::Min,
    UpdateOp::Max,
    UpdateOp::UMin,
    UpdateOp::UMax,
];

/// A random interval of `bits`-wide words (small, large or at the ends) and a member of it.
fn interval(rng: &mut fastrand::Rng, bits: u8) -> (Interval, Value) {
    let all = Interval::of_bits(bits);
    let mut value = || match rng.u32(..6) {
        0 => all.lo.saturating_add(rng.i64(..3).abs()),
        1 => all.hi.saturating_sub(rng.i64(..3).abs()),
        2 => rng.i64(all.lo..=all.hi),
        3 => 1 << rng.u32(..62),
        _ => rng.i64(-20..20),
    };
    let clamp = |v: Value| v.clamp(all.lo, all.hi);
    let (a, b) = (clamp(value()), clamp(value()));
    let interval = Interval { lo: a.min(b), hi: a.max(b) };
    let inside = match rng.u32(..3) {
        0 => interval.lo,
        1 => interval.hi,
        _ => rng.i64(interval.lo..=interval.hi),
    };
    (interval, inside)
}

#[test]
fn updates_and_the_lattice_cover_what_happens_to_members() {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..200_000 {
        let ((a, x), (b, y)) = (interval(&mut rng, 64), interval(&mut rng, 64));
        let ty = *rng.choice(&[Ty::Int, Ty::Range { lo: 0, hi: 3 }, Ty::Range { lo: -7, hi: 1000 }]).expect("one");
        for op in UPDATES {
            let result = Update { op, operand: y, ty }.apply(x);
            assert!(Interval::updated(op, a, b).wrap(ty).contains(result), "{op:?} of {a:?} and {b:?}");
        }
        assert!(a.wrap(ty).contains(ty.wrap(x)));
        let widened = a.widen(b, &[-1, 0, 255]);
        assert!(widened.contains(x) && widened.contains(y) && a.join(b).contains(y));
        assert_eq!(a.meet(b).is_some_and(|m| m.contains(x)), b.contains(x));
        assert!(x == y || a.without(y).is_some_and(|rest| rest.contains(x)));
    }
}

const FLOATS: [ArithmeticOp; 8] = {
    use ArithmeticOp::*;
    [FAdd, FSub, FMul, FDiv, FRem, FCmp { less: true, equal: false, greater: false, unordered: true }, FMin, FMax]
};
const UNARY: [UnaryOp; 11] = [
    UnaryOp::Neg,
    UnaryOp::Not,
    UnaryOp::BitNot,
    UnaryOp::Trunc,
    UnaryOp::ZExt,
    UnaryOp::SExt,
    UnaryOp::CountLeadingZeros,
    UnaryOp::CountTrailingZeros,
    UnaryOp::CountOnes,
    UnaryOp::ByteSwap,
    UnaryOp::BitReverse,
];

#[test]
fn arithmetic_on_intervals_covers_arithmetic_on_their_members() {
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..100_000 {
        let bits = *rng.choice(&[1, 8, 16, 32, 64]).expect("some");
        let ((a, x), (b, y)) = (interval(&mut rng, bits), interval(&mut rng, bits));
        let floats = FLOATS.into_iter().filter(|_| bits >= 32);
        for op in ArithmeticOp::INTEGER.into_iter().chain(floats) {
            // A shift by more than the width is undefined behaviour.
            let shifts = matches!(op, ArithmeticOp::Shl | ArithmeticOp::LShr | ArithmeticOp::AShr);
            if shifts && !(0..i64::from(bits)).contains(&y) {
                continue;
            }
            if let Some(result) = op.apply(bits, x, y) {
                let found = Interval::arithmetic(op, bits, a, b).expect("there is a result");
                assert!(found.contains(result), "{bits}: {a:?} {op:?} {b:?} = {found:?} without {x}, {y}");
            }
        }
    }
}

#[test]
fn unary_operations_on_intervals_cover_those_on_their_members() {
    let mut rng = fastrand::Rng::with_seed(4);
    for _ in 0..100_000 {
        let from = *rng.choice(&[1, 8, 16, 32, 64]).expect("some");
        let (a, x) = interval(&mut rng, from);
        for op in UNARY {
            let same = matches!(op, UnaryOp::ByteSwap | UnaryOp::BitReverse);
            for to in [1, 8, 16, 32, 64] {
                let fits = match op {
                    UnaryOp::Trunc => to <= from,
                    UnaryOp::ZExt | UnaryOp::SExt => to >= from,
                    _ => to == from && (!same || from > 1),
                };
                if fits {
                    let result = op.apply(from, to, x);
                    let found = Interval::unary(op, from, to, a);
                    assert!(found.contains(result), "{op:?} {from} -> {to} of {a:?} = {found:?} without {result}");
                }
            }
        }
    }
}

#[test]
fn a_sum_that_stays_within_its_width_is_exact_and_one_that_wraps_is_any() {
    let interval = |lo, hi| Interval { lo, hi };
    let add = |a, b| Interval::arithmetic(ArithmeticOp::Add, 32, a, b);
    assert_eq!(add(interval(0, 1000), interval(1, 5000)), Some(interval(1, 6000)));
    assert_eq!(add(interval(0, i32::MAX as Value), interval(1, 1)), Some(Interval::of_bits(32)));
}

#[test]
fn small_operands_are_exact() {
    let interval = |lo, hi| Interval { lo, hi };
    let divide = |a, b| Interval::arithmetic(ArithmeticOp::WrappingDiv, 64, a, b);
    assert_eq!(Interval::arithmetic(ArithmeticOp::Xor, 64, interval(2, 3), interval(1, 1)), Some(interval(2, 3)));
    assert_eq!(divide(interval(6, 9), interval(0, 3)), Some(interval(2, 9)));
    assert_eq!(divide(interval(6, 9), interval(0, 0)), None);
}
