//! Octagons: bounds on x, x + y and x - y of a few integers, as a difference-bound matrix (Miné, *The octagon abstract
//! domain*, HOSC 2006), with the tight closure for integers of Bagnara, Hill and Zaffanella (FMSD 2009).
//!
//! Each variable x has two rows, for +x and -x. An entry bounds a difference: `row - column <= entry`. So `2x <= c` is
//! the entry of +x and -x, and every constraint but those stands twice (coherence).

use crate::domains::Interval;

/// No bound.
const FREE: i64 = i64::MAX;
/// Larger bounds are forgotten, so that sums of two entries fit.
const LARGEST: i64 = 1 << 61;

/// Never empty: what finds that it is returns false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Octagon {
    variables: usize,
    entries: Vec<i64>,
}

fn add(a: i64, b: i64) -> i64 {
    if a == FREE || b == FREE { FREE } else { bounded(a as i128 + b as i128) }
}

fn bounded(bound: i128) -> i64 {
    if bound > LARGEST as i128 { FREE } else { bound.max(-LARGEST as i128) as i64 }
}

const fn opposite(row: usize) -> usize {
    row ^ 1
}

/// The row of x, or of -x.
pub(crate) const fn row(variable: usize, positive: bool) -> usize {
    2 * variable + !positive as usize
}

impl Octagon {
    pub(crate) fn unconstrained(variables: usize) -> Octagon {
        let size = 2 * variables;
        let mut octagon = Octagon { variables, entries: vec![FREE; size * size] };
        for i in 0..size {
            octagon.entries[i * size + i] = 0;
        }
        octagon
    }

    fn size(&self) -> usize {
        2 * self.variables
    }

    fn at(&self, a: usize, b: usize) -> i64 {
        self.entries[a * self.size() + b]
    }

    fn set(&mut self, a: usize, b: usize, bound: i64) {
        let size = self.size();
        self.entries[a * size + b] = bound;
    }

    /// `a - b <= bound`, of rows. Not closed.
    pub(crate) fn bound_difference(&mut self, a: usize, b: usize, bound: i128) {
        let bound = bounded(bound);
        for (a, b) in [(a, b), (opposite(b), opposite(a))] {
            self.set(a, b, self.at(a, b).min(bound));
        }
    }

    /// The variable is in the interval. Not closed.
    pub(crate) fn bound(&mut self, variable: usize, to: Interval) {
        let (plus, minus) = (row(variable, true), row(variable, false));
        self.bound_difference(plus, minus, 2 * to.hi as i128);
        self.bound_difference(minus, plus, -2 * to.lo as i128);
    }

    /// Bounds of a variable.
    pub(crate) fn interval(&self, variable: usize) -> Interval {
        let (plus, minus) = (row(variable, true), row(variable, false));
        let hi = self.at(plus, minus);
        let lo = self.at(minus, plus);
        Interval {
            lo: if lo == FREE { i64::MIN } else { -lo.div_euclid(2) },
            hi: if hi == FREE { i64::MAX } else { hi.div_euclid(2) },
        }
    }

    /// Bounds of x + y, or of x - y.
    pub(crate) fn combined(&self, x: usize, y: usize, sum: bool) -> Interval {
        let hi = self.at(row(x, true), row(y, !sum));
        let lo = self.at(row(x, false), row(y, sum));
        Interval { lo: if lo == FREE { i64::MIN } else { -lo }, hi: if hi == FREE { i64::MAX } else { hi } }
    }

    /// The least octagon with the same integers; false if there are none.
    #[must_use]
    pub(crate) fn close(&mut self) -> bool {
        let size = self.size();
        for k in 0..size {
            for i in 0..size {
                let to_k = self.at(i, k);
                if to_k == FREE {
                    continue;
                }
                for j in 0..size {
                    let through = add(to_k, self.at(k, j));
                    if through < self.at(i, j) {
                        self.set(i, j, through);
                    }
                }
            }
        }
        for i in 0..size {
            if self.at(i, i) < 0 {
                return false;
            }
            let twice = self.at(i, opposite(i));
            if twice != FREE {
                self.set(i, opposite(i), 2 * twice.div_euclid(2));
            }
        }
        for i in 0..size {
            if add(self.at(i, opposite(i)), self.at(opposite(i), i)) < 0 {
                return false;
            }
            for j in 0..size {
                let halves = add(self.at(i, opposite(i)), self.at(opposite(j), j));
                if halves != FREE && halves.div_euclid(2) < self.at(i, j) {
                    self.set(i, j, halves.div_euclid(2));
                }
            }
        }
        true
    }

    /// Adds something from the interval to the variable.
    pub(crate) fn shift(&mut self, variable: usize, by: Interval) {
        let (plus, minus) = (row(variable, true), row(variable, false));
        let (lo, hi) = (by.lo as i128, by.hi as i128);
        let moves = |r: usize| {
            if r == plus {
                (lo, hi)
            } else if r == minus {
                (-hi, -lo)
            } else {
                (0, 0)
            }
        };
        for a in 0..self.size() {
            for b in 0..self.size() {
                let entry = self.at(a, b);
                if a != b && entry != FREE {
                    self.set(a, b, bounded(entry as i128 + moves(a).1 - moves(b).0));
                }
            }
        }
    }

    /// The variable becomes its negation.
    pub(crate) fn negate(&mut self, variable: usize) {
        let (plus, minus) = (row(variable, true), row(variable, false));
        for other in 0..self.size() {
            let size = self.size();
            self.entries.swap(plus * size + other, minus * size + other);
        }
        for other in 0..self.size() {
            let size = self.size();
            self.entries.swap(other * size + plus, other * size + minus);
        }
    }

    /// Both over the same variables, and closed; so is the result.
    pub(crate) fn join(&mut self, other: &Octagon) {
        self.entries.iter_mut().zip(&other.entries).for_each(|(a, b)| *a = (*a).max(*b));
    }

    /// Bounds that do not hold of `newer` are dropped. The result is not closed, and must not be before the next
    /// widening.
    pub(crate) fn widen(&mut self, newer: &Octagon) {
        for (old, new) in self.entries.iter_mut().zip(&newer.entries) {
            if *new > *old {
                *old = FREE;
            }
        }
    }

    /// The octagon over other variables, given for each new variable the old one that it stands for.
    pub(crate) fn rearranged(&self, from: &[Option<usize>]) -> Octagon {
        let mut new = Octagon::unconstrained(from.len());
        for a in 0..new.size() {
            for b in 0..new.size() {
                if let (Some(x), Some(y)) = (from[a / 2], from[b / 2])
                    && a != b
                {
                    new.set(a, b, self.at(2 * x + a % 2, 2 * y + b % 2));
                }
            }
        }
        new
    }

    /// Whether these values satisfy every constraint.
    #[cfg(test)]
    pub(crate) fn contains(&self, values: &[i64]) -> bool {
        let of = |r: usize| if r.is_multiple_of(2) { values[r / 2] as i128 } else { -(values[r / 2] as i128) };
        let size = self.size();
        (0..size * size).all(|i| {
            let bound = self.entries[i];
            bound == FREE || of(i / size) - of(i % size) <= bound as i128
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VARIABLES: usize = 3;
    const RANGE: std::ops::RangeInclusive<i64> = -4..=4;

    fn points() -> impl Iterator<Item = Vec<i64>> {
        RANGE.flat_map(|x| RANGE.flat_map(move |y| RANGE.map(move |z| vec![x, y, z])))
    }

    /// Some constraints, within the range of the points.
    fn random(rng: &mut fastrand::Rng) -> Octagon {
        let mut octagon = Octagon::unconstrained(VARIABLES);
        for v in 0..VARIABLES {
            octagon.bound(v, Interval { lo: *RANGE.start(), hi: *RANGE.end() });
        }
        for _ in 0..rng.u32(..6) {
            let (a, b) = (rng.usize(..2 * VARIABLES), rng.usize(..2 * VARIABLES));
            if a != b {
                octagon.bound_difference(a, b, rng.i64(-7..=7) as i128);
            }
        }
        octagon
    }

    fn members(octagon: &Octagon) -> Vec<Vec<i64>> {
        points().filter(|p| octagon.contains(p)).collect()
    }

    #[test]
    fn closing_keeps_the_members_and_finds_out_whether_there_are_any() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut empty = 0;
        for _ in 0..2_000 {
            let octagon = random(&mut rng);
            let mut closed = octagon.clone();
            let found = closed.close();
            assert_eq!(found, !members(&octagon).is_empty(), "{octagon:?}");
            if found {
                assert_eq!(members(&octagon), members(&closed));
            }
            empty += !found as u32;
        }
        assert!((200..1_800).contains(&empty), "{empty}");
    }

    /// That is what makes the closure tight: no bound can be lowered.
    #[test]
    fn every_bound_of_a_closed_octagon_is_reached_by_a_member() {
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..1_000 {
            let mut octagon = random(&mut rng);
            if !octagon.close() {
                continue;
            }
            let members = members(&octagon);
            let of = |p: &[i64], r: usize| if r.is_multiple_of(2) { p[r / 2] } else { -p[r / 2] };
            for a in 0..2 * VARIABLES {
                for b in 0..2 * VARIABLES {
                    let largest = members.iter().map(|p| of(p, a) - of(p, b)).max();
                    assert_eq!(largest, Some(octagon.at(a, b)), "{a} {b} {octagon:?}");
                }
            }
        }
    }

    #[test]
    fn operations_cover_what_they_do_to_members() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..2_000 {
            let (mut one, mut two) = (random(&mut rng), random(&mut rng));
            if !one.close() || !two.close() {
                continue;
            }
            let v = rng.usize(..VARIABLES);
            let (lo, more) = (rng.i64(-2..=2), rng.i64(0..3));
            let [mut joined, mut widened, mut shifted, mut negated] = std::array::from_fn(|_| one.clone());
            joined.join(&two);
            widened.widen(&joined);
            shifted.shift(v, Interval { lo, hi: lo + more });
            negated.negate(v);
            let mut others = two.clone();
            others.join(&one);
            assert_eq!(joined, others);
            for p in members(&one).into_iter().chain(members(&two)) {
                assert!(joined.contains(&p) && widened.contains(&p));
            }
            for p in members(&one) {
                let with =
                    |value: i64| p.iter().enumerate().map(|(i, &x)| if i == v { value } else { x }).collect::<Vec<_>>();
                assert!(negated.contains(&with(-p[v])));
                assert!((lo..=lo + more).all(|by| shifted.contains(&with(p[v] + by))));
            }
        }
    }

    #[test]
    fn huge_bounds_are_forgotten_and_nothing_overflows() {
        let mut octagon = Octagon::unconstrained(2);
        octagon.bound(0, Interval { lo: i64::MIN, hi: i64::MIN + 1 });
        octagon.bound(1, Interval { lo: i64::MAX - 1, hi: i64::MAX });
        octagon.bound_difference(row(0, true), row(1, false), i64::MAX as i128);
        assert!(octagon.close());
        octagon.shift(0, Interval::FULL);
        assert!(octagon.close());
        assert!(octagon.contains(&[i64::MIN, i64::MAX]) && octagon.contains(&[i64::MAX, i64::MAX]));
    }
}
