//! All states seen, each once, packed one after the other in the order in which they were found.

/// States of `words` words each, and where they came from.
pub(crate) struct Table {
    words: usize,
    blocks: Vec<Box<[u64]>>,
    parents: Vec<u32>,
    /// Open addressing: the upper half is the upper half of the hash, which also says where to look first; the lower
    /// half is a state's number plus one.
    slots: Vec<u64>,
}

/// States to a block: memory grows by blocks, and nothing is ever moved.
const BLOCK: usize = 1 << 9;

#[inline]
pub(crate) fn hash(state: &[u64]) -> u64 {
    let mut h: u64 = 0x9e37_79b9_7f4a_7c15;
    for &word in state {
        let product = (h ^ word) as u128 * 0xa076_1d64_78bd_642f_u128;
        h = product as u64 ^ (product >> 64) as u64 ^ word.rotate_left(32);
    }
    let product = h as u128 * 0xe703_7ed1_a0b4_28db_u128;
    product as u64 ^ (product >> 64) as u64
}

/// States have few words: a loop is faster than a call to compare memory.
#[inline]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

impl Table {
    pub(crate) fn new(words: usize) -> Table {
        Table { words, blocks: Vec::new(), parents: Vec::new(), slots: vec![0; 1 << 8] }
    }

    /// An empty table in the memory of this one, which need not be asked for and cleared again.
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

    /// How many bytes are asked for at once while this many states are added.
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

    pub(crate) fn parent(&self, number: u32) -> u32 {
        self.parents[number as usize]
    }

    /// Brings the place where a hash belongs near, ahead of [`Table::insert`].
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

    /// Adds a state unless it is there.
    #[inline]
    pub(crate) fn insert(&mut self, state: &[u64], hash: u64, parent: u32) -> bool {
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
