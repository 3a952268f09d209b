use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, compiler_fence, fence};

use crate::arena::Arena;
use crate::event::Event;
use crate::shadow::INTERVAL_SHIFT;
use crate::spin::RawLock;

/// How many numbers a thread takes at once, so that threads seldom meet at the counter.
const BATCH: u32 = 32;

/// The epochs in which threads made plain accesses, under short numbers: what shadow words hold.
///
/// When all numbers are in use, shadow memory is cleared and they start from the beginning
/// ([`crate::Clocks::restart_intervals`]). No thread may write an old number afterwards: it would mean another thread's
/// epoch, and could invent a race. So a thread is *busy* while it reads or writes shadow words. A restart first raises
/// the generation of numbers, then waits until no thread is busy.
pub(crate) struct Intervals {
    table: AtomicPtr<AtomicU64>,
    capacity: u32,
    /// The next number that was not given out; the capacity, while shadow memory is being cleared.
    next: AtomicU32,
    generation: AtomicU32,
    mapping: RawLock,
    restarting: RawLock,
}

/// The numbers of one thread. Others read `busy` only, and clear `current` only.
#[repr(C, align(64))]
pub(crate) struct Numbers {
    /// Intervals that happen before what the thread does next, and so they will for ever: those that it met last, by
    /// the lowest bits of their numbers.
    pub(crate) met: [AtomicU32; 4],
    /// The number of its present interval, shifted to its place in a shadow word; 0 if it has none.
    pub(crate) current: AtomicU32,
    busy: AtomicU32,
    generation: AtomicU32,
    /// Numbers that it took and has not used.
    next: AtomicU32,
    end: AtomicU32,
}

impl Numbers {
    pub(crate) const fn new() -> Numbers {
        Numbers {
            met: [const { AtomicU32::new(0) }; 4],
            current: AtomicU32::new(0),
            busy: AtomicU32::new(0),
            generation: AtomicU32::new(0),
            next: AtomicU32::new(0),
            end: AtomicU32::new(0),
        }
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire) != 0
    }

    /// A new interval, if there is a number for it. Returns the number at its place in a shadow word, or 0.
    #[inline(always)]
    pub(crate) fn enter(&self, number: Option<u32>) -> u32 {
        let shifted = number.unwrap_or(0) << INTERVAL_SHIFT;
        self.current.store(shifted, Ordering::Relaxed);
        shifted
    }

    /// Whether a number is of the present interval, or of one that is known to happen before what the thread does next.
    #[inline(always)]
    pub(crate) fn has_met(&self, number: u32) -> bool {
        number == self.current.load(Ordering::Relaxed) >> INTERVAL_SHIFT
            || number == self.met[number as usize % 4].load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(crate) fn meets(&self, number: u32) {
        self.met[number as usize % 4].store(number, Ordering::Relaxed);
    }

    pub(crate) fn forget_met(&self) {
        self.met.iter().for_each(|number| number.store(0, Ordering::Relaxed));
    }

    #[inline(always)]
    pub(crate) fn end(&self) {
        self.busy.store(0, Ordering::Release);
    }
}

impl Intervals {
    pub(crate) const fn new(capacity: u32) -> Intervals {
        assert!(capacity >= 4 && capacity <= 1 << 22);
        Intervals {
            table: AtomicPtr::new(ptr::null_mut()),
            capacity,
            next: AtomicU32::new(1),
            generation: AtomicU32::new(0),
            mapping: RawLock::new(),
            restarting: RawLock::new(),
        }
    }

    pub(crate) fn mapped(&self) -> usize {
        if self.table.load(Ordering::Relaxed).is_null() { 0 } else { self.capacity as usize * size_of::<u64>() }
    }

    fn table(&self, arena: &Arena) -> *mut AtomicU64 {
        let table = self.table.load(Ordering::Acquire);
        if !table.is_null() {
            return table;
        }
        self.mapping.acquire(arena.platform.yield_now);
        if self.table.load(Ordering::Acquire).is_null() {
            let table = (arena.platform.map)(self.capacity as usize * size_of::<AtomicU64>());
            self.table.store(table.cast(), Ordering::Release);
        }
        self.mapping.release();
        self.table.load(Ordering::Acquire)
    }

    /// The thread is about to read and write shadow words, until [`Numbers::end`]. Its numbers are of the present
    /// generation then.
    #[inline(always)]
    pub(crate) fn begin(&self, numbers: &Numbers, arena: &Arena) {
        numbers.busy.store(1, Ordering::Relaxed);
        if arena.platform.barrier.is_some() {
            // A restart makes all threads fence, so no fence is needed here.
            compiler_fence(Ordering::SeqCst);
        } else {
            fence(Ordering::SeqCst);
        }
        let generation = self.generation.load(Ordering::Acquire);
        if numbers.generation.load(Ordering::Relaxed) != generation {
            numbers.generation.store(generation, Ordering::Relaxed);
            numbers.current.store(0, Ordering::Relaxed);
            numbers.next.store(0, Ordering::Relaxed);
            numbers.end.store(0, Ordering::Relaxed);
            numbers.forget_met();
        }
    }

    /// The same if there is nothing else to do: the numbers are of the present generation, and the thread need not
    /// fence. [`Numbers::end`] follows in any case.
    #[inline(always)]
    pub(crate) fn begin_simply(&self, numbers: &Numbers, arena: &Arena) -> bool {
        numbers.busy.store(1, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        arena.platform.barrier.is_some()
            && numbers.generation.load(Ordering::Relaxed) == self.generation.load(Ordering::Acquire)
    }

    /// A number for the interval, if the thread has taken one already. Only while the thread is busy.
    #[inline(always)]
    pub(crate) fn taken_number(&self, epoch: Event, numbers: &Numbers) -> Option<u32> {
        let number = numbers.next.load(Ordering::Relaxed);
        if number == numbers.end.load(Ordering::Relaxed) {
            return None;
        }
        numbers.next.store(number + 1, Ordering::Relaxed);
        // SAFETY: the number is below the capacity, and the table was there when it was taken. Release: a
        // thread that finds the number in shadow memory finds its epoch here.
        unsafe { (*self.table.load(Ordering::Relaxed).add(number as usize)).store(epoch.to_bits(), Ordering::Release) };
        Some(number)
    }

    /// A number for the interval; `None` if there are no more. Only while the thread is busy.
    pub(crate) fn number(&self, epoch: Event, numbers: &Numbers, arena: &Arena) -> Option<u32> {
        self.taken_number(epoch, numbers).or_else(|| {
            self.table(arena);
            let batch = BATCH.min(self.capacity / 4);
            let take = |next: u32| (next + batch <= self.capacity).then_some(next + batch);
            let number = self.next.fetch_update(Ordering::AcqRel, Ordering::Relaxed, take).ok()?;
            numbers.next.store(number, Ordering::Relaxed);
            numbers.end.store(number + batch, Ordering::Relaxed);
            self.taken_number(epoch, numbers)
        })
    }

    /// What a number in a shadow word means: the epoch of a thread, from one release to the next.
    #[inline]
    pub(crate) fn meaning(&self, number: u32) -> Event {
        // SAFETY: only numbers that were given out are in shadow words, so the table is there and long enough.
        Event::from_bits(unsafe { (*self.table.load(Ordering::Relaxed).add(number as usize)).load(Ordering::Acquire) })
    }

    pub(crate) fn are_used_up(&self) -> bool {
        self.next.load(Ordering::Relaxed) + BATCH.min(self.capacity / 4) > self.capacity
    }

    /// Takes all numbers back, if all are in use, and `clear`s shadow memory. No thread gets a number meanwhile. If a
    /// thread stays busy (`are_idle` waits for them), nothing changes.
    pub(crate) fn restart(&self, arena: &Arena, are_idle: impl FnOnce() -> bool, clear: impl FnOnce()) {
        self.restarting.acquire(arena.platform.yield_now);
        if self.are_used_up() {
            self.next.store(self.capacity, Ordering::Relaxed);
            self.generation.fetch_add(1, Ordering::AcqRel);
            match arena.platform.barrier {
                Some(barrier) => barrier(),
                None => fence(Ordering::SeqCst),
            }
            if are_idle() {
                clear();
                self.next.store(1, Ordering::Release);
            }
        }
        self.restarting.release();
    }
}
