//! How a state is packed into words.
//!
//! A state is: for each thread the number of its local state, for each location the number of its value, and the views
//! of the monitors as sets of bits (see `tracking`). No field crosses a word, so that a step works on the packed words
//! directly.

mod cells;
mod facts;
mod packer;
mod tracking;

use fencepost_monitor::View;

use crate::Options;
use crate::index::{IndexVec, LocalId, LocationId, ValueId};
pub use crate::layout::cells::{Classes, RaceCells, Stale};
pub(crate) use crate::layout::packer::Field;
use crate::layout::packer::{Packer, bits_for};
pub(crate) use crate::layout::tracking::Focus;
pub use crate::layout::tracking::Tracking;
use crate::lts::{Location, Lts};

pub(crate) struct Layout {
    /// The layout cannot be used: a state would have more words than a field can number.
    pub is_too_large: bool,
    /// Words of a stored state.
    pub words: usize,
    /// Words that a step works on: those of the state and of the scratch view.
    pub work_words: usize,
    pub local: Vec<Field<LocalId>>,
    pub memory: IndexVec<LocationId, Field<ValueId>>,
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
        let threads = lts.threads.count();
        let local = (0..threads).map(|t| packer.allocate(bits_for(lts.threads.states(t), lts.closed))).collect();
        let memory = lts.locations.iter().map(|l| packer.allocate(bits_for(l.values.len(), lts.closed))).collect();
        let monitored = if tracking.plan.tracks_last_location() { tracking.stale.len() } else { 0 };
        let last_location = (0..threads).map(|_| packer.allocate(bits_for(monitored + 1, true))).collect();
        let words = packer.words().max(1);
        // The scratch view is not stored.
        packer.begin_word();
        rows.push(packer.row(tracking.bits(scratch)));
        Layout {
            is_too_large: packer.is_too_large(),
            words,
            work_words: packer.words().max(words),
            local,
            memory,
            last_location,
            tracking,
            rows,
            version: lts.version(),
            closed: lts.closed,
        }
    }

    /// Whether all that is known of the threads by now fits.
    pub(crate) fn fits(&self, lts: &Lts) -> bool {
        self.closed
            || self.version == lts.version()
                && self.local.iter().enumerate().all(|(thread, field)| field.has_room(lts.threads.states(thread)))
                && self.memory.iter().zip(lts.locations.iter()).all(|(field, l)| field.has_room(l.values.len()))
                && self.tracking.monitored.iter().zip(lts.locations.iter()).all(|(monitored, location)| {
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
    fits(&stale.reads, location.tells_all_reads_apart(), &location.critical_reads)
        && fits(&stale.updates, location.all_critical, &location.critical_updates)
}

#[cfg(test)]
pub(crate) mod tests {
    use fastrand::Rng;
    use fencepost_models::{Engine, Model};
    use fencepost_program::Program;
    use fencepost_testing::files;

    use super::*;

    /// Layouts of the examples, under each model that takes them.
    pub(crate) fn layouts() -> impl Iterator<Item = Layout> {
        let programs = files("examples", &["fp"]).into_iter().map(|file| {
            let input = fencepost_frontend::read(&file).unwrap_or_else(|e| panic!("{e}"));
            input.program
        });
        programs
            .flat_map(|program| [Model::Ra, Model::Rc20, Model::Rc11].map(|model| layout(&program, model)))
            .flatten()
    }

    fn layout(program: &Program, model: Model) -> Option<Layout> {
        model.admit(Engine::Check, program).ok()?;
        let options = Options { model, ..Options::default() };
        Some(Layout::new(&Lts::new(program, &options), &options, Focus::Everything))
    }

    fn word_and_mask<I>(field: &Field<I>) -> (usize, u64) {
        (usize::from(field.word), field.mask << field.shift)
    }

    #[test]
    fn no_two_fields_of_a_state_overlap() {
        for layout in layouts() {
            let mut taken = vec![0_u64; layout.work_words];
            let scratch = layout.rows.len() - 1;
            let rows =
                layout.rows.iter().enumerate().flat_map(|(view, row)| row.iter().map(move |field| (view, field)));
            let rows = rows.map(|(view, field)| (view == scratch, word_and_mask(field)));
            let others = layout.local.iter().map(word_and_mask);
            let others = others.chain(layout.memory.iter().map(word_and_mask));
            let others = others.chain(layout.last_location.iter().map(word_and_mask));
            for (is_scratch, (word, mask)) in rows.chain(others.map(|field| (false, field))) {
                assert!(mask == 0 || (word >= layout.words) == is_scratch, "only the scratch view is not stored");
                if mask != 0 {
                    assert_eq!(taken[word] & mask, 0, "two fields overlap in word {word}");
                    taken[word] |= mask;
                }
            }
        }
    }

    #[test]
    fn the_masks_of_bits_are_where_the_rows_have_them() {
        let mut random = Rng::with_seed(1);
        let mut compared = 0;
        for layout in layouts() {
            for view in (0..layout.rows.len() as u32).map(View) {
                let width = layout.tracking.bits(view);
                let bits: Vec<u32> = (0..width).filter(|_| random.bool()).collect();
                let mut expected = vec![0_u64; layout.work_words];
                for &bit in &bits {
                    let field = layout.rows[view.0 as usize][bit as usize / 64];
                    expected[usize::from(field.word)] |= 1 << (u32::from(field.shift) + bit % 64);
                }
                let mut found = vec![0_u64; layout.work_words];
                for (word, mask) in layout.masks(view, bits) {
                    assert_eq!(found[usize::from(word)], 0, "word {word} is there twice");
                    found[usize::from(word)] = mask;
                    compared += mask.count_ones();
                }
                assert_eq!(found, expected);
            }
        }
        assert!(compared > 1_000, "{compared} bits");
    }
}
