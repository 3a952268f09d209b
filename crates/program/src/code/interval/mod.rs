//! Intervals of 64-bit words, and what the operations of a program do to them: `prove` and the export to Promela
//! compute with them.
//!
//! The result of an operation contains all results for members of its operands, as tests check with
//! [`ArithmeticOp::apply`](crate::ArithmeticOp::apply) and its kind. Arithmetic wraps, so a result that may leave its
//! width is every word of that width.

mod arithmetic;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::{Ty, Value};

/// All words from `lo` to `hi`, both included. Never empty: operations whose result can be empty return an `Option`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    pub lo: Value,
    pub hi: Value,
}

/// The most operands, or pairs of operands, for which an operation is computed for each.
const TRIED_PAIRS: u128 = 256;

impl Interval {
    pub const FULL: Interval = Interval { lo: Value::MIN, hi: Value::MAX };

    pub fn new(lo: Value, hi: Value) -> Option<Interval> {
        (lo <= hi).then_some(Interval { lo, hi })
    }

    pub fn constant(value: Value) -> Interval {
        Interval { lo: value, hi: value }
    }

    /// All values of a type.
    pub fn of(ty: Ty) -> Interval {
        match ty {
            Ty::Int | Ty::Wide => Interval::FULL,
            Ty::Range { lo, hi } => Interval { lo, hi },
        }
    }

    /// The only word.
    pub fn as_constant(self) -> Option<Value> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub fn contains(self, value: Value) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// The smallest interval that contains both.
    pub fn join(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What both have in common.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        Interval::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// Whether all its words are in another interval.
    pub fn is_within(self, other: Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// The bounds, each moved into another interval.
    pub fn clamp(self, to: Interval) -> Interval {
        Interval { lo: self.lo.clamp(to.lo, to.hi), hi: self.hi.clamp(to.lo, to.hi) }
    }

    /// The smallest interval that contains all values; `None` if there is no value.
    pub fn hull(values: impl IntoIterator<Item = Value>) -> Option<Interval> {
        values.into_iter().map(Interval::constant).reduce(Interval::join)
    }

    /// A bound that moved outwards goes on to the next threshold, or to the end of the words if there is none. The
    /// thresholds are in ascending order.
    pub fn widen(self, newer: Interval, thresholds: &[Value]) -> Interval {
        let lo = if newer.lo >= self.lo {
            self.lo
        } else {
            thresholds.iter().copied().rfind(|&t| t <= newer.lo).unwrap_or(Value::MIN)
        };
        let hi = if newer.hi <= self.hi {
            self.hi
        } else {
            thresholds.iter().copied().find(|&t| t >= newer.hi).unwrap_or(Value::MAX)
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

    /// How many words it has.
    pub fn size(self) -> u128 {
        (self.hi as i128 - self.lo as i128 + 1) as u128
    }

    /// All `bits`-wide words as registers hold them: sign-extended, a single bit as 0 or 1.
    pub fn of_bits(bits: u8) -> Interval {
        match bits {
            0 => Interval::constant(0),
            1 => Interval { lo: 0, hi: 1 },
            64.. => Interval::FULL,
            _ => Interval { lo: -1 << (bits - 1), hi: (1 << (bits - 1)) - 1 },
        }
    }

    /// What a cell or register of the type holds after one of these values was written to it.
    pub fn wrap(self, ty: Ty) -> Interval {
        let all = Interval::of(ty);
        if self.is_within(all) {
            return self;
        }
        let tried = || Interval::hull((self.lo..=self.hi).map(|value| ty.wrap(value)));
        if self.size() <= TRIED_PAIRS { tried().unwrap_or(all) } else { all }
    }
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
