//! What the operations of a program do to intervals.

use fencepost_program::{ArithmeticOp, UnaryOp, Value};

use crate::domains::Interval;
use crate::domains::interval::{TRIED_PAIRS, hull};

impl Interval {
    /// All `bits`-wide words as registers hold them: sign-extended, a single bit as 0 or 1.
    pub fn of_bits(bits: u8) -> Interval {
        match bits {
            0 => Interval::constant(0),
            1 => Interval { lo: 0, hi: 1 },
            64.. => Interval::FULL,
            _ => Interval { lo: -1 << (bits - 1), hi: (1 << (bits - 1)) - 1 },
        }
    }

    /// The results of all operations that have one; `None` if each divides by zero or overflows in a division.
    pub fn arithmetic(op: ArithmeticOp, bits: u8, a: Interval, b: Interval) -> Option<Interval> {
        use ArithmeticOp::*;
        if a.size().checked_mul(b.size()).is_some_and(|pairs| pairs <= TRIED_PAIRS) {
            return hull((a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).filter_map(move |y| op.apply(bits, x, y))));
        }
        let (al, ah, bl, bh) = (a.lo as i128, a.hi as i128, b.lo as i128, b.hi as i128);
        let (ua, ub) = (unsigned(a, bits), unsigned(b, bits));
        let distance = b.as_constant().map(|d| d as u32 % 64);
        let corners = |corners: [i128; 4]| {
            signed_hull(corners.into_iter().fold((i128::MAX, i128::MIN), |(lo, hi), c| (lo.min(c), hi.max(c))), bits)
        };
        Some(match op {
            Add => signed_hull((al + bl, ah + bh), bits),
            Sub => signed_hull((al - bh, ah - bl), bits),
            Mul => corners([al * bl, al * bh, ah * bl, ah * bh]),
            UDiv | URem if ub.1 == 0 => return None,
            UDiv => of_unsigned((ua.0 / ub.1, ua.1 / ub.0.max(1)), bits),
            URem if ua.1 < ub.0 => of_unsigned(ua, bits),
            URem => of_unsigned((0, ua.1.min(ub.1 - 1)), bits),
            SDiv | WrappingDiv => wrapped(divide(a, b)?, bits),
            SRem | WrappingRem => wrapped(remainder(a, b)?, bits),
            Shl | WrappingShl => match distance {
                Some(by) => signed_hull((al << by, ah << by), bits),
                None => Interval::of_bits(bits),
            },
            LShr => match distance {
                Some(by) => of_unsigned((ua.0 >> by, ua.1 >> by), bits),
                None => of_unsigned((0, ua.1), bits),
            },
            AShr | WrappingShr => match distance {
                Some(by) => wrapped(Interval { lo: a.lo >> by, hi: a.hi >> by }, bits),
                None => wrapped(Interval { lo: a.lo.min(0), hi: a.hi.max(0) }, bits),
            },
            And if a.lo >= 0 && b.lo >= 0 => Interval { lo: 0, hi: a.hi.min(b.hi) },
            And if a.lo >= 0 => Interval { lo: 0, hi: a.hi },
            And if b.lo >= 0 => Interval { lo: 0, hi: b.hi },
            Or if a.lo >= 0 && b.lo >= 0 => Interval { lo: a.lo.max(b.lo), hi: ones(a.hi | b.hi) },
            Xor if a.lo >= 0 && b.lo >= 0 => Interval { lo: 0, hi: ones(a.hi | b.hi) },
            And | Or | Xor => Interval::of_bits(bits),
            Eq => truth(false, a.meet(b).is_none()),
            Ne => truth(a.meet(b).is_none(), false),
            ULt => truth(ua.1 < ub.0, ua.0 >= ub.1),
            ULe => truth(ua.1 <= ub.0, ua.0 > ub.1),
            // One bit stands for 0 or -1.
            SLt if bits == 1 => truth(b.hi < a.lo, b.lo >= a.hi),
            SLe if bits == 1 => truth(b.hi <= a.lo, b.lo > a.hi),
            SLt => truth(a.hi < b.lo, a.lo >= b.hi),
            SLe => truth(a.hi <= b.lo, a.lo > b.hi),
            SMulHigh => corners([al * bl, al * bh, ah * bl, ah * bh].map(|product| product >> bits)),
            FCmp { .. } => Interval { lo: 0, hi: 1 },
            UMulHigh | FAdd | FSub | FMul | FDiv | FRem | FMin | FMax => Interval::of_bits(bits),
        })
    }

    pub fn unary(op: UnaryOp, from: u8, to: u8, a: Interval) -> Interval {
        if a.size() <= TRIED_PAIRS {
            let results = (a.lo..=a.hi).map(|x| Interval::constant(op.apply(from, to, x)));
            return results.reduce(Interval::join).unwrap_or(Interval::of_bits(to));
        }
        match op {
            UnaryOp::Neg => signed_hull((-(a.hi as i128), -(a.lo as i128)), to),
            UnaryOp::Not => truth(false, !a.contains(0)),
            UnaryOp::BitNot => wrapped(Interval { lo: !a.hi, hi: !a.lo }, to),
            UnaryOp::Trunc => wrapped(a, to),
            UnaryOp::SExt if from == 1 => Interval::of_bits(to),
            UnaryOp::SExt => wrapped(a, to),
            UnaryOp::ZExt => of_unsigned(unsigned(a, from), to),
            UnaryOp::CountLeadingZeros | UnaryOp::CountTrailingZeros | UnaryOp::CountOnes if to > 7 => {
                Interval { lo: 0, hi: Value::from(from) }
            }
            _ => Interval::of_bits(to),
        }
    }
}

fn truth(always: bool, never: bool) -> Interval {
    Interval { lo: always as Value, hi: !never as Value }
}

/// The smallest 2^k - 1 that is not less.
fn ones(value: Value) -> Value {
    if value == 0 { 0 } else { Value::MAX >> (value.leading_zeros() - 1) }
}

fn divide(a: Interval, b: Interval) -> Option<Interval> {
    let parts = [Interval::new(b.lo, b.hi.min(-1)), Interval::new(b.lo.max(1), b.hi)];
    let part = |b: Interval| {
        let (al, ah, bl, bh) = (a.lo as i128, a.hi as i128, b.lo as i128, b.hi as i128);
        let corners = [al / bl, al / bh, ah / bl, ah / bh];
        Interval::of_wide(*corners.iter().min().unwrap_or(&al), *corners.iter().max().unwrap_or(&ah))
    };
    parts.into_iter().flatten().map(part).reduce(Interval::join)
}

fn remainder(a: Interval, b: Interval) -> Option<Interval> {
    if b.as_constant() == Some(0) {
        return None;
    }
    let largest = (b.lo as i128).abs().max((b.hi as i128).abs()) - 1;
    let lo = if a.lo < 0 { (a.lo as i128).max(-largest) } else { 0 };
    let hi = if a.hi > 0 { (a.hi as i128).min(largest) } else { 0 };
    Some(Interval::of_wide(lo, hi))
}

/// The interval itself if it fits into `bits`; otherwise the full range of a `bits`-wide word.
fn wrapped(a: Interval, bits: u8) -> Interval {
    let all = Interval::of_bits(bits);
    if a.meet(all) == Some(a) { a } else { all }
}

fn signed_hull((lo, hi): (i128, i128), bits: u8) -> Interval {
    match (Value::try_from(lo), Value::try_from(hi)) {
        (Ok(lo), Ok(hi)) => wrapped(Interval { lo, hi }, bits),
        _ => Interval::of_bits(bits),
    }
}

/// The same words as numbers without a sign.
fn unsigned(a: Interval, bits: u8) -> (u128, u128) {
    let size = 1i128 << bits;
    let (lo, hi) = (a.lo as i128, a.hi as i128);
    if lo >= 0 && hi < size {
        (lo as u128, hi as u128)
    } else if lo >= -size && hi < 0 {
        ((lo + size) as u128, (hi + size) as u128)
    } else {
        (0, (size - 1) as u128)
    }
}

/// Unsigned numbers as `bits`-wide words.
fn of_unsigned((lo, hi): (u128, u128), bits: u8) -> Interval {
    let all = Interval::of_bits(bits);
    let size = 1i128 << bits;
    let (lo, hi) = (lo as i128, hi as i128);
    if hi <= all.hi as i128 {
        Interval { lo: lo as Value, hi: hi as Value }
    } else if lo > all.hi as i128 && hi < size && bits > 1 {
        Interval { lo: (lo - size) as Value, hi: (hi - size) as Value }
    } else {
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// A random interval of `bits`-wide words (small, large or at the ends) and a member of it.
    fn interval(rng: &mut fastrand::Rng, bits: u8) -> (Interval, Value) {
        let all = Interval::of_bits(bits);
        let mut value = || match rng.u32(..5) {
            0 => all.lo.saturating_add(rng.i64(..3).abs()),
            1 => all.hi.saturating_sub(rng.i64(..3).abs()),
            2 => rng.i64(all.lo..=all.hi),
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
}
