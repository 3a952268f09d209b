use core::cell::UnsafeCell;
use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::arena::Arena;
use crate::history::History;
use crate::live::Live;
use crate::pool::Pool;
use crate::psc::PscLocation;
use crate::spin::RawLock;
use crate::vector::{Stamped, Vector};

/// The state of an atomic location. The caller finds it by address, and keeps one for as long as the memory lives.
#[repr(C, align(64))]
pub struct Location {
    /// Changes with every write, and with everything else after which a load must be recorded again ([`crate::Seen`]).
    /// It goes on counting when the place is another location's.
    pub(crate) stamp: AtomicU64,
    pub(crate) lock: RawLock,
    pub(crate) state: UnsafeCell<LocationState>,
}

impl Location {
    pub(crate) fn new(state: LocationState) -> Location {
        Location { lock: RawLock::new(), stamp: AtomicU64::new(1), state: UnsafeCell::new(state) }
    }

    /// Asks for what an access will change, which another processor may have: waiting for one line after the other is
    /// most of what an access costs.
    #[inline]
    pub fn prefetch(&self) {
        for line in 0..size_of::<Location>() / 64 {
            prefetch(ptr::from_ref(self).cast::<u8>().wrapping_add(line * 64));
        }
    }

    /// Only with the lock held.
    #[inline]
    pub(crate) fn changed(&self) {
        self.stamp.store(self.stamp.load(Ordering::Relaxed) + 1, Ordering::Release);
    }
}

const _: () = assert!(size_of::<Location>() == 192, "three cache lines");

// SAFETY: the state is reached under the lock only.
unsafe impl Sync for Location {}
// SAFETY: as above.
unsafe impl Send for Location {}

#[repr(C)]
pub(crate) struct LocationState {
    /// Different for every location that ever was; 0 while the location is not in use.
    pub(crate) serial: u64,
    pub(crate) psc: *mut PscLocation,
    pub(crate) history: History,
    /// W_SC.
    pub(crate) sc_written: Stamped,
    /// W of appendix B: what a read from the last write synchronises with.
    pub(crate) written: Stamped,
    /// M_SC; outdated if it is the same as W_SC because no thread has read since.
    pub(crate) sc_accessed: Stamped,
}

#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, whatever the address is; a processor that does not have it does nothing.
    unsafe {
        core::arch::asm!("prefetchw [{}]", in(reg) address, options(readonly, nostack, preserves_flags));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

impl LocationState {
    /// What an access will change that the location points to.
    #[inline]
    pub(crate) fn prefetch(&self) {
        if !self.psc.is_null() {
            prefetch(self.psc);
            prefetch(self.psc.cast::<u8>().wrapping_add(64));
        }
        self.history.prefetch();
        prefetch(self.sc_written.clock().times().as_ptr());
        prefetch(self.written.clock().times().as_ptr());
        if !self.sc_accessed.is_outdated() {
            prefetch(self.sc_accessed.clock().times().as_ptr());
        }
    }

    pub(crate) fn new(serial: u64, initial: u64) -> LocationState {
        LocationState {
            serial,
            history: History::new(initial),
            written: Stamped::BOTTOM,
            sc_written: Stamped::BOTTOM,
            sc_accessed: Stamped::OUTDATED,
            psc: ptr::null_mut(),
        }
    }

    pub(crate) fn prune(&mut self, live: &Live, next: &mut Vector, next_sc: &mut Vector, pool: &Pool) {
        self.history.prune(live, next, next_sc, pool);
        self.history.shrink(pool.arena());
    }

    /// What a collection has to look at, but for clocks.
    pub(crate) fn bytes(&self) -> usize {
        let psc = if self.psc.is_null() { 0 } else { size_of::<PscLocation>() };
        size_of::<Location>() + self.history.bytes() + psc
    }

    /// Forgets SC accesses. They are found by times along hb: `live` need not count the clocks that they remember.
    pub(crate) fn prune_sc_accesses(&mut self, live: &Live, arena: &Arena) {
        if !self.psc.is_null() {
            // SAFETY: the location owns it.
            unsafe { (*self.psc).prune(live, arena) };
        }
    }

    pub(crate) fn free(&mut self, pool: &Pool) {
        self.serial = 0;
        self.history.free(pool.arena());
        for clock in [&mut self.written, &mut self.sc_written, &mut self.sc_accessed] {
            clock.free(pool);
        }
        if !self.psc.is_null() {
            // SAFETY: the location owns it.
            unsafe { (*self.psc).free(pool.arena()) };
            pool.arena().free(self.psc.cast(), size_of::<PscLocation>());
            self.psc = ptr::null_mut();
        }
    }
}
