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
use crate::location::prefetch;
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

/// How often to look whether a thread is still busy. One that a fork left behind stays so.
const PATIENCE: u32 = 1000;

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
    fn halves(&self) -> [u64; 2] {
        [self.0[0].load(Ordering::Acquire), self.0[1].load(Ordering::Acquire)]
    }

    fn words(&self) -> [u32; 4] {
        let [a, b] = self.halves();
        [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
    }

    /// Whether one of the words is either of the two.
    #[inline(always)]
    fn holds(&self, one: u32, other: u32) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::*;
            // SAFETY: every x86_64 has SSE2; a granule is aligned. The halves need not be of the same moment.
            unsafe {
                let words: __m128i;
                core::arch::asm!("movdqa {}, xmmword ptr [{}]", out(xmm_reg) words, in(reg) self.0.as_ptr(),
                                 options(pure, readonly, nostack, preserves_flags));
                let is_one = _mm_cmpeq_epi32(words, _mm_set1_epi32(one as i32));
                let is_other = _mm_cmpeq_epi32(words, _mm_set1_epi32(other as i32));
                _mm_movemask_epi8(_mm_or_si128(is_one, is_other)) != 0
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let words = self.words();
            words.contains(&one) || words.contains(&other)
        }
    }

    /// Asks for it, to be changed soon.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(core::ptr::from_ref(self));
    }

    /// Forgets all accesses, as when memory is freed and used again.
    pub fn clear(&self) {
        self.0.iter().for_each(|half| half.store(0, Ordering::Release));
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
    #[inline(always)]
    pub fn is_remembered(thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> bool {
        let word = thread.numbers.current.load(Ordering::Relaxed) | (extent.0 as u32) << EXTENT_SHIFT | touch.bits();
        // For a read, a write will do. A word without an interval is in no granule.
        granule.holds(word, word | WRITE)
    }

    #[inline]
    pub(crate) fn touch(&self, thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> Option<Race> {
        if Clocks::is_remembered(thread, granule, extent, touch) {
            return None;
        }
        self.touch_anew(thread, granule, extent, touch)
    }

    /// An access that is not remembered.
    #[inline(never)]
    pub fn touch_anew(&self, thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> Option<Race> {
        self.intervals.begin(&thread.numbers, self.pool.arena());
        let interval = self.present_interval(thread);
        let word = interval | (extent.0 as u32) << EXTENT_SHIFT | touch.bits();
        let halves = granule.halves();
        let race = if halves != [0; 2] {
            self.compare_and_remember(thread, granule, halves, word)
        } else {
            if interval != 0 {
                granule.0[0].store(word as u64, Ordering::Release);
            }
            None
        };
        thread.numbers.end();
        race.map(|(old, meaning)| self.race(old, meaning))
    }

    /// The present interval of a thread that is busy, at its place in a shadow word; 0 if there are no more numbers: then
    /// accesses are compared with others, but not remembered.
    #[inline]
    fn present_interval(&self, thread: &Thread) -> u32 {
        let interval = thread.numbers.current.load(Ordering::Relaxed);
        if interval != 0 { interval } else { self.new_interval(thread) }
    }

    fn new_interval(&self, thread: &Thread) -> u32 {
        let meaning = Interval { slot: thread.slot, epoch: thread.epoch() };
        let number = self.intervals.number(meaning, &thread.numbers, self.pool.arena()).unwrap_or(0);
        thread.numbers.current.store(number << INTERVAL_SHIFT, Ordering::Relaxed);
        number << INTERVAL_SHIFT
    }

    /// Words stay in registers: a half that is stored by words and loaded as one would wait for the stores.
    #[inline]
    fn compare_and_remember(
        &self,
        thread: &Thread,
        granule: &Granule,
        halves: [u64; 2],
        word: u32,
    ) -> Option<(u32, Interval)> {
        let bytes = BYTES[((word & EXTENT_MASK) >> EXTENT_SHIFT) as usize];
        let interval = word >> INTERVAL_SHIFT;
        let mut race = None;
        // One bit for each word.
        let (mut replaced, mut empty, mut ordered_before) = (0u32, 0u32, 0u32);
        let mut compare = |i: u32, old: u32| {
            let old_bytes = BYTES[((old & EXTENT_MASK) >> EXTENT_SHIFT) as usize];
            if old_bytes & bytes == 0 {
                empty |= u32::from(old == 0) << i;
                return;
            }
            if old >> INTERVAL_SHIFT != interval {
                let meaning = self.intervals.meaning(old >> INTERVAL_SHIFT);
                if !self.happens_before(meaning, thread) {
                    let both_read = (old | word) & WRITE == 0;
                    let both_atomic = old & word & ATOMIC != 0;
                    if !both_read && !both_atomic && race.is_none() {
                        race = Some((old, meaning));
                    }
                    return;
                }
            }
            let covered = old_bytes & !bytes == 0;
            let conflicts_with_as_much = (word & WRITE >= old & WRITE) && (word & ATOMIC <= old & ATOMIC);
            ordered_before |= 1 << i;
            replaced |= u32::from(covered && conflicts_with_as_much) << i;
        };
        let [low, high] = halves;
        compare(0, low as u32);
        compare(1, (low >> 32) as u32);
        compare(2, high as u32);
        compare(3, (high >> 32) as u32);
        if interval != 0 {
            let candidates = [replaced, empty, ordered_before, 1 << (interval & 3)];
            let chosen = candidates.into_iter().find(|&set| set != 0).unwrap_or(1).trailing_zeros();
            const CLEARED: [u64; 4] = [!0, !0 << 32, !0 >> 32, 0];
            for (half, old) in halves.into_iter().enumerate() {
                let mut new = old & CLEARED[(replaced | 1 << chosen) as usize >> (half * 2) & 3];
                if chosen as usize / 2 == half {
                    new |= (word as u64) << (chosen % 2 * 32);
                }
                if new != old {
                    granule.0[half].store(new, Ordering::Release);
                }
            }
        }
        race
    }

    /// The thread gives eight bytes back: a write to them, after which they are forgotten.
    #[inline]
    pub fn plain_free(&self, thread: &Thread, granule: &Granule) -> Option<Race> {
        if granule.halves() == [0; 2] {
            return None;
        }
        self.intervals.begin(&thread.numbers, self.pool.arena());
        let words = granule.words();
        let mut race = None;
        for old in words {
            if old != 0 && old >> INTERVAL_SHIFT << INTERVAL_SHIFT != thread.numbers.current.load(Ordering::Relaxed) {
                let meaning = self.intervals.meaning(old >> INTERVAL_SHIFT);
                if !self.happens_before(meaning, thread) {
                    race = Some((old, meaning));
                }
            }
        }
        granule.clear();
        thread.numbers.end();
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
    /// [`Clocks::restart_intervals`].
    #[inline]
    pub fn intervals_are_used_up(&self) -> bool {
        self.intervals.are_used_up()
    }

    /// Begins with new numbers, after `clear` has cleared all shadow memory. Races between accesses before and after will
    /// not be found.
    pub fn restart_intervals(&self, clear: impl FnOnce()) {
        let yield_now = self.platform().yield_now;
        let are_idle = || {
            let slots = self.slots.lock(yield_now);
            let mut patience = PATIENCE;
            slots.each(|thread| {
                while thread.numbers.is_busy() && patience > 0 {
                    patience -= 1;
                    yield_now();
                }
            });
            patience > 0
        };
        self.intervals.restart(self.pool.arena(), are_idle, clear);
    }
}
