//! Where a thread made its latest plain accesses: shadow memory has no room for places in the code.
//!
//! A thread notes its accesses, calls and returns in a ring of parts. Each part begins with the calls that the thread
//! was in then, so that the stack of an access can be made again from the part that it is in.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering, fence};

use fencepost_clocks::{Extent, MAX_THREADS, Touch};

use crate::places::{Place, Places, UNKNOWN};
use crate::sys;

const PARTS: usize = 256;
const PART_BYTES: usize = 4096;
const EVENTS: usize = PART_BYTES / size_of::<Event>() - 1;

/// What happened, with an address in the low 48 bits; and a program counter, with how many granules a range has in the
/// upper 16 bits. As the first of a part: the place that the thread was in, and the thread; and the number of the part.
#[repr(C)]
struct Event {
    what: AtomicU64,
    counter: AtomicU64,
}

#[repr(C)]
struct Part {
    start: Event,
    events: [Event; EVENTS],
}

/// A ring of parts, in which a thread notes what it does, and others look.
pub(crate) struct Ring {
    parts: [Part; PARTS],
    /// The number of the part in use. They are counted from 1, so that a part tells whether it was used again since.
    part: AtomicU64,
}

const KIND_SHIFT: u32 = 56;
const CALL: u64 = 8 << KIND_SHIFT;
const RETURN: u64 = 9 << KIND_SHIFT;
const RANGE: u64 = 4 << KIND_SHIFT;
const ADDRESS: u64 = 0xffff_ffff_ffff;
const LONGEST: usize = 0xffff;

/// By the slot of a thread in clocks. A thread that reuses a slot continues in the same ring.
pub(crate) struct Rings(Box<[AtomicPtr<Ring>]>);

impl Rings {
    pub(crate) fn new() -> Rings {
        Rings((0..MAX_THREADS).map(|_| AtomicPtr::new(core::ptr::null_mut())).collect())
    }

    pub(crate) fn get(&self, slot: u16) -> Option<&'static Ring> {
        let ring = self.0.get(slot as usize)?.load(Ordering::Acquire);
        // SAFETY: rings stay once they are there.
        (!ring.is_null()).then(|| unsafe { &*ring })
    }

    /// The ring of a slot, made if there is none.
    pub(crate) fn get_or_make(&self, slot: u16) -> Option<&'static Ring> {
        if let Some(ring) = self.get(slot) {
            return Some(ring);
        }
        // Parts are aligned to their size.
        let new = sys::map(size_of::<Ring>())?.cast();
        self.0[slot as usize].store(new, Ordering::Release);
        self.get(slot)
    }
}

/// The writing end of a ring, which one thread has at a time.
pub(crate) struct Trace {
    ring: &'static Ring,
    /// Where the next event goes; at the beginning of a part, there is none in use.
    next: *const Event,
}

#[inline(always)]
fn packed(address: usize, extent: Extent, touch: Touch) -> u64 {
    address as u64 & !7 & ADDRESS | (touch as u64) << KIND_SHIFT | u64::from(extent.bytes()) << 48
}

impl Trace {
    pub(crate) fn new(ring: &'static Ring) -> Trace {
        Trace { ring, next: core::ptr::null() }
    }

    /// Whether a part must be begun before the next event.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        (self.next as usize).is_multiple_of(PART_BYTES)
    }

    /// Begins a part, with the calls that the thread is in.
    #[cold]
    pub(crate) fn begin_part(&mut self, place: Place, thread: u32) {
        let number = self.ring.part.load(Ordering::Relaxed) + 1;
        let part = &self.ring.parts[number as usize % PARTS];
        // Someone may be reading it: as in a sequence lock, without a number what is read does not count.
        part.start.counter.store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        for event in &part.events {
            event.what.store(0, Ordering::Relaxed);
        }
        part.start.what.store(u64::from(place) | u64::from(thread) << 32, Ordering::Relaxed);
        part.start.counter.store(number, Ordering::Release);
        self.ring.part.store(number, Ordering::Release);
        self.next = part.events.as_ptr();
    }

    #[inline(always)]
    fn push(&mut self, what: u64, counter: u64) {
        // SAFETY: a part was begun and is not full.
        unsafe {
            (*self.next).counter.store(counter, Ordering::Relaxed);
            (*self.next).what.store(what, Ordering::Release);
            self.next = self.next.add(1);
        }
    }

    /// The following are for a trace that is not full.
    #[inline(always)]
    pub(crate) fn access(&mut self, address: usize, extent: Extent, touch: Touch, counter: usize) {
        self.push(packed(address, extent, touch), counter as u64 & ADDRESS);
    }

    /// An access of whole granules, or as many of them as one event can tell. Returns how many.
    pub(crate) fn range(&mut self, address: usize, granules: usize, touch: Touch, counter: usize) -> usize {
        let told = granules.min(LONGEST);
        let what = address as u64 & !7 & ADDRESS | RANGE | (touch as u64) << KIND_SHIFT;
        self.push(what, counter as u64 & ADDRESS | (told as u64) << 48);
        told
    }

    #[inline(always)]
    pub(crate) fn call(&mut self, counter: usize) {
        self.push(CALL, counter as u64);
    }

    /// A call in which nothing happened is forgotten, so that a loop of calls in which nothing is new leaves the ring
    /// alone.
    #[inline(always)]
    pub(crate) fn returns(&mut self) {
        // SAFETY: a part was begun, and has a first event that is no call.
        let last = unsafe { self.next.sub(1) };
        // SAFETY: an event of the part that was begun.
        if unsafe { (*last).what.load(Ordering::Relaxed) } == CALL {
            self.next = last;
        } else {
            self.push(RETURN, 0);
        }
    }
}

impl Ring {
    /// The place of the latest such access by the thread, if it is not too long ago.
    pub(crate) fn find(&self, places: &Places, address: usize, extent: Extent, touch: Touch, thread: u32) -> Place {
        self.look_for(address, extent, touch, thread).map_or(UNKNOWN, |found| found.place(places))
    }

    fn look_for(&self, address: usize, extent: Extent, touch: Touch, thread: u32) -> Option<Found<'_>> {
        let wanted = packed(address, extent, touch);
        let granule = address as u64 & !7 & ADDRESS;
        let is_wanted = |event: &Event| {
            let what = event.what.load(Ordering::Acquire);
            let in_range = || {
                let granules = event.counter.load(Ordering::Relaxed) >> 48;
                what & !ADDRESS == RANGE | (touch as u64) << KIND_SHIFT
                    && granule.wrapping_sub(what & ADDRESS) < granules * 8
            };
            what == wanted || in_range()
        };
        let newest = self.part.load(Ordering::Acquire);
        (newest.saturating_sub(PARTS as u64 - 1)..=newest).rev().find_map(|number| {
            let part = &self.parts[number as usize % PARTS];
            let is_of_thread = part.start.counter.load(Ordering::Acquire) == number
                && part.start.what.load(Ordering::Relaxed) >> 32 == u64::from(thread);
            let event = if is_of_thread { part.events.iter().rposition(is_wanted) } else { None };
            event.map(|event| Found { part, number, event })
        })
    }
}

/// An event of a thread that runs on, and may come round to it.
struct Found<'a> {
    part: &'a Part,
    number: u64,
    event: usize,
}

impl Found<'_> {
    fn place(&self, places: &Places) -> Place {
        let place = self.part.place_of(places, self.event);
        fence(Ordering::Acquire);
        let is_whole = self.part.start.counter.load(Ordering::Relaxed) == self.number;
        if is_whole { place } else { UNKNOWN }
    }
}

impl Part {
    /// The place of an event: the calls at the beginning of the part, and those since then.
    fn place_of(&self, places: &Places, event: usize) -> Place {
        let start = self.start.what.load(Ordering::Relaxed) as Place;
        let mut calls: Vec<Place> = Vec::from([start]);
        let mut outer = start;
        for earlier in &self.events[..event] {
            let counter = earlier.counter.load(Ordering::Relaxed);
            match earlier.what.load(Ordering::Relaxed) {
                CALL => {
                    let inner = calls.last().copied().unwrap_or(UNKNOWN);
                    calls.push(places.child(inner, counter as usize));
                }
                RETURN => {
                    calls.pop();
                    if calls.is_empty() {
                        outer = places.parent(outer);
                        calls.push(outer);
                    }
                }
                _ => {}
            }
        }
        let counter = self.events[event].counter.load(Ordering::Relaxed) & ADDRESS;
        places.child(calls.last().copied().unwrap_or(UNKNOWN), counter as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_access_of_the_same_kind_is_found() {
        let (places, rings) = (Places::new().unwrap(), Rings::new());
        let stack = |place: Place| places.counters(place).collect::<Vec<_>>();
        let ring = rings.get_or_make(7).unwrap();
        let mut trace = Trace::new(ring);
        assert!(trace.is_full());
        trace.begin_part(UNKNOWN, 70);
        let four = Extent::of(0x1004, 4).unwrap();
        trace.access(0x1004, four, Touch::Write, 1);
        trace.access(0x1004, four, Touch::Write, 2);
        trace.access(0x1004, four, Touch::Read, 3);
        trace.access(0x1000, Extent::WHOLE, Touch::Write, 4);
        trace.range(0x2000, 4, Touch::Read, 5);
        assert_eq!(stack(ring.find(&places, 0x1004, four, Touch::Write, 70)), [2]);
        assert_eq!(stack(ring.find(&places, 0x1004, four, Touch::Read, 70)), [3]);
        assert_eq!(stack(ring.find(&places, 0x2018, Extent::WHOLE, Touch::Read, 70)), [5]);
        assert_eq!(ring.find(&places, 0x2020, Extent::WHOLE, Touch::Read, 70), UNKNOWN);
        assert_eq!(ring.find(&places, 0x2018, Extent::WHOLE, Touch::Write, 70), UNKNOWN);
        assert_eq!(ring.find(&places, 0x1004, four, Touch::Write, 71), UNKNOWN);
        for i in 0..PARTS * EVENTS {
            if trace.is_full() {
                trace.begin_part(UNKNOWN, 70);
            }
            trace.access(0x8000 + i * 8, Extent::WHOLE, Touch::Write, 9);
        }
        assert_eq!(ring.find(&places, 0x1004, four, Touch::Write, 70), UNKNOWN);
    }

    #[test]
    fn calls_in_which_nothing_happens_leave_the_history_alone() {
        let (places, rings) = (Places::new().unwrap(), Rings::new());
        let stack = |place: Place| places.counters(place).collect::<Vec<_>>();
        let ring = rings.get_or_make(7).unwrap();
        let mut trace = Trace::new(ring);
        trace.begin_part(UNKNOWN, 5);
        trace.access(0x1000, Extent::WHOLE, Touch::Write, 1);
        for _ in 0..PARTS * EVENTS {
            trace.call(300);
            trace.call(400);
            trace.returns();
            trace.returns();
            assert!(!trace.is_full());
        }
        trace.call(500);
        trace.call(600);
        trace.returns();
        trace.access(0x1008, Extent::WHOLE, Touch::Write, 2);
        trace.returns();
        trace.access(0x1010, Extent::WHOLE, Touch::Write, 3);
        let found = |address| stack(ring.find(&places, address, Extent::WHOLE, Touch::Write, 5));
        assert_eq!(found(0x1000), [1]);
        assert_eq!(found(0x1008), [2, 500]);
        assert_eq!(found(0x1010), [3]);
    }

    #[test]
    fn what_is_overwritten_while_it_is_looked_at_has_no_place() {
        let (places, rings) = (Places::new().unwrap(), Rings::new());
        let stack = |place: Place| places.counters(place).collect::<Vec<_>>();
        let ring = rings.get_or_make(7).unwrap();
        let mut trace = Trace::new(ring);
        trace.begin_part(UNKNOWN, 1);
        trace.access(0x1000, Extent::WHOLE, Touch::Write, 1);
        let look = || ring.look_for(0x1000, Extent::WHOLE, Touch::Write, 1).unwrap();
        let (early, late) = (look(), look());
        for _ in 1..PARTS {
            trace.begin_part(UNKNOWN, 1);
        }
        assert_eq!(stack(early.place(&places)), [1]);
        trace.begin_part(UNKNOWN, 1);
        trace.access(0x2000, Extent::WHOLE, Touch::Write, 2);
        assert_eq!(late.place(&places), UNKNOWN);
    }

    #[test]
    fn calls_and_returns_around_an_access_are_its_stack() {
        let (places, rings) = (Places::new().unwrap(), Rings::new());
        let stack = |place: Place| places.counters(place).collect::<Vec<_>>();
        let ring = rings.get_or_make(7).unwrap();
        let mut trace = Trace::new(ring);
        let outer = places.child(places.child(UNKNOWN, 100), 200);
        trace.begin_part(outer, 5);
        trace.access(0x1000, Extent::WHOLE, Touch::Write, 1);
        trace.call(300);
        trace.access(0x1008, Extent::WHOLE, Touch::Write, 2);
        trace.returns();
        trace.returns();
        trace.access(0x1010, Extent::WHOLE, Touch::Write, 3);
        trace.call(400);
        trace.access(0x1018, Extent::WHOLE, Touch::Write, 4);
        let found = |address| stack(ring.find(&places, address, Extent::WHOLE, Touch::Write, 5));
        assert_eq!(found(0x1000), [1, 200, 100]);
        assert_eq!(found(0x1008), [2, 300, 200, 100]);
        assert_eq!(found(0x1010), [3, 100]);
        assert_eq!(found(0x1018), [4, 400, 100]);
    }
}
