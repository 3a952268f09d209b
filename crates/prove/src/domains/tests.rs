//! What a domain says of some register values covers what an execution does to them.

use fastrand::Rng;
use fencepost_program::{ArithmeticOp, Operand, Reg, Ty, UnaryOp};

use crate::domains::Domain;
use crate::domains::Interval;
use crate::domains::IntervalDomain;
use crate::domains::OctagonDomain;

const TYPES: [Ty; 5] = [Ty::Int, Ty::Int, Ty::Int, Ty::Range { lo: 0, hi: 3 }, Ty::Range { lo: -2, hi: 100 }];
const BINARY: [ArithmeticOp; 12] = [
    ArithmeticOp::Add,
    ArithmeticOp::Add,
    ArithmeticOp::Sub,
    ArithmeticOp::Sub,
    ArithmeticOp::Mul,
    ArithmeticOp::WrappingRem,
    ArithmeticOp::Eq,
    ArithmeticOp::Ne,
    ArithmeticOp::SLt,
    ArithmeticOp::SLe,
    ArithmeticOp::And,
    ArithmeticOp::Or,
];

/// Some register values, and what a domain says of them.
#[derive(Clone)]
struct Run<D> {
    values: Vec<Vec<i64>>,
    domain: D,
}

fn operand(rng: &mut Rng) -> Operand {
    match rng.u32(..4) {
        0 => Operand::Const(*rng.choice(&[-1, 0, 1, 2, 7, i64::MAX]).expect("not empty")),
        _ => Operand::Reg(Reg(rng.u32(..TYPES.len() as u32))),
    }
}

fn value(operand: Operand, values: &[i64]) -> i64 {
    match operand {
        Operand::Reg(Reg(r)) => values[r as usize],
        Operand::Const(value) => value,
    }
}

impl<D: Domain> Run<D> {
    /// One operation; false if the domain says that nothing is left.
    fn step(&mut self, rng: &mut Rng) -> bool {
        let dst = rng.usize(..TYPES.len());
        let (to, ty) = (Reg(dst as u32), TYPES[dst]);
        match rng.u32(..10) {
            0 => {
                let lo = rng.i64(-5..10);
                let all = Interval { lo, hi: lo + rng.i64(0..6) };
                self.domain.assign(to, all, ty);
                self.values.iter_mut().for_each(|v| v[dst] = ty.wrap(rng.i64(all.lo..=all.hi)));
            }
            1 | 2 => {
                let op = *rng.choice(&[None, None, Some(UnaryOp::Neg), Some(UnaryOp::Not)]).expect("not empty");
                let a = operand(rng);
                match op {
                    None => self.domain.assign_copy(to, a, ty),
                    Some(op) => self.domain.assign_unary(to, op, 64, 64, a, ty),
                }
                let result = |a| op.map_or(a, |op| op.apply(64, 64, a));
                self.values.iter_mut().for_each(|v| v[dst] = ty.wrap(result(value(a, v))));
            }
            3..7 => {
                let (op, a, b) = (*rng.choice(&BINARY).expect("not empty"), operand(rng), operand(rng));
                let results: Vec<Option<i64>> =
                    self.values.iter().map(|v| op.apply(64, value(a, v), value(b, v))).collect();
                let some = self.domain.assign_arithmetic(to, op, 64, a, b, ty);
                let mut results = results.into_iter();
                self.values.retain_mut(|v| match results.next().flatten() {
                    Some(result) => {
                        v[dst] = ty.wrap(result);
                        true
                    }
                    None => false,
                });
                return some;
            }
            7 | 8 => {
                let nonzero = rng.bool();
                self.values.retain(|v| (v[dst] != 0) == nonzero);
                return self.domain.assume(Operand::Reg(to), nonzero);
            }
            _ => {
                let to_bound = Interval { lo: 0, hi: rng.i64(0..5) };
                self.values.retain(|v| to_bound.contains(v[dst]));
                return self.domain.restrict(Operand::Reg(to), to_bound);
            }
        }
        true
    }
}

fn operations_are_covered<D: Domain>(relates: fn(&D, &[i64]) -> bool) {
    let mut rng = Rng::with_seed(11);
    let (mut left, mut checked) = (0, 0);
    for _ in 0..6_000 {
        let zeros: Vec<i64> = TYPES.iter().map(|ty| ty.wrap(0)).collect();
        let mut run = Run { values: vec![zeros; 6], domain: D::start(&TYPES) };
        for _ in 0..rng.usize(1..14) {
            let before = run.clone();
            let mut some = run.step(&mut rng);
            // Paths that meet: what was there before, or another way to go on.
            if rng.u32(..4) == 0 {
                let mut other = before;
                let other_some = rng.bool() || other.step(&mut rng);
                match (some, other_some) {
                    (true, true) if rng.u32(..3) == 0 => {
                        run.domain.widen(&other.domain);
                        run.values.extend(other.values);
                    }
                    (true, true) => {
                        run.domain.join(&other.domain);
                        run.values.extend(other.values);
                    }
                    (false, true) => run = other,
                    _ => {}
                }
                some |= other_some;
                run.values.truncate(12);
            }
            if !some {
                assert!(run.values.is_empty(), "{:?}", run.values);
                left += 1;
                break;
            }
            for values in &run.values {
                for (r, &v) in values.iter().enumerate() {
                    let interval = run.domain.interval(Operand::Reg(Reg(r as u32)));
                    assert!(interval.contains(v), "register {r} is {v}, not in {interval:?}");
                }
                assert!(relates(&run.domain, values));
                checked += 1;
            }
        }
    }
    assert!(left > 300 && checked > 50_000, "{left} {checked}");
}

#[test]
fn operations_on_interval_domains_cover_those_on_their_members() {
    operations_are_covered::<IntervalDomain>(|_, _| true);
}

#[test]
fn operations_on_octagon_domains_cover_those_on_their_members() {
    operations_are_covered::<OctagonDomain>(OctagonDomain::relates);
}
