use core::cell::UnsafeCell;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::access::Access;
use crate::arena::Arena;
use crate::intervals::Intervals;
use crate::live::Live;
use crate::location::{Location, LocationState};
use crate::order::Model;
use crate::platform::Platform;
use crate::pool::Pool;
use crate::psc::PscLocation;
use crate::registry::Registry;
use crate::slots::Slots;
use crate::spin::{RawLock, Spin};
use crate::sync::{FenceState, Sync, SyncState};
use crate::thread::Thread;
use crate::vector::Vector;

/// Histories may grow by this much before [`Clocks::collect`] runs by itself, or by as much as it has to look at; if
/// that is very much, by half.
const LEAST_GROWTH: usize = 1 << 20;
const VERY_MUCH: usize = 64 << 20;
/// So many SC accesses, or twice as many as were left the last time, before it is worth to find out which can be
/// forgotten.
const MANY_SC_ACCESSES: usize = 1 << 10;
/// Histories below this size in bytes are not pruned unless they grow.
const SMALL_HISTORY: usize = 1 << 10;

/// The clocks of one run of a program. See the documentation of the crate for what may be called when.
pub struct Clocks {
    model: Model,
    pub(crate) pool: Pool,
    pub(crate) slots: Spin<Slots>,
    pub(crate) fence: Spin<FenceState>,
    pub(crate) intervals: Intervals,
    locations: Spin<Registry<Location>>,
    syncs: Spin<Registry<Sync>>,
    live: UnsafeCell<Live>,
    /// By how much histories grew since the last collection, and by how much they may.
    grown: AtomicUsize,
    limit: AtomicUsize,
    /// How many SC accesses may be remembered before some are forgotten.
    most_sc_accesses: AtomicUsize,
    collecting: RawLock,
}

// SAFETY: `live` is written while all locks are held, and read while one of them is. The rest is behind locks.
unsafe impl core::marker::Sync for Clocks {}

impl Clocks {
    /// `intervals` is how many epochs of plain accesses are told apart before shadow memory must be cleared
    /// ([`Clocks::restart_intervals`]); they cost eight bytes each once they are used. At most 2^22.
    pub const fn new(model: Model, platform: Platform, intervals: u32) -> Clocks {
        Clocks {
            model,
            pool: Pool::new(Arena::new(platform)),
            slots: Spin::new(Slots::new()),
            fence: Spin::new(FenceState::new()),
            intervals: Intervals::new(intervals),
            locations: Spin::new(Registry::new()),
            syncs: Spin::new(Registry::new()),
            live: UnsafeCell::new(Live::UNKNOWN),
            grown: AtomicUsize::new(0),
            limit: AtomicUsize::new(LEAST_GROWTH),
            most_sc_accesses: AtomicUsize::new(MANY_SC_ACCESSES),
            collecting: RawLock::new(),
        }
    }

    #[inline]
    pub fn model(&self) -> Model {
        self.model
    }

    #[inline]
    pub(crate) fn platform(&self) -> &Platform {
        &self.pool.arena().platform
    }

    /// How many bytes of memory the clocks, histories and tables have taken from the platform. It never shrinks.
    pub fn mapped(&self) -> usize {
        self.pool.arena().mapped() + self.intervals.mapped()
    }

    /// A new atomic location that holds `initial`. Not to be called during an [`Access`].
    pub fn location(&self, initial: u64) -> &Location {
        let mut locations = self.locations.lock(self.platform().yield_now);
        let (place, serial, is_new) = locations.place(self.pool.arena());
        let state = LocationState::new(serial, initial);
        if is_new {
            // SAFETY: the place was never used.
            unsafe { place.write(Location::new(state)) };
            // SAFETY: just written, and it stays there.
            return unsafe { &*place };
        }
        // SAFETY: the place holds a location that was freed. A thread that looked it up before may still try its lock.
        let location = unsafe { &*place };
        location.lock.acquire(self.platform().yield_now);
        // SAFETY: the lock is held.
        unsafe { location.state.get().write(state) };
        location.changed();
        location.lock.release();
        location
    }

    /// Forgets the location, whose memory the program has freed. A thread that begins an [`Access`] of it later must
    /// first find out that it was freed, because its place may belong to another location by then.
    pub fn free_location(&self, location: &Location) {
        let mut locations = self.locations.lock(self.platform().yield_now);
        location.lock.acquire(self.platform().yield_now);
        // SAFETY: the lock is held.
        unsafe { (*location.state.get()).free(&self.pool) };
        location.changed();
        location.lock.release();
        locations.recycle(ptr::from_ref(location).cast_mut(), self.pool.arena());
    }

    /// A new synchronisation object, such as a mutex. Not to be called during an [`Access`].
    pub fn sync(&self) -> &Sync {
        let mut syncs = self.syncs.lock(self.platform().yield_now);
        let (place, ..) = syncs.place(self.pool.arena());
        // SAFETY: the place is unused.
        unsafe {
            place.write(Sync { lock: RawLock::new(), state: UnsafeCell::new(SyncState::new()) });
            &*place
        }
    }

    /// Forgets the object. It must not be used during the call or later.
    pub fn free_sync(&self, sync: &Sync) {
        let mut syncs = self.syncs.lock(self.platform().yield_now);
        // SAFETY: the caller gives up the object, and a collection waits for the registry.
        unsafe { (*sync.state.get()).free(&self.pool) };
        syncs.recycle(ptr::from_ref(sync).cast_mut(), self.pool.arena());
    }

    /// Begins an access of an atomic location by `thread`, and waits for other accesses of it to end. A thread makes
    /// one access at a time.
    #[inline]
    pub fn access<'c>(&'c self, thread: &'c Thread, location: &'c Location) -> Access<'c> {
        Access::new(self, thread, location)
    }

    /// # Safety
    /// The lock of a location, of a synchronisation object or of a thread must be held.
    #[inline]
    pub(crate) unsafe fn live(&self) -> &Live {
        // SAFETY: it is written only while all those locks are held by the writer.
        unsafe { &*self.live.get() }
    }

    /// Views may have been made. No lock is held.
    #[inline]
    pub(crate) fn views_grew(&self) {
        let bytes = self.pool.take_views();
        if bytes > 0 {
            self.grew(bytes);
        }
    }

    pub(crate) fn grew(&self, bytes: usize) {
        self.grown.fetch_add(bytes, Ordering::Relaxed);
        if self.has_grown() {
            self.collect_some(false);
        }
    }

    fn has_grown(&self) -> bool {
        self.grown.load(Ordering::Relaxed) > self.limit.load(Ordering::Relaxed)
    }

    /// Forgets what no clock can tell apart any more. It runs by itself, often enough that memory does not depend on
    /// the length of the run, and seldom enough to cost little. Accesses of other threads wait meanwhile.
    pub fn collect(&self) {
        self.collect_some(true);
    }

    /// All that can be forgotten, or what is worth it.
    #[cold]
    fn collect_some(&self, all: bool) {
        self.collecting.acquire(self.platform().yield_now);
        // Others may have done it while this thread waited for them.
        if !all && !self.has_grown() {
            return self.collecting.release();
        }
        self.freeze_all();
        // SAFETY: all locks are held, so no clock changes.
        unsafe { self.collect_frozen(all) };
        // SAFETY: frozen above.
        unsafe { self.thaw() };
    }

    /// Forgets, at one location, what the last collection found that no clock can tell apart. This too happens by
    /// itself.
    pub fn prune(&self, location: &Location) {
        location.lock.acquire(self.platform().yield_now);
        let (mut next, mut next_sc) = (Vector::BOTTOM, Vector::BOTTOM);
        // SAFETY: the lock is held.
        unsafe { (*location.state.get()).prune(self.live(), &mut next, &mut next_sc, &self.pool) };
        next.free(&self.pool);
        next_sc.free(&self.pool);
        location.lock.release();
    }

    /// Takes all locks, for instance before `fork`. Not to be called during an [`Access`].
    pub fn freeze(&self) {
        self.collecting.acquire(self.platform().yield_now);
        self.freeze_all();
    }

    fn freeze_all(&self) {
        let yield_now = self.platform().yield_now;
        let (locations, syncs) = (self.locations.lock(yield_now), self.syncs.lock(yield_now));
        locations.each(|l| l.lock.acquire(yield_now));
        syncs.each(|s| s.lock.acquire(yield_now));
        let fence = self.fence.lock(yield_now);
        // An access asks for the name of a thread while it holds its location.
        let slots = self.slots.lock(yield_now);
        slots.each(|t| t.lock.acquire(yield_now));
        core::mem::forget((locations, syncs, slots, fence));
    }

    /// # Safety
    /// Only after [`Clocks::freeze`], once.
    pub unsafe fn thaw(&self) {
        // SAFETY: `freeze` left these locks held.
        unsafe {
            let (locations, syncs, slots) = (self.locations.held(), self.syncs.held(), self.slots.held());
            slots.each(|t| t.lock.release());
            drop(slots);
            drop(self.fence.held());
            syncs.each(|s| s.lock.release());
            locations.each(|l| l.lock.release());
        }
        self.collecting.release();
    }

    /// # Safety
    /// Only between [`Clocks::freeze`] and [`Clocks::thaw`].
    unsafe fn collect_frozen(&self, all: bool) {
        // SAFETY: `freeze` holds these locks, and all others.
        unsafe {
            let (locations, syncs, slots) = (self.locations.held(), self.syncs.held(), self.slots.held());
            let live = &mut *self.live.get();
            let in_use = |visit: &mut dyn FnMut(&mut LocationState)| {
                locations.each(|location| {
                    let state = &mut *location.state.get();
                    if state.serial != 0 {
                        visit(state);
                    }
                });
            };
            let mut psc = false;
            slots.each(|thread| psc |= (*thread.state.get()).psc.active);
            in_use(&mut |state| psc |= !state.psc.is_null());
            if psc {
                in_use(&mut |state| state.psc.as_ref().into_iter().for_each(PscLocation::keeps_alive));
                slots.each(|thread| (*thread.state.get()).psc.keeps_alive());
                syncs.each(|sync| (*sync.state.get()).psc().keeps_alive());
                let sc_accesses = || {
                    let mut count = 0;
                    in_use(&mut |state| count += state.psc.as_ref().map_or(0, PscLocation::sc_accesses));
                    count
                };
                if all || sc_accesses() > self.most_sc_accesses.load(Ordering::Relaxed) {
                    slots.with_numbers(self.pool.arena(), |now| live.compute(now, true, &self.pool));
                    in_use(&mut |state| state.prune_sc_accesses(live, self.pool.arena()));
                    self.most_sc_accesses.store(MANY_SC_ACCESSES + 2 * sc_accesses(), Ordering::Relaxed);
                }
                in_use(&mut |state| state.psc.as_ref().into_iter().for_each(PscLocation::looks_up));
                self.pool.sweep();
            }
            slots.with_numbers(self.pool.arena(), |now| live.compute(now, false, &self.pool));
            let (mut next, mut next_sc) = (Vector::BOTTOM, Vector::BOTTOM);
            let mut bytes = self.pool.bytes();
            in_use(&mut |state| {
                // Others prune themselves before they grow.
                if all || state.history.bytes() > SMALL_HISTORY {
                    state.prune(live, &mut next, &mut next_sc, &self.pool);
                }
                bytes += state.bytes();
            });
            next.free(&self.pool);
            next_sc.free(&self.pool);
            self.grown.store(0, Ordering::Relaxed);
            let limit = (bytes / 2).max(bytes.min(VERY_MUCH)).max(LEAST_GROWTH);
            self.limit.store(limit, Ordering::Relaxed);
            core::mem::forget((locations, syncs, slots));
        }
    }
}
