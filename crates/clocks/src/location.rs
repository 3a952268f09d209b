use core::cell::UnsafeCell;
use core::ptr;

use crate::arena::Arena;
use crate::history::History;
use crate::live::Live;
use crate::pool::Pool;
use crate::psc::PscLocation;
use crate::spin::RawLock;
use crate::vector::{Stamped, Vector};

/// The state of an atomic location. The caller finds it by address, and keeps one for as long as the memory lives.
pub struct Location {
    pub(crate) lock: RawLock,
    pub(crate) state: UnsafeCell<LocationState>,
}

// SAFETY: the state is reached under the lock only.
unsafe impl Sync for Location {}
// SAFETY: as above.
unsafe impl Send for Location {}

pub(crate) struct LocationState {
    /// Different for every location that ever was; 0 while the location is not in use.
    pub(crate) serial: u64,
    pub(crate) history: History,
    /// The last access: by whom, with which number; and since which number this thread has done nothing but access this
    /// location, and nobody else has.
    pub(crate) last_slot: u16,
    pub(crate) last_number: u64,
    pub(crate) run_start: u64,
    /// W of appendix B: what a read from the last write synchronises with.
    pub(crate) written: Stamped,
    /// W_SC.
    pub(crate) sc_written: Stamped,
    /// M_SC, unless it is the same as W_SC because nobody has read since.
    pub(crate) sc_accessed: Stamped,
    pub(crate) read_since: bool,
    pub(crate) psc: *mut PscLocation,
}

impl LocationState {
    pub(crate) fn new(serial: u64, initial: u64, arena: &Arena) -> LocationState {
        LocationState {
            serial,
            history: History::new(initial, arena),
            last_slot: u16::MAX,
            last_number: 0,
            run_start: 0,
            written: Stamped::BOTTOM,
            sc_written: Stamped::BOTTOM,
            sc_accessed: Stamped::BOTTOM,
            read_since: false,
            psc: ptr::null_mut(),
        }
    }

    pub(crate) fn prune(&mut self, live: &Live, next: &mut Vector, next_sc: &mut Vector, pool: &Pool) {
        self.history.prune(live, next, next_sc, pool);
        self.history.shrink(pool.arena());
    }

    /// Forgets SC accesses. They are found by times along hb: `live` need not count the clocks that they remember.
    pub(crate) fn prune_sc_accesses(&mut self, live: &Live, pool: &Pool) {
        if !self.psc.is_null() {
            // SAFETY: the location owns it.
            unsafe { (*self.psc).prune(live, pool) };
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
            unsafe { (*self.psc).free(pool) };
            pool.arena().free(self.psc.cast(), size_of::<PscLocation>());
            self.psc = ptr::null_mut();
        }
    }
}
