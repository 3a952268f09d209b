//! How a state is packed into words.
//!
//! A state is: for each thread the number of its local state, for each location the number of its value, and the views
//! of the monitors as sets of bits (see `tracking`). No field crosses a word, so that a step works on the packed words
//! directly.

use fencepost_monitor::View;

use crate::Options;
use crate::cells::{Classes, Stale};
use crate::lts::{Location, Lts};
use crate::tracking::{Focus, Tracking};

/// Some bits of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub word: u16,
    pub shift: u8,
    /// Not shifted. 0 for a field that has only one value.
    pub mask: u64,
}

impl Field {
    #[inline(always)]
    pub(crate) fn get(self, state: &[u64]) -> u32 {
        (state[self.word as usize] >> self.shift & self.mask) as u32
    }

    #[inline(always)]
    pub(crate) fn set(self, state: &mut [u64], value: u32) {
        let word = &mut state[self.word as usize];
        *word = *word & !(self.mask << self.shift) | (value as u64) << self.shift;
    }
}

/// Puts fields into words, each into the first that has room.
struct Packer {
    used: Vec<u32>,
    /// By number of bits, the first word that may have room for them. Words only fill up, so no earlier one ever has.
    first: [usize; 65],
}

impl Packer {
    fn new() -> Packer {
        Packer { used: Vec::new(), first: [0; 65] }
    }

    /// Whether words have numbers that a field cannot hold.
    fn is_too_large(&self) -> bool {
        self.used.len() > usize::from(u16::MAX)
    }

    fn allocate(&mut self, bits: u32) -> Field {
        let first = self.first[bits as usize];
        let word = first + self.used[first..].iter().take_while(|&&used| used + bits > 64).count();
        self.first[bits as usize] = word;
        if word == self.used.len() {
            self.used.push(0);
        }
        let shift = if bits == 0 { 0 } else { self.used[word] };
        self.used[word] += bits;
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        Field { word: word as u16, shift: shift as u8, mask }
    }

    /// The fields of a view, 64 bits to a field.
    fn row(&mut self, bits: u32) -> Vec<Field> {
        let full = (0..bits / 64).map(|_| 64);
        let rest = Some(bits % 64).filter(|&bits| bits > 0);
        full.chain(rest).map(|bits| self.allocate(bits)).collect()
    }
}

/// The bits needed to count up to `count`, and one more if more may come.
fn bits_for(count: usize, closed: bool) -> u32 {
    let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
    if closed { bits } else { (bits + 2).min(32) }
}

pub(crate) struct Layout {
    /// A state would have more words than a field can number: the layout cannot be used.
    pub is_too_large: bool,
    /// Words of a stored state.
    pub words: usize,
    /// Words that a step works on: those of the state, and the scratch view's.
    pub work_words: usize,
    pub local: Vec<Field>,
    pub memory: Vec<Field>,
    /// The monitored location of each thread's last event, counted from 1; 0 is none.
    pub last_location: Vec<Field>,
    pub tracking: Tracking,
    /// By view, its fields in order of bits, 64 to a field.
    pub rows: Vec<Vec<Field>>,
    version: u64,
    closed: bool,
}

impl Layout {
    pub(crate) fn new(lts: &Lts, options: &Options, focus: Focus) -> Layout {
        let tracking = Tracking::new(lts, options, focus);
        let mut packer = Packer::new();
        let mut rows: Vec<Vec<Field>> = Vec::new();
        let scratch = tracking.plan.scratch();
        // Wide fields first, so that narrow ones fill what is left of the words.
        for view in (0..scratch.0).map(View) {
            if packer.is_too_large() {
                break;
            }
            rows.push(packer.row(tracking.bits(view)));
        }
        let mut field = |count: usize, closed: bool| packer.allocate(bits_for(count, closed));
        let local = (0..lts.thread_count()).map(|t| field(lts.count(t), lts.closed)).collect();
        let memory = lts.locations.iter().map(|l| field(l.values.len(), lts.closed)).collect();
        let monitored = if tracking.plan.tracks_runs() { tracking.stale.len() } else { 0 };
        let last_location = (0..lts.thread_count()).map(|_| field(monitored + 1, true)).collect();
        let words = packer.used.len().max(1);
        // The scratch view is not stored: it begins a new word.
        packer.used.iter_mut().for_each(|used| *used = 64);
        rows.push(packer.row(tracking.bits(scratch)));
        Layout {
            is_too_large: packer.is_too_large(),
            words,
            work_words: packer.used.len().max(words),
            local,
            memory,
            last_location,
            tracking,
            rows,
            version: lts.version,
            closed: lts.closed,
        }
    }

    /// Whether all that is known of the threads by now has room.
    pub(crate) fn fits(&self, lts: &Lts) -> bool {
        self.closed
            || self.version == lts.version
                && self.local.iter().enumerate().all(|(t, f)| lts.count(t) as u64 - 1 <= f.mask)
                && self.memory.iter().zip(&lts.locations).all(|(f, l)| l.values.len() as u64 - 1 <= f.mask)
                && self.tracking.monitored.iter().zip(&lts.locations).all(|(monitored, location)| {
                    monitored.is_none_or(|number| has_classes(location, &self.tracking.stale[number]))
                })
    }

    /// Words and masks of some bits of a view.
    pub(crate) fn masks(&self, view: View, bits: impl IntoIterator<Item = u32>) -> Vec<(u16, u64)> {
        let mut masks: Vec<(u16, u64)> = Vec::new();
        for bit in bits {
            let field = self.rows[view.0 as usize][bit as usize / 64];
            let mask = 1u64 << (bit % 64) << field.shift;
            match masks.iter_mut().find(|(word, _)| *word == field.word) {
                Some((_, known)) => *known |= mask,
                None => masks.push((field.word, mask)),
            }
        }
        masks
    }
}

/// Whether the classes still tell all critical values apart.
fn has_classes(location: &Location, stale: &Stale) -> bool {
    let values = &location.values;
    let fits = |classes: &Classes, all_critical: bool, critical: &[i64]| {
        if classes.count == 0 {
            return true;
        }
        if all_critical {
            return values.len() as u32 <= classes.count;
        }
        // A value that became critical when nothing had written it yet was put with the others.
        !values.iter().skip(classes.classified()).any(|v| critical.contains(v))
    };
    fits(&stale.reads, location.all_critical || location.all_reads_critical, &location.critical_reads)
        && fits(&stale.updates, location.all_critical, &location.critical_updates)
}
