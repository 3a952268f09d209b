//! Between the program and the clocks: finds what is known of an address, and turns what the clocks say into reports.
//!
//! A detector is a value that stays, and threads belong to one. Shadow memory belongs to the process, because hot code
//! knows its addresses: two detectors (in tests) must follow different addresses.

mod atomics;
mod plain;
mod syncs;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;

use fencepost_clocks::{Clocks, Model, Platform};
use fencepost_wire::Options;

pub(crate) use atomics::{Effect, Request};
pub(crate) use plain::QuickTouch;

use crate::places::Places;
use crate::report::{Reports, Sink};
use crate::table::Table;
use crate::thread::Thread;
use crate::trace::{Ring, Rings};
use crate::{complain, shadow, sys};

/// How many epochs of plain accesses are told apart before shadow memory is cleared. They take eight bytes each.
const INTERVALS: u32 = 1 << 20;

pub(crate) struct Detector {
    clocks: Clocks,
    table: Table,
    rings: Rings,
    places: Places,
    reports: Reports,
    /// Whether these are reported.
    races: bool,
    robustness: bool,
}

fn map_or_end(bytes: usize) -> *mut u8 {
    sys::map(bytes).unwrap_or_else(|| {
        complain!("out of memory");
        sys::exit_now(2)
    })
}

impl Detector {
    /// Shadow memory is reserved. None if there is no room for the rest.
    pub(crate) fn new(options: &Options, sink: Box<dyn Sink>) -> Option<Detector> {
        let model = match options.model {
            fencepost_wire::Model::Rc11 => Model::Rc11,
            fencepost_wire::Model::Rc20 => Model::Rc20,
        };
        let barrier = sys::can_make_all_threads_fence().then_some(sys::make_all_threads_fence as fn());
        let platform = Platform { map: map_or_end, yield_now: sys::yield_now, barrier };
        Some(Detector {
            table: Table::new()?,
            places: Places::new()?,
            clocks: Clocks::new(model, platform, INTERVALS),
            rings: Rings::new(),
            reports: Reports::new(sink),
            races: options.races,
            robustness: options.robustness,
        })
    }

    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    pub(crate) fn reports(&self) -> &Reports {
        &self.reports
    }

    pub(crate) fn new_thread(&'static self, parent: Option<&Thread>, number: u32) -> ThreadClock {
        let parent = parent.map(|parent| parent.clock.clock);
        let Some(clock) = self.clocks.spawn(parent, number) else {
            complain!("there are more than {} threads at once", fencepost_clocks::MAX_THREADS);
            sys::exit_now(2);
        };
        let Some(ring) = self.rings.get_or_make(clock.slot()) else {
            complain!("no memory for another thread");
            sys::exit_now(2);
        };
        ThreadClock { clock, ring }
    }

    /// The thread has ended.
    pub(crate) fn end_thread(&self, ended: &ThreadClock) {
        self.clocks.finish(ended.clock);
    }

    pub(crate) fn join_thread(&self, by: &Thread, ended: &ThreadClock) {
        self.clocks.join(by.clock.clock, ended.clock);
    }

    /// Notes that it will not be joined.
    pub(crate) fn discard_thread(&self, ended: &ThreadClock) {
        self.clocks.discard(ended.clock);
    }

    /// Everything at these addresses is no more.
    pub(crate) fn forget(&self, start: usize, size: usize) {
        if !sys::is_ours(start) {
            shadow::clear(start, size);
            self.table.forget(start, size, &self.clocks);
        }
    }

    /// Takes all locks, so that none is held by a thread that a fork leaves behind.
    pub(crate) fn before_fork(&self) {
        self.reports.before_fork();
        self.table.lock_all();
        self.clocks.freeze();
    }

    pub(crate) fn after_fork(&self) {
        // SAFETY: frozen by `before_fork`.
        unsafe { self.clocks.thaw() };
        self.table.unlock_all();
        self.reports.after_fork();
    }
}

/// What the clocks know of a thread.
#[derive(Clone, Copy)]
pub(crate) struct ThreadClock {
    clock: &'static fencepost_clocks::Thread,
    ring: &'static Ring,
}

impl ThreadClock {
    pub(crate) fn clock(&self) -> &'static fencepost_clocks::Thread {
        self.clock
    }

    pub(crate) fn ring(&self) -> &'static Ring {
        self.ring
    }
}
