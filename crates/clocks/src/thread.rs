use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::intervals::Numbers;
use crate::pool::Pool;
use crate::psc::PscThread;
use crate::spin::RawLock;
use crate::vector::{Published, Stamped, Vector};

/// How many threads can be told apart at once. Slots are reused: see [`crate::Clocks::spawn`].
pub const MAX_THREADS: usize = 4096;

/// The clocks of one thread. Only the thread itself passes it to the methods of [`crate::Clocks`], except that its
/// creator may do so before it starts, and its joiner after it has ended.
pub struct Thread {
    pub(crate) slot: u16,
    pub(crate) name: AtomicU32,
    /// The number of its first event, its start.
    pub(crate) first: AtomicU64,
    /// The interval of its plain accesses.
    pub(crate) numbers: Numbers,
    /// The last event that published what the thread knew.
    pub(crate) released_at: AtomicU64,
    /// Raised when it learns or does something after which its loads must be recorded again ([`crate::Seen`]).
    pub(crate) version: AtomicU64,
    /// Held while clocks change outside the lock of a location or a synchronisation object.
    pub(crate) lock: RawLock,
    pub(crate) state: UnsafeCell<ThreadState>,
}

// SAFETY: the state is touched by the thread itself, and by others only while it cannot: under the locks that it needs
// to change its clocks (`Clocks::collect`), or when it is not running.
unsafe impl Sync for Thread {}
// SAFETY: nothing in it belongs to one thread of the operating system.
unsafe impl Send for Thread {}

/// Clocks count a thread's atomic accesses, fences and synchronisations: its events, from 1. One numbering serves all
/// clocks, so that one history serves all questions. A thread knows an event of another along happens-before if its
/// clock has reached the number of that event, because only the numbers of releasing events are ever published.
pub(crate) struct ThreadState {
    /// The number of its last event.
    pub(crate) now: u64,
    /// T_c (paper 000, appendix B).
    pub(crate) current: Vector,
    pub(crate) learnt_at: u64,
    /// T_a, without what is in T_c.
    pub(crate) acquire: Vector,
    /// T_r.
    pub(crate) release: Stamped,
    /// T_SC.
    pub(crate) sc: Vector,
    pub(crate) sc_learnt_at: u64,
    /// The location of its last event, by serial number; 0 if that was no access.
    pub(crate) at: u64,
    pub(crate) psc: PscThread,
    /// Scratch space for pruning: the next number of each slot.
    pub(crate) next: Vector,
    pub(crate) next_sc: Vector,
}

impl ThreadState {
    pub(crate) const fn new() -> ThreadState {
        ThreadState {
            now: 0,
            current: Vector::BOTTOM,
            learnt_at: 0,
            acquire: Vector::BOTTOM,
            release: Stamped::BOTTOM,
            sc: Vector::BOTTOM,
            sc_learnt_at: 0,
            at: 0,
            psc: PscThread::new(),
            next: Vector::BOTTOM,
            next_sc: Vector::BOTTOM,
        }
    }

    /// Numbers the next event of the thread.
    #[inline]
    pub(crate) fn step(&mut self, slot: u16, pool: &Pool) -> u64 {
        self.now += 1;
        self.current.set(slot, self.now, pool);
        self.sc.set(slot, self.now, pool);
        self.now
    }

    #[inline]
    pub(crate) fn learn(&mut self, from: &Stamped, pool: &Pool) {
        if !from.is_known_to(&self.current) && self.current.join(from.clock(), pool) {
            self.learnt_at = self.now;
        }
    }

    #[inline]
    pub(crate) fn learn_sc(&mut self, from: &Stamped, pool: &Pool) {
        if !from.is_known_to(&self.sc) && self.sc.join(from.clock(), pool) {
            self.sc_learnt_at = self.now;
        }
    }

    /// What a relaxed read sees, for a later acquire fence.
    #[inline]
    pub(crate) fn learn_for_fence(&mut self, from: &Stamped, pool: &Pool) {
        if !from.is_known_to(&self.current) && !from.is_known_to(&self.acquire) {
            self.acquire.join(from.clock(), pool);
        }
    }

    #[inline]
    pub(crate) fn published(&self, slot: u16) -> Published<'_> {
        Published { clock: &self.current, slot, number: self.now, learnt_at: self.learnt_at }
    }

    #[inline]
    pub(crate) fn published_sc(&self, slot: u16) -> Published<'_> {
        Published { clock: &self.sc, slot, number: self.now, learnt_at: self.sc_learnt_at }
    }

    /// Whether an acquire fence would change nothing.
    pub(crate) fn has_nothing_to_acquire(&self) -> bool {
        self.acquire.is_bottom() && !self.psc.active
    }

    pub(crate) fn acquire_fence(&mut self, pool: &Pool) {
        if !self.acquire.is_bottom() {
            if self.current.join(&self.acquire, pool) {
                self.learnt_at = self.now;
            }
            self.acquire.clear();
        }
    }

    pub(crate) fn release_fence(&mut self, slot: u16, pool: &Pool) {
        let published = Published { clock: &self.current, slot, number: self.now, learnt_at: self.learnt_at };
        self.release.assign(&published, pool);
    }

    /// The event is not an access of an atomic location.
    #[inline]
    pub(crate) fn leave(&mut self, slot: u16, pool: &Pool) {
        self.at = 0;
        if self.psc.active {
            self.psc.leave(slot, pool);
        }
    }

    pub(crate) fn free(&mut self, pool: &Pool) {
        for clock in [&mut self.current, &mut self.acquire, &mut self.sc, &mut self.next, &mut self.next_sc] {
            clock.free(pool);
        }
        self.release.free(pool);
        self.psc = PscThread::new();
    }
}

impl Thread {
    pub(crate) fn new(slot: u16) -> Thread {
        Thread {
            slot,
            name: AtomicU32::new(0),
            first: AtomicU64::new(0),
            numbers: Numbers::new(),
            released_at: AtomicU64::new(0),
            version: AtomicU64::new(1),
            lock: RawLock::new(),
            state: UnsafeCell::new(ThreadState::new()),
        }
    }

    /// The number that [`crate::Clocks::spawn`] was given.
    pub fn name(&self) -> u32 {
        self.name.load(Ordering::Relaxed)
    }

    /// Its index in clocks, which a later thread may have again.
    pub fn slot(&self) -> u16 {
        self.slot
    }

    /// Whether it has made no plain access since its last release.
    #[inline]
    pub fn is_at_beginning_of_interval(&self) -> bool {
        self.numbers.current.load(Ordering::Relaxed) == 0
    }

    #[inline]
    pub(crate) fn changed(&self) {
        self.version.store(self.version.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    pub(crate) fn name_at(&self, epoch: u64) -> Option<u32> {
        (epoch > self.first.load(Ordering::Relaxed)).then(|| self.name())
    }

    /// The epoch of later plain accesses and accesses of atomic locations. A thread that knows a later release knows
    /// it.
    #[inline]
    pub(crate) fn epoch(&self) -> u64 {
        self.released_at.load(Ordering::Relaxed) + 1
    }

    /// Notes that the event with this number published what the thread knew. No other thread knows what comes after it.
    #[inline]
    pub(crate) fn released(&self, number: u64) {
        self.released_at.store(number, Ordering::Relaxed);
        self.numbers.current.store(0, Ordering::Relaxed);
    }
}
