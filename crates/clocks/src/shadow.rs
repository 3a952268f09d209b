//! Races of plain accesses (paper 000, appendix B), found by the epochs of FastTrack in shadow memory.
//!
//! Eight bytes of the program have a granule of four words. A word is one access: which interval of which thread
//! ([`crate::intervals`]), which of the eight bytes, whether it wrote, whether it was atomic. Threads read and replace words
//! without locks; two that do so at once can lose a word and so miss a race, but not invent one.
//!
//! A word is replaced by a later access that it happens before, if whatever would race with the first would race with the
//! second. Words that cannot be replaced fill the granule; a fifth one evicts another, so a race may be missed if there
//! are more than four accesses of eight bytes of which none makes another redundant.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::clocks::Clocks;
use crate::intervals::Interval;
use crate::thread::Thread;

/// The shadow of eight bytes that begin at a multiple of eight. All zeros: nothing is known of them.
#[repr(C, align(16))]
pub struct Granule([AtomicU64; 2]);

/// Which bytes of a granule an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent(u8);

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    Read,
    Write,
    AtomicRead,
    AtomicWrite,
}

/// Two accesses that conflict and of which neither happens before the other. The later one is the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The slot of the thread that made the earlier access, and the thread's name if that is still the last thread of
    /// the slot.
    pub slot: u16,
    pub thread: Option<u32>,
    /// The earlier access was made after this event of its thread, and before the next one that released.
    pub after: u64,
    pub earlier: Touch,
    pub extent: Extent,
}

const WRITE: u32 = 1;
const ATOMIC: u32 = 2;
const EXTENT_SHIFT: u32 = 2;
const INTERVAL_SHIFT: u32 = 6;
const EXTENT_MASK: u32 = 15 << EXTENT_SHIFT;

/// The bytes of each extent: from 1 on, eight of one byte, four of two, two of four, one of eight. No word is 0.
const BYTES: [u8; 16] =
    [0x00, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x03, 0x0c, 0x30, 0xc0, 0x0f, 0xf0, 0xff];

impl Extent {
    pub const WHOLE: Extent = Extent(15);

    /// `size` bytes at an address: 1, 2, 4 or 8 bytes, aligned to their size. `None` otherwise: split the access.
    #[inline]
    pub fn of(address: usize, size: usize) -> Option<Extent> {
        let offset = (address & 7) as u8;
        if size > 8 || !size.is_power_of_two() || address & (size - 1) != 0 {
            return None;
        }
        Some(Extent(match size {
            1 => 1 + offset,
            2 => 9 + offset / 2,
            4 => 13 + offset / 4,
            _ => 15,
        }))
    }

    /// The first of the bytes, and how many there are.
    pub fn range(self) -> (usize, usize) {
        (self.bytes().trailing_zeros() as usize, self.bytes().count_ones() as usize)
    }

    #[inline]
    fn bytes(self) -> u8 {
        BYTES[self.0 as usize & 15]
    }
}

impl Touch {
    #[inline]
    fn bits(self) -> u32 {
        match self {
            Touch::Read => 0,
            Touch::Write => WRITE,
            Touch::AtomicRead => ATOMIC,
            Touch::AtomicWrite => ATOMIC | WRITE,
        }
    }

    fn of(word: u32) -> Touch {
        match (word & ATOMIC != 0, word & WRITE != 0) {
            (false, false) => Touch::Read,
            (false, true) => Touch::Write,
            (true, false) => Touch::AtomicRead,
            (true, true) => Touch::AtomicWrite,
        }
    }
}

impl Granule {
    pub const fn new() -> Granule {
        Granule([AtomicU64::new(0), AtomicU64::new(0)])
    }

    #[inline]
    fn words(&self) -> [u32; 4] {
        let [a, b] = [self.0[0].load(Ordering::Acquire), self.0[1].load(Ordering::Acquire)];
        [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
    }

    fn store(&self, words: [u32; 4], old: [u32; 4]) {
        for half in 0..2 {
            let pack = |w: [u32; 4]| w[half * 2] as u64 | (w[half * 2 + 1] as u64) << 32;
            if pack(words) != pack(old) {
                self.0[half].store(pack(words), Ordering::Release);
            }
        }
    }

    /// Forgets all accesses, as when memory is freed and used again.
    pub fn clear(&self) {
        self.store([0; 4], [1; 4]);
    }
}

impl Default for Granule {
    fn default() -> Granule {
        Granule::new()
    }
}

impl Clocks {
    /// The thread reads plain memory.
    #[inline]
    pub fn plain_read(&self, thread: &Thread, granule: &Granule, extent: Extent) -> Option<Race> {
        self.touch(thread, granule, extent, Touch::Read)
    }

    /// The thread writes plain memory, or frees it.
    #[inline]
    pub fn plain_write(&self, thread: &Thread, granule: &Granule, extent: Extent) -> Option<Race> {
        self.touch(thread, granule, extent, Touch::Write)
    }

    /// Whether the same access was made before in the same interval, so that making it again would change nothing.
    #[inline]
    pub fn is_remembered(&self, thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> bool {
        let word = thread.interval.load(Ordering::Relaxed) | (extent.0 as u32) << EXTENT_SHIFT | touch.bits();
        let words = granule.words();
        // For a read, a write will do. A word without an interval is in no granule.
        words.contains(&(word | WRITE)) || word & WRITE == 0 && words.contains(&word)
    }

    #[inline]
    pub(crate) fn touch(&self, thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> Option<Race> {
        if self.is_remembered(thread, granule, extent, touch) {
            return None;
        }
        self.touch_slowly(thread, granule, extent, touch)
    }

    #[cold]
    #[inline(never)]
    fn touch_slowly(&self, thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> Option<Race> {
        let words = granule.words();
        let mut interval = thread.interval.load(Ordering::Relaxed);
        if interval == 0 {
            let meaning = Interval { slot: thread.slot, epoch: thread.epoch() };
            // Without a number the access can still be compared with others.
            let number = self.intervals.number(meaning, self.pool.arena()).unwrap_or(0);
            interval = number << INTERVAL_SHIFT;
            thread.interval.store(interval, Ordering::Relaxed);
        }
        let word = interval | (extent.0 as u32) << EXTENT_SHIFT | touch.bits();
        let mut new = words;
        let (mut race, mut replaced, mut empty, mut ordered_before) = (None, None, None, None);
        for i in 0..4 {
            let old = words[i];
            if old == 0 {
                empty = empty.or(Some(i));
                continue;
            }
            let old_bytes = BYTES[((old & EXTENT_MASK) >> EXTENT_SHIFT) as usize];
            if old_bytes & extent.bytes() == 0 {
                continue;
            }
            let meaning = self.intervals.meaning(old >> INTERVAL_SHIFT);
            let ordered = self.happens_before(meaning, thread);
            let both_read = (old | word) & WRITE == 0;
            let both_atomic = old & word & ATOMIC != 0;
            if !ordered && !both_read && !both_atomic {
                race = race.or(Some((old, meaning)));
            }
            if ordered {
                ordered_before = Some(i);
            }
            let covered = old_bytes & !extent.bytes() == 0;
            let conflicts_with_as_much = (word & WRITE >= old & WRITE) && (word & ATOMIC <= old & ATOMIC);
            if ordered && covered && conflicts_with_as_much && interval != 0 {
                new[i] = 0;
                replaced = replaced.or(Some(i));
            }
        }
        if interval != 0 {
            let turn = (interval >> INTERVAL_SHIFT) as usize & 3;
            new[replaced.or(empty).or(ordered_before).unwrap_or(turn)] = word;
            granule.store(new, words);
        }
        race.map(|(old, meaning)| self.race(old, meaning))
    }

    /// Whether the accesses of an interval happen before what the thread does next.
    #[inline]
    fn happens_before(&self, interval: Interval, thread: &Thread) -> bool {
        // SAFETY: the thread is the caller, and its own clocks do not change meanwhile.
        let current = unsafe { &(*thread.state.get()).current };
        interval.slot == thread.slot || current.get(interval.slot) >= interval.epoch
    }

    fn race(&self, old: u32, interval: Interval) -> Race {
        let thread = self.name_in_slot(interval.slot, interval.epoch);
        Race {
            slot: interval.slot,
            thread,
            after: interval.epoch - 1,
            earlier: Touch::of(old),
            extent: Extent(((old & EXTENT_MASK) >> EXTENT_SHIFT) as u8),
        }
    }

    /// Whether plain accesses are no longer remembered, because all numbers of intervals are in use. Then call
    /// [`Clocks::restart_intervals`] and clear all shadow memory, in this order.
    #[inline]
    pub fn intervals_are_used_up(&self) -> bool {
        self.intervals.are_used_up()
    }

    /// Begins with the other half of the numbers. Races between accesses before and after will not be found.
    pub fn restart_intervals(&self) {
        let slots = self.slots.lock(self.platform().yield_now);
        self.intervals.restart();
        slots.each(|thread| thread.interval.store(0, Ordering::Relaxed));
    }
}
