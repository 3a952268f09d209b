//! What must not be read or overwritten because psc, RC11's partial SC order, would become cyclic.
//!
//! The definitions are those of `docs/reference/psc.md` and the crate `monitor`, whose views map locations to
//! timestamps. Here a view is two clocks ([`Known`]): psc contains the program order among SC events, so the SC events
//! known of a thread are a prefix of them; and what an SC fence knows along happens-before is a prefix of each thread.
//! Evaluated at a location, the first gives the newest SC write known, and the second the newest write (or, towards a
//! fence, the newest write accessed) known.
//!
//! Mostly the views of a thread and of what it accesses are the same, and share their memory: then a join is one
//! comparison.
//!
//! Everything here stays ⊥ until the first SC access or SC fence, and costs one test until then.

use crate::arena::{Arena, List};
use crate::event::Event;
use crate::live::Live;
use crate::pool::{Mark, Pool};
use crate::vector::Vector;
use crate::view::{Draft, Known, Learn};

/// A quantity carried along happens-before, in a thread.
pub(crate) struct Carried {
    pub(crate) current: Known,
    /// What relaxed reads saw, for a later acquire fence.
    acquire: Known,
    release: Known,
}

impl Carried {
    const BOTTOM: Carried = Carried { current: Known::BOTTOM, acquire: Known::BOTTOM, release: Known::BOTTOM };

    fn read(&mut self, written: &Known, acquire: bool, pool: &Pool) {
        if acquire {
            self.current.join(written, pool)
        } else {
            self.acquire.join(written, pool)
        };
    }

    fn write(&self, written: &mut Known, step: &Step, pool: &Pool) {
        let from = if step.release { &self.current } else { &self.release };
        // An RMW that acquires has learnt what it replaces.
        if step.reads && !(step.acquire && step.release) {
            written.join(from, pool);
        } else {
            *written = *from;
        }
    }
}

/// What psc needs to know of an access.
pub(crate) struct Step {
    pub(crate) slot: u16,
    pub(crate) number: u64,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    pub(crate) acquire: bool,
    pub(crate) release: bool,
    pub(crate) sc: bool,
    /// No thread can know an event of this thread from this number on without knowing the access itself.
    pub(crate) unknown_from: u64,
}

pub(crate) struct PscThread {
    /// Whether anything below can be other than ⊥.
    pub(crate) active: bool,
    /// A: the knowledge of SC fences that happen before.
    pub(crate) fences: Carried,
    /// I: what a later SC fence receives.
    to_fence: Carried,
    /// H: the knowledge of SC events whose location po has left.
    pub(crate) left: Carried,
    /// H as it was at the last event that was not on the location of the last one.
    left_before_run: Known,
    /// B: the knowledge of SC events po-before, which is that of the last one.
    pub(crate) before: Known,
    /// H has changed since it was copied to `left_before_run`.
    left_changed: bool,
}

/// The part of a location, from the first access that has to do with psc.
pub(crate) struct PscLocation {
    fences: Known,
    to_fence: Known,
    left: Known,
    /// S: over all accesses, the knowledge of the SC ones and the fences of all.
    at: Known,
    /// JM, JW: the fences of all accesses, and of those up to the last write.
    fences_at: Known,
    fences_at_write: Known,
    /// HL: the knowledge of its SC accesses, by slot; last the slot of the last one, which often knows what others
    /// know.
    accesses: List<ScAccesses>,
    /// How many bytes its memory has grown by since this was last asked.
    grown: usize,
}

/// The SC accesses of one slot, oldest first. Each knows what the one before it knew.
#[derive(Clone, Copy)]
struct ScAccesses {
    slot: u16,
    list: List<ScAccess>,
}

#[derive(Clone, Copy)]
struct ScAccess {
    number: u64,
    known: Known,
}

/// The part of a synchronisation object, which publishes like a release and is read like an acquire.
pub(crate) struct PscSync {
    fences: Known,
    to_fence: Known,
    left: Known,
}

impl PscThread {
    pub(crate) const fn new() -> PscThread {
        PscThread {
            active: false,
            fences: Carried::BOTTOM,
            to_fence: Carried::BOTTOM,
            left: Carried::BOTTOM,
            left_before_run: Known::BOTTOM,
            before: Known::BOTTOM,
            left_changed: false,
        }
    }

    fn carried(&mut self) -> [&mut Carried; 3] {
        [&mut self.fences, &mut self.to_fence, &mut self.left]
    }

    /// The thread's last run of accesses to one location is over.
    pub(crate) fn leave(&mut self, slot: u16, pool: &Pool) {
        if !self.left.current.knows(slot, self.before.sc_event(slot)) {
            self.left.current.join(&self.before, pool);
            self.left_changed = true;
        }
        if self.left_changed {
            self.left_before_run = self.left.current;
            self.left_changed = false;
        }
    }

    /// The acquire part of an access, unless the thread has all of it already.
    pub(crate) fn read(&mut self, location: &PscLocation, acquire: bool, pool: &Pool) {
        self.fences.read(&location.fences, acquire, pool);
        self.to_fence.read(&location.to_fence, acquire, pool);
        self.left.read(&location.left, acquire, pool);
        self.left_changed |= acquire;
    }

    /// An access after its acquire part, with its release part. `current` is T_c.
    ///
    /// I need not hold what is in A or H: both are carried along with it, and a fence takes them too. It may hold Q of
    /// an SC access instead of In: an SC event that happens before an SC fence is psc-before it.
    pub(crate) fn access(&mut self, x: &mut PscLocation, step: &Step, current: &Vector, pool: &Pool) {
        self.active = true;
        if step.sc {
            // In(b), what psc brings to this event through scb; then its Q, which is the new B.
            let mut draft = Draft::new(&self.before, step.slot as usize + 1, pool);
            draft.learn(&self.left_before_run, pool);
            draft.learn(&self.fences.current, pool);
            x.join_incoming(&mut draft, step, current, pool);
            self.before = draft.into_event(Event::new(step.slot, step.number), None);
            self.to_fence.current.join(&self.before, pool);
            if step.writes {
                x.at = self.before;
            } else {
                x.at.join(&self.before, pool);
            }
            x.remember(step, &self.before, pool.arena());
        } else {
            let into = &mut self.to_fence.current;
            if !into.knows(step.slot, self.before.sc_event(step.slot)) {
                into.join(&self.before, pool);
            }
            x.join_incoming(into, step, current, pool);
            x.at.join(&self.fences.current, pool);
        }
        if !step.writes {
            self.to_fence.current.join(&x.fences_at_write, pool);
        }
        x.fences_at.join(&self.fences.current, pool);
        if step.writes {
            x.fences_at_write = x.fences_at;
            self.fences.write(&mut x.fences, step, pool);
            self.to_fence.write(&mut x.to_fence, step, pool);
            self.left.write(&mut x.left, step, pool);
        }
    }

    pub(crate) fn acquire_fence(&mut self, pool: &Pool) {
        for carried in self.carried() {
            carried.current.join(&carried.acquire, pool);
        }
        self.left_changed = true;
    }

    pub(crate) fn release_fence(&mut self) {
        for carried in self.carried() {
            carried.release = carried.current;
        }
    }

    /// An SC fence, between its acquire and its release part. `current` is T_c.
    pub(crate) fn sc_fence(&mut self, slot: u16, number: u64, current: &Vector, pool: &Pool) {
        self.active = true;
        let mut draft = Draft::new(&self.before, current.times().len().max(slot as usize + 1), pool);
        draft.learn(&self.left.current, pool);
        draft.learn(&self.fences.current, pool);
        draft.learn(&self.to_fence.current, pool);
        self.before = draft.into_event(Event::new(slot, number), Some(current));
        let known = self.before;
        for carried in self.carried() {
            carried.current = known;
        }
        self.left_changed = true;
    }

    pub(crate) fn acquire(&mut self, sync: &PscSync, pool: &Pool) {
        self.active = true;
        self.fences.current.join(&sync.fences, pool);
        self.to_fence.current.join(&sync.to_fence, pool);
        self.left.current.join(&sync.left, pool);
        self.left_changed = true;
    }

    pub(crate) fn release(&self, sync: &mut PscSync, pool: &Pool) {
        sync.fences.join(&self.fences.current, pool);
        sync.to_fence.join(&self.to_fence.current, pool);
        sync.left.join(&self.left.current, pool);
    }

    /// What a new thread, or one that joins an ended thread, gets from another.
    pub(crate) fn follow(&mut self, other: &PscThread, pool: &Pool) {
        self.active |= other.active;
        self.fences.current.join(&other.fences.current, pool);
        self.to_fence.current.join(&other.to_fence.current, pool);
        self.left.current.join(&other.left.current, pool);
        self.left_changed = true;
    }

    /// What it knows, it keeps alive.
    pub(crate) fn keeps_alive(&self) {
        for carried in [&self.fences, &self.to_fence, &self.left] {
            [carried.current, carried.acquire, carried.release].iter().for_each(|known| known.mark(Mark::Kept));
        }
        [self.left_before_run, self.before].iter().for_each(|known| known.mark(Mark::Kept));
    }
}

impl ScAccesses {
    /// The newest one that happens before what knows `current`, unless `into` knows even the last one.
    fn newest_known(&self, into: &Known, current: &Vector) -> Option<&ScAccess> {
        let list = self.list.as_slice();
        let (last, known) = (list.last()?, current.get(self.slot));
        if into.knows(self.slot, last.number) {
            return None;
        }
        if known >= last.number {
            return Some(last);
        }
        list[..list.partition_point(|access| access.number <= known)].last()
    }

    fn prune(&mut self, live: &Live, arena: &Arena) {
        let slot = self.slot;
        let list = self.list.as_mut_slice();
        let mut kept = 0;
        for i in 0..list.len() {
            let access = list[i];
            let later = list.get(i + 1).map(|next| next.number);
            if later.is_none_or(|later| live.any_in(slot, access.number, later)) {
                list[kept] = access;
                kept += 1;
            }
        }
        self.list.truncate(kept);
        self.list.shrink(arena, kept + kept / 2);
    }
}

impl PscLocation {
    pub(crate) const fn new() -> PscLocation {
        PscLocation {
            fences: Known::BOTTOM,
            to_fence: Known::BOTTOM,
            left: Known::BOTTOM,
            at: Known::BOTTOM,
            fences_at: Known::BOTTOM,
            fences_at_write: Known::BOTTOM,
            accesses: List::EMPTY,
            grown: 0,
        }
    }

    /// What comes to an access from accesses of the location: HL, or S, which is more, if it writes.
    fn join_incoming(&self, into: &mut impl Learn, step: &Step, current: &Vector, pool: &Pool) {
        if step.writes {
            into.learn(&self.at, pool);
            return;
        }
        // What the thread's own SC accesses knew, B knows.
        for accesses in self.accesses.as_slice().iter().rev().filter(|a| a.slot != step.slot) {
            if let Some(access) = accesses.newest_known(into.view(), current)
                && !into.view().knows(accesses.slot, access.number)
            {
                into.learn(&access.known, pool);
            }
        }
    }

    /// Remembers the knowledge of an SC access.
    fn remember(&mut self, step: &Step, known: &Known, arena: &Arena) {
        match self.accesses.as_slice().iter().position(|a| a.slot == step.slot) {
            Some(mine) => self.accesses.as_mut_slice()[mine..].rotate_left(1),
            None => self.accesses.push(ScAccesses { slot: step.slot, list: List::EMPTY }, arena),
        }
        let [.., mine] = self.accesses.as_mut_slice() else { return };
        if let Some(last) = mine.list.as_mut_slice().last_mut()
            && last.number >= step.unknown_from
        {
            *last = ScAccess { number: step.number, known: *known };
            return;
        }
        self.grown += size_of::<ScAccess>();
        mine.list.push(ScAccess { number: step.number, known: *known }, arena);
    }

    /// By how much the location grew since the last call.
    pub(crate) fn take_growth(&mut self) -> usize {
        core::mem::take(&mut self.grown)
    }

    /// How many SC accesses are remembered.
    pub(crate) fn sc_accesses(&self) -> usize {
        self.accesses.as_slice().iter().map(|accesses| accesses.list.as_slice().len()).sum()
    }

    /// What SC accesses knew is looked up by the times of other clocks, and does not by itself keep anything alive.
    pub(crate) fn looks_up(&self) {
        for accesses in self.accesses.as_slice() {
            accesses.list.as_slice().iter().for_each(|access| access.known.mark(Mark::LookedUp));
        }
    }

    pub(crate) fn keeps_alive(&self) {
        let carried = [&self.fences, &self.to_fence, &self.left];
        let joined = [&self.at, &self.fences_at, &self.fences_at_write];
        carried.into_iter().chain(joined).for_each(|known| known.mark(Mark::Kept));
    }

    /// Forgets SC accesses that no clock can tell from a later one of the same thread, whose knowledge is greater.
    pub(crate) fn prune(&mut self, live: &Live, arena: &Arena) {
        for accesses in self.accesses.as_mut_slice() {
            accesses.prune(live, arena);
        }
    }

    pub(crate) fn free(&mut self, arena: &Arena) {
        self.accesses.as_mut_slice().iter_mut().for_each(|accesses| accesses.list.free(arena));
        self.accesses.free(arena);
    }

    pub(crate) fn allocate(arena: &Arena) -> *mut PscLocation {
        let location = arena.allocate(size_of::<PscLocation>()).cast::<PscLocation>();
        // SAFETY: the block is large enough, and aligned to 16.
        unsafe { location.write(PscLocation::new()) };
        location
    }
}

impl PscSync {
    pub(crate) const fn new() -> PscSync {
        PscSync { fences: Known::BOTTOM, to_fence: Known::BOTTOM, left: Known::BOTTOM }
    }

    pub(crate) fn keeps_alive(&self) {
        [self.fences, self.to_fence, self.left].iter().for_each(|known| known.mark(Mark::Kept));
    }

    pub(crate) fn is_bottom(&self) -> bool {
        self.fences.is_bottom() && self.to_fence.is_bottom() && self.left.is_bottom()
    }
}
