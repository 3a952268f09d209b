//! The objects that memory is made of, as far as the analysis tells them apart, and where it takes them to be.

use std::collections::BTreeMap;
use std::collections::HashMap;

use fencepost_program::{Program, Span, Value as Word, memory};

use super::frames::{FrameId, Point};

pub(super) type ObjectId = u32;
pub(super) type ThreadId = u32;

/// What makes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    Global(u32),
    Function(u32),
    /// Whether a thread may start, whether it has ended, and what it returned.
    ThreadWords(ThreadId),
    /// The words of some thread, where it is not known which.
    AnyThreadWords,
    /// The function and the argument that a thread is made with.
    ThreadArguments(ThreadId),
    /// Whether a thread that may run several times was made at least once.
    ThreadMade(ThreadId),
    /// A local of one call that its thread alone can reach, by where it starts.
    Private {
        frame: FrameId,
        start: u32,
    },
    /// A local of one call whose address is told to others.
    Stack {
        frame: FrameId,
        start: u32,
    },
    ThreadLocal {
        thread: ThreadId,
        start: u32,
        shared: bool,
    },
    /// What is allocated at one place of one thread.
    Heap(ThreadId, Point),
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) origin: Origin,
    pub(super) base: u64,
    /// `None` if it depends on the execution.
    pub(super) size: Option<u64>,
    /// Stands for several objects of one execution.
    pub(super) several: bool,
    /// Starts with what it is declared with, or with 0. If not, it starts with anything.
    pub(super) initialised: bool,
    pub(super) span: Span,
}

/// Where objects are placed whose addresses the analysis makes up. Only the low four bits of such an address, and which
/// object it points into, may decide anything.
const MADE_UP: u64 = 0x5000_0000_0000;
/// Room for an object that stands for several.
const SEVERAL: u64 = 1 << 33;

#[derive(Default)]
pub(super) struct Objects {
    list: Vec<Object>,
    known: HashMap<Origin, ObjectId>,
    by_base: BTreeMap<u64, ObjectId>,
    next: u64,
}

impl Objects {
    pub(super) fn of(program: &Program) -> Objects {
        let mut objects = Objects { next: MADE_UP, ..Objects::default() };
        for (i, global) in program.globals.iter().enumerate() {
            objects.insert(Origin::Global(i as u32), global.pointer, Some(global.bytes.len() as u64), global.span);
        }
        for (i, function) in program.functions.iter().enumerate() {
            let span = function.spans.first().copied().unwrap_or_default();
            objects.insert(Origin::Function(i as u32), memory::function_pointer(i as u32), Some(1), span);
        }
        objects.of_origin(Origin::AnyThreadWords, None, 0, Span::default());
        objects
    }

    fn insert(&mut self, origin: Origin, base: u64, size: Option<u64>, span: Span) -> ObjectId {
        let id = self.list.len() as ObjectId;
        let initialised = !matches!(origin, Origin::Private { .. } | Origin::Stack { .. } | Origin::Heap(..));
        self.list.push(Object { origin, base, size, several: false, initialised, span });
        self.known.insert(origin, id);
        self.by_base.insert(base, id);
        id
    }

    /// The object with this origin, made when it is first mentioned. `low` are the low bits of its address.
    pub(super) fn of_origin(&mut self, origin: Origin, size: Option<u64>, low: u64, span: Span) -> ObjectId {
        if let Some(&known) = self.known.get(&origin) {
            let object = &mut self.list[known as usize];
            if object.size != size {
                object.size = None;
            }
            return known;
        }
        if let Origin::ThreadWords(thread) = origin {
            return self.insert(origin, memory::start_cell(thread), size, span);
        }
        let base = self.next + low % 16;
        self.next = (base + size.unwrap_or(0).max(SEVERAL)).next_multiple_of(SEVERAL) + SEVERAL;
        self.insert(origin, base, size, span)
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ObjectId> {
        0..self.list.len() as ObjectId
    }

    pub(super) fn get(&self, id: ObjectId) -> &Object {
        &self.list[id as usize]
    }

    pub(super) fn stands_for_several(&mut self, id: ObjectId) -> bool {
        !std::mem::replace(&mut self.list[id as usize].several, true)
    }

    pub(super) fn starts_with_zeros(&mut self, id: ObjectId) {
        self.list[id as usize].initialised = true;
    }

    pub(super) fn known(&self, origin: Origin) -> Option<ObjectId> {
        self.known.get(&origin).copied()
    }

    /// The object that an address points into, or just behind, and how far.
    pub(super) fn decode(&self, address: Word) -> Option<(ObjectId, i64)> {
        let (&base, &id) = self.by_base.range(..=address as u64).next_back()?;
        let offset = address as u64 - base;
        let room = if base >= MADE_UP { SEVERAL } else { 0 };
        let size = self.list[id as usize].size.unwrap_or(SEVERAL).max(room);
        (offset <= size).then_some((id, offset as i64))
    }

    /// Whether the number that an address is was made up.
    pub(super) fn is_made_up(&self, address: Word) -> bool {
        address as u64 >= MADE_UP && self.decode(address).is_some()
    }

    /// All addresses that a pointer to the object may have been given.
    pub(super) fn range(&self, id: ObjectId) -> (Word, Word) {
        let object = self.get(id);
        let room = if object.base >= MADE_UP { SEVERAL } else { object.size.unwrap_or(1).max(1) };
        (object.base as Word, (object.base + room) as Word)
    }
}
