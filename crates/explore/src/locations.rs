//! Numbers for the locations of a program, the same for all workers.

use std::sync::{Arc, Mutex, PoisonError};

use fencepost_program::Address;
use hashbrown::HashMap;

/// What one worker knows of the numbers that all share.
#[derive(Clone, Default)]
pub(crate) struct Locations {
    shared: Arc<Mutex<Vec<Address>>>,
    addresses: Vec<Address>,
    numbers: HashMap<Address, usize>,
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

    /// By number.
    pub(crate) fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    fn learn(&mut self, shared: &[Address]) {
        for &at in &shared[self.addresses.len()..] {
            self.numbers.insert(at, self.addresses.len());
            self.addresses.push(at);
        }
    }
}
