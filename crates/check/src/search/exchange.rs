//! The owners of states, and the exchange that brings them successors.
//!
//! The hash of a state names its owner. An owner keeps its states in a table, and a [`StateId`] names a state by its
//! owner and its number there. A search goes in rounds. Each worker fills an [`Outbox`] with the successors that it
//! finds, and sends it. When all workers have, each owner receives its successors, and inserts those that are new. A
//! successor is its hash, its parent and its words, which is all that an owner needs. So the search does not depend on
//! where an owner is.

use std::sync::RwLock;

use crate::index::{Index, StateId};

/// The number of owners of states, a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owners {
    bits: u32,
    mask: u32,
}

impl Owners {
    /// 2 to the power of `bits` owners.
    pub(super) fn of_bits(bits: u32) -> Owners {
        Owners { bits, mask: (1 << bits) - 1 }
    }

    pub(super) fn count(self) -> usize {
        self.mask as usize + 1
    }

    /// The owner of a state with this hash.
    #[inline]
    pub(super) fn of(self, hash: u64) -> usize {
        (hash as u32 & self.mask) as usize
    }

    /// How many states an owner can number.
    pub(super) fn numbers(self) -> u32 {
        u32::MAX >> self.bits
    }

    /// The state with a number at an owner.
    #[inline]
    pub(super) fn state(self, owner: usize, number: u32) -> StateId {
        StateId::from_u32(((owner as u64) << (u32::BITS - self.bits)) as u32 | number)
    }

    /// The owner of a state, and its number there.
    #[inline]
    pub(super) fn split(self, state: StateId) -> (usize, u32) {
        let owner = u64::from(state.to_u32()) >> (u32::BITS - self.bits);
        (owner as usize, state.to_u32() & self.numbers())
    }
}

/// The hash of a state, which names its owner.
#[inline]
pub(super) fn hash(state: &[u64]) -> u64 {
    let mut h: u64 = 0x9e37_79b9_7f4a_7c15;
    for &word in state {
        let product = (h ^ word) as u128 * 0xa076_1d64_78bd_642f_u128;
        h = product as u64 ^ (product >> 64) as u64 ^ word.rotate_left(32);
    }
    let product = h as u128 * 0xe703_7ed1_a0b4_28db_u128;
    product as u64 ^ (product >> 64) as u64
}

/// A successor on its way to its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Successor<'a> {
    pub hash: u64,
    pub parent: StateId,
    pub words: &'a [u64],
}

/// Successors for one owner, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    records: Vec<u64>,
    /// The end of those that are not taken back after a miss.
    kept: usize,
}

/// Words of a record before those of the state.
const HEAD: usize = 2;

impl Batch {
    #[inline]
    fn push(&mut self, successor: Successor) {
        self.records.push(successor.hash);
        self.records.push(u64::from(successor.parent.to_u32()));
        self.records.extend_from_slice(successor.words);
    }

    fn clear(&mut self) {
        self.records.clear();
        self.kept = 0;
    }

    /// Number of successors, if a state has this many words.
    pub(super) fn len(&self, words: usize) -> usize {
        self.records.len() / (words + HEAD)
    }

    #[inline]
    pub(super) fn iter(&self, words: usize) -> impl Iterator<Item = Successor<'_>> {
        self.records.chunks_exact(words + HEAD).map(|record| Successor {
            hash: record[0],
            parent: StateId::from_u32(record[1] as u32),
            words: &record[HEAD..],
        })
    }
}

/// The successors that a worker finds in a round.
#[derive(Debug)]
pub(super) struct Outbox {
    owners: Owners,
    /// By owner.
    batches: Vec<Batch>,
}

impl Outbox {
    pub(super) fn new(owners: Owners) -> Outbox {
        Outbox { owners, batches: vec![Batch::default(); owners.count()] }
    }

    #[inline]
    pub(super) fn push(&mut self, parent: StateId, words: &[u64]) {
        let hash = hash(words);
        self.batches[self.owners.of(hash)].push(Successor { hash, parent, words });
    }

    /// Keeps all successors that were pushed so far.
    #[inline]
    pub(super) fn keep(&mut self) {
        self.batches.iter_mut().for_each(|batch| batch.kept = batch.records.len());
    }

    /// Takes back the successors since [`Outbox::keep`].
    pub(super) fn take_back(&mut self) {
        self.batches.iter_mut().for_each(|batch| batch.records.truncate(batch.kept));
    }
}

/// Brings successors to the owners of the states.
pub(super) trait Exchange: Sync {
    fn owners(&self) -> Owners;

    /// An empty outbox for a worker.
    fn outbox(&self, worker: usize) -> Outbox;

    /// Sends what a worker has found in this round.
    fn send(&self, worker: usize, outbox: Outbox);

    /// Passes on the successors that were sent to an owner in this round, after all workers have sent theirs.
    fn receive(&self, owner: usize, insert: impl FnMut(&Batch));

    /// Bytes of memory in use between rounds.
    fn bytes(&self) -> u64;
}

/// Owners and workers that share their memory. The owners are independent of the workers, so that workers insert
/// successors side by side.
pub(super) struct SharedMemory {
    owners: Owners,
    /// By worker, what it sent.
    outboxes: Vec<RwLock<Outbox>>,
}

impl SharedMemory {
    pub(super) fn new(workers: usize) -> SharedMemory {
        let owners = Owners::of_bits(if workers == 1 { 0 } else { 4 });
        SharedMemory { owners, outboxes: (0..workers).map(|_| RwLock::new(Outbox::new(owners))).collect() }
    }
}

impl Exchange for SharedMemory {
    fn owners(&self) -> Owners {
        self.owners
    }

    fn outbox(&self, worker: usize) -> Outbox {
        let mut sent = self.outboxes[worker].write().expect("not poisoned");
        let mut batches = std::mem::take(&mut sent.batches);
        batches.iter_mut().for_each(Batch::clear);
        Outbox { owners: self.owners, batches }
    }

    fn send(&self, worker: usize, outbox: Outbox) {
        *self.outboxes[worker].write().expect("not poisoned") = outbox;
    }

    fn receive(&self, owner: usize, mut insert: impl FnMut(&Batch)) {
        for outbox in &self.outboxes {
            insert(&outbox.read().expect("not poisoned").batches[owner]);
        }
    }

    fn bytes(&self) -> u64 {
        let bytes = |outbox: &RwLock<Outbox>| {
            let outbox = outbox.read().expect("not poisoned");
            outbox.batches.iter().map(|batch| batch.records.capacity() as u64 * 8).sum::<u64>()
        };
        self.outboxes.iter().map(bytes).sum()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Owners with a queue each: successors are copied one by one, and share nothing with their senders.
    pub(in crate::search) struct Queues {
        owners: Owners,
        /// By owner, batches of one successor each.
        queues: Vec<Mutex<Vec<Batch>>>,
        words: usize,
    }

    impl Queues {
        pub(in crate::search) fn new(bits: u32, words: usize) -> Queues {
            let owners = Owners::of_bits(bits);
            Queues { owners, queues: (0..owners.count()).map(|_| Mutex::default()).collect(), words }
        }
    }

    impl Exchange for Queues {
        fn owners(&self) -> Owners {
            self.owners
        }

        fn outbox(&self, _: usize) -> Outbox {
            Outbox::new(self.owners)
        }

        fn send(&self, _: usize, outbox: Outbox) {
            for (queue, batch) in self.queues.iter().zip(&outbox.batches) {
                let copy = |successor| {
                    let mut copy = Batch::default();
                    copy.push(successor);
                    copy
                };
                queue.lock().unwrap().extend(batch.iter(self.words).map(copy));
            }
        }

        fn receive(&self, owner: usize, mut insert: impl FnMut(&Batch)) {
            self.queues[owner].lock().unwrap().drain(..).for_each(|batch| insert(&batch));
        }

        fn bytes(&self) -> u64 {
            0
        }
    }

    #[test]
    fn a_state_is_named_by_its_owner_and_its_number_there() {
        for bits in [0, 1, 4, 8] {
            let owners = Owners::of_bits(bits);
            for owner in [0, owners.count() / 2, owners.count() - 1] {
                for number in [0, 1, owners.numbers() / 3, owners.numbers()] {
                    assert_eq!(owners.split(owners.state(owner, number)), (owner, number), "{bits} bits");
                }
            }
        }
    }

    #[test]
    fn successors_come_to_the_owner_that_their_hash_names() {
        let exchange = SharedMemory::new(2);
        let sent: Vec<[u64; 2]> = (0..100).map(|number| [number, number * number]).collect();
        for (worker, part) in sent.chunks(60).enumerate() {
            let mut outbox = exchange.outbox(worker);
            part.iter().for_each(|words| outbox.push(StateId::from_u32(words[0] as u32), words));
            exchange.send(worker, outbox);
        }
        let mut received = Vec::new();
        for owner in 0..exchange.owners().count() {
            exchange.receive(owner, |batch| {
                for successor in batch.iter(2) {
                    assert_eq!(exchange.owners().of(successor.hash), owner);
                    assert_eq!(successor.hash, hash(successor.words));
                    assert_eq!(u64::from(successor.parent.to_u32()), successor.words[0]);
                    received.push([successor.words[0], successor.words[1]]);
                }
            });
        }
        received.sort_unstable();
        assert_eq!(received, sent);
    }

    #[test]
    fn the_successors_of_a_state_are_taken_back_after_a_miss() {
        let mut outbox = Outbox::new(Owners::of_bits(0));
        outbox.push(StateId::FIRST, &[1]);
        outbox.keep();
        outbox.push(StateId::FIRST, &[2]);
        outbox.push(StateId::FIRST, &[3]);
        outbox.take_back();
        outbox.push(StateId::FIRST, &[4]);
        let words: Vec<u64> = outbox.batches[0].iter(1).map(|successor| successor.words[0]).collect();
        assert_eq!(words, [1, 4]);
    }

    #[test]
    fn an_outbox_is_empty_in_the_next_round() {
        let exchange = SharedMemory::new(1);
        for round in 0..3 {
            let mut outbox = exchange.outbox(0);
            outbox.push(StateId::FIRST, &[round]);
            exchange.send(0, outbox);
            let mut received = Vec::new();
            exchange.receive(0, |batch| received.extend(batch.iter(1).map(|successor| successor.words[0])));
            assert_eq!(received, [round]);
        }
    }
}
