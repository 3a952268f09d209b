use smallvec::SmallVec;

use crate::EventId;

/// A set of events of one graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSet {
    pub(crate) words: SmallVec<[u64; 1]>,
}

impl EventSet {
    pub fn empty(events: usize) -> EventSet {
        EventSet { words: SmallVec::from_elem(0, events.div_ceil(64).max(1)) }
    }

    pub fn all(events: usize) -> EventSet {
        let mut set = EventSet::empty(events);
        for word in 0..events.div_ceil(64) {
            let bits = (events - word * 64).min(64);
            set.words[word] = u64::MAX >> (64 - bits);
        }
        set
    }

    pub fn insert(&mut self, event: EventId) {
        self.words[event.index() / 64] |= 1 << (event.index() % 64);
    }

    pub fn remove(&mut self, event: EventId) {
        self.words[event.index() / 64] &= !(1 << (event.index() % 64));
    }

    pub fn contains(&self, event: EventId) -> bool {
        self.words[event.index() / 64] >> (event.index() % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = EventId> + '_ {
        ones(&self.words)
    }
}

/// The positions of the bits that are set, in ascending order.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = EventId> + '_ {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                EventId(i as u32 * 64 + bit)
            })
        })
    })
}
