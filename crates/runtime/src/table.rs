//! What is known of addresses: atomic locations and synchronisation objects. The table is cut into stripes, each with a
//! lock of its own, which is held while the program's memory is accessed, so that the order in which clocks see
//! accesses is the order in which they happen.

use core::sync::atomic::{AtomicU16, Ordering};

use fencepost_clocks::{Clocks, Location, Sync};
use hashbrown::HashMap;

use crate::spin::{Guard, SpinLock};
use crate::sys;

/// An atomic location, or where accesses of different sizes overlap, what is left to say about it.
#[derive(Clone, Copy)]
pub enum Atomic {
    Followed {
        location: &'static Location,
        size: u8,
    },
    /// Accesses of different sizes overlap here: nothing follows them but their synchronisation.
    MixedSizes(&'static Location),
}

/// A synchronisation object.
#[derive(Clone, Copy)]
pub struct Object {
    pub sync: &'static Sync,
    /// A read-write lock that is held for writing.
    pub writing: bool,
}

type Map<T> = HashMap<usize, T, foldhash::fast::FixedState>;

#[derive(Default)]
pub struct Stripe {
    pub atomics: Map<Atomic>,
    pub objects: Map<Object>,
}

const STRIPES: usize = 1 << 12;
const PAGES: usize = 1 << 20;

pub struct Table {
    stripes: *mut SpinLock<Option<Stripe>>,
    /// How many entries are in pages of memory, by the low bits of their numbers: most memory that is freed has none. A count
    /// that has reached its end stays there.
    pages: *mut AtomicU16,
}

// SAFETY: stripes are behind locks, counts are atomic.
unsafe impl core::marker::Sync for Table {}
// SAFETY: as above.
unsafe impl Send for Table {}

impl Table {
    pub fn new() -> Option<Table> {
        // An unlocked lock around nothing is all zeros, but the compiler does not promise it, so each is written.
        let stripes = sys::map(STRIPES * size_of::<SpinLock<Option<Stripe>>>())?.cast::<SpinLock<Option<Stripe>>>();
        for i in 0..STRIPES {
            // SAFETY: within the mapping.
            unsafe { stripes.add(i).write(SpinLock::new(None)) };
        }
        Some(Table { stripes, pages: sys::map(PAGES * size_of::<AtomicU16>())?.cast() })
    }

    fn stripe_of(&self, address: usize) -> &SpinLock<Option<Stripe>> {
        // Accesses of 16 bytes and what overlaps with them are in one stripe.
        let mixed = (address >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        // SAFETY: within the mapping.
        unsafe { &*self.stripes.add(mixed % STRIPES) }
    }

    fn page_of(&self, address: usize) -> &AtomicU16 {
        // SAFETY: within the mapping.
        unsafe { &*self.pages.add((address >> 12) % PAGES) }
    }

    /// False if there is certainly nothing in this page.
    #[inline]
    pub fn may_hold(&self, address: usize) -> bool {
        self.page_of(address).load(Ordering::Relaxed) != 0
    }

    pub fn lock(&self, address: usize) -> Held<'_> {
        Held { stripe: self.stripe_of(address).lock(), page: self.page_of(address) }
    }

    /// Everything at these addresses is no more.
    pub fn forget(&self, start: usize, size: usize, clocks: &Clocks) {
        let end = start.saturating_add(size);
        if size >> 12 > PAGES {
            return self.forget_from_all(start, end, clocks);
        }
        let mut page = start & !0xfff;
        while page < end {
            if self.page_of(page).load(Ordering::Relaxed) != 0 {
                self.forget_in_page(page.max(start), end.min(page + 4096), clocks);
            }
            page += 4096;
        }
    }

    fn forget_in_page(&self, start: usize, end: usize, clocks: &Clocks) {
        let mut block = start & !15;
        while block < end {
            let mut held = self.lock(block);
            if !held.is_empty() {
                for address in block.max(start)..(block + 16).min(end) {
                    held.forget(address, clocks);
                }
            }
            block += 16;
        }
    }

    fn forget_from_all(&self, start: usize, end: usize, clocks: &Clocks) {
        for i in 0..STRIPES {
            // SAFETY: within the mapping.
            let mut stripe = unsafe { &*self.stripes.add(i) }.lock();
            let Some(stripe) = &mut *stripe else { continue };
            stripe.atomics.retain(|address, atomic| {
                let gone = (start..end).contains(address);
                if gone {
                    clocks.free_location(atomic.location());
                }
                !gone
            });
            stripe.objects.retain(|address, object| {
                let gone = (start..end).contains(address);
                if gone {
                    clocks.free_sync(object.sync);
                }
                !gone
            });
        }
    }

    /// Takes all locks, for a fork.
    pub fn lock_all(&self) {
        for i in 0..STRIPES {
            // SAFETY: within the mapping.
            core::mem::forget(unsafe { &*self.stripes.add(i) }.lock());
        }
    }

    pub fn unlock_all(&self) {
        for i in 0..STRIPES {
            // SAFETY: within the mapping.
            unsafe { &*self.stripes.add(i) }.reset();
        }
    }
}

/// A stripe that is locked.
pub struct Held<'a> {
    stripe: Guard<'a, Option<Stripe>>,
    page: &'a AtomicU16,
}

impl Held<'_> {
    fn is_empty(&self) -> bool {
        self.stripe.as_ref().is_none_or(|stripe| stripe.atomics.is_empty() && stripe.objects.is_empty())
    }

    fn count(&self) {
        let _ = self.page.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_add(1));
    }

    fn uncount(&self) {
        let _ = self
            .page
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n != u16::MAX).then(|| n.saturating_sub(1)));
    }

    /// The atomic location of an access, and whether the access is the first to show that sizes are mixed there.
    pub fn atomic(&mut self, address: usize, size: u8, make: impl FnOnce() -> &'static Location) -> (Atomic, bool) {
        let stripe = self.stripe.get_or_insert_default();
        if let Some(&found) = stripe.atomics.get(&address) {
            match found {
                Atomic::Followed { size: known, .. } if known == size => return (found, false),
                Atomic::MixedSizes(_) => return (found, false),
                Atomic::Followed { location, .. } => {
                    let mixed = Atomic::MixedSizes(location);
                    stripe.atomics.insert(address, mixed);
                    return (mixed, true);
                }
            }
        }
        // Another access that overlaps this one without being equal to it: both are mixed from now on.
        let overlaps = |&(at, other): &(usize, u8)| at < address + size as usize && address < at + other as usize;
        let block = address & !15;
        let mut neighbours = (block..block + 16).filter_map(|at| match stripe.atomics.get(&at) {
            Some(Atomic::Followed { size, .. }) => Some((at, *size)),
            Some(Atomic::MixedSizes(_)) => Some((at, 16)),
            None => None,
        });
        let overlapping: Option<(usize, u8)> = neighbours.find(overlaps);
        let location = match overlapping.and_then(|(at, _)| stripe.atomics.get(&at).copied()) {
            None => {
                let made = Atomic::Followed { location: make(), size };
                stripe.atomics.insert(address, made);
                self.count();
                return (made, false);
            }
            Some(other) => other,
        };
        let first = matches!(location, Atomic::Followed { .. });
        let mixed = Atomic::MixedSizes(location.location());
        let at = overlapping.map_or(address, |(at, _)| at);
        stripe.atomics.insert(at, mixed);
        (mixed, first)
    }

    pub fn object(&mut self, address: usize, make: impl FnOnce() -> &'static Sync) -> &mut Object {
        let mut new = false;
        let page = self.page;
        let object = self.stripe.get_or_insert_default().objects.entry(address).or_insert_with(|| {
            new = true;
            Object { sync: make(), writing: false }
        });
        if new {
            let _ = page.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_add(1));
        }
        object
    }

    pub fn forget(&mut self, address: usize, clocks: &Clocks) {
        let Some(stripe) = &mut *self.stripe else { return };
        let atomic = stripe.atomics.remove(&address);
        let object = stripe.objects.remove(&address);
        if let Some(atomic) = atomic {
            clocks.free_location(atomic.location());
            self.uncount();
        }
        if let Some(object) = object {
            clocks.free_sync(object.sync);
            self.uncount();
        }
    }
}

impl Atomic {
    pub fn location(&self) -> &'static Location {
        match self {
            Atomic::Followed { location, .. } | Atomic::MixedSizes(location) => location,
        }
    }
}
