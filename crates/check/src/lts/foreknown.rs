//! What must be known of a program before its first step, although it shows only along its runs.

use fencepost_program::{Division, Freed};

use super::parts::Overlap;

/// How often everything is started over before the program is let [run](super::rehearsal).
const STARTS: usize = 4;

/// What is known from the start, and what has turned up since: then everything starts over, with more known.
#[derive(Clone, Debug, Default)]
pub(super) struct Foreknown {
    /// Which accesses are divided or widened.
    pub division: Division,
    /// Which objects can be freed, if their memory can be allocated again.
    pub freed: Freed,
    overlaps: Vec<Overlap>,
    newly_freed: Freed,
    /// How often everything was started over.
    starts: usize,
}

impl Foreknown {
    pub(super) fn note_overlap(&mut self, overlap: Overlap) {
        self.overlaps.push(overlap);
    }

    pub(super) fn note_freed(&mut self, pointer: u64, size: u64) {
        if !self.freed.contains(pointer, size) {
            self.newly_freed.insert(pointer, size);
        }
    }

    /// Whether something turned up that was not known from the start.
    pub(super) fn is_outdated(&self) -> bool {
        !self.overlaps.is_empty() || !self.newly_freed.is_empty()
    }

    /// Whether it is time to let the program run for the overlaps that have not turned up yet.
    pub fn needs_rehearsal(&self) -> bool {
        self.starts == STARTS
    }

    pub fn is_rehearsed(&self) -> bool {
        self.starts >= STARTS
    }

    /// All that is known now, as what is known from the start.
    pub(super) fn updated(self) -> Foreknown {
        let Foreknown { mut division, mut freed, overlaps, newly_freed, starts } = self;
        overlaps.into_iter().for_each(|overlap| overlap.mend(&mut division));
        freed.extend(newly_freed);
        Foreknown { division, freed, starts: starts + 1, ..Foreknown::default() }
    }
}
