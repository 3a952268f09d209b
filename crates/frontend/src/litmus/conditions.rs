//! Names in `locations`, `filter` and the condition to registers and cells.

use super::ast::*;
use super::locations::Locations;
use super::lower::Local;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::limits::ERRORS;
use crate::text::TextRange;
use fencepost_program::question::{Condition, Observable, Proposition, Term};
use fencepost_program::{Address, Object, Ty};
use std::collections::HashMap;

pub(super) struct Resolver<'a, 't> {
    /// The numbers of the threads.
    pub numbers: &'a [i64],
    pub locations: &'a Locations<'t>,
    /// For each thread.
    pub locals: &'a [HashMap<&'t str, Local>],
    pub errors: &'a mut Vec<Diagnostic>,
}

/// What a test asks, about registers and cells of its program.
pub(super) struct Asked {
    pub condition: Option<Condition>,
    pub filter: Option<Proposition>,
    pub observed: Vec<(String, Observable)>,
}

impl Resolver<'_, '_> {
    pub(super) fn questions(&mut self, questions: &Questions<'_>, text: &str) -> Asked {
        Asked {
            observed: questions.locations.iter().filter_map(|observed| self.named(observed)).collect(),
            filter: questions.filter.as_ref().map(|prop| self.proposition(prop)),
            condition: questions.condition.as_ref().map(|(quantifier, prop, range)| Condition {
                quantifier: *quantifier,
                proposition: self.proposition(prop),
                text: range.of(text).split_whitespace().collect::<Vec<_>>().join(" "),
            }),
        }
    }

    /// After an error, any proposition: the test is refused.
    fn proposition(&mut self, prop: &Prop<'_>) -> Proposition {
        match prop {
            Prop::Equal(left, right) => {
                let left = self.observable(left).map(Term::Observable);
                let right = match right {
                    Operand::Value(value) => Some(Term::Value(*value)),
                    Operand::Address(name) => self.address(*name).map(Term::Value),
                    Operand::Observed(observed) => self.observable(observed).map(Term::Observable),
                };
                match (left, right) {
                    (Some(left), Some(Term::Value(value))) => {
                        Proposition::Equal(left, Term::Value(self.type_of(left).wrap(value)))
                    }
                    (Some(left), Some(right)) => Proposition::Equal(left, right),
                    _ => Proposition::Any(Vec::new()),
                }
            }
            Prop::Not(inner) => Proposition::Not(Box::new(self.proposition(inner))),
            Prop::All(parts) => Proposition::All(parts.iter().map(|part| self.proposition(part)).collect()),
            Prop::Any(parts) => Proposition::Any(parts.iter().map(|part| self.proposition(part)).collect()),
        }
    }

    /// What a term can be: `x=0xffffffff` asks for -1 where `x` is an `int`.
    fn type_of(&self, term: Term) -> Ty {
        match term {
            Term::Observable(Observable::Register { thread, reg }) => {
                self.locals[thread].values().find(|local| local.reg == reg).map_or(Ty::Int, |local| local.ty)
            }
            Term::Observable(Observable::Cell(at)) => {
                let holds =
                    |object: &&Object| (object.first.0..object.first.0 + object.init.len() as u64).contains(&at.0);
                self.locations.objects.iter().find(holds).map_or(Ty::Int, |object| object.ty)
            }
            Term::Value(_) => Ty::Int,
        }
    }

    /// With the name that the file gives it.
    fn named(&mut self, observed: &Observed<'_>) -> Option<(String, Observable)> {
        let name = match observed {
            Observed::Register { thread: (number, _), name } => format!("{number}:{}", name.text),
            Observed::Location { name, index: None } => name.text.to_owned(),
            Observed::Location { name, index: Some((index, _)) } => format!("{}[{index}]", name.text),
        };
        Some((name, self.observable(observed)?))
    }

    fn observable(&mut self, observed: &Observed<'_>) -> Option<Observable> {
        if self.errors.len() >= ERRORS {
            return None;
        }
        let result = match observed {
            Observed::Register { thread, name } => self.register(*thread, *name),
            Observed::Location { name, index } => self.cell(*name, *index),
        };
        result.map_err(|error| self.errors.push(error)).ok()
    }

    fn register(&self, (number, range): (i64, TextRange), name: Name<'_>) -> Result<Observable, Diagnostic> {
        let Some(thread) = self.numbers.iter().position(|known| *known == number) else {
            return Err(no_thread(number, range));
        };
        if let Some(local) = self.locals[thread].get(name.text) {
            return Ok(Observable::Register { thread, reg: local.reg });
        }
        let message = format!("P{number} has no variable `{}`", name.text);
        let error = Diagnostic::new(message, name.range, "not declared in this thread");
        Err(match did_you_mean(name.text, self.locals[thread].keys().copied()) {
            Some(meant) => error.help(format!("did you mean `{number}:{meant}`?")),
            None => error,
        })
    }

    fn address(&mut self, name: Name<'_>) -> Option<i64> {
        let address = self.locations.address_of(name.text);
        if address.is_none() {
            self.errors.push(self.no_location(name));
        }
        address
    }

    fn no_location(&self, name: Name<'_>) -> Diagnostic {
        let error = Diagnostic::new(format!("no location `{}`", name.text), name.range, "not declared");
        match did_you_mean(name.text, self.locations.by_name.keys().copied()) {
            Some(meant) => error.help(format!("did you mean `{meant}`?")),
            None => error.help("a register needs its thread before it, as in `0:r0`"),
        }
    }

    fn cell(&self, name: Name<'_>, index: Option<(i64, TextRange)>) -> Result<Observable, Diagnostic> {
        let Some(location) = self.locations.by_name.get(name.text) else {
            return Err(self.no_location(name));
        };
        let object = &self.locations.objects[location.id.0 as usize];
        let length = object.init.len() as i64;
        match index {
            None if !object.array => Ok(Observable::Cell(object.first)),
            None => {
                let message = format!("`{}` is an array of {length} locations", name.text);
                Err(Diagnostic::new(message, name.range, format!("expected `{}[index]`", name.text)))
            }
            Some((index, _)) if (0..length).contains(&index) => {
                Ok(Observable::Cell(Address(object.first.0 + index as u64)))
            }
            Some((index, range)) => {
                let message = format!("the index {index} is outside `{}`", name.text);
                Err(Diagnostic::new(message, range, format!("expected 0..{}", length - 1)))
            }
        }
    }
}

pub(super) fn no_thread(number: i64, range: TextRange) -> Diagnostic {
    Diagnostic::new(format!("there is no thread P{number}"), range, "expected the number of a thread")
}
