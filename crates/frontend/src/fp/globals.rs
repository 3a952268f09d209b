//! What a file declares: constants, locations, procedures, threads.

use super::ast::*;
use super::constants;
use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::text::{Lines, TextRange};
use fencepost_program::{Address, FuncId, Object, ObjectId, Ty, Value};
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Globals<'t> {
    pub constants: HashMap<&'t str, (Value, TextRange)>,
    pub locations: HashMap<&'t str, (ObjectId, TextRange)>,
    pub procedures: HashMap<&'t str, Procedure>,
    pub objects: Vec<Object>,
    /// How many threads each `thread` item stands for, by its place; 1 for one without a count.
    pub counts: HashMap<TextRange, u32>,
}

#[derive(Clone, Copy)]
pub(super) struct Procedure {
    pub id: FuncId,
    pub params: usize,
    pub range: TextRange,
}

impl<'t> Globals<'t> {
    pub(super) fn collect(items: &[Item<'t>], lines: &Lines<'_>, errors: &mut Vec<Diagnostic>) -> Globals<'t> {
        let mut globals = Globals::default();
        let mut threads: HashMap<&str, TextRange> = HashMap::new();
        let mut thread_total = 0;
        for item in items {
            if errors.len() >= limits::ERRORS {
                break;
            }
            let result = match &item.kind {
                ItemKind::Const { name, value } => globals.constant(*name, value),
                ItemKind::Locations { atomic, list } => {
                    for location in list {
                        if errors.len() < limits::ERRORS {
                            errors.extend(globals.location(location, *atomic, lines).err());
                        }
                    }
                    Ok(())
                }
                ItemKind::Function { name, params, .. } => globals.procedure(*name, params),
                ItemKind::Thread { name, count, .. } => match threads.insert(name.text, name.range) {
                    Some(first) => Err(twice(*name, first)),
                    None => globals.thread(*name, count.as_ref(), &mut thread_total),
                },
            };
            errors.extend(result.err());
        }
        globals
    }

    fn constant(&mut self, name: Name<'t>, value: &Expr<'t>) -> Result<(), Diagnostic> {
        self.check_new(name)?;
        // A constant whose value is wrong is still declared, so that each use of it is not an error too.
        let value = constants::evaluate(value, self);
        self.constants.insert(name.text, (*value.as_ref().unwrap_or(&1), name.range));
        value.map(|_| ())
    }

    fn location(&mut self, location: &Location<'t>, atomic: bool, lines: &Lines<'_>) -> Result<(), Diagnostic> {
        let name = location.name;
        self.check_new(name)?;
        let first = self.objects.last().map_or(0, |o| o.first.0 + o.init.len() as u64);
        let id = ObjectId(self.objects.len() as u32);
        self.locations.insert(name.text, (id, name.range));
        self.objects.push(Object {
            name: name.text.to_owned(),
            first: Address(first),
            init: vec![0],
            ty: Ty::Int,
            atomic,
            array: location.length.is_some(),
            span: lines.span(name.range),
        });
        let length = match &location.length {
            None => 1,
            Some(expr) => {
                let length = constants::evaluate(expr, self)?;
                let left = limits::CELLS - first as i64;
                if length < 1 {
                    let message = format!("an array of {length} locations");
                    return Err(Diagnostic::new(message, expr.range, "expected at least 1"));
                }
                if length > left {
                    let message = format!("too many locations: at most {} in all", limits::CELLS);
                    return Err(Diagnostic::new(message, expr.range, format!("this is {length}, and {left} are left")));
                }
                length as usize
            }
        };
        if first as i64 >= limits::CELLS {
            let message = format!("too many locations: at most {} in all", limits::CELLS);
            return Err(Diagnostic::new(message, name.range, "one too many"));
        }
        let ty = location.ty.as_ref().map_or(Ok(Ty::Int), |ty| constants::ty(ty, self))?;
        let init = match &location.init {
            None => vec![ty.wrap(0); length],
            Some(Init::One(expr)) => vec![ty.wrap(constants::evaluate(expr, self)?); length],
            Some(Init::Each(exprs, range)) => {
                if location.length.is_none() {
                    let message = format!("`{}` is not an array", name.text);
                    return Err(Diagnostic::new(message, *range, "expected one value"));
                }
                if exprs.len() != length {
                    let message = format!("`{}` has {length} cells, but {} initial values", name.text, exprs.len());
                    return Err(Diagnostic::new(message, *range, format!("expected {length} values, or one for all")));
                }
                let values = exprs.iter().map(|e| Ok(ty.wrap(constants::evaluate(e, self)?)));
                values.collect::<Result<_, Diagnostic>>()?
            }
        };
        let object = self.objects.last_mut().expect("pushed above");
        object.ty = ty;
        object.init = init;
        Ok(())
    }

    fn procedure(&mut self, name: Name<'t>, params: &[Name<'t>]) -> Result<(), Diagnostic> {
        if let Some(first) = self.procedures.get(name.text) {
            return Err(twice(name, first.range));
        }
        let id = FuncId(self.procedures.len() as u32);
        self.procedures.insert(name.text, Procedure { id, params: params.len(), range: name.range });
        match params.get(limits::PARAMETERS) {
            Some(extra) => {
                let message = format!("too many parameters: at most {}", limits::PARAMETERS);
                Err(Diagnostic::new(message, extra.range, "one too many"))
            }
            None => Ok(()),
        }
    }

    fn thread(&mut self, name: Name<'t>, count: Option<&Expr<'t>>, total: &mut i64) -> Result<(), Diagnostic> {
        self.counts.insert(name.range, 1);
        let number = count.map_or(Ok(1), |expr| constants::evaluate(expr, self))?;
        let range = count.map_or(name.range, |expr| expr.range);
        if number < 1 {
            return Err(Diagnostic::new(format!("{number} threads `{}`", name.text), range, "expected at least 1"));
        }
        let left = limits::THREADS - *total;
        if number > left {
            let message = format!("too many threads: at most {} in all", limits::THREADS);
            return Err(Diagnostic::new(message, range, format!("this is {number}, and {left} are left")));
        }
        *total += number;
        self.counts.insert(name.range, number as u32);
        Ok(())
    }

    /// Constants and locations share one space of names.
    fn check_new(&self, name: Name<'t>) -> Result<(), Diagnostic> {
        let constant = self.constants.get(name.text).map(|(_, range)| *range);
        match constant.or(self.locations.get(name.text).map(|(_, range)| *range)) {
            Some(first) => Err(twice(name, first)),
            None => Ok(()),
        }
    }
}

pub(super) fn twice(name: Name<'_>, first: TextRange) -> Diagnostic {
    Diagnostic::new(format!("`{}` is declared twice", name.text), name.range, "declared again here")
        .and(first, "first declared here")
}
