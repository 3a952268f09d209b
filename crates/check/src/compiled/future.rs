//! What can no longer matter.
//!
//! Once no thread can access a location any more, nothing about it matters. Once a thread makes no more accesses, its
//! views do not matter. Acquire views matter only to a later acquire fence, release views to a later relaxed write, and
//! the view of a location to a later read. Forgetting makes states equal that differ only in such things.

use fencepost_monitor::{Cell, View};
use fencepost_program::Action;

use crate::index::{Index, IndexVec, LocalId, LocationId, Optional};
use crate::layout::Layout;
use crate::lts::{Lts, Step};

/// Above this many locations nothing is forgotten about locations.
const LOCATIONS_LIMIT: usize = 128;

/// What a thread may still do from a local state on. Sets of locations are bits by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Future {
    accesses: u128,
    reads: u128,
    acquire_fence: bool,
    relaxed_write: bool,
    any_step: bool,
}

impl Future {
    fn union(self, other: Future) -> Future {
        Future {
            accesses: self.accesses | other.accesses,
            reads: self.reads | other.reads,
            acquire_fence: self.acquire_fence | other.acquire_fence,
            relaxed_write: self.relaxed_write | other.relaxed_write,
            any_step: self.any_step | other.any_step,
        }
    }
}

pub(crate) struct Futures {
    words: usize,
    /// By thread and local state: the locations that it may still access, and still read.
    accesses: Vec<IndexVec<LocalId, [u128; 2]>>,
    /// By thread and local state, where in `keep` its masks start, unless there is nothing to forget.
    keep_of: Vec<IndexVec<LocalId, Optional<u32>>>,
    keep: Vec<u64>,
    all_locations: u128,
    /// By location, what to clear once no thread accesses it, and once no thread reads it.
    dead: Vec<u64>,
    unread: Vec<u64>,
}

impl Futures {
    pub(crate) fn new(lts: &Lts, layout: &Layout) -> Futures {
        let words = layout.words;
        let mut futures = Futures {
            words,
            accesses: Vec::new(),
            keep_of: Vec::new(),
            keep: Vec::new(),
            all_locations: 0,
            dead: Vec::new(),
            unread: Vec::new(),
        };
        for thread in 0..lts.threads.count() {
            let future = thread_futures(lts, thread);
            let mut known: Vec<(Future, Optional<u32>)> = Vec::new();
            let mut keep_of = IndexVec::default();
            for f in future.iter() {
                let key = Future { accesses: 0, reads: 0, ..*f };
                let start = match known.iter().find(|(k, _)| *k == key) {
                    Some(&(_, start)) => start,
                    None => {
                        let masks = keep(layout, thread, key);
                        let nothing = masks.iter().all(|&m| m == !0);
                        let start = (!nothing).then_some(futures.keep.len() as u32).into();
                        futures.keep.extend(masks);
                        known.push((key, start));
                        start
                    }
                };
                keep_of.push(start);
            }
            futures.keep_of.push(keep_of);
            futures.accesses.push(future.iter().map(|f| [f.accesses, f.reads]).collect());
        }
        if lts.locations.len() <= LOCATIONS_LIMIT {
            for location in lts.locations.indices() {
                futures.all_locations |= 1u128 << location.index();
                futures.dead.extend(about_location(layout, location));
                let written = layout.tracking.monitored[location]
                    .map(|l| layout.tracking.plan.written_views(l))
                    .unwrap_or_default();
                futures.unread.extend(clear_views(layout, written));
            }
        }
        futures
    }

    /// Clears what can no longer matter, given the local state of each thread.
    #[inline]
    pub(crate) fn forget(&self, layout: &Layout, state: &mut [u64]) {
        let (mut accessed, mut read) = (0, 0);
        for (thread, field) in layout.local.iter().enumerate() {
            let local = field.get(state);
            if let Some(start) = self.keep_of[thread][local].get() {
                let keep = &self.keep[start as usize..start as usize + self.words];
                for (word, keep) in state.iter_mut().zip(keep) {
                    *word &= keep;
                }
            }
            let [a, r] = self.accesses[thread][local];
            accessed |= a;
            read |= r;
        }
        self.clear(state, self.all_locations & !accessed, &self.dead);
        self.clear(state, self.all_locations & accessed & !read, &self.unread);
    }

    #[inline]
    fn clear(&self, state: &mut [u64], mut locations: u128, masks: &[u64]) {
        while locations != 0 {
            let location = locations.trailing_zeros() as usize;
            locations &= locations - 1;
            let start = location * self.words;
            for (word, clear) in state.iter_mut().zip(&masks[start..start + self.words]) {
                *word &= !clear;
            }
        }
    }
}

/// A fixed point backwards over the local states of a thread.
fn thread_futures(lts: &Lts, thread: usize) -> IndexVec<LocalId, Future> {
    let bit = |location: LocationId| 1u128.checked_shl(location.to_u32()).unwrap_or(0);
    // By location, the lives of the objects that it may be in.
    let lives = |location| lts.lives_around(location).into_iter().fold(0, |bits, life| bits | bit(life));
    let lives: IndexVec<LocationId, u128> = lts.locations.indices().map(lives).collect();
    let own = |state: LocalId| {
        let local = lts.local(thread, state);
        let lives = local.location.map_or(0, |location| lives[location]);
        let bit = local.location.map_or(0, bit);
        let access = |reads: bool, relaxed_write: bool| Future {
            accesses: bit | lives,
            reads: if reads { bit } else { 0 },
            relaxed_write,
            any_step: true,
            ..Future::default()
        };
        match local.step {
            Step::Load { .. } | Step::Wait { .. } => access(true, false),
            Step::Store { order, .. } => access(false, !order.release),
            Step::Rmw { order, .. } => access(true, !order.release),
            Step::Cas { success, .. } => access(true, !success.release),
            Step::FenceRmw => Future { acquire_fence: true, ..access(true, false) },
            Step::Fence { order } => Future { acquire_fence: order.acquire, ..Future::default() },
            Step::Heap(Action::Free { .. } | Action::HeapSize { .. }) => {
                Future { accesses: bit, any_step: true, ..Future::default() }
            }
            _ => Future::default(),
        }
    };
    let mut future: IndexVec<LocalId, Future> = lts.threads.locals(thread).map(own).collect();
    loop {
        let mut changed = false;
        for state in (0..future.len()).rev().map(LocalId::from_index) {
            let successors = lts.local(thread, state).successors.iter();
            let next = successors.flat_map(|s| [s.read, s.tainted, s.update]).filter_map(|next| next.state());
            let union = next.fold(future[state], |union, next| union.union(future[next]));
            changed |= future[state] != union;
            future[state] = union;
        }
        if !changed {
            return future;
        }
    }
}

/// What to keep of a state, as far as it concerns one thread.
fn keep(layout: &Layout, thread: usize, future: Future) -> Vec<u64> {
    let plan = &layout.tracking.plan;
    let mut views = Vec::new();
    let mut masks = vec![0; layout.words];
    if !future.any_step {
        views.extend(plan.thread_views(thread));
        let last = layout.last_location[thread];
        masks[last.word as usize] |= last.mask << last.shift;
    }
    if !future.acquire_fence {
        views.extend(plan.acquire_views(thread));
    }
    if !future.relaxed_write {
        views.extend(plan.release_views(thread));
    }
    for (mask, more) in masks.iter_mut().zip(clear_views(layout, views)) {
        *mask = !(*mask | more);
    }
    masks
}

/// All that a state says about a location.
fn about_location(layout: &Layout, location: LocationId) -> Vec<u64> {
    let plan = &layout.tracking.plan;
    let memory = layout.memory[location];
    let mut masks = vec![0; layout.words];
    masks[memory.word as usize] |= memory.mask << memory.shift;
    let mut cells = Vec::new();
    if let Some(monitored) = layout.tracking.monitored[location] {
        cells.push(Cell(monitored as u32));
        for (mask, more) in masks.iter_mut().zip(clear_views(layout, plan.location_views(monitored))) {
            *mask |= more;
        }
    }
    if let Some(races) = &layout.tracking.races[location] {
        cells.extend(races.plain_write);
        for class in [&races.plain_reads, &races.atomic_reads, &races.atomic_writes] {
            cells.extend(class.iter().flatten());
        }
    }
    for view in (0..plan.scratch().0).map(View) {
        for &cell in &cells {
            for (word, mask) in layout.masks(view, layout.tracking.cell_bits(view, cell)) {
                masks[word as usize] |= mask;
            }
        }
    }
    masks
}

fn clear_views(layout: &Layout, views: Vec<View>) -> Vec<u64> {
    let mut masks = vec![0; layout.words];
    for view in views {
        for field in &layout.rows[view.0 as usize] {
            masks[field.word as usize] |= field.mask << field.shift;
        }
    }
    masks
}
