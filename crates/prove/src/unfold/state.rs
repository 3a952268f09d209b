//! What is known of a thread at a point, and of memory that several threads share.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use fencepost_program::{Global, Program, Reg, memory};

use super::objects::{ObjectId, Objects, Origin};
use super::value::{Offset, Value};

/// A cell of an object that one thread alone accesses, always as a whole: it is kept like a register.
pub(super) type OwnCell = (ObjectId, u32, u8);

/// The registers of all calls, the innermost last, and the thread's own memory.
#[derive(Clone)]
pub(super) struct State {
    pub(super) frames: Vec<Rc<Vec<Value>>>,
    /// Those that may have been written.
    pub(super) own: Rc<BTreeMap<OwnCell, Value>>,
}

impl State {
    pub(super) fn register(&self, Reg(r): Reg) -> Value {
        self.frames.last().and_then(|frame| frame.get(r as usize)).cloned().unwrap_or(Value::Const(0))
    }

    pub(super) fn set(&mut self, Reg(r): Reg, value: Value) {
        if let Some(slot) = self.frames.last_mut().and_then(|frame| Rc::make_mut(frame).get_mut(r as usize)) {
            *slot = value;
        }
    }

    /// Adds what another way to the point brings; returns whether that is new.
    pub(super) fn join(&mut self, other: &State, program: &Program, objects: &Objects) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.frames.iter_mut().zip(&other.frames) {
            if Rc::ptr_eq(mine, theirs) || mine == theirs {
                continue;
            }
            for (i, value) in theirs.iter().enumerate() {
                if mine[i] != *value {
                    let joined = mine[i].join(value, objects);
                    if joined != mine[i] {
                        Rc::make_mut(mine)[i] = joined;
                        changed = true;
                    }
                }
            }
        }
        if Rc::ptr_eq(&self.own, &other.own) || self.own == other.own {
            return changed;
        }
        let cells: Vec<OwnCell> = self.own.keys().chain(other.own.keys()).copied().collect();
        for cell in cells {
            let (mine, theirs) = (self.cell(cell, program, objects), other.cell(cell, program, objects));
            let joined = mine.join(&theirs, objects);
            // What starts with anything is told from what was written, whatever that is.
            if joined != mine || self.is_uninitialised(cell, objects) {
                Rc::make_mut(&mut self.own).insert(cell, joined);
                changed = true;
            }
        }
        changed
    }

    pub(super) fn cell(&self, cell: OwnCell, program: &Program, objects: &Objects) -> Value {
        match self.own.get(&cell) {
            Some(value) => value.clone(),
            None => initial(program, objects, cell.0, Offset::exact(i64::from(cell.1)), cell.2),
        }
    }

    /// Whether nothing was written to a cell that starts with anything.
    pub(super) fn is_uninitialised(&self, cell: OwnCell, objects: &Objects) -> bool {
        !objects.get(cell.0).initialised && !self.own.contains_key(&cell)
    }

    /// Whether a cell that was written shares bytes with this one without being the same.
    pub(super) fn overlaps(&self, (object, offset, size): OwnCell) -> bool {
        let range = (object, offset.saturating_sub(7), 0)..(object, offset + u32::from(size), 0);
        self.own.range(range).any(|(&(_, o, s), _)| (o, s) != (offset, size) && o + u32::from(s) > offset)
    }
}

/// What cells at such offsets hold at first.
pub(super) fn initial(program: &Program, objects: &Objects, id: ObjectId, offset: Offset, size: u8) -> Value {
    const MOST_ELEMENTS: u64 = 4096;
    let object = objects.get(id);
    if !object.initialised {
        return Value::any(8 * size);
    }
    let bytes: &[u8] = match object.origin {
        Origin::Global(global) => &program.globals[global as usize].bytes,
        Origin::ThreadLocal { start, shared: false, .. } => program.thread_local.get(start as usize..).unwrap_or(&[]),
        Origin::ThreadLocal { start, shared: true, .. } => {
            let known = |global: &&Global| global.pointer == u64::from(start);
            program.shared_thread_locals.iter().find(known).map_or(&[], |global| &global.bytes[..])
        }
        _ => return Value::Const(0),
    };
    let at = |start: usize| Value::Const(memory::value_of(bytes.get(start..start + size as usize).unwrap_or(&[])));
    if let Some(start) = offset.as_exact() {
        return at(start as usize);
    }
    let (step, length) = (offset.step as usize, bytes.len());
    if length as u64 / offset.step > MOST_ELEMENTS {
        return Value::any(64);
    }
    let values = (offset.start as usize..length.saturating_sub(size as usize - 1)).step_by(step).map(at);
    values.reduce(|a, b| a.join(&b, objects)).unwrap_or(Value::Const(0))
}

/// What threads may have written to shared objects, whenever that was.
#[derive(Default)]
pub(super) struct Contents {
    written: HashMap<ObjectId, Vec<(Offset, u8, Value)>>,
    pub(super) changed: bool,
}

impl Contents {
    pub(super) fn load(&self, program: &Program, objects: &Objects, id: ObjectId, offset: Offset, size: u8) -> Value {
        let mut value = initial(program, objects, id, offset, size);
        for (at, width, written) in self.written.get(&id).into_iter().flatten() {
            if *width == size && at.meets(offset) {
                value = value.join(written, objects);
            }
            if may_overlap_in_part((*at, *width), (offset, size)) {
                value = value.join(&Value::any(8 * size), objects);
            }
        }
        value
    }

    pub(super) fn store(&mut self, objects: &Objects, id: ObjectId, offset: Offset, size: u8, value: &Value) {
        let entries = self.written.entry(id).or_default();
        let value = value.narrowed(size);
        match entries.iter_mut().find(|(at, width, _)| (*at, *width) == (offset, size)) {
            Some((_, _, known)) => {
                let joined = known.join(&value, objects);
                self.changed |= joined != *known;
                *known = joined;
            }
            None => {
                entries.push((offset, size, value));
                self.changed = true;
            }
        }
    }

    /// Everything that was written anywhere.
    pub(super) fn values(&self) -> impl Iterator<Item = (ObjectId, &Value)> {
        self.written.iter().flat_map(|(&id, entries)| entries.iter().map(move |(_, _, value)| (id, value)))
    }
}

/// Whether two accesses may share bytes without being to the same.
fn may_overlap_in_part((a, m): (Offset, u8), (b, n): (Offset, u8)) -> bool {
    let apart = |d: &i64| *d != 0 || m != n;
    (1 - i64::from(m)..i64::from(n)).filter(apart).any(|d| Offset { start: a.start - d, ..a }.meets(b))
}

/// Whether two accesses may share bytes.
pub(super) fn may_overlap((a, m): (Offset, u8), (b, n): (Offset, u8)) -> bool {
    (1 - i64::from(m)..i64::from(n)).any(|d| Offset { start: a.start - d, ..a }.meets(b))
}
