//! Intervals of 64-bit words, and what the operations of a program do to them.
//!
//! Arithmetic wraps, so a result that may leave the 64 bits is every word.

use std::fmt;

use fencepost_program::{BinaryOp, Ty, UnaryOp, UpdateOp, Value};

/// All words from `lo` to `hi`, both included. Never empty: what cannot happen is `None` of an `Option<Interval>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    pub lo: Value,
    pub hi: Value,
}

/// So many pairs of operands are simply tried out.
const TRIED_PAIRS: u128 = 256;

impl Interval {
    pub const FULL: Interval = Interval { lo: Value::MIN, hi: Value::MAX };

    pub fn new(lo: Value, hi: Value) -> Option<Interval> {
        (lo <= hi).then_some(Interval { lo, hi })
    }

    pub fn constant(value: Value) -> Interval {
        Interval { lo: value, hi: value }
    }

    pub fn of(ty: Ty) -> Interval {
        match ty {
            Ty::Int => Interval::FULL,
            Ty::Range { lo, hi } => Interval { lo, hi },
        }
    }

    pub fn as_constant(self) -> Option<Value> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub fn contains(self, value: Value) -> bool {
        self.lo <= value && value <= self.hi
    }

    pub fn join(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    pub fn meet(self, other: Interval) -> Option<Interval> {
        Interval::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// Bounds that still move go to the next of a few thresholds, then to the end of the words.
    pub fn widen(self, newer: Interval) -> Interval {
        const THRESHOLDS: [Value; 6] = [-1, 0, 1, u8::MAX as Value, u16::MAX as Value, u32::MAX as Value];
        let lo = if newer.lo >= self.lo {
            self.lo
        } else {
            THRESHOLDS.into_iter().rev().find(|&t| t <= newer.lo).unwrap_or(Value::MIN)
        };
        let hi = if newer.hi <= self.hi {
            self.hi
        } else {
            THRESHOLDS.into_iter().find(|&t| t >= newer.hi).unwrap_or(Value::MAX)
        };
        Interval { lo, hi }
    }

    /// Without one value, where that is still an interval.
    pub fn without(self, value: Value) -> Option<Interval> {
        if self.lo == value && self.hi == value {
            None
        } else if self.lo == value {
            Some(Interval { lo: value + 1, ..self })
        } else if self.hi == value {
            Some(Interval { hi: value - 1, ..self })
        } else {
            Some(self)
        }
    }

    pub(crate) fn size(self) -> u128 {
        (self.hi as i128 - self.lo as i128 + 1) as u128
    }

    fn of_wide(lo: i128, hi: i128) -> Interval {
        match (Value::try_from(lo), Value::try_from(hi)) {
            (Ok(lo), Ok(hi)) => Interval { lo, hi },
            _ => Interval::FULL,
        }
    }

    pub fn wrap(self, ty: Ty) -> Interval {
        let all = Interval::of(ty);
        if self.meet(all) == Some(self) {
            return self;
        }
        if self.size() <= TRIED_PAIRS { hull((self.lo..=self.hi).map(|v| ty.wrap(v))).unwrap_or(all) } else { all }
    }

    pub fn unary(op: UnaryOp, a: Interval) -> Interval {
        match op {
            UnaryOp::Copy => a,
            UnaryOp::Neg => Interval::of_wide(-(a.hi as i128), -(a.lo as i128)),
            UnaryOp::Not if !a.contains(0) => Interval::constant(0),
            UnaryOp::Not if a.as_constant().is_some() => Interval::constant(1),
            UnaryOp::Not => Interval { lo: 0, hi: 1 },
            UnaryOp::BitNot => Interval { lo: !a.hi, hi: !a.lo },
        }
    }

    /// The results of all divisions that are not by zero, and all results of the others. `None` if every division is by
    /// zero.
    pub fn binary(op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
        if a.size().checked_mul(b.size()).is_some_and(|pairs| pairs <= TRIED_PAIRS) {
            return hull((a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).filter_map(move |y| op.apply(x, y))));
        }
        let (al, ah, bl, bh) = (a.lo as i128, a.hi as i128, b.lo as i128, b.hi as i128);
        Some(match op {
            BinaryOp::Add => Interval::of_wide(al + bl, ah + bh),
            BinaryOp::Sub => Interval::of_wide(al - bh, ah - bl),
            BinaryOp::Mul => {
                let corners = [al * bl, al * bh, ah * bl, ah * bh];
                Interval::of_wide(corners.into_iter().min()?, corners.into_iter().max()?)
            }
            BinaryOp::Div => divide(a, b)?,
            BinaryOp::Rem => remainder(a, b)?,
            BinaryOp::And if a.lo >= 0 && b.lo >= 0 => Interval { lo: 0, hi: a.hi.min(b.hi) },
            BinaryOp::And if a.lo >= 0 => Interval { lo: 0, hi: a.hi },
            BinaryOp::And if b.lo >= 0 => Interval { lo: 0, hi: b.hi },
            BinaryOp::Or if a.lo >= 0 && b.lo >= 0 => Interval { lo: a.lo.max(b.lo), hi: ones(a.hi | b.hi) },
            BinaryOp::Xor if a.lo >= 0 && b.lo >= 0 => Interval { lo: 0, hi: ones(a.hi | b.hi) },
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Interval::FULL,
            BinaryOp::Shl => match b.as_constant() {
                Some(by) => {
                    let factor = 1i128 << (by as u32 % 64);
                    Interval::of_wide(al * factor, ah * factor)
                }
                None => Interval::FULL,
            },
            BinaryOp::Shr => match b.as_constant() {
                Some(by) => Interval { lo: a.lo.wrapping_shr(by as u32), hi: a.hi.wrapping_shr(by as u32) },
                None => Interval { lo: a.lo.min(0), hi: a.hi.max(0) },
            },
            BinaryOp::Eq => truth(false, a.meet(b).is_none()),
            BinaryOp::Ne => truth(a.meet(b).is_none(), false),
            BinaryOp::Lt => truth(a.hi < b.lo, a.lo >= b.hi),
            BinaryOp::Le => truth(a.hi <= b.lo, a.lo > b.hi),
        })
    }

    /// What an RMW leaves behind of an old value.
    pub fn update(op: UpdateOp, old: Interval, operand: Interval, ty: Ty) -> Interval {
        let binary = |op| Interval::binary(op, old, operand).unwrap_or(Interval::FULL);
        let new = match op {
            UpdateOp::Exchange => operand,
            UpdateOp::Add => binary(BinaryOp::Add),
            UpdateOp::Sub => binary(BinaryOp::Sub),
            UpdateOp::And => binary(BinaryOp::And),
            UpdateOp::Or => binary(BinaryOp::Or),
            UpdateOp::Xor => binary(BinaryOp::Xor),
            UpdateOp::Nand => Interval::unary(UnaryOp::BitNot, binary(BinaryOp::And)),
            UpdateOp::Min => Interval { lo: old.lo.min(operand.lo), hi: old.hi.min(operand.hi) },
            UpdateOp::Max => Interval { lo: old.lo.max(operand.lo), hi: old.hi.max(operand.hi) },
            // One of the two, whichever is smaller or greater without a sign.
            UpdateOp::UMin | UpdateOp::UMax => old.join(operand),
        };
        new.wrap(ty)
    }
}

fn hull(values: impl Iterator<Item = Value>) -> Option<Interval> {
    values.map(Interval::constant).reduce(Interval::join)
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

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lo, self.hi) {
            (Value::MIN, Value::MAX) => f.write_str("any value"),
            (lo, hi) if lo == hi => write!(f, "{lo}"),
            (Value::MIN, hi) => write!(f, "at most {hi}"),
            (lo, Value::MAX) => write!(f, "at least {lo}"),
            (lo, hi) => write!(f, "{lo}..{hi}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    const UNARY: [UnaryOp; 4] = [UnaryOp::Copy, UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot];

    /// Small, large and extreme ones.
    fn value(rng: &mut fastrand::Rng) -> Value {
        match rng.u32(..6) {
            0 => Value::MIN + rng.i64(..3).abs(),
            1 => Value::MAX - rng.i64(..3).abs(),
            2 => rng.i64(..),
            3 => 1 << rng.u32(..62),
            _ => rng.i64(-20..20),
        }
    }

    fn interval(rng: &mut fastrand::Rng) -> (Interval, Value) {
        let (a, b) = (value(rng), value(rng));
        let interval = Interval { lo: a.min(b), hi: a.max(b) };
        let inside = match rng.u32(..3) {
            0 => interval.lo,
            1 => interval.hi,
            _ => rng.i64(interval.lo..=interval.hi),
        };
        (interval, inside)
    }

    #[test]
    fn an_operation_on_intervals_covers_the_operation_on_their_members() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..200_000 {
            let ((a, x), (b, y)) = (interval(&mut rng), interval(&mut rng));
            for op in BinaryOp::ALL {
                if let Some(result) = op.apply(x, y) {
                    let found = Interval::binary(op, a, b).expect("there is a result");
                    assert!(found.contains(result), "{a:?} {op:?} {b:?} = {found:?} without {x} {op:?} {y}");
                }
            }
            let ty = *rng.choice(&[Ty::Int, Ty::Range { lo: 0, hi: 3 }, Ty::Range { lo: -7, hi: 1000 }]).expect("one");
            for op in UPDATES {
                let result = fencepost_program::Update { op, operand: y, ty }.apply(x);
                assert!(Interval::update(op, a, b, ty).contains(result), "{op:?} of {a:?} and {b:?}");
            }
            for op in UNARY {
                let result = match op {
                    UnaryOp::Copy => x,
                    UnaryOp::Neg => x.wrapping_neg(),
                    UnaryOp::Not => (x == 0) as Value,
                    UnaryOp::BitNot => !x,
                };
                assert!(Interval::unary(op, a).contains(result), "{op:?} of {a:?}");
            }
            assert!(a.wrap(ty).contains(ty.wrap(x)));
            assert!(a.widen(b).contains(x) && a.widen(b).contains(y) && a.join(b).contains(y));
            assert_eq!(a.meet(b).is_some_and(|m| m.contains(x)), b.contains(x));
            assert!(x == y || a.without(y).is_some_and(|rest| rest.contains(x)));
        }
    }

    #[test]
    fn small_operands_are_exact() {
        let interval = |lo, hi| Interval { lo, hi };
        assert_eq!(Interval::binary(BinaryOp::Xor, interval(2, 3), interval(1, 1)), Some(interval(2, 3)));
        assert_eq!(Interval::binary(BinaryOp::Div, interval(6, 9), interval(0, 3)), Some(interval(2, 9)));
        assert_eq!(Interval::binary(BinaryOp::Div, interval(6, 9), interval(0, 0)), None);
    }
}
