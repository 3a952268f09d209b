//! Programs for observational robustness: threads that wait, read, and compute something from what they have read.

use fastrand::Rng;
use fencepost_program::{self as program, Ordering};

use super::generate::{Profile, random_sketch};
use super::sketch::{Comparison, Index, Place, Register, Sketch, Statement, Term};

/// A random program in which many reads may be stale, and few are used. Two programs of one seed and profile are equal.
pub fn random_observer(seed: u64, profile: Profile) -> Sketch {
    let mut sketch = random_sketch(seed, profile);
    let mut rng = Rng::with_seed(seed ^ 0x0b5e_44e4);
    let array = sketch.cells.iter().position(|cell| cell.length.is_some() && cell.atomic);
    for thread in &mut sketch.threads {
        let loads = thread.iter().filter(|s| matches!(s, Statement::Load { .. })).count();
        let mut seen = 0;
        for i in 0..thread.len() {
            let Statement::Load { to, place, order } = thread[i] else { continue };
            seen += 1;
            let is_used = thread.iter().any(|statement| uses(statement, to));
            if seen < loads && order.is_atomic() && !is_used && rng.u32(..100) < 70 {
                thread[i] =
                    Statement::Wait { place, comparison: program::Comparison::Eq, value: Term::Const(1), order };
            }
        }
        let registers: Vec<Register> = thread.iter().flat_map(Statement::assigns).collect();
        if let Some(&last) = registers.last()
            && rng.u32(..100) < 80
        {
            let register = if rng.bool() { last } else { registers[rng.usize(..registers.len())] };
            let to = Register(registers.iter().map(|r| r.0).max().unwrap_or(0) + 10);
            thread.push(use_of(&mut rng, register, to, array));
        }
    }
    sketch
}

fn uses(statement: &Statement, register: Register) -> bool {
    statement.uses().contains(&register) || statement.blocks().into_iter().flatten().any(|inner| uses(inner, register))
}

fn use_of(rng: &mut Rng, register: Register, to: Register, array: Option<usize>) -> Statement {
    let value = Term::Register(register);
    let compute = |a, operator, b| Statement::Compute { to, a, operator, b };
    match (rng.u32(..10), array) {
        (0 | 1, Some(cell)) => {
            Statement::Load { to, place: Place { cell, index: Index::Bare(register) }, order: Ordering::Relaxed }
        }
        (0..=3, _) => compute(Term::Const(1), "/", value),
        (4 | 5, _) => compute(Term::Const(3), "%", value),
        (6, _) => compute(value, "/", Term::Const(2)),
        (7, _) => compute(Term::Const(1), "<<", value),
        (8, _) => compute(value, "-", Term::Const(1)),
        _ => Statement::Assert(Comparison { register, equal: false, term: Term::Const(0) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_fail_is_computed_from_what_was_read() {
        let text: String = (0..500).map(|seed| random_observer(seed, Profile::Rc20).to_string()).collect();
        for part in ["(1) / (r", "(3) % (r", "(1) << (r", ") / (2)", "[r"] {
            assert!(text.contains(part), "{part}");
        }
    }
}
