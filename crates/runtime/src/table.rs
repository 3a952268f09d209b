//! What is known of addresses: atomic locations and synchronisation objects.
//!
//! Every eight bytes of the program have a word that names the first of their entries; most have none. Entries are
//! found without a lock. They are made and removed under the lock of a stripe, and their memory is never freed: a
//! thread that found an entry which is then removed or reused notices it under the lock of its location
//! ([`Found::is_current`]).

use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicUsize, Ordering};

use fencepost_clocks::{Clocks, Location, Sync};

use crate::spin::{Guard, SpinLock};
use crate::{shadow, sys};

/// An atomic location has its size as the kind of its entry.
const MIXED_SIZES: u8 = 0x40;
const OBJECT: u8 = 0x80;
const UNUSED: u8 = 0;

#[repr(C, align(32))]
struct Entry {
    address: AtomicUsize,
    /// A [`Location`], or for an object a [`Sync`].
    known: AtomicPtr<()>,
    /// The next entry of the same eight bytes, or the next unused one.
    next: AtomicU32,
    kind: AtomicU8,
    /// A read-write lock that is held for writing.
    writing: AtomicBool,
}

/// A synchronisation object.
#[derive(Clone, Copy)]
pub(crate) struct Object {
    pub(crate) sync: &'static Sync,
    entry: &'static Entry,
}

impl Object {
    /// Notes whether a read-write lock is held for writing, and returns what it was before.
    pub(crate) fn hold_for_writing(&self, writing: bool) -> bool {
        self.entry.writing.swap(writing, Ordering::Relaxed)
    }
}

const ENTRIES: usize = 1 << 26;
const STRIPES: usize = 1 << 12;
const PAGES: usize = 1 << 20;

/// The entries that were never used, and those that are not any more.
struct Unused {
    next: u32,
    first: u32,
}

pub(crate) struct Table {
    entries: *mut Entry,
    unused: SpinLock<Unused>,
    stripes: *mut SpinLock<()>,
    /// How many entries are in pages of memory, by the low bits of their numbers: most memory that is freed has none. A
    /// count that has reached its end stays there.
    pages: *mut AtomicU16,
}

// SAFETY: entries and counts are atomic, the rest is behind locks.
unsafe impl core::marker::Sync for Table {}
// SAFETY: as above.
unsafe impl Send for Table {}

/// An atomic location as it was found without a lock.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) location: &'static Location,
    entry: &'static Entry,
    address: usize,
    size: u8,
}

impl Found {
    /// Whether it is what it was found as. Ask with the lock of the location held: then it stays so.
    #[inline]
    pub(crate) fn is_current(&self) -> bool {
        self.entry.address.load(Ordering::Acquire) == self.address
            && self.entry.kind.load(Ordering::Relaxed) == self.size
            && core::ptr::eq(self.entry.known.load(Ordering::Relaxed).cast(), self.location)
    }
}

/// What an access under the lock of a stripe finds.
pub(crate) enum Atomic {
    /// It can be found without the lock now.
    Followed,
    /// Accesses of different sizes overlap in these sixteen bytes: nothing follows them but their synchronisation.
    /// `first` if this one is the first to show it.
    MixedSizes { first: bool },
}

impl Table {
    pub(crate) fn new() -> Option<Table> {
        let stripes = sys::map(STRIPES * size_of::<SpinLock<()>>())?.cast::<SpinLock<()>>();
        for i in 0..STRIPES {
            // SAFETY: within the mapping.
            unsafe { stripes.add(i).write(SpinLock::new(())) };
        }
        let entries = sys::map(ENTRIES * size_of::<Entry>())?.cast();
        let unused = SpinLock::new(Unused { next: 1, first: 0 });
        Some(Table { entries, unused, stripes, pages: sys::map(PAGES * size_of::<AtomicU16>())?.cast() })
    }

    fn stripe_of(&self, address: usize) -> &SpinLock<()> {
        // Accesses of 16 bytes and what overlaps with them are in one stripe.
        let mixed = (address >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        // SAFETY: within the mapping.
        unsafe { &*self.stripes.add(mixed % STRIPES) }
    }

    fn page_of(&self, address: usize) -> &AtomicU16 {
        // SAFETY: within the mapping.
        unsafe { &*self.pages.add((address >> 12) % PAGES) }
    }

    #[inline]
    fn entry(&self, index: u32) -> Option<&'static Entry> {
        // SAFETY: entries are zero or were written, are changed atomically, and stay mapped.
        (index != 0).then(|| unsafe { &*self.entries.add(index as usize % ENTRIES) })
    }

    /// The entry at an address with one of these kinds. A removed entry may lead astray, but not for ever.
    #[inline]
    fn find_entry(&self, address: usize, kinds: u8) -> Option<&'static Entry> {
        let mut at = self.entry(shadow::first_entry(address).load(Ordering::Acquire))?;
        for _ in 0..32 {
            let kind = at.kind.load(Ordering::Acquire);
            if at.address.load(Ordering::Relaxed) == address && kind & kinds != 0 {
                return Some(at);
            }
            at = self.entry(at.next.load(Ordering::Acquire))?;
        }
        None
    }

    /// The location of an access, unless it must be made, or accesses of different sizes overlap.
    #[inline]
    pub(crate) fn find(&self, address: usize, size: u8) -> Option<Found> {
        let entry = self.find_entry(address, size)?;
        let location = entry.known.load(Ordering::Acquire).cast::<Location>();
        // SAFETY: locations stay where they are.
        let found = Found { location: unsafe { location.as_ref() }?, entry, address, size };
        (entry.kind.load(Ordering::Relaxed) == size).then_some(found)
    }

    /// False if there is certainly nothing in these eight bytes.
    #[inline]
    pub(crate) fn may_hold(&self, address: usize) -> bool {
        self.page_of(address).load(Ordering::Relaxed) != 0 && shadow::first_entry(address).load(Ordering::Relaxed) != 0
    }

    pub(crate) fn lock(&self, address: usize) -> Held<'_> {
        Held { table: self, _stripe: self.stripe_of(address).lock() }
    }

    /// The synchronisation object at an address, which is made if there is none.
    pub(crate) fn object(&self, address: usize, make: impl FnOnce() -> &'static Sync) -> Option<Object> {
        let entry = match self.find_entry(address, OBJECT) {
            Some(entry) => entry,
            None => {
                let held = self.lock(address);
                match self.find_entry(address, OBJECT) {
                    Some(entry) => entry,
                    None => held.add(address, OBJECT, core::ptr::from_ref(make()).cast_mut().cast())?,
                }
            }
        };
        // SAFETY: synchronisation objects stay where they are, and an object's entry has one.
        Some(Object { sync: unsafe { &*entry.known.load(Ordering::Acquire).cast() }, entry })
    }

    /// Everything at these addresses is no more.
    pub(crate) fn forget(&self, start: usize, size: usize, clocks: &Clocks) {
        let end = start.saturating_add(size);
        let mut page = start & !0xfff;
        while page < end {
            if self.page_of(page).load(Ordering::Relaxed) != 0 {
                self.forget_in_page(page.max(start), end.min(page + 4096), clocks);
            }
            page += 4096;
        }
    }

    fn forget_in_page(&self, start: usize, end: usize, clocks: &Clocks) {
        let mut granule = start & !7;
        while granule < end {
            if shadow::first_entry(granule).load(Ordering::Relaxed) != 0 {
                self.lock(granule).forget(granule, granule.max(start)..end.min(granule + 8), clocks);
            }
            granule += 8;
        }
    }

    /// Takes all locks, for a fork.
    pub(crate) fn lock_all(&self) {
        for i in 0..STRIPES {
            // SAFETY: within the mapping.
            core::mem::forget(unsafe { &*self.stripes.add(i) }.lock());
        }
        core::mem::forget(self.unused.lock());
    }

    pub(crate) fn unlock_all(&self) {
        self.unused.reset();
        for i in 0..STRIPES {
            // SAFETY: within the mapping.
            unsafe { &*self.stripes.add(i) }.reset();
        }
    }
}

/// A stripe that is locked.
pub(crate) struct Held<'a> {
    table: &'a Table,
    _stripe: Guard<'a, ()>,
}

impl Held<'_> {
    /// A new entry, if there is room for one.
    fn add(&self, address: usize, kind: u8, known: *mut ()) -> Option<&'static Entry> {
        let index = {
            let mut unused = self.table.unused.lock();
            match self.table.entry(unused.first) {
                Some(entry) => {
                    let index = unused.first;
                    unused.first = entry.next.load(Ordering::Relaxed);
                    index
                }
                None if (unused.next as usize) < ENTRIES => {
                    unused.next += 1;
                    unused.next - 1
                }
                None => return None,
            }
        };
        let entry = self.table.entry(index)?;
        let first = shadow::first_entry(address);
        entry.known.store(known, Ordering::Relaxed);
        entry.writing.store(false, Ordering::Relaxed);
        entry.next.store(first.load(Ordering::Relaxed), Ordering::Relaxed);
        entry.address.store(address, Ordering::Release);
        entry.kind.store(kind, Ordering::Release);
        first.store(index, Ordering::Release);
        let _ = self.table.page_of(address).fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_add(1));
        Some(entry)
    }

    fn entries(&self, granule: usize) -> impl Iterator<Item = &'static Entry> {
        let mut next = shadow::first_entry(granule).load(Ordering::Relaxed);
        core::iter::from_fn(move || {
            let entry = self.table.entry(next)?;
            next = entry.next.load(Ordering::Relaxed);
            Some(entry)
        })
    }

    /// The entries of atomic locations in the sixteen bytes around an address.
    fn atomics(&self, address: usize) -> impl Iterator<Item = &'static Entry> {
        let block = address & !15;
        let entries = [block, block + 8].into_iter().flat_map(|granule| self.entries(granule));
        entries.filter(|entry| entry.kind.load(Ordering::Relaxed) & OBJECT == 0)
    }

    /// The atomic locations in the sixteen bytes around an address.
    pub(crate) fn locations(&self, address: usize) -> impl Iterator<Item = &'static Location> {
        // SAFETY: locations stay where they are.
        self.atomics(address)
            .filter_map(|entry| unsafe { entry.known.load(Ordering::Relaxed).cast::<Location>().as_ref() })
    }

    /// The atomic location of an access, which is made if there is none. None if there is no room.
    pub(crate) fn atomic(&self, address: usize, size: u8, make: impl FnOnce() -> &'static Location) -> Option<Atomic> {
        let overlaps = |entry: &Entry| {
            let (at, length) = (entry.address.load(Ordering::Relaxed), entry.kind.load(Ordering::Relaxed));
            at < address + size as usize && address < at + length as usize
        };
        let equals = |entry: &Entry| {
            entry.address.load(Ordering::Relaxed) == address && entry.kind.load(Ordering::Relaxed) == size
        };
        let is_mixed = self.atomics(address).any(|entry| entry.kind.load(Ordering::Relaxed) == MIXED_SIZES);
        if !is_mixed {
            match self.atomics(address).find(|entry| overlaps(entry)) {
                None => {
                    self.add(address, size, core::ptr::from_ref(make()).cast_mut().cast())?;
                    return Some(Atomic::Followed);
                }
                Some(entry) if equals(entry) => return Some(Atomic::Followed),
                Some(_) => self.atomics(address).for_each(|entry| entry.kind.store(MIXED_SIZES, Ordering::Relaxed)),
            }
        }
        Some(Atomic::MixedSizes { first: !is_mixed })
    }

    /// Removes the entries at some of eight addresses.
    fn forget(&self, granule: usize, addresses: core::ops::Range<usize>, clocks: &Clocks) {
        let mut link = shadow::first_entry(granule);
        loop {
            let index = link.load(Ordering::Relaxed);
            let Some(entry) = self.table.entry(index) else { return };
            if !addresses.contains(&entry.address.load(Ordering::Relaxed)) {
                link = &entry.next;
                continue;
            }
            link.store(entry.next.load(Ordering::Relaxed), Ordering::Release);
            let kind = entry.kind.swap(UNUSED, Ordering::AcqRel);
            entry.address.store(0, Ordering::Release);
            let known = entry.known.load(Ordering::Relaxed);
            // SAFETY: what an entry knows stays where it is.
            unsafe {
                if kind == OBJECT { clocks.free_sync(&*known.cast()) } else { clocks.free_location(&*known.cast()) }
            }
            let _ = self
                .table
                .page_of(granule)
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n != u16::MAX).then(|| n.saturating_sub(1)));
            let mut unused = self.table.unused.lock();
            entry.next.store(unused.first, Ordering::Release);
            unused.first = index;
        }
    }
}
