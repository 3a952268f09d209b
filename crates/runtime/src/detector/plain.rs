use fencepost_clocks::{Clocks, Extent, Granule, Race, Thread as Clock, Touch};

use fencepost_wire::{Kind, Operation, Ordering};

use super::detector;
use crate::places::Place;
use crate::report::{self, Side};
use crate::thread::Thread;
use crate::{runtime, shadow, sys, trace};

/// An access that shadow memory does not remember, if one way to touch it will do. Otherwise nothing is done, and the answer is no.
#[inline(always)]
pub fn plain_anew_if(
    thread: &mut Thread,
    address: usize,
    extent: Extent,
    touch: Touch,
    caller: usize,
    way: fn(&Clocks, &Clock, &Granule, Extent, Touch) -> bool,
) -> bool {
    let detector = detector();
    if thread.ignored | thread.inside != 0
        || thread.trace.is_full()
        || (touch == Touch::Write && detector.table.may_hold(address))
    {
        return false;
    }
    thread.inside = 1;
    let is_done = way(&detector.clocks, thread.clock.clock, shadow::granule(address), extent, touch);
    if is_done {
        thread.trace.access(address, extent, touch, caller);
    }
    thread.inside = 0;
    is_done
}

/// An access that shadow memory does not remember.
#[inline(never)]
pub fn plain_anew(thread: &mut Thread, address: usize, extent: Extent, touch: Touch, caller: usize) {
    // Inside the runtime, this is a signal handler that interrupted it.
    if thread.ignored != 0 || thread.inside != 0 {
        return;
    }
    thread.inside += 1;
    if let Some(race) = touch_anew(thread, address, extent, touch) {
        report_race(thread.number, address, extent, touch, thread.frames.place(caller), None, race);
    }
    thread.trace().access(address, extent, touch, caller);
    thread.inside -= 1;
}

#[inline(always)]
fn touch_anew(thread: &mut Thread, address: usize, extent: Extent, touch: Touch) -> Option<Race> {
    let detector = detector();
    if touch == Touch::Write && detector.table.may_hold(address) {
        // What was atomic is plain memory now, or is being initialised: what comes later begins anew.
        let (first, length) = extent.range();
        detector.table.forget((address & !7) + first, length, &detector.clocks);
    }
    let clock = thread.clock.clock;
    let first_of_interval = clock.is_at_beginning_of_interval();
    let race = detector.clocks.touch_anew(clock, shadow::granule(address), extent, touch);
    if first_of_interval && detector.clocks.intervals_are_used_up() {
        detector.clocks.restart_intervals(shadow::clear_all);
    }
    race
}

/// Any number of bytes.
pub fn plain_range(thread: &mut Thread, start: usize, size: usize, write: bool, caller: usize) {
    let end = start.saturating_add(size);
    let touch = if write { Touch::Write } else { Touch::Read };
    let clock = thread.clock.clock;
    let mut at = start;
    while at < end {
        if at & 7 == 0 && end - at >= 16 {
            let granules = (end - at) / 8;
            whole_granules(thread, at, granules, touch, caller);
            at += granules * 8;
            continue;
        }
        let length = (8 - (at & 7)).min(end - at);
        let extent = Extent::within(at & 7, length);
        if !Clocks::is_remembered(clock, shadow::granule(at), extent, touch) {
            plain_anew(thread, at, extent, touch, caller);
        }
        at += length;
    }
}

/// Ranges are looked at piece by piece: who clears shadow memory waits for a piece to be done with.
const PIECE: usize = 512;

fn whole_granules(thread: &mut Thread, start: usize, granules: usize, touch: Touch, caller: usize) {
    if thread.ignored != 0 || thread.inside != 0 {
        return;
    }
    thread.inside += 1;
    let detector = detector();
    if touch == Touch::Write {
        detector.table.forget(start, granules * 8, &detector.clocks);
    }
    let clock = thread.clock.clock;
    let mut is_new = false;
    let mut done = 0;
    while done < granules {
        let at = start + done * 8;
        let piece = shadow::granules(at, (granules - done).min(PIECE));
        let first_of_interval = clock.is_at_beginning_of_interval();
        is_new |= detector.clocks.touch_range(clock, piece, touch, |i, race| {
            report_race(thread.number, at + i * 8, Extent::WHOLE, touch, thread.frames.place(caller), None, race);
        });
        if first_of_interval && detector.clocks.intervals_are_used_up() {
            detector.clocks.restart_intervals(shadow::clear_all);
        }
        done += piece.len();
    }
    let mut told = if is_new { 0 } else { granules };
    while told < granules {
        told += thread.trace().range(start + told * 8, granules - told, touch, caller);
    }
    thread.inside -= 1;
}

/// The block is given back: that is a write to it, at least to its first bytes, and then it is forgotten.
pub fn freed(thread: &mut Thread, start: usize, size: usize, caller: usize) {
    const LOOKED_AT: usize = 1024;
    thread.inside += 1;
    let first = start & !7;
    if thread.ignored == 0 {
        let looked_at = shadow::granules(first, (start + size.min(LOOKED_AT) - first).div_ceil(8));
        detector().clocks.free_range(thread.clock.clock, looked_at, |i, race| {
            let place = thread.frames.place(caller);
            report_race(thread.number, first + i * 8, Extent::WHOLE, Touch::Write, place, None, race);
        });
        // Those are forgotten already.
        let cleared = first + looked_at.len() * 8;
        shadow::clear(cleared, (start + size).saturating_sub(cleared));
    } else {
        shadow::clear(start, size);
    }
    detector().table.forget(start, size, &detector().clocks);
    thread.inside -= 1;
}

/// `ordering` is that of an atomic access.
#[cold]
pub fn report_race(
    thread: u32,
    address: usize,
    extent: Extent,
    touch: Touch,
    place: Place,
    ordering: Option<Ordering>,
    race: Race,
) {
    if !runtime::options().races || sys::is_ours(address) {
        return;
    }
    let granule = address & !7;
    let (first, length) = extent.range();
    let (earlier_first, earlier_length) = race.extent.range();
    let earlier_place = race
        .thread
        .map_or(0, |name| trace::ring(race.slot).map_or(0, |ring| ring.find(address, race.extent, race.earlier, name)));
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
    report::report(Kind::Race, &later, &earlier);
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
