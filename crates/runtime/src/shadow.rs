//! Where the shadow of an address is.
//!
//! On x86_64 Linux, a program is at 0x55.. or 0x56.. (or below 0x0080.. if it is not position independent), its
//! libraries, mappings and stacks are from 0x7d.. on (each `..` ten digits). These differ in the lowest digit above the
//! tenth, so that the shadow is a masked address times two: eight bytes have a granule of sixteen.

use core::sync::atomic::AtomicU32;

use fencepost_clocks::Granule;

use crate::sys;

const MASK: usize = 0x0fff_ffff_fff8;
const BASE: usize = 0x1000_0000_0000;
const SIZE: usize = (MASK + 8) * 2;
/// Eight bytes also have a word of four that names their first entry in the table of atomic locations.
const ENTRIES_BASE: usize = BASE + SIZE;
const ENTRIES_SIZE: usize = (MASK + 8) / 2;
/// As much shadow is given back to the system rather than filled with zeros.
const LARGE: usize = 64 << 10;

pub(crate) fn reserve() -> bool {
    sys::map_exactly(BASE, SIZE)
        && sys::map_exactly(ENTRIES_BASE, ENTRIES_SIZE)
        // SAFETY: only advice, about memory of our own.
        && unsafe {
            for (start, size) in [(BASE, SIZE), (ENTRIES_BASE, ENTRIES_SIZE)] {
                sys::advise(start, size, libc::MADV_DONTDUMP);
                sys::advise(start, size, libc::MADV_NOHUGEPAGE);
            }
            true
        }
}

#[inline(always)]
pub(crate) fn first_entry(address: usize) -> &'static AtomicU32 {
    // SAFETY: the words for every address are reserved.
    unsafe { &*((ENTRIES_BASE + (address & MASK) / 2) as *const AtomicU32) }
}

#[inline(always)]
fn shadow_of(address: usize) -> usize {
    BASE + (address & MASK) * 2
}

#[inline(always)]
pub(crate) fn granule(address: usize) -> &'static Granule {
    // SAFETY: the shadow of every address is reserved, zero is a granule, and it is changed atomically.
    unsafe { &*(shadow_of(address) as *const Granule) }
}

/// The granules from an address on, which are one after another.
#[inline(always)]
pub(crate) fn granules(address: usize, count: usize) -> &'static [Granule] {
    // SAFETY: as above; what the program has as one piece is one piece in shadow memory too.
    unsafe { core::slice::from_raw_parts(granule(address), count) }
}

/// Forgets what is known of all granules that lie within these bytes, at least in part.
pub(crate) fn clear(start: usize, size: usize) {
    if size == 0 {
        return;
    }
    let first = shadow_of(start);
    let end = shadow_of(start + size - 1) + size_of::<Granule>();
    if end <= first {
        return;
    }
    let (whole_first, whole_end) = (first.next_multiple_of(4096), end & !4095);
    if end - first >= LARGE && whole_first < whole_end {
        clear_words(first, whole_first);
        // SAFETY: private anonymous memory reads as zero afterwards.
        unsafe { sys::advise(whole_first, whole_end - whole_first, libc::MADV_DONTNEED) };
        clear_words(whole_end, end);
    } else {
        clear_words(first, end);
    }
}

fn clear_words(first: usize, end: usize) {
    for at in (first..end).step_by(size_of::<Granule>()) {
        // SAFETY: within the shadow.
        unsafe { &*(at as *const Granule) }.clear();
    }
}

/// Forgets everything.
pub(crate) fn clear_all() {
    // SAFETY: private anonymous memory reads as zero afterwards.
    unsafe { sys::advise(BASE, SIZE, libc::MADV_DONTNEED) };
}
