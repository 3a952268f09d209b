use fencepost_clocks::{Clocks, Extent, Granule, Race, Thread as Clock, Touch};
use fencepost_wire::{Kind, Operation, Ordering};

use super::Detector;
use crate::places::{Place, UNKNOWN};
use crate::report::Side;
use crate::thread::Thread;
use crate::{shadow, sys};

/// A quick way to touch a granule, which returns false if it does not apply.
pub(crate) type QuickTouch = fn(&Clocks, &Clock, &Granule, Extent, Touch) -> bool;

/// Ranges are checked in pieces of this size, because a thread that clears shadow memory waits until the piece is done.
const PIECE: usize = 512;

impl Detector {
    /// Makes an access that shadow memory does not remember, if `quick` applies. Otherwise does nothing and returns
    /// false.
    #[inline(always)]
    pub(crate) fn plain_access_by(
        &self,
        thread: &mut Thread,
        address: usize,
        extent: Extent,
        touch: Touch,
        caller: usize,
        quick: QuickTouch,
    ) -> bool {
        if thread.ignored | thread.inside.get() != 0
            || thread.trace.is_full()
            || (touch == Touch::Write && self.table.may_hold(address))
        {
            return false;
        }
        let _inside = thread.enter_runtime();
        let is_done = quick(&self.clocks, thread.clock.clock, shadow::granule(address), extent, touch);
        if is_done {
            thread.trace.access(address, extent, touch, caller);
        }
        is_done
    }

    /// An access that shadow memory does not remember.
    #[inline(never)]
    pub(crate) fn plain_access(
        &self,
        thread: &mut Thread,
        address: usize,
        extent: Extent,
        touch: Touch,
        caller: usize,
    ) {
        if !thread.is_followed() {
            return;
        }
        let _inside = thread.enter_runtime();
        if let Some(race) = self.touch_unremembered(thread, address, extent, touch) {
            self.report_race(thread.number, address, extent, touch, thread.place(caller), None, race);
        }
        thread.trace().access(address, extent, touch, caller);
    }

    #[inline(always)]
    fn touch_unremembered(&self, thread: &mut Thread, address: usize, extent: Extent, touch: Touch) -> Option<Race> {
        if touch == Touch::Write && self.table.may_hold(address) {
            // Atomic memory becomes plain, or is being initialised: forget its history.
            let (first, length) = extent.range();
            self.table.forget((address & !7) + first, length, &self.clocks);
        }
        let clock = thread.clock.clock;
        let first_of_interval = clock.is_at_beginning_of_interval();
        let race = self.clocks.touch_unremembered(clock, shadow::granule(address), extent, touch);
        if first_of_interval && self.clocks.intervals_are_used_up() {
            self.clocks.restart_intervals(shadow::clear_all);
        }
        race
    }

    /// Any number of bytes.
    pub(crate) fn plain_range(&self, thread: &mut Thread, start: usize, size: usize, write: bool, caller: usize) {
        let end = start.saturating_add(size);
        let touch = if write { Touch::Write } else { Touch::Read };
        let clock = thread.clock.clock;
        let mut at = start;
        while at < end {
            if at & 7 == 0 && end - at >= 16 {
                let granules = (end - at) / 8;
                self.whole_granules(thread, at, granules, touch, caller);
                at += granules * 8;
                continue;
            }
            let length = (8 - (at & 7)).min(end - at);
            let extent = Extent::within(at & 7, length);
            if !Clocks::is_remembered(clock, shadow::granule(at), extent, touch) {
                self.plain_access(thread, at, extent, touch, caller);
            }
            at += length;
        }
    }

    fn whole_granules(&self, thread: &mut Thread, start: usize, granules: usize, touch: Touch, caller: usize) {
        if !thread.is_followed() {
            return;
        }
        let _inside = thread.enter_runtime();
        if touch == Touch::Write {
            self.table.forget(start, granules * 8, &self.clocks);
        }
        let clock = thread.clock.clock;
        let mut is_new = false;
        let mut done = 0;
        while done < granules {
            let at = start + done * 8;
            let piece = shadow::granules(at, (granules - done).min(PIECE));
            let first_of_interval = clock.is_at_beginning_of_interval();
            is_new |= self.clocks.touch_range(clock, piece, touch, |i, race| {
                let place = thread.place(caller);
                self.report_race(thread.number, at + i * 8, Extent::WHOLE, touch, place, None, race);
            });
            if first_of_interval && self.clocks.intervals_are_used_up() {
                self.clocks.restart_intervals(shadow::clear_all);
            }
            done += piece.len();
        }
        let mut told = if is_new { 0 } else { granules };
        while told < granules {
            told += thread.trace().range(start + told * 8, granules - told, touch, caller);
        }
    }

    /// The block is given back: that is a write to it, at least to its first bytes, and then it is forgotten.
    pub(crate) fn freed(&self, thread: &mut Thread, start: usize, size: usize, caller: usize) {
        const LOOKED_AT: usize = 1024;
        let _inside = thread.enter_runtime();
        let first = start & !7;
        if thread.ignored == 0 {
            let looked_at = shadow::granules(first, (start + size.min(LOOKED_AT) - first).div_ceil(8));
            self.clocks.free_range(thread.clock.clock, looked_at, |i, race| {
                let place = thread.place(caller);
                self.report_race(thread.number, first + i * 8, Extent::WHOLE, Touch::Write, place, None, race);
            });
            // Those are forgotten already.
            let cleared = first + looked_at.len() * 8;
            shadow::clear(cleared, (start + size).saturating_sub(cleared));
        } else {
            shadow::clear(start, size);
        }
        self.table.forget(start, size, &self.clocks);
    }

    /// `ordering` is that of an atomic access.
    #[cold]
    #[expect(clippy::too_many_arguments)]
    pub(super) fn report_race(
        &self,
        thread: u32,
        address: usize,
        extent: Extent,
        touch: Touch,
        place: Place,
        ordering: Option<Ordering>,
        race: Race,
    ) {
        if !self.races || sys::is_ours(address) {
            return;
        }
        let granule = address & !7;
        let (first, length) = extent.range();
        let (earlier_first, earlier_length) = race.extent.range();
        let ring = race.thread.zip(self.rings.get(race.slot));
        let earlier_place =
            ring.map_or(UNKNOWN, |(name, ring)| ring.find(&self.places, address, race.extent, race.earlier, name));
        let later = Side {
            thread: Some(thread),
            operation: operation(touch),
            atomic: is_atomic(touch),
            ordering,
            address: granule + first,
            size: length,
            place,
        };
        let earlier = Side {
            thread: race.thread,
            operation: operation(race.earlier),
            atomic: is_atomic(race.earlier),
            ordering: None,
            address: granule + earlier_first,
            size: earlier_length,
            place: earlier_place,
        };
        self.reports.report(&self.places, Kind::Race, &later, &earlier);
    }
}

fn operation(touch: Touch) -> Operation {
    match touch {
        Touch::Read | Touch::AtomicRead => Operation::Read,
        Touch::Write | Touch::AtomicWrite => Operation::Write,
    }
}

fn is_atomic(touch: Touch) -> bool {
    matches!(touch, Touch::AtomicRead | Touch::AtomicWrite)
}
