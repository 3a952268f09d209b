//! How a state is packed into words.
//!
//! A state is: for each thread the number of its local state, for each location the number of its value, and the views of
//! the monitors as sets of bits. A set bit of a view means "may still be missed": of a location, the class of a stale
//! value; of a race cell, the last access. No field crosses a word, so that a step works on the packed words directly.

use fencepost_monitor::{Cell, Plan, View};

use crate::facts::Facts;
use crate::lts::Lts;
use crate::{Options, Properties};

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

    fn place(&mut self, bits: u32) -> Field {
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
}

/// The bits needed to count up to `count`, and one more if more may come.
fn bits_for(count: usize, closed: bool) -> u32 {
    let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
    if closed { bits } else { (bits + 2).min(32) }
}

/// Stale values of one location in classes, one bit each: critical values have a class each, all others share one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    first: u32,
    /// By the number of the value; all further values are in the last class.
    of_value: Vec<u32>,
    pub count: u32,
}

impl Classes {
    pub(crate) fn new(first: u32, values: &[i64], critical: &[i64], apart: bool, closed: bool) -> Classes {
        if apart {
            let count = if closed { values.len() } else { values.len().next_power_of_two() * 2 } as u32;
            return Classes { first, of_value: (0..count).collect(), count };
        }
        let known = critical.iter().filter(|v| values.contains(v)).count() as u32;
        let others = !closed || known < values.len() as u32;
        let mut next = 0;
        let mut of_value: Vec<u32> = values
            .iter()
            .map(|v| {
                if !critical.contains(v) {
                    return u32::MAX;
                }
                next += 1;
                next - 1
            })
            .collect();
        // A critical value that nothing writes yet gets its class when it turns up, by a new layout.
        let other = next;
        of_value.iter_mut().filter(|c| **c == u32::MAX).for_each(|c| *c = other);
        Classes { first, of_value, count: next + others as u32 }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = u32> + use<> {
        self.first..self.first + self.count
    }

    /// The bit of a value, by its number.
    pub(crate) fn bit(&self, value: u32) -> Option<u32> {
        let last = self.count.checked_sub(1)?;
        Some(self.first + self.of_value.get(value as usize).copied().unwrap_or(last))
    }
}

/// The classes of a monitored location.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    /// V of the papers: what a read may return.
    pub reads: Classes,
    /// V_RMW: what a write or an RMW may follow.
    pub updates: Classes,
    /// The bit in the views of SC-happens-before; `None` if no step can go stale here.
    pub sc_bit: Option<u32>,
}

/// The race cells of a location that has non-atomic accesses: the last access of each class. Accesses of one class
/// are hb-ordered, unless there was a race before.
#[derive(Clone, Debug, Default)]
pub(crate) struct RaceCells {
    pub plain_write: Option<Cell>,
    pub plain_reads: Vec<Option<Cell>>,
    pub atomic_reads: Vec<Option<Cell>>,
    pub atomic_writes: Vec<Option<Cell>>,
}

impl RaceCells {
    /// The cells that an access must be aware of, and the one that it touches itself.
    pub(crate) fn of_access(&self, thread: usize, writes: bool, atomic: bool) -> (Vec<Cell>, Option<Cell>) {
        let mut conflicts: Vec<Cell> = self.plain_write.into_iter().collect();
        if writes {
            conflicts.extend(self.plain_reads.iter().flatten());
        }
        if !atomic {
            conflicts.extend(self.atomic_writes.iter().flatten());
            if writes {
                conflicts.extend(self.atomic_reads.iter().flatten());
            }
        }
        let touched = match (atomic, writes) {
            (false, true) => self.plain_write,
            (false, false) => self.plain_reads[thread],
            (true, true) => self.atomic_writes[thread],
            (true, false) => self.atomic_reads[thread],
        };
        (conflicts, touched)
    }
}

/// What a search looks for. All that monitors track about one location is independent of what they track about another,
/// because views are joined, copied and forgotten location by location. So locations can be searched for one at a time:
/// a sum of state spaces instead of their product. (Not under observational robustness: whether a read is taken as stale
/// decides what its thread learns of other locations.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    Everything,
    /// Stale accesses to this location, and races on it.
    Location(usize),
}

impl Focus {
    fn on(self, location: usize) -> bool {
        self == Focus::Everything || self == Focus::Location(location)
    }

    /// The locations that a search must look at, one at a time.
    pub(crate) fn all(lts: &Lts, options: &Options) -> Vec<Focus> {
        let layout = Layout::new(lts, options, Focus::Everything);
        let matters = |&location: &usize| {
            let stale = layout.monitored[location].is_some_and(|m| layout.stale[m].sc_bit.is_some());
            stale || layout.races[location].is_some()
        };
        (0..lts.locations.len()).filter(matters).map(Focus::Location).collect()
    }
}

pub(crate) struct Layout {
    /// Nothing can be done with it: a state would have too many words.
    pub is_too_large: bool,
    /// Words of a stored state.
    pub words: usize,
    /// Words that a step works on: those of the state, and the scratch view's.
    pub work_words: usize,
    pub local: Vec<Field>,
    pub memory: Vec<Field>,
    /// The monitored location of each thread's last event, counted from 1; 0 is none.
    pub run: Vec<Field>,
    pub plan: Plan,
    /// By location, whether several threads access it, and one writes it. The life of an object is shared if one thread frees
    /// it, and others use it or free it too.
    pub shared: Vec<bool>,
    /// By location, its number among the monitored ones.
    pub monitored: Vec<Option<usize>>,
    /// By monitored location.
    pub stale: Vec<Stale>,
    /// By location.
    pub races: Vec<Option<RaceCells>>,
    /// By view, its fields in order of bits, 64 to a field.
    pub rows: Vec<Vec<Field>>,
    stale_bits: u32,
    pub version: u64,
    closed: bool,
}

impl Layout {
    pub(crate) fn new(lts: &Lts, options: &Options, focus: Focus) -> Layout {
        let facts = Facts::of(lts);
        // Stale reads are also what taints.
        let wanted = options.properties.robustness || options.observational;
        let (stale, stale_bits) = facts.stale(lts, |location| wanted && focus.on(location));
        let Properties { races, assertions, .. } = options.properties;
        let wanted = |location, is_life| if is_life { assertions } else { races } && focus.on(location);
        let (races, race_cells) = facts.races(wanted);
        let plan = Plan::new(facts.needs(lts, race_cells as usize));
        let mut packer = Packer::new();
        let mut rows: Vec<Vec<Field>> = Vec::new();
        let sc_bits = stale.iter().filter(|s| s.sc_bit.is_some()).count() as u32;
        // Wide fields first, so that narrow ones fill what is left of the words.
        let mut row = |packer: &mut Packer, bits: u32| {
            let full = (0..bits / 64).map(|_| 64);
            let rest = Some(bits % 64).filter(|&bits| bits > 0);
            rows.push(full.chain(rest).map(|bits| packer.place(bits)).collect());
        };
        for view in 0..plan.scratch().0 {
            if packer.is_too_large() {
                break;
            }
            let bits = if view < plan.sc_views() {
                sc_bits
            } else if view < plan.sc_views() + plan.hb_views() {
                stale_bits + race_cells
            } else {
                stale_bits
            };
            row(&mut packer, bits);
        }
        let local = (0..lts.thread_count()).map(|t| packer.place(bits_for(lts.count(t), lts.closed))).collect();
        let memory = lts.locations.iter().map(|l| packer.place(bits_for(l.values.len(), lts.closed))).collect();
        let runs = if plan.tracks_runs() { bits_for(stale.len() + 1, true) } else { 0 };
        let run = (0..lts.thread_count()).map(|_| packer.place(runs)).collect();
        let words = packer.used.len().max(1);
        packer.used.iter_mut().for_each(|used| *used = 64);
        if plan.psc_views() > 0 {
            row(&mut packer, stale_bits);
        } else {
            rows.push(Vec::new());
        }
        Layout {
            is_too_large: packer.is_too_large(),
            words,
            work_words: packer.used.len().max(words),
            local,
            memory,
            run,
            plan,
            shared: (0..lts.locations.len()).map(|location| facts.concerns_several(location)).collect(),
            monitored: facts.monitored,
            stale,
            races,
            rows,
            stale_bits,
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
                && self.monitored.iter().zip(&lts.locations).all(|(m, l)| {
                    let fits = |c: &Classes| c.count == 0 || l.values.len() as u32 <= c.count;
                    m.is_none_or(|m| {
                        let Stale { reads, updates, .. } = &self.stale[m];
                        (!l.apart && !l.reads_apart || fits(reads)) && (!l.apart || fits(updates))
                    }) && critical_values_have_classes(l, m.map(|m| &self.stale[m]))
                })
    }

    /// The bit of a cell in a view along happens-before.
    pub(crate) fn race_bit(&self, cell: Cell) -> u32 {
        self.stale_bits + cell.0 - self.stale.len() as u32
    }

    pub(crate) fn is_sc_view(&self, view: View) -> bool {
        view.0 < self.plan.sc_views()
    }

    pub(crate) fn is_hb_view(&self, view: View) -> bool {
        (self.plan.sc_views()..self.plan.sc_views() + self.plan.hb_views()).contains(&view.0)
    }

    /// The bits of a view that speak about a cell.
    pub(crate) fn cell_bits(&self, view: View, cell: Cell) -> Vec<u32> {
        match self.stale.get(cell.0 as usize) {
            Some(stale) if self.is_sc_view(view) => stale.sc_bit.into_iter().collect(),
            Some(stale) => stale.reads.all().chain(stale.updates.all()).collect(),
            None if self.is_hb_view(view) => vec![self.race_bit(cell)],
            None => Vec::new(),
        }
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

/// A value that became critical when nothing had written it yet was put with the others.
fn critical_values_have_classes(location: &crate::lts::Location, stale: Option<&Stale>) -> bool {
    let Some(stale) = stale else { return true };
    let known = |classes: &Classes| classes.count == 0 || classes.of_value.len() >= location.values.len();
    let new_critical = |critical: &[i64], classes: &Classes| {
        !known(classes) && location.values[classes.of_value.len()..].iter().any(|v| critical.contains(v))
    };
    (location.apart || location.reads_apart || !new_critical(&location.critical_reads, &stale.reads))
        && (location.apart || !new_critical(&location.critical_updates, &stale.updates))
}
