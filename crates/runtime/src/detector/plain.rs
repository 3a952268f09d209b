use core::sync::atomic::{AtomicBool, Ordering};

use fencepost_clocks::{Extent, Race, Touch};

use super::detector;
use crate::places::Place;
use crate::report::{self, Access, Kind};
use crate::thread::Thread;
use crate::{runtime, shadow, sys, trace};

/// An access of 1, 2, 4 or 8 bytes, aligned to its size.
#[inline(always)]
pub fn plain(thread: &mut Thread, address: usize, size: usize, write: bool, caller: usize) {
    match Extent::of(address, size) {
        Some(extent) => touch(thread, address, extent, write, caller),
        None => plain_range(thread, address, size, write, caller),
    }
}

#[inline(always)]
fn touch(thread: &mut Thread, address: usize, extent: Extent, write: bool, caller: usize) {
    let touch = if write { Touch::Write } else { Touch::Read };
    let granule = shadow::granule(address);
    if !detector().clocks.is_remembered(thread.clock.clock, granule, extent, touch) {
        touch_anew(thread, address, extent, touch, caller);
    }
}

#[inline(never)]
fn touch_anew(thread: &mut Thread, address: usize, extent: Extent, touch: Touch, caller: usize) {
    // Inside the runtime, this is a signal handler that interrupted it.
    if thread.ignored != 0 || thread.inside != 0 {
        return;
    }
    thread.inside += 1;
    let place = thread.frames.place(caller);
    let detector = detector();
    let granule = shadow::granule(address);
    if touch == Touch::Write && detector.table.may_hold(address) {
        // What was atomic is plain memory now, or is being initialised: what comes later begins anew.
        let (first, length) = extent.range();
        detector.table.forget((address & !7) + first, length, &detector.clocks);
    }
    let race = match touch {
        Touch::Write => detector.clocks.plain_write(thread.clock.clock, granule, extent),
        _ => detector.clocks.plain_read(thread.clock.clock, granule, extent),
    };
    if let Some(race) = race {
        report_race(thread.number, address, extent, touch, place, "", race);
    }
    thread.clock.ring.note(address, extent, touch, place, thread.number);
    thread.inside -= 1;
    if detector.clocks.intervals_are_used_up() {
        begin_anew();
    }
}

/// Any number of bytes.
pub fn plain_range(thread: &mut Thread, start: usize, size: usize, write: bool, caller: usize) {
    let end = start.saturating_add(size);
    let mut at = start;
    while at < end {
        let mut length = 8;
        while at & (length - 1) != 0 || at + length > end {
            length /= 2;
        }
        if let Some(extent) = Extent::of(at, length) {
            touch(thread, at, extent, write, caller);
        }
        at += length;
    }
}

/// The block is given back: that is a write to it, at least to its first bytes, and then it is forgotten.
pub fn freed(thread: &mut Thread, start: usize, size: usize, caller: usize) {
    const LOOKED_AT: usize = 1024;
    plain_range(thread, start, size.min(LOOKED_AT), true, caller);
    thread.inside += 1;
    super::forget(start, size);
    thread.inside -= 1;
}

/// All numbers for epochs are in use, so that shadow memory is cleared and they begin anew. One thread does it.
#[cold]
fn begin_anew() {
    static UNDERWAY: AtomicBool = AtomicBool::new(false);
    if !UNDERWAY.swap(true, Ordering::Acquire) {
        if detector().clocks.intervals_are_used_up() {
            detector().clocks.restart_intervals();
            shadow::clear_all();
        }
        UNDERWAY.store(false, Ordering::Release);
    }
}

/// `ordering` is that of an atomic access, or empty.
#[cold]
pub fn report_race(
    thread: u32,
    address: usize,
    extent: Extent,
    touch: Touch,
    place: Place,
    ordering: &'static str,
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
    let later = Access {
        thread,
        operation: name(touch),
        atomic: is_atomic(touch),
        ordering,
        address: granule + first,
        size: length,
        place,
    };
    let earlier = Access {
        thread: race.thread.unwrap_or(u32::MAX),
        operation: name(race.earlier),
        atomic: is_atomic(race.earlier),
        ordering: "",
        address: granule + earlier_first,
        size: earlier_length,
        place: earlier_place,
    };
    report::report(Kind::Race, &later, &earlier);
}

fn name(touch: Touch) -> &'static str {
    match touch {
        Touch::Read | Touch::AtomicRead => "read",
        Touch::Write | Touch::AtomicWrite => "write",
    }
}

fn is_atomic(touch: Touch) -> bool {
    matches!(touch, Touch::AtomicRead | Touch::AtomicWrite)
}
