//! Intervals of 64-bit words, and what the operations of a program do to them.
//!
//! Arithmetic wraps, so a result that may leave the 64 bits is every word.

use std::fmt;

use fencepost_program::{ArithmeticOp, Ty, UnaryOp, UpdateOp, Value};

/// All words from `lo` to `hi`, both included. Never empty: what cannot happen is `None` of an `Option<Interval>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    pub lo: Value,
    pub hi: Value,
}

/// So many pairs of operands are simply tried out.
pub(crate) const TRIED_PAIRS: u128 = 256;

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

    pub(crate) fn of_wide(lo: i128, hi: i128) -> Interval {
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

    /// What an RMW leaves behind of an old value.
    pub fn update(op: UpdateOp, old: Interval, operand: Interval, ty: Ty) -> Interval {
        let arithmetic = |op| Interval::arithmetic(op, 64, old, operand).unwrap_or(Interval::FULL);
        let new = match op {
            UpdateOp::Exchange => operand,
            UpdateOp::Add | UpdateOp::Sub | UpdateOp::And | UpdateOp::Or | UpdateOp::Xor => {
                op.arithmetic().map_or(Interval::FULL, arithmetic)
            }
            UpdateOp::Nand => Interval::unary(UnaryOp::BitNot, 64, 64, arithmetic(ArithmeticOp::And)),
            UpdateOp::Min => Interval { lo: old.lo.min(operand.lo), hi: old.hi.min(operand.hi) },
            UpdateOp::Max => Interval { lo: old.lo.max(operand.lo), hi: old.hi.max(operand.hi) },
            // One of the two, whichever is smaller or greater without a sign.
            UpdateOp::UMin | UpdateOp::UMax => old.join(operand),
        };
        new.wrap(ty)
    }
}

pub(crate) fn hull(values: impl Iterator<Item = Value>) -> Option<Interval> {
    values.map(Interval::constant).reduce(Interval::join)
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
    fn updates_and_the_lattice_cover_what_happens_to_members() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..200_000 {
            let ((a, x), (b, y)) = (interval(&mut rng), interval(&mut rng));
            let ty = *rng.choice(&[Ty::Int, Ty::Range { lo: 0, hi: 3 }, Ty::Range { lo: -7, hi: 1000 }]).expect("one");
            for op in UPDATES {
                let result = fencepost_program::Update { op, operand: y, ty }.apply(x);
                assert!(Interval::update(op, a, b, ty).contains(result), "{op:?} of {a:?} and {b:?}");
            }
            assert!(a.wrap(ty).contains(ty.wrap(x)));
            assert!(a.widen(b).contains(x) && a.widen(b).contains(y) && a.join(b).contains(y));
            assert_eq!(a.meet(b).is_some_and(|m| m.contains(x)), b.contains(x));
            assert!(x == y || a.without(y).is_some_and(|rest| rest.contains(x)));
        }
    }
}
