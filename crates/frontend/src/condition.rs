//! Conditions on the final states of a litmus test.

use fencepost_program::{Address, Reg, Value};

/// What the condition says about the final states that satisfy its proposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// At least one does.
    Exists,
    /// None does.
    NotExists,
    /// All do.
    Forall,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub quantifier: Quantifier,
    pub proposition: Proposition,
    /// As the file has it.
    pub text: String,
}

impl Condition {
    /// Whether it holds, given how many of the final states satisfy its proposition.
    pub fn holds(&self, satisfying: usize, states: usize) -> bool {
        match self.quantifier {
            Quantifier::Exists => satisfying > 0,
            Quantifier::NotExists => satisfying == 0,
            Quantifier::Forall => satisfying == states,
        }
    }
}

/// A property of one final state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposition {
    Equal(Term, Term),
    Not(Box<Proposition>),
    /// True if there are none.
    All(Vec<Proposition>),
    /// False if there are none.
    Any(Vec<Proposition>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Observable(Observable),
    Value(Value),
}

/// Something that has a value in a final state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Observable {
    /// A register of a thread, which is an index into the program's threads.
    Register {
        thread: usize,
        reg: Reg,
    },
    Cell(Address),
}

impl Proposition {
    /// Whether it holds in the final state that gives the observables these values.
    pub fn holds(&self, value: &dyn Fn(Observable) -> Value) -> bool {
        let term = |term: &Term| match *term {
            Term::Observable(observable) => value(observable),
            Term::Value(value) => value,
        };
        match self {
            Proposition::Equal(a, b) => term(a) == term(b),
            Proposition::Not(inner) => !inner.holds(value),
            Proposition::All(parts) => parts.iter().all(|part| part.holds(value)),
            Proposition::Any(parts) => parts.iter().any(|part| part.holds(value)),
        }
    }

    /// Adds what it asks about to `observables`.
    pub fn collect_observables(&self, observables: &mut Vec<Observable>) {
        match self {
            Proposition::Equal(a, b) => {
                observables.extend([a, b].into_iter().filter_map(|term| match *term {
                    Term::Observable(observable) => Some(observable),
                    Term::Value(_) => None,
                }));
            }
            Proposition::Not(inner) => inner.collect_observables(observables),
            Proposition::All(parts) | Proposition::Any(parts) => {
                parts.iter().for_each(|part| part.collect_observables(observables));
            }
        }
    }
}
