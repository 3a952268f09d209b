//! What may be asked of the final states of a program.

use crate::{Address, Program, Reg, Value};

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

    /// The proposition that a proof has to exclude, about the final states that pass the filter: that of `exists` and
    /// `~exists` itself, and the negation of that of `forall`. So a proof answers `exists` with no.
    pub fn excluded(&self, filter: Option<&Proposition>) -> Proposition {
        let proposition = self.proposition.clone();
        let excluded = match self.quantifier {
            Quantifier::Exists | Quantifier::NotExists => proposition,
            Quantifier::Forall => Proposition::Not(Box::new(proposition)),
        };
        match filter {
            Some(filter) => Proposition::All(vec![filter.clone(), excluded]),
            None => excluded,
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

/// A register or a cell, which has a value in each final state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Observable {
    /// A register of an ended thread. `thread` is an index into the program's threads.
    Register {
        thread: usize,
        reg: Reg,
    },
    Cell(Address),
}

impl Term {
    pub fn register(thread: usize, reg: Reg) -> Term {
        Term::Observable(Observable::Register { thread, reg })
    }

    pub fn cell(at: Address) -> Term {
        Term::Observable(Observable::Cell(at))
    }
}

impl Program {
    /// The index of a register among those that an ended thread keeps ([`Function::observed`](crate::Function)).
    pub fn observed_index(&self, thread: usize, reg: Reg) -> Option<usize> {
        self.function(self.threads[thread].func).observed.iter().position(|&kept| kept == reg)
    }
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

    /// Appends each register and cell that it mentions to `observables`.
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
