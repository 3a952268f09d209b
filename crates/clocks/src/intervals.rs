use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use crate::arena::Arena;
use crate::spin::RawLock;

const SLOT_SHIFT: u32 = 48;
const EPOCH_MASK: u64 = (1 << SLOT_SHIFT) - 1;

/// The epochs in which threads made plain accesses, under short numbers: what shadow words hold.
///
/// Numbers come from two halves in turn. When a half is used up, shadow memory is cleared and the other half is used
/// ([`crate::Clocks::restart_intervals`]); a word that a thread was about to write just then still means what it did,
/// and is cleared the next time, before its number can mean something else.
pub(crate) struct Intervals {
    table: AtomicPtr<AtomicU64>,
    capacity: u32,
    next: AtomicU32,
    /// The first number that is not in the half in use.
    end: AtomicU32,
    mapping: RawLock,
}

/// A thread's events from one release to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) slot: u16,
    pub(crate) epoch: u64,
}

impl Intervals {
    pub(crate) const fn new(capacity: u32) -> Intervals {
        assert!(capacity >= 4 && capacity <= 1 << 26);
        Intervals {
            table: AtomicPtr::new(ptr::null_mut()),
            capacity,
            next: AtomicU32::new(1),
            end: AtomicU32::new(capacity / 2),
            mapping: RawLock::new(),
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

    /// A number for the interval; `None` if there are no more.
    pub(crate) fn number(&self, interval: Interval, arena: &Arena) -> Option<u32> {
        let table = self.table(arena);
        let mut number = self.next.load(Ordering::Relaxed);
        loop {
            if number >= self.end.load(Ordering::Relaxed) {
                return None;
            }
            match self.next.compare_exchange_weak(number, number + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => number = now,
            }
        }
        let packed = (interval.slot as u64) << SLOT_SHIFT | interval.epoch & EPOCH_MASK;
        // SAFETY: the number is below the capacity. Release: whoever finds the number in shadow memory finds this.
        unsafe { (*table.add(number as usize)).store(packed, Ordering::Release) };
        Some(number)
    }

    /// What a number in a shadow word means.
    #[inline]
    pub(crate) fn meaning(&self, number: u32) -> Interval {
        // SAFETY: only numbers that were given out are in shadow words, so the table is there and long enough.
        let packed = unsafe { (*self.table.load(Ordering::Relaxed).add(number as usize)).load(Ordering::Acquire) };
        Interval { slot: (packed >> SLOT_SHIFT) as u16, epoch: packed & EPOCH_MASK }
    }

    pub(crate) fn are_used_up(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.end.load(Ordering::Relaxed)
    }

    pub(crate) fn restart(&self) {
        let half = self.capacity / 2;
        if self.end.load(Ordering::Relaxed) == half {
            self.next.store(half, Ordering::Relaxed);
            self.end.store(self.capacity, Ordering::Relaxed);
        } else {
            self.end.store(half, Ordering::Relaxed);
            self.next.store(1, Ordering::Relaxed);
        }
    }
}
