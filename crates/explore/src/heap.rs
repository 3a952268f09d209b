//! The life of the objects on the heap, and its misuse.
//!
//! Where an object is depends on its thread and on what that thread allocated before, so that the same execution has the same
//! objects whatever the order of addition. An access is right if the allocation of its object happens before it and it
//! happens before the `free`, if there is one. That does not depend on the order of addition either: whichever of two events comes
//! last finds the other one.

use std::collections::BTreeMap;

use fencepost_program::memory::{Region, region};
use fencepost_program::{Address, Allocation};

use crate::event::{Event, INITIAL, Id, Kind, Part};
use crate::execution::Execution;
use crate::stack::gone;
use crate::steps::Steps;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    pub start: u64,
    pub size: u64,
    pub allocation: Allocation,
    pub alloc: Id,
    /// The first `free` of it that was added.
    pub free: Option<Id>,
}

/// The objects of an execution, those that have ended included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    /// By thread, in the order of allocation, which is that of their addresses.
    objects: Vec<Vec<Object>>,
}

impl Heap {
    /// Before its event is added.
    pub(crate) fn begin(&mut self, thread: usize, object: Object) {
        if self.objects.len() <= thread {
            self.objects.resize(thread + 1, Vec::new());
        }
        self.objects[thread].push(object);
    }

    /// Takes over an object from another execution, in which its event may have another number.
    pub(crate) fn keep(&mut self, other: &Heap, thread: usize, start: u64, alloc: Id) {
        if let Some(object) = other.object_at(start) {
            self.begin(thread, Object { alloc, free: None, ..*object });
        }
    }

    /// Forgets the newest object of a thread.
    pub(crate) fn take_back(&mut self, thread: usize) {
        self.objects[thread].pop();
    }

    pub(crate) fn free(&mut self, start: u64, by: Id) {
        if let Some(object) = self.object_at_mut(start) {
            object.free.get_or_insert(by);
        }
    }

    pub(crate) fn unfree(&mut self, start: u64, by: Id) {
        if let Some(object) = self.object_at_mut(start)
            && object.free == Some(by)
        {
            object.free = None;
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
    /// The local variable of another thread may be gone.
    Returned {
        access: Id,
        owner: usize,
    },
    /// The object was not freed, and nobody can do so any more.
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
            let (pointer, size) = addresses[event.location].pointer_and_size()?;
            let initialised = match region(pointer) {
                Region::Heap { .. } => {
                    let error = accessed(execution, pointer, size, added, event);
                    if error.is_some() {
                        return error;
                    }
                    execution.heap.nearest(pointer).is_some_and(|object| object.allocation == Allocation::Zeroed)
                }
                Region::Stack { .. } => false,
                _ => true,
            };
            // Of an access to parts, some may be padding.
            let nothing = kind.reads() && event.source == INITIAL && !initialised && event.part == Part::Whole;
            (nothing && steps.uses_value(execution, event)).then_some(HeapError::Uninitialised { read: added })
        }
        _ => None,
    }
}

fn accessed(execution: &Execution, pointer: u64, size: u8, access: Id, event: &Event) -> Option<HeapError> {
    let Some(object) = execution.heap.nearest(pointer) else { return Some(HeapError::OutOfBounds { access }) };
    if pointer + u64::from(size) > object.start + object.size {
        return Some(HeapError::OutOfBounds { access });
    }
    if !execution.happens_before(object.alloc, access) {
        return Some(HeapError::NotAllocated { user: access, alloc: object.alloc });
    }
    let free = object.free.filter(|&free| free != access)?;
    let before = execution.event(free).views.current.get(event.thread) > event.index;
    (!before).then_some(HeapError::UseAfterFree { access, free })
}

fn freed(execution: &Execution, addresses: &[Address], free: Id, event: &Event) -> Option<HeapError> {
    let object = execution.heap.object_at(event.value as u64).filter(|o| o.allocation != Allocation::Local);
    let Some(object) = object else { return Some(HeapError::NoObject { free }) };
    if let Some(first) = object.free.filter(|&first| first != free) {
        return Some(HeapError::DoubleFree { first, second: free });
    }
    if !execution.happens_before(object.alloc, free) {
        return Some(HeapError::NotAllocated { user: free, alloc: object.alloc });
    }
    // Only what does not happen before the `free` can be wrong.
    for (thread, events) in execution.threads.iter().enumerate() {
        for &id in &events[(event.views.current.get(thread) as usize).min(events.len())..] {
            let access = execution.event(id);
            let bytes = object.start..object.start + object.size;
            let touches = |at: Address| at.pointer_and_size().is_some_and(|(pointer, _)| bytes.contains(&pointer));
            if access.kind.is_access() && touches(addresses[access.location]) {
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
            let (word, start) = (memory.entry(pointer / 8 * 8).or_default(), (pointer % 8) as usize);
            let bytes = execution.event(last).value.to_le_bytes();
            word[start..start + usize::from(size)].copy_from_slice(&bytes[..usize::from(size)]);
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
        object.free.is_none() && object.allocation != Allocation::Local && !reached.contains(&object.start)
    };
    let object = execution.heap.objects.iter().flatten().find(lost)?;
    Some(HeapError::Leak { alloc: object.alloc })
}
