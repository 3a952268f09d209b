//! Places in the code, with the calls that led there, as one number. They form a tree: a place is a program counter
//! below the place of the call that led to it, so that keeping a whole stack with an access costs one word.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::sys;

/// A place; 0 is the root, from which every thread starts, and stands for "not known" as a place of an access.
pub(crate) type Place = u32;

pub(crate) const UNKNOWN: Place = 0;

const NODES: usize = 1 << 22;
const TABLE: usize = 1 << 23;

/// The program counter in the low 48 bits; the parent beside it.
#[repr(C)]
struct Node {
    counter: AtomicU64,
    parent: AtomicU32,
}

/// Shared by all threads, and lock-free: nodes are written before they are entered into the hash table, and never
/// change.
pub(crate) struct Places {
    nodes: *const Node,
    table: *const AtomicU32,
    next: AtomicU32,
}

// SAFETY: everything behind the pointers is atomic.
unsafe impl Sync for Places {}
// SAFETY: as above.
unsafe impl Send for Places {}

#[inline]
fn hash(parent: Place, counter: usize) -> usize {
    let mixed = (counter as u64 ^ (u64::from(parent) << 44)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ u64::from(parent).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)).rotate_right(29) as usize
}

impl Places {
    /// Reserves the room for the tree, if there is some. It stays reserved.
    pub(crate) fn new() -> Option<Places> {
        let nodes = sys::map(NODES * size_of::<Node>())?.cast();
        Some(Places { nodes, table: sys::map(TABLE * size_of::<AtomicU32>())?.cast(), next: AtomicU32::new(1) })
    }

    fn node(&self, place: Place) -> Option<&Node> {
        // SAFETY: within the room, which is zero or was written.
        ((place as usize) < NODES).then(|| unsafe { &*self.nodes.add(place as usize) })
    }

    /// The place of a program counter below another place. When the tree is full, the parent.
    pub(crate) fn child(&self, parent: Place, counter: usize) -> Place {
        let mut at = hash(parent, counter);
        let mut made = None;
        for _ in 0..64 {
            at = (at + 1) % TABLE;
            // SAFETY: within the table.
            let slot = unsafe { &*self.table.add(at) };
            let mut found = slot.load(Ordering::Acquire);
            if found == 0 {
                let Some(new) = made.or_else(|| self.make(parent, counter)) else { return parent };
                made = Some(new);
                match slot.compare_exchange(0, new, Ordering::Release, Ordering::Acquire) {
                    Ok(_) => return new,
                    Err(other) => found = other,
                }
            }
            if self.node(found).is_some_and(|node| {
                node.counter.load(Ordering::Relaxed) == counter as u64 && node.parent.load(Ordering::Relaxed) == parent
            }) {
                return found;
            }
        }
        parent
    }

    fn make(&self, parent: Place, counter: usize) -> Option<Place> {
        if self.next.load(Ordering::Relaxed) as usize >= NODES {
            return None;
        }
        let place = self.next.fetch_add(1, Ordering::Relaxed);
        let node = self.node(place)?;
        node.counter.store(counter as u64, Ordering::Relaxed);
        node.parent.store(parent, Ordering::Relaxed);
        Some(place)
    }

    /// The place of the call that led to a place.
    pub(crate) fn parent(&self, place: Place) -> Place {
        self.node(place).map_or(UNKNOWN, |node| node.parent.load(Ordering::Relaxed))
    }

    /// The program counters from a place outwards: the access first, then the calls.
    pub(crate) fn counters(&self, place: Place) -> impl Iterator<Item = usize> {
        let mut at = place;
        core::iter::from_fn(move || {
            if at == UNKNOWN {
                return None;
            }
            let node = self.node(at)?;
            at = node.parent.load(Ordering::Relaxed);
            Some(node.counter.load(Ordering::Relaxed) as usize)
        })
    }
}

#[derive(Clone, Copy)]
struct Cached {
    counter: usize,
    parent: Place,
    place: Place,
}

/// The places that a thread was at lately.
pub(crate) struct Cache {
    entries: [Cached; Cache::SIZE],
}

impl Cache {
    const SIZE: usize = 512;

    /// [`Places::child`], mostly without leaving this cache.
    #[inline]
    pub(crate) fn child(&mut self, places: &Places, parent: Place, counter: usize) -> Place {
        let entry = &mut self.entries[hash(parent, counter) % Cache::SIZE];
        if entry.counter == counter && entry.parent == parent {
            return entry.place;
        }
        *entry = Cached { counter, parent, place: places.child(parent, counter) };
        entry.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_one_number_and_comes_back_from_it() {
        let places = Places::new().unwrap();
        let stacks: Vec<Vec<usize>> =
            (0..200).map(|i| (0..i % 7 + 1).map(|depth| 0x1000 + i * 16 + depth).collect()).collect();
        let numbers: Vec<Place> = stacks
            .iter()
            .map(|stack| stack.iter().rev().fold(0, |parent, &counter| places.child(parent, counter)))
            .collect();
        for (stack, &number) in stacks.iter().zip(&numbers) {
            assert_eq!(places.counters(number).collect::<Vec<_>>(), *stack);
            assert_eq!(stack.iter().rev().fold(0, |parent, &counter| places.child(parent, counter)), number);
        }
    }
}
