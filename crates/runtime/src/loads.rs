//! The latest accesses of atomic locations by a thread, for loads that change nothing ([`fencepost_clocks::Seen`]).

use fencepost_clocks::{Location, Seen};

use crate::sys;

const SIZE: usize = 1024;

#[derive(Clone, Copy)]
struct Access {
    /// With the size in the upper bits; 0 if there is none.
    key: usize,
    location: *const Location,
    seen: Seen,
}

pub(crate) struct Loads(*mut [Access; SIZE]);

#[inline(always)]
fn key(address: usize, size: u8) -> usize {
    address | (size as usize) << 56
}

#[inline(always)]
fn index(address: usize) -> usize {
    (address >> 2 ^ address >> 12) % SIZE
}

impl Loads {
    /// None if there is no memory.
    pub(crate) fn new() -> Option<Loads> {
        Some(Loads(sys::map(size_of::<[Access; SIZE]>())?.cast()))
    }

    /// For another thread in the same room.
    pub(crate) fn clear(&mut self) {
        // SAFETY: this thread's own; all zeros is a table without accesses.
        unsafe { core::ptr::write_bytes(self.0, 0, 1) };
    }

    #[inline(always)]
    pub(crate) fn get(&self, address: usize, size: u8) -> Option<(&'static Location, Seen)> {
        // SAFETY: this thread's own; locations stay where they are.
        unsafe {
            let access = &(*self.0)[index(address)];
            (access.key == key(address, size)).then(|| (&*access.location, access.seen))
        }
    }

    #[inline]
    pub(crate) fn put(&mut self, address: usize, size: u8, location: &'static Location, seen: Seen) {
        // SAFETY: this thread's own.
        unsafe { (*self.0)[index(address)] = Access { key: key(address, size), location, seen } };
    }
}
