//! A search for a cycle through an event, in memory that is used again.

use crate::event::Id;

/// A set of events, and those of them that are still to be followed.
#[derive(Default)]
pub(crate) struct Search {
    reached: Vec<u64>,
    open: Vec<Id>,
}

impl Search {
    /// Starts with an empty set over `events` events.
    pub(crate) fn begin(&mut self, events: usize) {
        self.reached.clear();
        self.reached.resize(events.div_ceil(64), 0);
        self.open.clear();
    }

    pub(crate) fn reach(&mut self, id: Id) {
        let (word, bit) = (id.index() / 64, 1 << (id.index() % 64));
        if self.reached[word] & bit == 0 {
            self.reached[word] |= bit;
            self.open.push(id);
        }
    }

    pub(crate) fn has_reached(&self, id: Id) -> bool {
        self.reached[id.index() / 64] >> (id.index() % 64) & 1 != 0
    }

    /// An event that is to be followed.
    pub(crate) fn next(&mut self) -> Option<Id> {
        self.open.pop()
    }
}
