//! The objects on the heap.
//!
//! The address of an object depends on its thread and on what that thread allocated before, so an object is named by
//! its address in all runs. Its life is a location: it holds whether the object was allocated, how large, and whether
//! it was freed.

use std::collections::BTreeMap;
use std::ops::Range;

use fencepost_program::memory::{Region, region};
use fencepost_program::{Address, Allocation, Program, Value};
use hashbrown::HashSet;

use super::{LocalState, Lts};
use crate::index::LocationId;

/// What the life of an object holds. The value 0 means that nothing was allocated there yet.
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

/// An object on the heap that some run has.
struct Object {
    life: LocationId,
    /// The largest of its sizes.
    size: u64,
}

/// The objects on the heap that some run has, and which threads allocate and free them.
#[derive(Default)]
pub(crate) struct Heap {
    /// By their first byte.
    objects: BTreeMap<u64, Object>,
    largest: u64,
    /// Pairs of a thread and a life.
    pub allocs: HashSet<(usize, LocationId)>,
    pub frees: HashSet<(usize, LocationId)>,
    /// Whether memory that was freed can be allocated again.
    reuses: bool,
    /// Counts what is found.
    version: u64,
}

impl Heap {
    pub(super) fn of(program: &Program) -> Heap {
        Heap { reuses: program.reuses_memory(), ..Heap::default() }
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// The objects that contain all these bytes when they have their largest size: the start and the life of each.
    pub(crate) fn around(&self, pointer: u64, size: u8) -> impl Iterator<Item = (u64, LocationId)> + '_ {
        let cell = Some((pointer, size)).filter(|&(pointer, _)| is_heap(pointer));
        let (pointer, size) = cell.unwrap_or_default();
        let near = cell.map(|_| self.objects.range(pointer.saturating_sub(self.largest)..=pointer));
        let covers = move |start: u64, length: u64| pointer + u64::from(size) <= start + length;
        let objects = near.into_iter().flatten();
        objects.filter(move |&(&start, object)| covers(start, object.size)).map(|(&start, object)| (start, object.life))
    }

    /// The lives of all objects.
    pub(crate) fn lives(&self) -> impl Iterator<Item = LocationId> + '_ {
        self.objects.values().map(|object| object.life)
    }

    fn add(&mut self, pointer: u64, life: LocationId) {
        let known = self.objects.len();
        self.objects.entry(pointer).or_insert(Object { life, size: 0 });
        self.version += (self.objects.len() > known) as u64;
    }

    fn resize(&mut self, pointer: u64, size: u64) {
        if let Some(object) = self.objects.get_mut(&pointer) {
            object.size = size.max(object.size);
            self.largest = size.max(self.largest);
        }
    }

    fn can_be_freed(&self, life: LocationId) -> bool {
        self.frees.iter().any(|&(_, freed)| freed == life)
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
    /// The local variables of a thread in a local state that other threads may know.
    pub(crate) fn shared_locals(&self, local: &LocalState) -> Vec<Range<u64>> {
        match self.machine.program().has_shared_locals() {
            true => self.machine.locals(&local.state),
            false => Vec::new(),
        }
    }

    /// The life of the object that starts at a pointer, if one does.
    pub(super) fn life(&mut self, pointer: u64) -> LocationId {
        let life = self.location(life_address(pointer));
        self.heap.add(pointer, life);
        life
    }

    pub(super) fn allocates(&mut self, thread: usize, pointer: u64, size: u64, allocation: Allocation) -> LocationId {
        let life = self.life(pointer);
        let known = self.locations[life].values.len();
        for freed in [false, true] {
            self.locations.value(life, Life { size, allocation, freed }.value());
        }
        let values = self.locations[life].values.len();
        if self.heap.allocs.insert((thread, life)) || values > known {
            self.heap.version += 1;
        }
        self.heap.resize(pointer, size);
        if values > u64::BITS as usize {
            let name = self.machine.program().pointer_name(pointer);
            self.obstacle = Some(format!("the object at {name} has too many sizes"));
        }
        self.note_freed(pointer, life);
        life
    }

    pub(super) fn frees(&mut self, thread: usize, pointer: u64) -> LocationId {
        let life = self.life(pointer);
        self.heap.version += self.heap.frees.insert((thread, life)) as u64;
        self.note_freed(pointer, life);
        life
    }

    /// Notes that an object can be allocated again, with each of its sizes, if it can be freed.
    fn note_freed(&mut self, pointer: u64, life: LocationId) {
        if !self.heap.reuses || !self.heap.can_be_freed(life) {
            return;
        }
        let lives = self.locations[life].values.iter().filter_map(|&value| Life::of_value(value));
        for life in lives.filter(|life| life.allocation != Allocation::Local) {
            self.foreknown.note_freed(pointer, life.size);
        }
    }

    /// The lives of the objects that contain all bytes of a location; if accesses to its parts are widened, of those
    /// that contain some.
    pub(crate) fn lives_around(&self, location: LocationId) -> Vec<LocationId> {
        let at = self.locations[location].address;
        let Some((pointer, size)) = at.pointer_and_size() else { return Vec::new() };
        if !self.is_wide(at) {
            return self.heap.around(pointer, size).map(|(_, life)| life).collect();
        }
        let bytes = (0..u64::from(size)).flat_map(|byte| self.heap.around(pointer + byte, 1));
        let mut lives: Vec<LocationId> = bytes.map(|(_, life)| life).collect();
        lives.sort_unstable();
        lives.dedup();
        lives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_is_the_same_after_it_was_a_value() {
        for size in [0, 1, 8, 24, 1 << 40] {
            for allocation in [Allocation::Uninitialised, Allocation::Zeroed, Allocation::Local] {
                for freed in [false, true] {
                    let life = Life { size, allocation, freed };
                    assert_eq!(Life::of_value(life.value()), Some(life));
                }
            }
        }
        assert_eq!(Life::of_value(0), None, "nothing was allocated");
    }
}
