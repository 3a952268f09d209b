//! The life of the objects on the heap, and its misuse.
//!
//! Where an object is depends on its thread and on what that thread allocated before, so that the same execution has
//! the same objects whatever the order of addition. An access is right if the allocation of its object happens before
//! it and it happens before the `free`, if there is one. That does not depend on the order of addition either:
//! whichever of two events comes last finds the other one.
//!
//! Memory can be used again: an allocation at the start of an object that was freed begins another life of it. The
//! `free` happens before that allocation, so the lives of an object are ordered, and an access belongs to the newest
//! life whose allocation happens before it.

use std::collections::BTreeMap;

use fencepost_program::memory::{Region, bytes_of, region};
use fencepost_program::{Address, Allocation, Piece};

use crate::event::{Event, Id, Kind, Part};
use crate::execution::Execution;
use crate::stack::gone;
use crate::steps::Steps;

#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub start: u64,
    /// The same in all its lives.
    pub size: u64,
    pub life: Life,
    /// The lives before, oldest first.
    earlier: Vec<Life>,
}

/// From an allocation to a `free`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Life {
    pub allocation: Allocation,
    pub alloc: Id,
    /// The first `free` that was added.
    pub free: Option<Id>,
}

impl Object {
    /// Newest first.
    fn lives(&self) -> impl Iterator<Item = &Life> {
        std::iter::once(&self.life).chain(self.earlier.iter().rev())
    }

    /// The life that an event sees: the newest one whose allocation happens before it.
    pub(crate) fn life_of(&self, execution: &Execution, user: Id) -> Option<&Life> {
        self.lives().find(|life| execution.happens_before(life.alloc, user))
    }

    /// The life after the one that this `free` ends.
    fn life_after(&self, free: Id) -> Option<&Life> {
        self.lives().take_while(|life| life.free != Some(free)).last()
    }
}

/// The objects of an execution, those that have ended included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    /// By the thread that allocated them first, in the order of allocation, which is that of their addresses.
    objects: Vec<Vec<Object>>,
}

impl Heap {
    /// Before its event is added: the first life of an object, or a further one.
    pub(crate) fn begin(&mut self, start: u64, size: u64, life: Life) {
        if let Some(object) = self.object_at_mut(start) {
            let before = std::mem::replace(&mut object.life, life);
            object.earlier.push(before);
            return;
        }
        let Region::Heap { thread } = region(start) else { unreachable!("objects begin on the heap") };
        let thread = thread as usize;
        if self.objects.len() <= thread {
            self.objects.resize(thread + 1, Vec::new());
        }
        self.objects[thread].push(Object { start, size, life, earlier: Vec::new() });
    }

    /// Takes over a life from another execution, in which its event may have another number.
    pub(crate) fn keep(&mut self, other: &Heap, start: u64, (old, new): (Id, Id)) {
        if let Some(object) = other.object_at(start)
            && let Some(life) = object.lives().find(|life| life.alloc == old)
        {
            self.begin(start, object.size, Life { alloc: new, free: None, ..*life });
        }
    }

    /// Forgets the newest life of an object.
    pub(crate) fn take_back(&mut self, start: u64) {
        let Some(object) = self.object_at_mut(start) else { return };
        match object.earlier.pop() {
            Some(before) => object.life = before,
            None => {
                let Region::Heap { thread } = region(start) else { return };
                self.objects[thread as usize].retain(|object| object.start != start);
            }
        }
    }

    pub(crate) fn free(&mut self, start: u64, by: Id) {
        if let Some(object) = self.object_at_mut(start) {
            object.life.free.get_or_insert(by);
        }
    }

    pub(crate) fn unfree(&mut self, start: u64, by: Id) {
        if let Some(object) = self.object_at_mut(start)
            && object.life.free == Some(by)
        {
            object.life.free = None;
        }
    }

    /// The object that starts there.
    pub(crate) fn object_at(&self, start: u64) -> Option<&Object> {
        self.nearest(start).filter(|object| object.start == start)
    }

    /// The object whose bytes these are, or the last one before them: they may lie behind its end.
    pub(crate) fn nearest(&self, pointer: u64) -> Option<&Object> {
        let Region::Heap { thread } = region(pointer) else { return None };
        let objects = self.objects.get(thread as usize)?;
        objects[..objects.partition_point(|object| object.start <= pointer)].last()
    }

    fn object_at_mut(&mut self, start: u64) -> Option<&mut Object> {
        let Region::Heap { thread } = region(start) else { return None };
        let objects = self.objects.get_mut(thread as usize)?;
        objects.iter_mut().rev().find(|object| object.start == start)
    }
}

/// What is wrong with an event that was added last, or in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeapError {
    /// The access does not happen before the `free`.
    UseAfterFree {
        access: Id,
        free: Id,
    },
    /// Some of the bytes belong to no object.
    OutOfBounds {
        access: Id,
    },
    /// The allocation does not happen before the use.
    NotAllocated {
        user: Id,
        alloc: Id,
    },
    DoubleFree {
        first: Id,
        second: Id,
    },
    /// No object starts there.
    NoObject {
        free: Id,
    },
    /// Nothing was written to what is read, neither on the heap nor on a stack.
    Uninitialised {
        read: Id,
    },
    /// The lifetime of another thread's local variable may have ended.
    Returned {
        access: Id,
        owner: usize,
    },
    /// The object was not freed, and nothing points to it any more.
    Leak {
        alloc: Id,
    },
}

pub(crate) fn heap_error(steps: &Steps, execution: &Execution, addresses: &[Address], added: Id) -> Option<HeapError> {
    let event = execution.event(added);
    if steps.has_shared_locals
        && let Some(error) = gone(steps, execution, addresses, added)
    {
        return Some(error);
    }
    match event.kind {
        Kind::Free => freed(execution, addresses, added, event),
        kind if kind.is_access() => {
            addresses[event.location].pointer_and_size()?;
            let Piece { start: pointer, size, .. } = steps.piece(execution, addresses, event);
            if let Region::Heap { .. } = region(pointer)
                && let Some(error) = accessed(execution, pointer, size, added, event)
            {
                return Some(error);
            }
            // Of an access to parts, some may be padding.
            let is_whole_read = kind.reads() && event.part == Part::Whole;
            let is_wrong = is_whole_read
                && !is_initialised(steps, execution, pointer, added)
                && steps.uses_value(execution, event);
            is_wrong.then_some(HeapError::Uninitialised { read: added })
        }
        _ => None,
    }
}

/// Whether something was written to what an access finds. Memory of other regions always has a value.
fn is_initialised(steps: &Steps, execution: &Execution, pointer: u64, access: Id) -> bool {
    let source = execution.event(access).source;
    match region(pointer) {
        Region::Heap { .. } => {
            let life = execution.heap.nearest(pointer).and_then(|object| object.life_of(execution, access));
            life.is_some_and(|life| {
                let written = source.is_some_and(|source| execution.happens_before(life.alloc, source));
                life.allocation == Allocation::Zeroed || written
            })
        }
        Region::Stack { .. } => source.is_some() || steps.program.thread_local_at(pointer).is_some(),
        _ => true,
    }
}

fn accessed(execution: &Execution, pointer: u64, size: u8, access: Id, event: &Event) -> Option<HeapError> {
    let Some(object) = execution.heap.nearest(pointer) else { return Some(HeapError::OutOfBounds { access }) };
    if pointer + u64::from(size) > object.start + object.size {
        return Some(HeapError::OutOfBounds { access });
    }
    let Some(life) = object.life_of(execution, access) else {
        return Some(HeapError::NotAllocated { user: access, alloc: object.life.alloc });
    };
    let free = life.free.filter(|&free| free != access)?;
    let before = execution.event(free).views.current.get(event.thread) > event.index;
    (!before).then_some(HeapError::UseAfterFree { access, free })
}

fn freed(execution: &Execution, addresses: &[Address], free: Id, event: &Event) -> Option<HeapError> {
    let object = execution.heap.object_at(event.value as u64).filter(|o| o.life.allocation != Allocation::Local);
    let Some(object) = object else { return Some(HeapError::NoObject { free }) };
    let life = object.life_of(execution, free);
    if let Some(first) = life.unwrap_or(&object.life).free.filter(|&first| first != free) {
        return Some(HeapError::DoubleFree { first, second: free });
    }
    if life.is_none() {
        return Some(HeapError::NotAllocated { user: free, alloc: object.life.alloc });
    }
    let next = object.life_after(free);
    // Only what does not happen before the `free` can be wrong.
    for (thread, events) in execution.threads.iter().enumerate() {
        for &id in &events[(event.views.current.get(thread) as usize).min(events.len())..] {
            let access = execution.event(id);
            let bytes = object.start..object.start + object.size;
            let touches = |at: Address| at.pointer_and_size().is_some_and(|(pointer, _)| bytes.contains(&pointer));
            let is_later = next.is_some_and(|next| execution.happens_before(next.alloc, id));
            if access.kind.is_access() && touches(addresses[access.location]) && !is_later {
                return Some(HeapError::UseAfterFree { access: id, free });
            }
        }
    }
    None
}

/// In an execution that has ended, an object that was not freed and to which nothing points: no global variable, and no
/// object that is pointed to. Pointers count wherever into the object they point.
pub(crate) fn leak(execution: &Execution, addresses: &[Address]) -> Option<HeapError> {
    if execution.heap.objects.iter().all(Vec::is_empty) {
        return None;
    }
    let mut memory: BTreeMap<u64, [u8; 8]> = BTreeMap::new();
    for (location, at) in execution.locations.iter().zip(addresses) {
        if let (Some((pointer, size)), Some(&last)) = (at.pointer_and_size(), location.writes.last()) {
            let bytes = bytes_of(execution.event(last).value, size);
            for (at, bytes) in (pointer..).step_by(8).zip(bytes[..usize::from(size)].chunks(8)) {
                let (word, start) = (memory.entry(at / 8 * 8).or_default(), (at % 8) as usize);
                word[start..start + bytes.len()].copy_from_slice(bytes);
            }
        }
    }
    let mut reached: Vec<u64> = Vec::new();
    let point = |word: &[u8; 8], reached: &mut Vec<u64>| {
        let pointer = u64::from_le_bytes(*word);
        if let Some(object) = execution.heap.nearest(pointer)
            && pointer <= object.start + object.size
            && !reached.contains(&object.start)
        {
            reached.push(object.start);
        }
    };
    let globals = memory.iter().filter(|&(&pointer, _)| region(pointer) == Region::Global);
    globals.for_each(|(_, word)| point(word, &mut reached));
    let mut next = 0;
    while let Some(object) = reached.get(next).and_then(|&start| execution.heap.object_at(start)) {
        memory.range(object.start..object.start + object.size).for_each(|(_, word)| point(word, &mut reached));
        next += 1;
    }
    let lost = |object: &&Object| {
        let Life { allocation, free, .. } = object.life;
        free.is_none() && allocation != Allocation::Local && !reached.contains(&object.start)
    };
    let object = execution.heap.objects.iter().flatten().find(lost)?;
    Some(HeapError::Leak { alloc: object.life.alloc })
}
