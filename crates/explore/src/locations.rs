//! Numbers for the locations of a program, the same for all workers.

use std::sync::{Arc, Mutex, PoisonError};

use fencepost_program::Address;
use hashbrown::HashMap;

use crate::execution::Execution;

/// What one worker knows of the numbers that all share.
#[derive(Clone, Default)]
pub(crate) struct Locations {
    shared: Arc<Mutex<Vec<Address>>>,
    addresses: Vec<Address>,
    numbers: HashMap<Address, usize>,
    /// By number, those that share some bytes with it.
    overlapping: Vec<Vec<usize>>,
}

impl Locations {
    /// The number of an address, a new one if it has none.
    pub(crate) fn number(&mut self, at: Address) -> usize {
        if let Some(&number) = self.numbers.get(&at) {
            return number;
        }
        let shared = Arc::clone(&self.shared);
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        self.learn(&shared);
        if !self.numbers.contains_key(&at) {
            shared.push(at);
            self.learn(&shared);
        }
        self.numbers[&at]
    }

    /// The number of an address that has been accessed.
    pub(crate) fn find(&self, at: Address) -> Option<usize> {
        self.numbers.get(&at).copied()
    }

    /// Learns the numbers that others gave. To be called before looking at another worker's execution.
    pub(crate) fn refresh(&mut self) {
        let shared = Arc::clone(&self.shared);
        self.learn(&shared.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// A location of the execution that shares some of this one's bytes.
    pub(crate) fn overlap(&self, execution: &Execution, location: usize) -> Option<usize> {
        let known = |&other: &usize| {
            execution.locations.get(other).is_some_and(|l| !l.writes.is_empty() || !l.reads.is_empty())
        };
        self.overlapping[location].iter().copied().find(known)
    }

    /// By number.
    pub(crate) fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    fn learn(&mut self, shared: &[Address]) {
        for &at in &shared[self.addresses.len()..] {
            let number = self.addresses.len();
            let others: Vec<usize> = (0..number).filter(|&other| at.overlaps(self.addresses[other])).collect();
            for &other in &others {
                self.overlapping[other].push(number);
            }
            self.overlapping.push(others);
            self.numbers.insert(at, number);
            self.addresses.push(at);
        }
    }
}
