//! The objects on the heap.
//!
//! Where an object is depends on its thread and on what that thread allocated before, so an object is known by its
//! address in all runs. Its life is a location: it holds whether the object was allocated, how large, and whether it
//! was freed.

use std::collections::BTreeMap;
use std::ops::Range;

use fencepost_program::memory::{Region, region};
use fencepost_program::{Address, Allocation, Program, Value};
use hashbrown::HashSet;

use super::{LocalState, Lts};

/// What the life of an object holds. 0: nothing was allocated there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Life {
    pub size: u64,
    pub allocation: Allocation,
    pub freed: bool,
}

impl Life {
    pub(crate) fn of_value(value: Value) -> Option<Life> {
        let allocation = match value.unsigned_abs() & 3 {
            1 => Allocation::Uninitialised,
            2 => Allocation::Zeroed,
            3 => Allocation::Local,
            _ => return None,
        };
        Some(Life { size: value.unsigned_abs() >> 2, allocation, freed: value < 0 })
    }

    pub(crate) fn value(self) -> Value {
        let allocation = match self.allocation {
            Allocation::Uninitialised => 1,
            Allocation::Zeroed => 2,
            Allocation::Local => 3,
        };
        let value = (self.size << 2) as Value | allocation;
        if self.freed { -value } else { value }
    }
}

/// The objects on the heap that some run has.
#[derive(Default)]
pub(crate) struct Heap {
    /// By where they start: the number of the location that is their life, and the largest size.
    objects: BTreeMap<u64, (u32, u64)>,
    largest: u64,
    /// Pairs of a thread and a life: allocations, and frees.
    pub allocs: HashSet<(usize, u32)>,
    pub frees: HashSet<(usize, u32)>,
    /// Whether memory that was freed can be allocated again.
    reuses: bool,
}

impl Heap {
    pub(super) fn of(program: &Program) -> Heap {
        Heap { reuses: program.reuses_memory(), ..Heap::default() }
    }

    /// The objects that have all the bytes of a cell, if they are as large as they can be: where each starts, and its
    /// life.
    pub(crate) fn around(&self, at: Address) -> impl Iterator<Item = (u64, u32)> + '_ {
        let cell = at.pointer_and_size().filter(|&(pointer, _)| is_heap(pointer));
        let (pointer, size) = cell.unwrap_or_default();
        let near = cell.map(|_| self.objects.range(pointer.saturating_sub(self.largest)..=pointer));
        let covers = move |start: u64, length: u64| pointer + u64::from(size) <= start + length;
        let objects = near.into_iter().flatten();
        objects.filter(move |&(&start, &(_, length))| covers(start, length)).map(|(&start, &(life, _))| (start, life))
    }

    /// The lives of all objects.
    pub(crate) fn lives(&self) -> impl Iterator<Item = u32> + '_ {
        self.objects.values().map(|&(life, _)| life)
    }
}

pub(crate) fn is_heap(pointer: u64) -> bool {
    matches!(region(pointer), Region::Heap { .. })
}

/// Whether memory holds nothing before something is written there.
pub(super) fn starts_unwritten(program: &Program, at: Address) -> bool {
    let Some((pointer, _)) = at.pointer_and_size() else { return false };
    match region(pointer) {
        Region::Heap { .. } => true,
        Region::Stack { .. } => program.thread_local_at(pointer).is_none(),
        _ => false,
    }
}

/// The address of an object's life: no program has it.
fn life_address(pointer: u64) -> Address {
    Address(pointer | 0xff << 56)
}

impl Lts<'_> {
    /// Where the local variables are that other threads may know while the thread is in a local state.
    pub(crate) fn shared_locals(&self, local: &LocalState) -> Vec<Range<u64>> {
        match self.machine.program().has_shared_locals() {
            true => self.machine.locals(&local.state),
            false => Vec::new(),
        }
    }

    /// The location that is the life of the object that starts there, if one does.
    pub(super) fn life(&mut self, pointer: u64) -> u32 {
        let life = self.location_of(life_address(pointer));
        let known = self.heap.objects.len();
        self.heap.objects.entry(pointer).or_insert((life, 0));
        self.version += (self.heap.objects.len() > known) as u64;
        life
    }

    pub(super) fn allocates(&mut self, thread: usize, pointer: u64, size: u64, allocation: Allocation) -> u32 {
        let life = self.life(pointer);
        let values = self.locations[life as usize].values.len();
        for freed in [false, true] {
            self.value(life, Life { size, allocation, freed }.value());
        }
        if self.heap.allocs.insert((thread, life)) || self.locations[life as usize].values.len() > values {
            self.version += 1;
        }
        if let Some((_, largest)) = self.heap.objects.get_mut(&pointer) {
            *largest = size.max(*largest);
            self.heap.largest = size.max(self.heap.largest);
        }
        if self.locations[life as usize].values.len() > u64::BITS as usize {
            let name = self.machine.program().pointer_name(pointer);
            self.obstacle = Some(format!("the object at {name} has too many sizes"));
        }
        self.note_freed(pointer, life);
        life
    }

    pub(super) fn frees(&mut self, thread: usize, pointer: u64) -> u32 {
        let life = self.life(pointer);
        self.version += self.heap.frees.insert((thread, life)) as u64;
        self.note_freed(pointer, life);
        life
    }

    /// An object that can be freed, whatever its size, can be allocated again.
    fn note_freed(&mut self, pointer: u64, life: u32) {
        if !self.heap.reuses || self.heap.frees.iter().all(|&(_, freed)| freed != life) {
            return;
        }
        let lives = self.locations[life as usize].values.iter().filter_map(|&value| Life::of_value(value));
        for life in lives.filter(|life| life.allocation != Allocation::Local) {
            if !self.known.freed.contains(pointer, life.size) {
                self.newly_freed.insert(pointer, life.size);
            }
        }
    }

    /// The lives of the objects that have all the bytes of a location.
    pub(crate) fn lives_around(&self, location: u32) -> Vec<u32> {
        self.heap.around(self.locations[location as usize].address).map(|(_, life)| life).collect()
    }
}
