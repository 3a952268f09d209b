//! The condition of a litmus test as something that must never be.

use fencepost_frontend::{Input, Observable, Proposition, Quantifier, Term as Named};
use fencepost_prove::{Formula, Term};

/// What no final state should satisfy, so that the condition holds, or, for `exists`, so that its outcome is
/// impossible.
pub fn never(input: &Input) -> Option<Formula> {
    let condition = input.condition.as_ref()?;
    let proposition = formula(&condition.proposition);
    let bad = match condition.quantifier {
        Quantifier::Exists | Quantifier::NotExists => proposition,
        Quantifier::Forall => Formula::Not(Box::new(proposition)),
    };
    Some(match &input.filter {
        Some(filter) => Formula::All(vec![formula(filter), bad]),
        None => bad,
    })
}

fn formula(proposition: &Proposition) -> Formula {
    match proposition {
        Proposition::Equal(a, b) => Formula::Equal(term(*a), term(*b)),
        Proposition::Not(inner) => Formula::Not(Box::new(formula(inner))),
        Proposition::All(parts) => Formula::All(parts.iter().map(formula).collect()),
        Proposition::Any(parts) => Formula::Any(parts.iter().map(formula).collect()),
    }
}

fn term(named: Named) -> Term {
    match named {
        Named::Value(value) => Term::Value(value),
        Named::Observable(Observable::Register { thread, reg }) => Term::Register { thread, reg },
        Named::Observable(Observable::Cell(at)) => Term::Cell(at),
    }
}
