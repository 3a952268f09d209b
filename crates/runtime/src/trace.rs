//! Where a thread made its latest plain accesses: shadow memory has no room for places in the code.

use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use fencepost_clocks::{Extent, MAX_THREADS, Touch};

use crate::places::{Place, UNKNOWN};
use crate::sys;

const LENGTH: usize = 1 << 15;

/// An address, with how it was accessed in the upper 16 bits; a place; and a thread.
struct Event {
    access: AtomicU64,
    place: AtomicU32,
    thread: AtomicU32,
}

/// A ring, in which a thread notes its accesses, and others look for them.
pub struct Ring {
    events: [Event; LENGTH],
    next: AtomicU32,
}

/// By the slot of a thread in clocks. Those who use a slot again go on in the same ring.
static RINGS: [AtomicPtr<Ring>; MAX_THREADS] = [const { AtomicPtr::new(core::ptr::null_mut()) }; MAX_THREADS];

pub fn ring(slot: u16) -> Option<&'static Ring> {
    let ring = RINGS.get(slot as usize)?.load(Ordering::Acquire);
    // SAFETY: rings stay once they are there.
    (!ring.is_null()).then(|| unsafe { &*ring })
}

/// The ring of a slot, made if there is none.
pub fn ring_for(slot: u16) -> Option<&'static Ring> {
    if let Some(ring) = ring(slot) {
        return Some(ring);
    }
    let new = sys::map(size_of::<Ring>())?.cast();
    RINGS[slot as usize].store(new, Ordering::Release);
    ring(slot)
}

fn packed(granule: usize, extent: Extent, touch: Touch) -> u64 {
    let (first, length) = extent.range();
    let kind = touch as u64;
    granule as u64 & !7 & 0xffff_ffff_ffff | (kind << 56 | (first as u64) << 52 | (length as u64) << 48)
}

impl Ring {
    #[inline]
    pub fn note(&self, address: usize, extent: Extent, touch: Touch, place: Place, thread: u32) {
        let next = self.next.load(Ordering::Relaxed);
        let event = &self.events[next as usize % LENGTH];
        event.access.store(packed(address, extent, touch), Ordering::Relaxed);
        event.place.store(place, Ordering::Relaxed);
        event.thread.store(thread, Ordering::Relaxed);
        self.next.store(next.wrapping_add(1), Ordering::Release);
    }

    /// The place of the latest such access by the thread, if it is not too long ago.
    pub fn find(&self, address: usize, extent: Extent, touch: Touch, thread: u32) -> Place {
        let wanted = packed(address, extent, touch);
        let next = self.next.load(Ordering::Acquire);
        (1..=LENGTH as u32)
            .map(|back| &self.events[next.wrapping_sub(back) as usize % LENGTH])
            .find(|event| {
                event.access.load(Ordering::Relaxed) == wanted && event.thread.load(Ordering::Relaxed) == thread
            })
            .map_or(UNKNOWN, |event| event.place.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_access_of_the_same_kind_is_found() {
        let ring = ring_for(7).unwrap();
        let four = Extent::of(0x1004, 4).unwrap();
        ring.note(0x1004, four, Touch::Write, 1, 70);
        ring.note(0x1004, four, Touch::Write, 2, 70);
        ring.note(0x1004, four, Touch::Read, 3, 70);
        ring.note(0x1000, Extent::WHOLE, Touch::Write, 4, 70);
        assert_eq!(ring.find(0x1004, four, Touch::Write, 70), 2);
        assert_eq!(ring.find(0x1004, four, Touch::Read, 70), 3);
        assert_eq!(ring.find(0x1004, four, Touch::Write, 71), UNKNOWN);
        assert_eq!(ring.find(0x2004, four, Touch::Write, 70), UNKNOWN);
        for i in 0..LENGTH {
            ring.note(0x8000 + i * 8, Extent::WHOLE, Touch::Write, 9, 70);
        }
        assert_eq!(ring.find(0x1004, four, Touch::Write, 70), UNKNOWN);
    }
}
