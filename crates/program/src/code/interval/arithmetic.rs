//! What the operations of a program do to intervals.

use super::{Interval, TRIED_PAIRS};
use crate::{ArithmeticOp, UnaryOp, UpdateOp, Value};

impl Interval {
    /// The results of all operations that have one; `None` if each divides by zero or overflows in a division.
    pub fn arithmetic(op: ArithmeticOp, bits: u8, a: Interval, b: Interval) -> Option<Interval> {
        use ArithmeticOp::*;
        if op == Join && (a.as_constant().is_none() || b.as_constant().is_none()) {
            return Some(Interval::FULL);
        }
        if a.size().checked_mul(b.size()).is_some_and(|pairs| pairs <= TRIED_PAIRS) {
            return Interval::hull((a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).filter_map(move |y| op.apply(bits, x, y))));
        }
        let (al, ah, bl, bh) = (a.lo as i128, a.hi as i128, b.lo as i128, b.hi as i128);
        let (ua, ub) = (unsigned(a, bits), unsigned(b, bits));
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
            Shl | WrappingShl => match distances(b) {
                Some((least, most)) => corners([al << least, al << most, ah << least, ah << most]),
                None => Interval::of_bits(bits),
            },
            LShr => match distances(b) {
                Some((least, most)) => of_unsigned((ua.0 >> most, ua.1 >> least), bits),
                None => of_unsigned((0, ua.1), bits),
            },
            AShr | WrappingShr => match distances(b) {
                Some((least, most)) => corners([al >> least, al >> most, ah >> least, ah >> most]),
                None => wrapped(Interval { lo: a.lo.min(0), hi: a.hi.max(0) }, bits),
            },
            And if a.lo >= 0 && b.lo >= 0 => Interval { lo: 0, hi: a.hi.min(b.hi) },
            And if a.lo >= 0 => Interval { lo: 0, hi: a.hi },
            And if b.lo >= 0 => Interval { lo: 0, hi: b.hi },
            Or if a.lo >= 0 && b.lo >= 0 => Interval { lo: a.lo.max(b.lo), hi: ones(a.hi | b.hi) },
            Xor if a.lo >= 0 && b.lo >= 0 => Interval { lo: 0, hi: ones(a.hi | b.hi) },
            // The bits above the highest one in which an operand differs from its sign are copies of a sign.
            And | Or | Xor => {
                let highest = ones([a, b].map(|i| i.hi.max(!i.lo)).into_iter().fold(0, |m, i| m | i));
                Interval { lo: !highest, hi: highest }
            }
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
            UMulHigh | FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | Join => Interval::of_bits(bits),
        })
    }

    /// The results of an operation on one word.
    pub fn unary(op: UnaryOp, from: u8, to: u8, a: Interval) -> Interval {
        // Words near a name are no names.
        if matches!(op, UnaryOp::LowHalf | UnaryOp::HighHalf) && a.as_constant().is_none() {
            return Interval::FULL;
        }
        if a.size() <= TRIED_PAIRS {
            return Interval::hull((a.lo..=a.hi).map(|x| op.apply(from, to, x))).unwrap_or(Interval::of_bits(to));
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

    /// What an RMW makes of an old value, before it is wrapped into the type of its cell.
    pub fn updated(op: UpdateOp, old: Interval, operand: Interval) -> Interval {
        let arithmetic = |op| Interval::arithmetic(op, 64, old, operand).unwrap_or(Interval::FULL);
        match op {
            UpdateOp::Exchange => operand,
            UpdateOp::Add | UpdateOp::Sub | UpdateOp::And | UpdateOp::Or | UpdateOp::Xor => {
                op.arithmetic().map_or(Interval::FULL, arithmetic)
            }
            UpdateOp::Nand => Interval::unary(UnaryOp::BitNot, 64, 64, arithmetic(ArithmeticOp::And)),
            UpdateOp::Min => Interval { lo: old.lo.min(operand.lo), hi: old.hi.min(operand.hi) },
            UpdateOp::Max => Interval { lo: old.lo.max(operand.lo), hi: old.hi.max(operand.hi) },
            // One of the two, whichever is smaller or greater without a sign.
            UpdateOp::UMin | UpdateOp::UMax => old.join(operand),
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

/// The least and the most of the distances of a shift, if they are known well enough.
fn distances(b: Interval) -> Option<(u32, u32)> {
    match b.as_constant() {
        Some(distance) => Some((distance as u32 % 64, distance as u32 % 64)),
        None => (b.lo >= 0 && b.hi < 64).then_some((b.lo as u32, b.hi as u32)),
    }
}

/// The quotients; `None` if the only divisor is 0.
fn divide(a: Interval, b: Interval) -> Option<Interval> {
    let parts = [Interval::new(b.lo, b.hi.min(-1)), Interval::new(b.lo.max(1), b.hi)];
    let part = |b: Interval| {
        let (al, ah, bl, bh) = (a.lo as i128, a.hi as i128, b.lo as i128, b.hi as i128);
        let corners = [al / bl, al / bh, ah / bl, ah / bh];
        signed_hull((*corners.iter().min().unwrap_or(&al), *corners.iter().max().unwrap_or(&ah)), 64)
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
    Some(signed_hull((lo, hi), 64))
}

/// The interval itself if it fits into `bits`; otherwise the full range of a `bits`-wide word.
fn wrapped(a: Interval, bits: u8) -> Interval {
    let all = Interval::of_bits(bits);
    if a.is_within(all) { a } else { all }
}

fn signed_hull((lo, hi): (i128, i128), bits: u8) -> Interval {
    match (Value::try_from(lo), Value::try_from(hi)) {
        (Ok(lo), Ok(hi)) => wrapped(Interval { lo, hi }, bits),
        _ => Interval::of_bits(bits),
    }
}

/// The least and the largest of the words, read as unsigned numbers.
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
