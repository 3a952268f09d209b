//! A thread touches plain memory: what shadow memory says to that, and what it remembers of it.

use core::sync::atomic::Ordering;

use crate::clocks::Clocks;
use crate::event::Event;
use crate::shadow::{
    ATOMIC, BYTES, Extent, Granule, INTERVAL_SHIFT, Race, Touch, WRITE, place, with_and_empty, word_at, words,
};
use crate::thread::Thread;

/// Number of times to look whether a thread is still busy. One that a fork left behind stays so.
const MOST_WAITS: u32 = 1000;

/// A word with an interval that does not happen before the access; 0 if there is none.
type Unordered = u32;

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
        let word = thread.numbers.current.load(Ordering::Relaxed) | extent.word(touch);
        // For a read, a write will do. A word without an interval is in no granule.
        granule.holds(word, word | WRITE)
    }

    #[inline]
    fn touch(&self, thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> Option<Race> {
        let is_done = Clocks::is_remembered(thread, granule, extent, touch)
            || self.touch_among(thread, granule, extent, touch)
            || self.touch_simply(thread, granule, extent, touch);
        if is_done { None } else { self.touch_unremembered(thread, granule, extent, touch) }
    }

    /// The same for an atomic access.
    #[inline(never)]
    pub(crate) fn touch_atomically(
        &self,
        thread: &Thread,
        (granule, extent): (&Granule, Extent),
        touch: Touch,
    ) -> Option<Race> {
        self.touch_unremembered(thread, granule, extent, touch)
    }

    /// An access that is not remembered.
    #[inline(always)]
    pub fn touch_unremembered(&self, thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> Option<Race> {
        self.intervals.begin(&thread.numbers, self.pool.arena());
        let interval = self.present_interval(thread);
        let word = interval | extent.word(touch);
        let halves = granule.halves();
        if halves == [0; 2] {
            if interval != 0 {
                granule.replace(halves, 0, 1, word);
            }
        } else {
            let unordered = self.compare_and_remember(thread, granule, halves, word);
            if unordered != 0 {
                let race = self.race(unordered);
                thread.numbers.end();
                return Some(race);
            }
        }
        thread.numbers.end();
        None
    }

    /// [`Clocks::touch_unremembered`], if everything that overlaps is of intervals that the thread has met before.
    /// Otherwise does nothing and returns false.
    #[inline(always)]
    pub fn touch_among(&self, thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> bool {
        let numbers = &thread.numbers;
        let is_simple = self.intervals.begin_simply(numbers, self.pool.arena());
        let interval = numbers.current.load(Ordering::Relaxed);
        let is_done = is_simple && interval != 0 && granule.remember_among(interval | extent.word(touch), &numbers.met);
        numbers.end();
        is_done
    }

    /// [`Clocks::touch_unremembered`], if the thread has a number for its interval and there is no race. Otherwise does
    /// nothing and returns false. It makes no calls, so that the compiler can keep everything in registers.
    #[inline(always)]
    pub fn touch_simply(&self, thread: &Thread, granule: &Granule, extent: Extent, touch: Touch) -> bool {
        let numbers = &thread.numbers;
        let is_simple = self.intervals.begin_simply(numbers, self.pool.arena()) && {
            let present = numbers.current.load(Ordering::Relaxed);
            let interval = if present != 0 { present } else { self.next_interval(thread) };
            let word = interval | extent.word(touch);
            let halves = granule.halves();
            let found = self.compare(thread, halves, word);
            let is_simple = interval != 0 && found.unordered == 0;
            if is_simple {
                remember(granule, halves, word, &found);
            }
            is_simple
        };
        numbers.end();
        is_simple
    }

    /// The thread touches all of some granules. `on_race` gets the index of the granule. Says whether any of it was
    /// new.
    pub fn touch_range(
        &self,
        thread: &Thread,
        granules: &[Granule],
        touch: Touch,
        mut on_race: impl FnMut(usize, Race),
    ) -> bool {
        self.intervals.begin(&thread.numbers, self.pool.arena());
        let mut interval = self.present_interval(thread);
        let mut is_new = false;
        for (i, granule) in granules.iter().enumerate() {
            let word = interval | Extent::WHOLE.word(touch);
            let halves = granule.halves();
            if halves == [0; 2] {
                is_new = true;
                if interval != 0 {
                    granule.replace(halves, 0, 1, word);
                }
                continue;
            }
            if granule.holds(word, word | WRITE) {
                continue;
            }
            is_new = true;
            let unordered = self.compare_and_remember(thread, granule, halves, word);
            if unordered != 0 {
                let race = self.race(unordered);
                // `on_race` may take long.
                thread.numbers.end();
                on_race(i, race);
                self.intervals.begin(&thread.numbers, self.pool.arena());
                interval = self.present_interval(thread);
            }
        }
        thread.numbers.end();
        is_new
    }

    /// The thread gives some granules back: a write to them, after which they are forgotten.
    pub fn free_range(&self, thread: &Thread, granules: &[Granule], mut on_race: impl FnMut(usize, Race)) {
        for (i, granule) in granules.iter().enumerate() {
            let halves = granule.halves();
            if halves == [0; 2] {
                continue;
            }
            self.intervals.begin(&thread.numbers, self.pool.arena());
            let mut race = None;
            for old in words(granule.halves()) {
                if old != 0 && !self.is_ordered(old, thread) {
                    race = Some(self.race(old));
                }
            }
            granule.clear();
            thread.numbers.end();
            if let Some(race) = race {
                on_race(i, race);
            }
        }
    }

    /// The present interval of a thread that is busy, at its place in a shadow word; 0 if there are no more numbers:
    /// then accesses are compared with others, but not remembered.
    #[inline(always)]
    fn present_interval(&self, thread: &Thread) -> u32 {
        let interval = thread.numbers.current.load(Ordering::Relaxed);
        if interval != 0 { interval } else { self.new_interval(thread) }
    }

    /// The same if the thread has a number for a new interval, otherwise 0.
    #[inline(always)]
    fn next_interval(&self, thread: &Thread) -> u32 {
        let epoch = Event::new(thread.slot, thread.epoch());
        thread.numbers.enter(self.intervals.taken_number(epoch, &thread.numbers))
    }

    #[inline(never)]
    fn new_interval(&self, thread: &Thread) -> u32 {
        let epoch = Event::new(thread.slot, thread.epoch());
        thread.numbers.enter(self.intervals.number(epoch, &thread.numbers, self.pool.arena()))
    }

    #[inline(always)]
    fn compare_and_remember(&self, thread: &Thread, granule: &Granule, halves: [u64; 2], word: u32) -> Unordered {
        let found = self.compare(thread, halves, word);
        if word >> INTERVAL_SHIFT != 0 {
            remember(granule, halves, word, &found);
        }
        found.unordered
    }

    /// Words stay in registers: a half that is stored by words and loaded as one would wait for the stores.
    #[inline(always)]
    fn compare(&self, thread: &Thread, halves: [u64; 2], word: u32) -> Found {
        let (mut overlapping, empty) = with_and_empty(halves, word & BYTES);
        let mut found = Found { unordered: 0, replaced: 0, empty, ordered_before: 0 };
        while overlapping != 0 {
            let i = overlapping.trailing_zeros();
            overlapping &= overlapping - 1;
            let old = word_at(halves, i);
            if !self.is_ordered(old, thread) {
                let both_read = (old | word) & WRITE == 0;
                let both_atomic = old & word & ATOMIC != 0;
                if !both_read && !both_atomic && found.unordered == 0 {
                    found.unordered = old;
                }
                continue;
            }
            found.ordered_before |= 1 << i;
            // The new access touches as much, writes if the old one did, and is plain if the old one was.
            let races_with_as_much = old & !word & (BYTES | WRITE) | word & !old & ATOMIC == 0;
            found.replaced |= u32::from(races_with_as_much) << i;
        }
        found
    }

    /// Whether the accesses of a word's interval happen before what the thread does next.
    #[inline(always)]
    fn is_ordered(&self, old: u32, thread: &Thread) -> bool {
        let (old, numbers) = (old >> INTERVAL_SHIFT, &thread.numbers);
        if numbers.has_met(old) {
            return true;
        }
        let interval = self.intervals.meaning(old);
        // SAFETY: the thread is the caller, and its own clocks do not change meanwhile.
        let current = unsafe { &(*thread.state.get()).current };
        let is_ordered = interval.slot() == thread.slot || current.get(interval.slot()) >= interval.number();
        if is_ordered {
            numbers.meets(old);
        }
        is_ordered
    }

    #[cold]
    #[inline(never)]
    fn race(&self, old: Unordered) -> Race {
        let interval = self.intervals.meaning(old >> INTERVAL_SHIFT);
        Race {
            slot: interval.slot(),
            thread: self.name_in_slot(interval.slot(), interval.number()),
            after: interval.number() - 1,
            earlier: Touch::of(old),
            extent: Extent::of_word(old),
        }
    }

    /// Whether plain accesses are no longer remembered, because all numbers of intervals are in use. Then call
    /// [`Clocks::restart_intervals`].
    #[inline]
    pub fn intervals_are_used_up(&self) -> bool {
        self.intervals.are_used_up()
    }

    /// Begins with new numbers, after `clear` has cleared all shadow memory. Races between accesses before and after
    /// will not be found.
    pub fn restart_intervals(&self, clear: impl FnOnce()) {
        let yield_now = self.platform().yield_now;
        let are_idle = || {
            let slots = self.slots.lock(yield_now);
            let mut left = MOST_WAITS;
            slots.each(|thread| {
                while thread.numbers.is_busy() && left > 0 {
                    left -= 1;
                    yield_now();
                }
            });
            left > 0
        };
        self.intervals.restart(self.pool.arena(), are_idle, clear);
    }
}

/// What the words of a granule are to an access, a bit for each.
struct Found {
    unordered: Unordered,
    replaced: u32,
    empty: u32,
    ordered_before: u32,
}

#[inline(always)]
fn remember(granule: &Granule, halves: [u64; 2], word: u32, found: &Found) {
    let chosen = place(word, found.replaced, found.empty, found.ordered_before);
    granule.replace(halves, found.replaced, chosen, word);
}
