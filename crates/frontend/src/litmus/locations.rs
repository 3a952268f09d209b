//! The shared locations of a test: those of its initial state, and those that a thread has a parameter for.

use super::ast::*;
use super::types::CType;
use crate::diagnostic::Diagnostic;
use crate::limits::CELLS;
use crate::text::{Lines, TextRange};
use fencepost_program::{Address, Cell, Object, ObjectId, Operand, Ty};
use std::collections::HashMap;

/// How far apart the addresses of locations are: no two arrays overlap.
const ADDRESS_SPACE: i64 = CELLS * 8;

#[derive(Default)]
pub(super) struct Locations<'t> {
    pub objects: Vec<Object>,
    pub by_name: HashMap<&'t str, Location>,
    /// Cells that hold addresses at first.
    pointers: Vec<(ObjectId, usize, Name<'t>)>,
}

#[derive(Clone, Copy)]
pub(super) struct Location {
    pub id: ObjectId,
    pub boolean: bool,
    /// Where its type was given, if it was.
    pub typed: Option<TextRange>,
    declared: TextRange,
}

impl<'t> Locations<'t> {
    pub(super) fn collect(test: &Test<'t>, lines: &Lines<'_>, errors: &mut Vec<Diagnostic>) -> Locations<'t> {
        let mut locations = Locations::initial(&test.init, lines, errors);
        for param in test.threads.iter().flat_map(|thread| &thread.params) {
            errors.extend(locations.parameter(param, lines).err());
        }
        locations.finish(test.threads.first().map(|thread| thread.range), errors);
        locations
    }

    /// Those of the initial state. Others may be added until [`Locations::finish`].
    pub(super) fn initial(init: &[Init<'t>], lines: &Lines<'_>, errors: &mut Vec<Diagnostic>) -> Locations<'t> {
        let mut locations = Locations::default();
        for init in init {
            if let Init::Location { ty, name, length, values } = init {
                errors.extend(locations.declare(ty.as_ref(), *name, *length, values.as_ref(), lines).err());
            }
        }
        for init in init {
            let values = match init {
                Init::Location { values: Some((values, _)), .. } => values,
                Init::Register { value, .. } => std::slice::from_ref(value),
                Init::Location { .. } => continue,
            };
            for value in values {
                if let Initial::Address(name) = value {
                    locations.mention(*name, lines);
                }
            }
        }
        locations
    }

    /// Gives the cells their places, and the locations that hold addresses their values.
    pub(super) fn finish(&mut self, place: Option<TextRange>, errors: &mut Vec<Diagnostic>) {
        let mut next = 0;
        for object in &mut self.objects {
            object.first = Address(next);
            next += object.init.len() as u64;
        }
        for (object, index, name) in std::mem::take(&mut self.pointers) {
            if let Some(address) = self.address_of(name.text) {
                let object = &mut self.objects[object.0 as usize];
                object.init[index] = object.ty.wrap(address);
            }
        }
        errors.extend(self.check_count(place));
    }

    /// A location that has its first mention here, if it is not known yet.
    pub(super) fn mention(&mut self, name: Name<'t>, lines: &Lines<'_>) -> ObjectId {
        match self.by_name.get(name.text) {
            Some(location) => location.id,
            None => self.add(name, vec![0], false, lines),
        }
    }

    /// The number that stands for the address of a location. The cells of an array are as far apart as they are large.
    pub(super) fn address_of(&self, name: &str) -> Option<i64> {
        self.by_name.get(name).map(|location| (i64::from(location.id.0) + 1) * ADDRESS_SPACE)
    }

    /// Bytes of a cell.
    pub(super) fn cell_size(&self, object: ObjectId) -> i64 {
        match self.objects[object.0 as usize].ty {
            Ty::Int | Ty::Wide => 8,
            Ty::Range { lo, hi } => match hi.wrapping_sub(lo) {
                0..=0xff => 1,
                0x100..=0xffff => 2,
                0x1_0000..=0xffff_ffff => 4,
                _ => 8,
            },
        }
    }

    /// All cells with their addresses.
    pub(super) fn cells(&self) -> impl Iterator<Item = (i64, Cell)> {
        self.objects.iter().enumerate().flat_map(|(number, object)| {
            let (id, base) = (ObjectId(number as u32), (number as i64 + 1) * ADDRESS_SPACE);
            let size = self.cell_size(id);
            (0..object.init.len() as i64)
                .map(move |index| (base + index * size, Cell { object: id, index: Operand::Const(index) }))
        })
    }

    fn declare(
        &mut self,
        ty: Option<&CType>,
        name: Name<'t>,
        length: Option<(i64, TextRange)>,
        values: Option<&(Vec<Initial<'t>>, TextRange)>,
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
            Some((values, _)) if values.len() == cells => values.iter().map(number).collect(),
            Some((values, range)) => {
                let message = format!("`{}` has {cells} cells, but {} initial values", name.text, values.len());
                return Err(Diagnostic::new(message, *range, format!("expected {cells}")));
            }
        };
        let id = self.add(name, init, length.is_some(), lines);
        for (index, value) in values.into_iter().flat_map(|(values, _)| values).enumerate() {
            if let Initial::Address(name) = value {
                self.pointers.push((id, index, *name));
            }
        }
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

    fn check_count(&self, place: Option<TextRange>) -> Option<Diagnostic> {
        let cells: usize = self.objects.iter().map(|object| object.init.len()).sum();
        let range = place.unwrap_or_default();
        (cells as i64 > CELLS).then(|| {
            let message = format!("too many locations: {cells}, and at most {CELLS} are allowed");
            Diagnostic::new(message, range, "in this test")
        })
    }
}

fn number(value: &Initial<'_>) -> i64 {
    match value {
        Initial::Number(number) => *number,
        // Set once all locations are known.
        Initial::Address(_) => 0,
    }
}
