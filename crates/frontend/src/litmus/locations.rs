//! The shared locations of a test: those of its initial state, and those that a thread has a parameter for.

use super::ast::*;
use super::types::CType;
use crate::diagnostic::Diagnostic;
use crate::limits::CELLS;
use crate::text::{Lines, TextRange};
use fencepost_program::{Address, Object, ObjectId, Ty};
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Locations<'t> {
    pub objects: Vec<Object>,
    pub by_name: HashMap<&'t str, Location>,
}

#[derive(Clone, Copy)]
pub(super) struct Location {
    pub id: ObjectId,
    pub boolean: bool,
    /// Where its type was given, if it was.
    typed: Option<TextRange>,
    declared: TextRange,
}

impl<'t> Locations<'t> {
    pub(super) fn collect(test: &Test<'t>, lines: &Lines<'_>, errors: &mut Vec<Diagnostic>) -> Locations<'t> {
        let mut locations = Locations::default();
        for init in &test.init {
            if let Init::Location { ty, name, length, values } = init {
                errors.extend(locations.initial(ty.as_ref(), *name, *length, values.as_ref(), lines).err());
            }
        }
        for param in test.threads.iter().flat_map(|thread| &thread.params) {
            errors.extend(locations.parameter(param, lines).err());
        }
        locations.give_addresses();
        errors.extend(locations.check_count(test));
        locations
    }

    fn initial(
        &mut self,
        ty: Option<&CType>,
        name: Name<'t>,
        length: Option<(i64, TextRange)>,
        values: Option<&(Vec<i64>, TextRange)>,
        lines: &Lines<'_>,
    ) -> Result<(), Diagnostic> {
        if let Some(first) = self.by_name.get(name.text) {
            return Err(Diagnostic::new(format!("`{}` is initialised twice", name.text), name.range, "again here")
                .and(first.declared, "first here"));
        }
        let cells = match length {
            None => 1,
            Some((length, _)) if (1..=CELLS).contains(&length) => length as usize,
            Some((length, range)) => {
                let message = format!("an array of {length} locations");
                return Err(Diagnostic::new(message, range, format!("expected 1 to {CELLS}")));
            }
        };
        let init = match values {
            None => vec![0; cells],
            Some((values, _)) if values.len() == cells => values.clone(),
            Some((values, range)) => {
                let message = format!("`{}` has {cells} cells, but {} initial values", name.text, values.len());
                return Err(Diagnostic::new(message, *range, format!("expected {cells}")));
            }
        };
        let id = self.add(name, init, length.is_some(), lines);
        if let Some(ty) = ty {
            self.set_type(name.text, id, ty);
        }
        Ok(())
    }

    fn parameter(&mut self, param: &Param<'t>, lines: &Lines<'_>) -> Result<(), Diagnostic> {
        let name = param.name;
        let Some(known) = self.by_name.get(name.text).copied() else {
            let id = self.add(name, vec![0], false, lines);
            self.set_type(name.text, id, &param.ty);
            return Ok(());
        };
        let object = &mut self.objects[known.id.0 as usize];
        match known.typed {
            None => self.set_type(name.text, known.id, &param.ty),
            Some(typed) if object.ty != param.ty.ty => {
                let message = format!("`{}` has two types", name.text);
                return Err(Diagnostic::new(message, param.ty.range, "one here").and(typed, "another here"));
            }
            Some(_) => object.atomic |= param.ty.atomic,
        }
        Ok(())
    }

    fn add(&mut self, name: Name<'t>, init: Vec<i64>, array: bool, lines: &Lines<'_>) -> ObjectId {
        let id = ObjectId(self.objects.len() as u32);
        self.by_name.insert(name.text, Location { id, boolean: false, typed: None, declared: name.range });
        let (ty, span) = (Ty::Int, lines.span(name.range));
        let name = name.text.to_owned();
        self.objects.push(Object { name, first: Address(0), init, ty, atomic: false, array, span });
        id
    }

    fn set_type(&mut self, name: &'t str, id: ObjectId, ty: &CType) {
        let object = &mut self.objects[id.0 as usize];
        object.ty = ty.ty;
        object.atomic |= ty.atomic;
        for value in &mut object.init {
            *value = if ty.boolean { (*value != 0) as i64 } else { ty.ty.wrap(*value) };
        }
        if let Some(location) = self.by_name.get_mut(name) {
            location.typed = Some(ty.range);
            location.boolean = ty.boolean;
        }
    }

    fn give_addresses(&mut self) {
        let mut next = 0;
        for object in &mut self.objects {
            object.first = Address(next);
            next += object.init.len() as u64;
        }
    }

    fn check_count(&self, test: &Test<'t>) -> Option<Diagnostic> {
        let cells: usize = self.objects.iter().map(|object| object.init.len()).sum();
        let range = test.threads.first().map_or(TextRange::default(), |thread| thread.range);
        (cells as i64 > CELLS).then(|| {
            let message = format!("too many locations: {cells}, and at most {CELLS} are allowed");
            Diagnostic::new(message, range, "in this test")
        })
    }
}
