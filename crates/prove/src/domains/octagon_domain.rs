//! Intervals of all registers, and an octagon over those of them that were computed from others.
//!
//! A register is related when it is assigned a sum or difference, or compared. There are few such registers that matter
//! at a time, so an octagon has at most [`MOST_RELATED`]; the one that was related longest ago is let go of.

use fencepost_program::{ArithmeticOp, Operand, Reg, Ty, UnaryOp};

use crate::domains::Domain;
use crate::domains::Interval;
use crate::domains::interval_domain::{IntervalDomain, Operation};
use crate::domains::octagon::{Octagon, row};

const MOST_RELATED: usize = 12;

#[derive(Clone, Debug, PartialEq)]
pub struct OctagonDomain {
    intervals: IntervalDomain,
    /// The registers of the octagon, the one related last at the end.
    related: Vec<Reg>,
    octagon: Octagon,
}

impl OctagonDomain {
    fn position(&self, reg: Reg) -> Option<usize> {
        self.related.iter().position(|&r| r == reg)
    }

    /// The place of a register in the octagon, with its bounds.
    fn relate(&mut self, reg: Reg) -> usize {
        if let Some(at) = self.position(reg) {
            return at;
        }
        if self.related.len() == MOST_RELATED {
            let kept: Vec<Reg> = self.related[1..].to_vec();
            self.rearrange(kept);
        }
        let mut related = self.related.clone();
        related.push(reg);
        self.rearrange(related);
        let at = self.related.len() - 1;
        self.octagon.bound(at, self.intervals.interval(Operand::Reg(reg)));
        at
    }

    fn rearrange(&mut self, related: Vec<Reg>) {
        let from: Vec<Option<usize>> = related.iter().map(|&r| self.position(r)).collect();
        self.octagon = self.octagon.rearranged(&from);
        self.related = related;
    }

    fn forget(&mut self, reg: Reg) {
        if self.position(reg).is_some() {
            // What the others owe to it must be known first. An empty octagon is found out when something is assumed.
            let _ = self.octagon.close();
            let kept = self.related.iter().copied().filter(|&r| r != reg).collect();
            self.rearrange(kept);
        }
    }

    /// `dst = ±src + by`, where no result leaves the type.
    fn assign_sum(&mut self, dst: Reg, positive: bool, src: Reg, by: Interval) {
        if dst == src {
            let at = self.relate(dst);
            let _ = self.octagon.close();
            if !positive {
                self.octagon.negate(at);
            }
            self.octagon.shift(at, by);
            return;
        }
        self.forget(dst);
        // Where the intervals stand, `dst` has its new value already.
        self.relate(src);
        let to = self.relate(dst);
        let Some(from) = self.position(src) else { return };
        let (plus, minus) = (row(to, true), row(to, false));
        self.octagon.bound_difference(plus, row(from, positive), by.hi as i128);
        self.octagon.bound_difference(minus, row(from, !positive), -(by.lo as i128));
    }

    /// `a + by <= b`.
    fn bound(&mut self, a: Operand, b: Operand, by: i64) {
        if let (Operand::Reg(a), Operand::Reg(b)) = (a, b)
            && a != b
        {
            self.relate(a);
            let to = self.relate(b);
            if let Some(from) = self.position(a) {
                self.octagon.bound_difference(row(from, true), row(to, true), -(by as i128));
            }
        }
    }

    /// What a comparison says of its operands, beyond their bounds.
    fn compare(&mut self, condition: Operand, nonzero: bool) {
        let Operand::Reg(reg) = condition else { return };
        match self.intervals.made_by(reg) {
            Some(Operation::Arithmetic(op, bits, a, b)) => {
                let both_positive = || self.interval(a).lo >= 0 && self.interval(b).lo >= 0;
                let op = match op {
                    ArithmeticOp::ULt if both_positive() => ArithmeticOp::SLt,
                    ArithmeticOp::ULe if both_positive() => ArithmeticOp::SLe,
                    // One bit stands for 0 or -1.
                    ArithmeticOp::SLt | ArithmeticOp::SLe if bits == 1 => return,
                    _ => op,
                };
                self.compare_operands(op, a, b, nonzero);
            }
            Some(Operation::Unary(UnaryOp::Not, _, _, a)) => self.compare(a, !nonzero),
            Some(Operation::Copy(a) | Operation::Unary(UnaryOp::ZExt | UnaryOp::SExt, _, _, a)) => {
                self.compare(a, nonzero);
            }
            _ => {}
        }
    }

    fn compare_operands(&mut self, op: ArithmeticOp, a: Operand, b: Operand, nonzero: bool) {
        match (op, nonzero) {
            (ArithmeticOp::Eq, true) | (ArithmeticOp::Ne | ArithmeticOp::Sub | ArithmeticOp::Xor, false) => {
                self.bound(a, b, 0);
                self.bound(b, a, 0);
            }
            (ArithmeticOp::Eq, false) | (ArithmeticOp::Ne, true) => self.differ(a, b),
            (ArithmeticOp::SLt, true) => self.bound(a, b, 1),
            (ArithmeticOp::SLt, false) => self.bound(b, a, 0),
            (ArithmeticOp::SLe, true) => self.bound(a, b, 0),
            (ArithmeticOp::SLe, false) => self.bound(b, a, 1),
            (ArithmeticOp::And, true) if self.is_bit(a) && self.is_bit(b) => {
                self.compare(a, true);
                self.compare(b, true);
            }
            (ArithmeticOp::Or, false) => {
                self.compare(a, false);
                self.compare(b, false);
            }
            _ => {}
        }
    }

    /// `a != b` says something if one of them is never the larger.
    fn differ(&mut self, a: Operand, b: Operand) {
        let (Operand::Reg(x), Operand::Reg(y)) = (a, b) else { return };
        for (a, b, x, y) in [(a, b, x, y), (b, a, y, x)] {
            let mut larger = self.clone();
            larger.bound(b, a, 1);
            if x != y && !larger.octagon.close() {
                self.bound(a, b, 1);
            }
        }
    }

    fn is_bit(&self, operand: Operand) -> bool {
        let value = self.intervals.interval(operand);
        value.lo >= 0 && value.hi <= 1
    }

    /// Bounds that follow from relations are bounds; false if there is nothing left.
    fn reduce(&mut self) -> bool {
        for i in 0..self.related.len() {
            let known = self.intervals.interval(Operand::Reg(self.related[i]));
            self.octagon.bound(i, known);
        }
        if !self.octagon.close() {
            return false;
        }
        (0..self.related.len())
            .all(|i| self.intervals.restrict(Operand::Reg(self.related[i]), self.octagon.interval(i)))
    }

    /// Both over the registers of either, closed.
    fn aligned(&self, other: &OctagonDomain) -> Option<(Octagon, Octagon, Vec<Reg>)> {
        let mut related: Vec<Reg> = self.related.clone();
        related.extend(other.related.iter().filter(|r| !self.related.contains(r)));
        let excess = related.len().saturating_sub(MOST_RELATED);
        related.drain(..excess);
        let of = |state: &OctagonDomain| {
            let mut octagon = state.octagon.clone();
            let _ = octagon.close();
            let from: Vec<Option<usize>> = related.iter().map(|&r| state.position(r)).collect();
            let mut octagon = octagon.rearranged(&from);
            for (i, &reg) in related.iter().enumerate() {
                octagon.bound(i, state.intervals.interval(Operand::Reg(reg)));
            }
            octagon.close().then_some(octagon)
        };
        Some((of(self)?, of(other)?, related))
    }
}

/// A value that is ±`src` and something from an interval.
struct Related {
    src: Reg,
    positive: bool,
    by: Interval,
}

/// Whether all results are in the interval, so that none wraps.
fn fits(lo: i128, hi: i128, all: Interval) -> bool {
    lo >= all.lo as i128 && hi <= all.hi as i128
}

impl Domain for OctagonDomain {
    fn start(types: &[Ty]) -> OctagonDomain {
        let intervals = IntervalDomain::start(types);
        OctagonDomain { intervals, related: Vec::new(), octagon: Octagon::unconstrained(0) }
    }

    fn interval(&self, operand: Operand) -> Interval {
        self.intervals.interval(operand)
    }

    fn assign(&mut self, dst: Reg, value: Interval, ty: Ty) {
        self.forget(dst);
        self.intervals.assign(dst, value, ty);
    }

    fn assign_copy(&mut self, dst: Reg, a: Operand, ty: Ty) {
        let related = self.copy_of(a, Interval::of(ty));
        self.assign_related(dst, related, |intervals| {
            intervals.assign_copy(dst, a, ty);
            true
        });
    }

    fn assign_unary(&mut self, dst: Reg, op: UnaryOp, from: u8, to: u8, a: Operand, ty: Ty) {
        let value = self.intervals.interval(a);
        let related = match (op, Interval::of_bits(to).meet(Interval::of(ty))) {
            (UnaryOp::SExt, Some(all)) if from > 1 => self.copy_of(a, all),
            (UnaryOp::ZExt, Some(all)) if value.lo >= 0 => self.copy_of(a, all),
            (UnaryOp::Trunc, Some(all)) if to > 1 => self.copy_of(a, all),
            (UnaryOp::Neg, Some(all)) if to > 1 => self.difference_of(Operand::Const(0), a, all),
            _ => None,
        };
        self.assign_related(dst, related, |intervals| {
            intervals.assign_unary(dst, op, from, to, a, ty);
            true
        });
    }

    fn assign_arithmetic(&mut self, dst: Reg, op: ArithmeticOp, bits: u8, a: Operand, b: Operand, ty: Ty) -> bool {
        let related = match (op, Interval::of_bits(bits).meet(Interval::of(ty))) {
            (ArithmeticOp::Add, Some(all)) if bits > 1 => self.sum_of(a, b, all),
            (ArithmeticOp::Sub, Some(all)) if bits > 1 => self.difference_of(a, b, all),
            _ => None,
        };
        let known = related.as_ref().and_then(|_| self.combined(a, b, op == ArithmeticOp::Add));
        let some = self.assign_related(dst, related, |intervals| intervals.assign_arithmetic(dst, op, bits, a, b, ty));
        some && known.is_none_or(|known| self.restrict(Operand::Reg(dst), known))
    }

    fn assume(&mut self, condition: Operand, nonzero: bool) -> bool {
        if !self.intervals.assume(condition, nonzero) {
            return false;
        }
        self.compare(condition, nonzero);
        self.reduce()
    }

    fn restrict(&mut self, operand: Operand, to: Interval) -> bool {
        self.intervals.restrict(operand, to) && (self.related.is_empty() || self.reduce())
    }

    fn join(&mut self, other: &OctagonDomain) {
        if let Some((mut mine, theirs, related)) = self.aligned(other) {
            mine.join(&theirs);
            self.octagon = mine;
            self.related = related;
        } else {
            self.rearrange(Vec::new());
        }
        self.intervals.join(&other.intervals);
    }

    fn widen(&mut self, other: &OctagonDomain) {
        // Registers are only ever let go of, and bounds dropped, so that a chain of widenings ends.
        let kept: Vec<Reg> = self.related.iter().copied().filter(|&r| other.position(r).is_some()).collect();
        self.rearrange(kept);
        let mut newer = other.clone();
        if newer.reduce() {
            newer.rearrange(self.related.clone());
            self.octagon.widen(&newer.octagon);
        } else {
            self.rearrange(Vec::new());
        }
        self.intervals.widen(&other.intervals);
    }
}

impl OctagonDomain {
    /// What relations say of the sum or difference of two registers.
    fn combined(&self, a: Operand, b: Operand, sum: bool) -> Option<Interval> {
        let (Operand::Reg(a), Operand::Reg(b)) = (a, b) else { return None };
        let (x, y) = (self.position(a)?, self.position(b)?);
        let mut octagon = self.octagon.clone();
        (x != y && octagon.close()).then(|| octagon.combined(x, y, sum))
    }

    /// An operand, if none of its values wraps.
    fn copy_of(&self, a: Operand, all: Interval) -> Option<Related> {
        let value = self.intervals.interval(a);
        match a {
            Operand::Reg(src) if fits(value.lo as i128, value.hi as i128, all) => {
                Some(Related { src, positive: true, by: Interval::constant(0) })
            }
            _ => None,
        }
    }

    fn sum_of(&self, a: Operand, b: Operand, all: Interval) -> Option<Related> {
        let (x, y) = (self.intervals.interval(a), self.intervals.interval(b));
        let exact = fits(x.lo as i128 + y.lo as i128, x.hi as i128 + y.hi as i128, all);
        match (a, b) {
            (Operand::Reg(src), _) if exact => Some(Related { src, positive: true, by: y }),
            (_, Operand::Reg(src)) if exact => Some(Related { src, positive: true, by: x }),
            _ => None,
        }
    }

    fn difference_of(&self, a: Operand, b: Operand, all: Interval) -> Option<Related> {
        let (x, y) = (self.intervals.interval(a), self.intervals.interval(b));
        let exact = fits(x.lo as i128 - y.hi as i128, x.hi as i128 - y.lo as i128, all);
        match (a, b) {
            (Operand::Reg(src), _) if exact && y.lo != i64::MIN => {
                Some(Related { src, positive: true, by: Interval { lo: -y.hi, hi: -y.lo } })
            }
            (_, Operand::Reg(src)) if exact => Some(Related { src, positive: false, by: x }),
            _ => None,
        }
    }

    /// Assigns by `assign`, and relates the result to the register that it was computed from, if that is given.
    fn assign_related(
        &mut self,
        dst: Reg,
        related: Option<Related>,
        assign: impl FnOnce(&mut IntervalDomain) -> bool,
    ) -> bool {
        match related {
            Some(Related { src, positive, by }) if src == dst => {
                self.assign_sum(dst, positive, src, by);
                assign(&mut self.intervals)
            }
            Some(Related { src, positive, by }) => {
                self.forget(dst);
                let some = assign(&mut self.intervals);
                self.assign_sum(dst, positive, src, by);
                some
            }
            None => {
                self.forget(dst);
                assign(&mut self.intervals)
            }
        }
    }
}

#[cfg(test)]
impl OctagonDomain {
    /// Whether these values of the registers satisfy every relation.
    pub(crate) fn relates(&self, values: &[i64]) -> bool {
        let related: Vec<i64> = self.related.iter().map(|r| values[r.0 as usize]).collect();
        self.octagon.contains(&related)
    }
}
