//! Names in `locations`, `filter` and the condition to registers and cells.

use super::ast::*;
use super::locations::Locations;
use super::lower::Local;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::limits::ERRORS;
use crate::text::TextRange;
use fencepost_program::Address;
use fencepost_program::question::{Observable, Proposition, Term};
use std::collections::HashMap;

pub(super) struct Resolver<'a, 't> {
    pub test: &'a Test<'t>,
    pub locations: &'a Locations<'t>,
    /// For each thread.
    pub locals: &'a [HashMap<&'t str, Local>],
    pub errors: &'a mut Vec<Diagnostic>,
}

impl Resolver<'_, '_> {
    /// After an error, any proposition: the test is refused.
    pub(super) fn proposition(&mut self, prop: &Prop<'_>) -> Proposition {
        match prop {
            Prop::Equal(left, right) => {
                let left = self.observable(left).map(Term::Observable);
                let right = match right {
                    Operand::Value(value) => Some(Term::Value(*value)),
                    Operand::Observed(observed) => self.observable(observed).map(Term::Observable),
                };
                match (left, right) {
                    (Some(left), Some(right)) => Proposition::Equal(left, right),
                    _ => Proposition::Any(Vec::new()),
                }
            }
            Prop::Not(inner) => Proposition::Not(Box::new(self.proposition(inner))),
            Prop::All(parts) => Proposition::All(parts.iter().map(|part| self.proposition(part)).collect()),
            Prop::Any(parts) => Proposition::Any(parts.iter().map(|part| self.proposition(part)).collect()),
        }
    }

    /// With the name that the file gives it.
    pub(super) fn named(&mut self, observed: &Observed<'_>) -> Option<(String, Observable)> {
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
        let Some(thread) = self.test.threads.iter().position(|thread| thread.number == number) else {
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

    fn cell(&self, name: Name<'_>, index: Option<(i64, TextRange)>) -> Result<Observable, Diagnostic> {
        let Some(location) = self.locations.by_name.get(name.text) else {
            let error = Diagnostic::new(format!("no location `{}`", name.text), name.range, "not declared");
            return Err(match did_you_mean(name.text, self.locations.by_name.keys().copied()) {
                Some(meant) => error.help(format!("did you mean `{meant}`?")),
                None => error.help("a register needs its thread before it, as in `0:r0`"),
            });
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
