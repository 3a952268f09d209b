//! All states seen, each once, packed one after the other in the order in which they were found.

use super::exchange::{Batch, Successor};
use crate::index::{Optional, StateId};

/// States of `words` words each, and the state that each was found from.
pub(crate) struct Table {
    words: usize,
    blocks: Vec<Box<[u64]>>,
    parents: Vec<Optional<StateId>>,
    /// A hash table with open addressing. The upper half of a slot is the upper half of the hash, which is also where
    /// the search for a slot begins. The lower half is the number of a state plus one; 0 is an empty slot.
    slots: Vec<u64>,
}

/// States of a block: memory grows by blocks, and states are never moved.
const BLOCK: usize = 1 << 9;
/// How many successors are loaded into the cache ahead of their insertion.
const AHEAD: usize = 8;

/// States have few words: a loop is faster than a call to compare memory.
#[inline]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

impl Table {
    pub(crate) fn new(words: usize) -> Table {
        Table { words, blocks: Vec::new(), parents: Vec::new(), slots: vec![0; 1 << 8] }
    }

    /// Removes all states and keeps the memory for states of `words` words.
    pub(crate) fn emptied(mut self, words: usize) -> Table {
        if words != self.words {
            self.blocks.clear();
        }
        self.parents.clear();
        self.slots.fill(0);
        Table { words, ..self }
    }

    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let words = self.blocks.len() * BLOCK * self.words + self.slots.capacity();
        (words * 8 + self.parents.capacity() * 4) as u64
    }

    /// How many bytes are allocated at once if this many states are added.
    pub(crate) fn growth(&self, states: usize) -> u64 {
        let most = self.parents.len() + states;
        let slots = (most * 4).div_ceil(3).next_power_of_two().max(self.slots.len());
        if slots > self.slots.len() { slots as u64 * 8 } else { 0 }
    }

    #[inline]
    pub(crate) fn state(&self, number: u32) -> &[u64] {
        let (block, index) = (number as usize / BLOCK, number as usize % BLOCK);
        &self.blocks[block][index * self.words..(index + 1) * self.words]
    }

    pub(crate) fn parent(&self, number: u32) -> Optional<StateId> {
        self.parents[number as usize]
    }

    /// Loads the slot of a hash into the cache, ahead of [`Table::insert`].
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            let slot = &raw const self.slots[(hash >> 32) as usize & (self.slots.len() - 1)];
            // SAFETY: a prefetch has no effect on memory, and the address is that of a slot.
            unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(slot.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// Adds a state unless the table has it. Returns whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, state: &[u64], hash: u64, parent: Optional<StateId>) -> bool {
        let mask = self.slots.len() - 1;
        let tag = hash & !0xffff_ffff;
        let mut at = (hash >> 32) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            if slot & !0xffff_ffff == tag && same(self.state(slot as u32 - 1), state) {
                return false;
            }
            at = (at + 1) & mask;
        }
        let number = self.parents.len();
        self.slots[at] = tag | (number as u64 + 1);
        self.parents.push(parent);
        let (block, index) = (number / BLOCK, number % BLOCK);
        if block == self.blocks.len() {
            self.blocks.push(vec![0; BLOCK * self.words].into_boxed_slice());
        }
        self.blocks[block][index * self.words..(index + 1) * self.words].copy_from_slice(state);
        if self.parents.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        true
    }

    /// Inserts the successors that are new.
    pub(super) fn insert_all(&mut self, batch: &Batch) {
        let mut ahead = batch.iter(self.words);
        for successor in ahead.by_ref().take(AHEAD) {
            self.prefetch(successor.hash);
        }
        for Successor { hash, parent, words } in batch.iter(self.words) {
            if let Some(successor) = ahead.next() {
                self.prefetch(successor.hash);
            }
            self.insert(words, hash, Optional::some(parent));
        }
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let mut slots = vec![0u64; size];
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            let mut at = (slot >> 32) as usize & (size - 1);
            while slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            slots[at] = slot;
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fastrand::Rng;
    use fencepost_testing::seeds;

    use super::super::exchange::hash;
    use super::*;
    use crate::index::Index;

    /// States of which some are equal.
    fn random_states(random: &mut Rng, words: usize) -> Vec<Vec<u64>> {
        let values = 1 << random.u32(1..12);
        (0..random.usize(1..3000)).map(|_| (0..words).map(|_| random.u64(..values)).collect()).collect()
    }

    fn parent(number: usize) -> Optional<StateId> {
        if number == 0 { Optional::NONE } else { Optional::some(StateId::from_index(number / 2)) }
    }

    /// Inserts states into a table and into a map, and compares both.
    fn compare(table: &mut Table, states: &[Vec<u64>], hash: impl Fn(&[u64]) -> u64) {
        let mut numbers: HashMap<&[u64], u32> = HashMap::new();
        let mut inserted = Vec::new();
        for state in states {
            let number = inserted.len() as u32;
            let is_new = !numbers.contains_key(&state[..]);
            assert_eq!(table.insert(state, hash(state), parent(inserted.len())), is_new);
            if is_new {
                numbers.insert(state, number);
                inserted.push(state);
            }
            assert_eq!(table.len(), inserted.len());
        }
        for (number, state) in inserted.iter().enumerate() {
            assert_eq!(table.state(number as u32), &state[..]);
            assert_eq!(table.parent(number as u32), parent(number));
        }
    }

    #[test]
    fn a_table_agrees_with_a_map() {
        for seed in seeds(60) {
            let mut random = Rng::with_seed(seed);
            let words = random.usize(1..5);
            compare(&mut Table::new(words), &random_states(&mut random, words), hash);
        }
    }

    #[test]
    fn states_with_equal_hashes_are_told_apart() {
        for seed in seeds(20) {
            let mut random = Rng::with_seed(seed);
            let states = random_states(&mut random, 2);
            // The lower half of a hash is not kept. The upper half has few values, the greatest among them.
            compare(&mut Table::new(2), &states[..states.len().min(500)], |state| !(state[0] % 3) << 32);
        }
    }

    #[test]
    fn an_emptied_table_is_like_a_new_one() {
        for seed in seeds(40) {
            let mut random = Rng::with_seed(seed);
            let words = random.usize(1..4);
            let mut table = Table::new(words);
            compare(&mut table, &random_states(&mut random, words), hash);
            for _ in 0..3 {
                let words = if random.bool() { words } else { random.usize(1..4) };
                table = table.emptied(words);
                assert_eq!(table.len(), 0);
                compare(&mut table, &random_states(&mut random, words), hash);
            }
        }
    }

    #[test]
    fn growth_is_what_new_states_allocate_for_slots() {
        for seed in seeds(40) {
            let mut random = Rng::with_seed(seed);
            let mut table = Table::new(1);
            let mut next = 0;
            for _ in 0..20 {
                let (states, slots) = (random.usize(..800), table.slots.len());
                let growth = table.growth(states);
                for _ in 0..states {
                    next += 1;
                    assert!(table.insert(&[next], hash(&[next]), Optional::NONE));
                }
                let grown = if table.slots.len() > slots { table.slots.len() as u64 * 8 } else { 0 };
                assert_eq!(growth, grown, "seed {seed}");
            }
        }
    }
}
