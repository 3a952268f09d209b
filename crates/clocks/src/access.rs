use core::sync::atomic::Ordering;

use crate::check::{Attempt, Violation};
use crate::clocks::Clocks;
use crate::event::Event;
use crate::history::NewWrite;
use crate::location::{Location, LocationState};
use crate::order::{Model, Order};
use crate::psc::{PscLocation, Step};
use crate::seen::Seen;
use crate::shadow::{Extent, Granule, Race, Touch};
use crate::thread::{Thread, ThreadState};

/// One access of an atomic location, with the location's lock held until it is dropped.
///
/// First [`Access::check`] what the thread is about to do, then perform it on the program's memory, then say what it
/// was: [`Access::load`], [`Access::store`] or [`Access::rmw`]. A CAS that fails is a load with its failure ordering. A
/// `wait` or `BCAS` that does not succeed is checked, and then nothing.
pub struct Access<'c> {
    clocks: &'c Clocks,
    thread: &'c Thread,
    location: &'c Location,
    shadow: Option<(&'c Granule, Extent)>,
    /// Shadow memory did not remember it.
    is_new: bool,
    grown: usize,
}

impl<'c> Access<'c> {
    #[inline]
    pub(crate) fn new(clocks: &'c Clocks, thread: &'c Thread, location: &'c Location) -> Access<'c> {
        location.lock.acquire(clocks.platform().yield_now);
        // SAFETY: the lock is held.
        unsafe { (*location.state.get()).prefetch() };
        Access { clocks, thread, location, shadow: None, is_new: false, grown: 0 }
    }

    /// Remembers the access in shadow memory too, and looks there for plain accesses that race with it.
    #[inline]
    pub fn shadowed(mut self, granule: &'c Granule, extent: Extent) -> Access<'c> {
        self.shadow = Some((granule, extent));
        self
    }

    /// Whether the attempt can do what is impossible under SC.
    #[inline]
    pub fn check(&self, attempt: Attempt) -> Option<Violation> {
        let psc = self.clocks.model() == Model::Rc11;
        // SAFETY: the lock is held, and the thread is the caller.
        unsafe { attempt.check(&*self.thread.state.get(), self.thread.slot, &*self.location.state.get(), psc) }
    }

    /// The value of the last write: if memory holds another, something wrote there without being seen.
    pub fn last_value(&self) -> u64 {
        // SAFETY: the lock is held.
        unsafe { (*self.location.state.get()).history.newest().value }
    }

    /// The thread reads the last write.
    #[inline]
    pub fn load(&mut self, order: Order) -> Option<Race> {
        self.perform(order, true, None)
    }

    #[inline]
    pub fn store(&mut self, order: Order, value: u64, place: u64) -> Option<Race> {
        self.perform(order, false, Some((value, place)))
    }

    /// The thread reads the last write and replaces it.
    #[inline]
    pub fn rmw(&mut self, order: Order, value: u64, place: u64) -> Option<Race> {
        self.perform(order, true, Some((value, place)))
    }

    /// Whether shadow memory has an access that it did not remember before.
    #[inline]
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// What the thread has seen by the access that was just recorded.
    #[inline]
    pub fn seen(&self) -> Seen {
        // SAFETY: the lock is held, and the thread is the caller.
        let (state, x) = unsafe { (&*self.thread.state.get(), &*self.location.state.get()) };
        if state.psc.active || !x.psc.is_null() {
            return Seen::default();
        }
        let stamp = self.location.stamp.load(Ordering::Relaxed);
        Seen::new(stamp, self.thread.version.load(Ordering::Relaxed), x.written.is_known_to(&state.current))
    }

    #[inline]
    fn perform(&mut self, order: Order, reads: bool, write: Option<(u64, u64)>) -> Option<Race> {
        let (clocks, slot) = (self.clocks, self.thread.slot);
        // SAFETY: the lock is held, and the thread is the caller.
        let (state, x) = unsafe { (&mut *self.thread.state.get(), &mut *self.location.state.get()) };
        if x.history.is_crowded(write.is_some()) {
            // SAFETY: the lock of a location is held.
            let live = unsafe { clocks.live() };
            self.grown += x.history.make_room(live, &mut state.next, &mut state.next_sc, &clocks.pool);
        }
        let number = state.step(slot, &clocks.pool);
        let continues = x.history.step(Event::new(slot, number));
        self.sc_happens_before(state, x, write.is_some());

        let sc = order.is_sc() && clocks.model() == Model::Rc11;
        let acquire = reads && order.is_acquire();
        let release = write.is_some() && order.is_release();
        let mut learns = false;
        if reads && !x.written.is_bottom() {
            learns = !x.written.is_known_to(&state.current);
            if acquire {
                state.learn(&x.written, &clocks.pool);
            } else {
                state.learn_for_fence(&x.written, &clocks.pool);
            }
        }
        if let Some((value, place)) = write {
            let thread = self.thread.name.load(Ordering::Relaxed);
            let new = NewWrite { slot, thread, number, value, place, rmw: reads, sc };
            x.history.write(&new, clocks.pool.arena());
        }
        x.history.access(slot, number, self.thread.epoch(), clocks.pool.arena());
        // A store replaces what others could learn of a run. Until the next release, no other thread learns anything.
        let in_run = continues && write.is_some() && (release || !reads);
        let unknown_from = if in_run { x.history.run_start().min(self.thread.epoch()) } else { self.thread.epoch() };
        let step = Step { slot, number, reads, writes: write.is_some(), acquire, release, sc, unknown_from };
        let changed_psc = state.psc.active || sc || !x.psc.is_null();
        if changed_psc {
            self.psc(state, x, &step, learns);
        }
        if step.writes || changed_psc {
            self.location.changed();
        }
        if step.writes || changed_psc || state.learnt_at == number || state.sc_learnt_at == number {
            self.thread.changed();
        }
        state.at = x.serial;
        let touch = if write.is_some() { Touch::AtomicWrite } else { Touch::AtomicRead };
        let mut race = None;
        if let Some((granule, extent)) = self.shadow
            && !Clocks::is_remembered(self.thread, granule, extent, touch)
        {
            self.is_new = true;
            if !clocks.touch_among(self.thread, granule, extent, touch) {
                race = clocks.touch_atomically(self.thread, (granule, extent), touch);
            }
        }
        if write.is_some() {
            self.release_part(state, x, &step, in_run);
        }
        race
    }

    /// `UpdateLSC` of appendix A, on thread-indexed clocks.
    #[inline]
    fn sc_happens_before(&self, state: &mut ThreadState, x: &mut LocationState, writes: bool) {
        let (pool, slot) = (&self.clocks.pool, self.thread.slot);
        if writes {
            state.learn_sc(if x.sc_accessed.is_outdated() { &x.sc_written } else { &x.sc_accessed }, pool);
            x.sc_written.assign(&state.published_sc(slot), pool);
            x.sc_accessed.outdate();
            return;
        }
        state.learn_sc(&x.sc_written, pool);
        if x.sc_accessed.is_outdated() {
            // The reader knows all of W_SC.
            x.sc_accessed.assign(&state.published_sc(slot), pool);
        } else {
            x.sc_accessed.add(&state.published_sc(slot), pool);
        }
    }

    #[inline]
    fn release_part(&self, state: &mut ThreadState, x: &mut LocationState, step: &Step, in_run: bool) {
        let (pool, slot) = (&self.clocks.pool, self.thread.slot);
        let published = state.published(slot);
        match (step.release, step.reads) {
            (true, false) => x.written.assign(&published, pool),
            (true, true) if step.acquire => x.written.assign(&published, pool),
            (true, true) => x.written.add(&published, pool),
            (false, false) if state.release.is_bottom() => x.written.clear(),
            (false, false) => x.written.copy(&state.release, pool),
            (false, true) => x.written.add_stamped(&state.release, pool),
        }
        if in_run {
            // W(x), W_SC(x) and M_SC(x) are all that could know of the run, and have just been replaced.
            x.history.end_run(slot);
        }
        if step.release {
            self.thread.released(step.number);
        }
    }

    #[cold]
    fn psc(&mut self, state: &mut ThreadState, x: &mut LocationState, step: &Step, learns: bool) {
        let clocks = self.clocks;
        let pool = &clocks.pool;
        if x.psc.is_null() {
            x.psc = PscLocation::allocate(pool.arena());
        }
        // SAFETY: the location owns it, and its lock is held.
        let psc = unsafe { &mut *x.psc };
        if state.at != x.serial {
            state.psc.leave(self.thread.slot, pool);
        }
        if learns {
            state.psc.read(psc, step.acquire, pool);
        }
        state.psc.access(psc, step, &state.current, pool);
        self.grown += psc.take_growth() + pool.take_views();
    }
}

impl Drop for Access<'_> {
    #[inline]
    fn drop(&mut self) {
        self.location.lock.release();
        if self.grown > 0 {
            self.clocks.grew(self.grown);
        }
    }
}
