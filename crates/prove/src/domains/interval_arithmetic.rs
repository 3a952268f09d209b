//! What the operations on words of a given width, those of C, do to intervals.

use fencepost_program::{ArithmeticOp, BinaryOp, CastOp, Value};

use crate::domains::Interval;

/// So many pairs of operands are simply tried out.
const TRIED_PAIRS: u128 = 256;

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
            let results = (a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).filter_map(move |y| op.apply(bits, x, y)));
            return results.map(Interval::constant).reduce(Interval::join);
        }
        let (al, ah, bl, bh) = (a.lo as i128, a.hi as i128, b.lo as i128, b.hi as i128);
        let (ua, ub) = (unsigned(a, bits), unsigned(b, bits));
        let distance = b.as_constant().map(|d| d as u32 % 64);
        let corners = |corners: [i128; 4]| {
            signed_hull(corners.into_iter().fold((i128::MAX, i128::MIN), |(lo, hi), c| (lo.min(c), hi.max(c))), bits)
        };
        let binary = |op| Interval::binary(op, a, b);
        Some(match op {
            Add => signed_hull((al + bl, ah + bh), bits),
            Sub => signed_hull((al - bh, ah - bl), bits),
            Mul => corners([al * bl, al * bh, ah * bl, ah * bh]),
            UDiv | URem if ub.1 == 0 => return None,
            UDiv => of_unsigned((ua.0 / ub.1, ua.1 / ub.0.max(1)), bits),
            URem if ua.1 < ub.0 => of_unsigned(ua, bits),
            URem => of_unsigned((0, ua.1.min(ub.1 - 1)), bits),
            SDiv => wrapped(binary(BinaryOp::Div)?, bits),
            SRem => wrapped(binary(BinaryOp::Rem)?, bits),
            Shl => match distance {
                Some(by) => signed_hull((al << by, ah << by), bits),
                None => Interval::of_bits(bits),
            },
            LShr => match distance {
                Some(by) => of_unsigned((ua.0 >> by, ua.1 >> by), bits),
                None => of_unsigned((0, ua.1), bits),
            },
            AShr => match distance {
                Some(by) => wrapped(Interval { lo: a.lo >> by, hi: a.hi >> by }, bits),
                None => wrapped(Interval { lo: a.lo.min(0), hi: a.hi.max(0) }, bits),
            },
            And => binary(BinaryOp::And)?,
            Or => binary(BinaryOp::Or)?,
            Xor => binary(BinaryOp::Xor)?,
            Eq => binary(BinaryOp::Eq)?,
            Ne => binary(BinaryOp::Ne)?,
            ULt => truth(ua.1 < ub.0, ua.0 >= ub.1),
            ULe => truth(ua.1 <= ub.0, ua.0 > ub.1),
            // One bit stands for 0 or -1.
            SLt if bits == 1 => Interval::binary(BinaryOp::Lt, b, a)?,
            SLe if bits == 1 => Interval::binary(BinaryOp::Le, b, a)?,
            SLt => binary(BinaryOp::Lt)?,
            SLe => binary(BinaryOp::Le)?,
            SMulHigh => corners([al * bl, al * bh, ah * bl, ah * bh].map(|product| product >> bits)),
            FCmp { .. } => Interval { lo: 0, hi: 1 },
            UMulHigh | FAdd | FSub | FMul | FDiv | FRem | FMin | FMax => Interval::of_bits(bits),
        })
    }

    pub fn cast(op: CastOp, from: u8, to: u8, a: Interval) -> Interval {
        if a.size() <= TRIED_PAIRS {
            let results = (a.lo..=a.hi).map(|x| Interval::constant(op.apply(from, to, x)));
            return results.reduce(Interval::join).unwrap_or(Interval::of_bits(to));
        }
        match op {
            CastOp::Trunc => wrapped(a, to),
            CastOp::SExt if from == 1 => Interval::of_bits(to),
            CastOp::SExt => wrapped(a, to),
            CastOp::ZExt => of_unsigned(unsigned(a, from), to),
            CastOp::CountLeadingZeros | CastOp::CountTrailingZeros | CastOp::CountOnes if to > 7 => {
                Interval { lo: 0, hi: Value::from(from) }
            }
            _ => Interval::of_bits(to),
        }
    }
}

fn truth(always: bool, never: bool) -> Interval {
    Interval { lo: always as Value, hi: !never as Value }
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

    const OPERATIONS: [ArithmeticOp; 29] = {
        use ArithmeticOp::*;
        let compare = FCmp { less: true, equal: false, greater: false, unordered: true };
        [
            Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor, Eq, Ne, ULt, ULe, SLt, SLe, UMulHigh,
            SMulHigh, FAdd, FSub, FMul, FDiv, FRem, compare, FMin, FMax,
        ]
    };
    const CASTS: [CastOp; 8] = [
        CastOp::Trunc,
        CastOp::ZExt,
        CastOp::SExt,
        CastOp::CountLeadingZeros,
        CastOp::CountTrailingZeros,
        CastOp::CountOnes,
        CastOp::ByteSwap,
        CastOp::BitReverse,
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
            for op in OPERATIONS {
                // A shift by more than the width is undefined behaviour.
                let shifts = matches!(op, ArithmeticOp::Shl | ArithmeticOp::LShr | ArithmeticOp::AShr);
                let floats = matches!(op, ArithmeticOp::FAdd | ArithmeticOp::FSub | ArithmeticOp::FMul)
                    || matches!(op, ArithmeticOp::FDiv | ArithmeticOp::FRem | ArithmeticOp::FMin | ArithmeticOp::FMax)
                    || matches!(op, ArithmeticOp::FCmp { .. });
                if shifts && !(0..i64::from(bits)).contains(&y) || floats && bits < 32 {
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
    fn casts_of_intervals_cover_casts_of_their_members() {
        let mut rng = fastrand::Rng::with_seed(4);
        for _ in 0..100_000 {
            let from = *rng.choice(&[1, 8, 16, 32, 64]).expect("some");
            let (a, x) = interval(&mut rng, from);
            for op in CASTS {
                let same = matches!(op, CastOp::ByteSwap | CastOp::BitReverse);
                for to in [1, 8, 16, 32, 64] {
                    let fits = match op {
                        CastOp::Trunc => to <= from,
                        CastOp::ZExt | CastOp::SExt => to >= from,
                        _ => to == from && (!same || from > 1),
                    };
                    if fits {
                        let result = op.apply(from, to, x);
                        let found = Interval::cast(op, from, to, a);
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
}
