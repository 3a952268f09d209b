//! For each local state, all that a step needs to know, compiled for one layout.

mod code;
mod compile;
mod future;
mod guard;
mod stale;
mod step;

use fencepost_monitor::View;

use crate::Options;
use crate::index::{Index, IndexVec, LocalId, LocationId, ValueId};
use crate::layout::Layout;
use crate::lts::{Lts, Successors};

use code::{Compiler, extend};
pub(crate) use code::{Masks, Slice, WordOp};
use future::Futures;
pub(crate) use guard::Fault;
use guard::Guards;
pub(crate) use step::{CompiledStep, Effect, Kind, StaleCheck};

/// What is compiled: the steps of threads, for a layout of states, with what the search looks for.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, 'p> {
    pub lts: &'a Lts<'p>,
    pub layout: &'a Layout,
    pub options: &'a Options,
}

/// The compiled steps of all threads. Nothing here changes during a search, except that local states found on the way
/// are added.
#[derive(Default)]
pub(crate) struct CompiledSteps {
    pub threads: Vec<IndexVec<LocalId, CompiledStep>>,
    pub compiler: Compiler,
    pub checks: Vec<StaleCheck>,
    pub check_views: Vec<(u16, u8)>,
    pub masks: Vec<(u16, u64)>,
    pub guards: Guards,
    pub successors: Vec<Successors>,
    /// By location, whether an RMW overwrites, and the old value: what every view may miss from then on.
    overwrites: IndexVec<LocationId, [Vec<Masks>; 2]>,
    pub futures: Option<Futures>,
    /// By location, the number of values that were known when stale values were last told from those that make a thread
    /// spin.
    judged: IndexVec<LocationId, usize>,
}

impl CompiledSteps {
    pub(crate) fn new(source: Source) -> CompiledSteps {
        let Source { lts, layout, options } = source;
        let threads = lts.threads.count();
        let mut steps = CompiledSteps {
            threads: (0..threads).map(|_| IndexVec::default()).collect(),
            guards: Guards::new(threads),
            overwrites: lts.locations.iter().map(|_| Default::default()).collect(),
            futures: (options.forget && lts.closed).then(|| Futures::new(lts, layout)),
            judged: lts.locations.iter().map(|location| location.values.len()).collect(),
            ..CompiledSteps::default()
        };
        steps.extend(source);
        steps
    }

    /// Adds local states and values that were found since.
    pub(crate) fn extend(&mut self, source: Source) {
        let lts = source.lts;
        for thread in 0..lts.threads.count() {
            for state in lts.threads.locals(thread).skip(self.threads[thread].len()) {
                self.guards.add_locals(lts, thread, lts.local(thread, state));
                let step = self.compile(source, thread, state);
                self.threads[thread].push(step);
            }
        }
        self.judge_new_values(source);
        for location in lts.locations.indices() {
            for by_rmw in [false, true] {
                let known = self.overwrites[location][by_rmw as usize].len();
                for value in known..lts.locations[location].values.len() {
                    let masks = overwrite(source.layout, location, by_rmw, ValueId::from_index(value));
                    let masks = extend(&mut self.masks, masks);
                    self.overwrites[location][by_rmw as usize].push(masks);
                }
            }
        }
    }

    /// Compiles steps again that read a location with new values, which may make threads spin.
    fn judge_new_values(&mut self, source: Source) {
        let locations = &source.lts.locations;
        let has_new_values = |location: LocationId| {
            locations[location].all_reads_critical && self.judged[location] < locations[location].values.len()
        };
        let new: IndexVec<LocationId, bool> = self.judged.indices().map(has_new_values).collect();
        if new.iter().any(|&new| new) {
            for thread in 0..self.threads.len() {
                for state in self.threads[thread].indices() {
                    if self.threads[thread][state].location.get().is_some_and(|location| new[location]) {
                        self.threads[thread][state] = self.compile(source, thread, state);
                    }
                }
            }
        }
        for (judged, location) in self.judged.iter_mut().zip(locations.iter()) {
            *judged = location.values.len();
        }
    }

    /// Copies the successors of a local state for a value, after [`Lts::fill`].
    pub(crate) fn refresh(&mut self, lts: &Lts, thread: usize, state: LocalId, value: ValueId) {
        let filled = &lts.local(thread, state).successors;
        let compiled = &mut self.threads[thread][state];
        if let Some(known) = compiled.successors.of_mut(&mut self.successors).get_mut(value.index()) {
            *known = filled[value.index()];
            return;
        }
        // An access takes values one after the other: room to spare, or the pool would grow with their square.
        let room = if compiled.kind == Kind::Access { filled.len().next_power_of_two() } else { filled.len() };
        let spare = std::iter::repeat_n(Successors::UNKNOWN, room - filled.len());
        compiled.successors = extend(&mut self.successors, filled.iter().copied().chain(spare));
    }

    /// The successors for a value, unless they are not known yet.
    #[inline(always)]
    pub(crate) fn successors(&self, step: &CompiledStep, value: ValueId) -> Option<Successors> {
        step.successors.of(&self.successors).get(value.index()).copied().filter(|known| !known.is_unknown())
    }

    /// The bits to set when a write of a value is overwritten.
    #[inline(always)]
    pub(crate) fn overwrite(&self, location: LocationId, by_rmw: bool, old: ValueId) -> &[(u16, u64)] {
        self.overwrites[location][by_rmw as usize][old.index()].of(&self.masks)
    }
}

fn overwrite(layout: &Layout, location: LocationId, by_rmw: bool, old: ValueId) -> Vec<(u16, u64)> {
    let Some(monitored) = layout.tracking.monitored[location] else { return Vec::new() };
    let stale = &layout.tracking.stale[monitored];
    let mut masks: Vec<(u16, u64)> = Vec::new();
    for view in (0..layout.tracking.plan.scratch().0).map(View) {
        let bits: Vec<u32> = if layout.tracking.is_sc_view(view) {
            stale.sc_bit.into_iter().collect()
        } else {
            stale.reads.bit(old).into_iter().chain(if by_rmw { None } else { stale.updates.bit(old) }).collect()
        };
        for (word, mask) in layout.masks(view, bits) {
            match masks.iter_mut().find(|(known, _)| *known == word) {
                Some((_, known)) => *known |= mask,
                None => masks.push((word, mask)),
            }
        }
    }
    masks
}
