//! Between the program and the clocks: finds what is known of an address, and turns what the clocks say into reports.

mod atomics;
mod plain;
mod syncs;

use core::sync::atomic::{AtomicPtr, Ordering};

use alloc::boxed::Box;
use fencepost_clocks::{Clocks, Model, Platform};

pub use atomics::{Effect, Request, access, fence, load_again};
pub use plain::{freed, plain_anew, plain_anew_if, plain_range};
pub use syncs::{acquire, forget_sync, hold_for_writing, release};

use crate::table::Table;
use crate::thread::Thread;
use crate::{complain, runtime, shadow, sys, trace};

/// How many epochs of plain accesses are told apart before shadow memory is cleared. They take eight bytes each.
const INTERVALS: u32 = 1 << 20;

struct Detector {
    clocks: Clocks,
    table: Table,
}

static DETECTOR: AtomicPtr<Detector> = AtomicPtr::new(core::ptr::null_mut());

#[inline(always)]
fn detector() -> &'static Detector {
    // SAFETY: set when the runtime starts, before there is a thread to ask for it.
    unsafe { &*DETECTOR.load(Ordering::Relaxed) }
}

fn map_or_end(bytes: usize) -> *mut u8 {
    sys::map(bytes).unwrap_or_else(|| {
        complain!("out of memory");
        sys::exit_now(2)
    })
}

/// False if there is no room.
pub fn initialise() -> bool {
    let Some(table) = Table::new().filter(|_| shadow::reserve()) else { return false };
    let model = match runtime::options().model {
        fencepost_wire::Model::Rc11 => Model::Rc11,
        fencepost_wire::Model::Rc20 => Model::Rc20,
    };
    let barrier = sys::can_make_all_threads_fence().then_some(sys::make_all_threads_fence as fn());
    let platform = Platform { map: map_or_end, yield_now: sys::yield_now, barrier };
    let detector = Box::new(Detector { clocks: Clocks::new(model, platform, INTERVALS), table });
    DETECTOR.store(Box::into_raw(detector), Ordering::Release);
    true
}

/// What the clocks know of a thread.
#[derive(Clone, Copy)]
pub struct ThreadClock {
    clock: &'static fencepost_clocks::Thread,
    ring: &'static trace::Ring,
}

impl ThreadClock {
    pub fn clock(&self) -> &'static fencepost_clocks::Thread {
        self.clock
    }

    pub fn trace(&self) -> trace::Trace {
        trace::Trace::new(self.ring)
    }
}

pub fn new_thread(parent: Option<&mut Thread>, number: u32) -> ThreadClock {
    let parent = parent.map(|parent| parent.clock.clock);
    let Some(clock) = detector().clocks.spawn(parent, number) else {
        complain!("there are more than {} threads at once", fencepost_clocks::MAX_THREADS);
        sys::exit_now(2);
    };
    let Some(ring) = trace::ring_for(clock.slot()) else {
        complain!("no memory for another thread");
        sys::exit_now(2);
    };
    ThreadClock { clock, ring }
}

/// The thread has ended.
pub fn end_thread(ended: &mut ThreadClock) {
    detector().clocks.finish(ended.clock);
}

pub fn join_thread(by: &mut Thread, ended: &mut ThreadClock) {
    detector().clocks.join(by.clock.clock, ended.clock);
}

/// Nobody will join it.
pub fn discard_thread(ended: &mut ThreadClock) {
    detector().clocks.discard(ended.clock);
}

/// Everything at these addresses is no more.
pub fn forget(start: usize, size: usize) {
    if !sys::is_ours(start) {
        shadow::clear(start, size);
        detector().table.forget(start, size, &detector().clocks);
    }
}

/// Takes all locks, so that none is held by a thread that a fork leaves behind.
pub fn lock_all() {
    detector().table.lock_all();
    detector().clocks.freeze();
}

pub fn unlock_all() {
    // SAFETY: frozen by `lock_all`.
    unsafe { detector().clocks.thaw() };
    detector().table.unlock_all();
}
