use core::ffi::{c_int, c_uint, c_void};

use hashbrown::HashMap;
use libc::pthread_barrier_t;

use super::forget_sync;
use crate::runtime::ROOT;
use crate::spin::SpinLock;
use crate::{export, real, schedule, thread};

export! {
    ["pthread_barrier_init"] => pthread_barrier_init;
    ["pthread_barrier_wait"] => pthread_barrier_wait;
    ["pthread_barrier_destroy"] => pthread_barrier_destroy;
}

type Barrier = *mut pthread_barrier_t;

struct State {
    threads: u32,
    arrived: u32,
    /// How often the barrier was passed.
    passed: usize,
}

/// The barriers of the program, by address.
pub(crate) struct Barriers(SpinLock<Option<HashMap<usize, State, foldhash::fast::FixedState>>>);

impl Barriers {
    pub(crate) const fn new() -> Barriers {
        Barriers(SpinLock::new(None))
    }

    fn add(&self, barrier: Barrier, threads: u32) {
        let state = State { threads, arrived: 0, passed: 0 };
        self.0.lock().get_or_insert_default().insert(barrier as usize, state);
    }

    /// Whether it was there.
    fn remove(&self, barrier: Barrier) -> bool {
        self.0.lock().as_mut().is_some_and(|barriers| barriers.remove(&(barrier as usize)).is_some())
    }

    /// How often the barrier was passed.
    fn passed(&self, barrier: Barrier) -> Option<usize> {
        self.0.lock().as_ref()?.get(&(barrier as usize)).map(|state| state.passed)
    }

    /// Another thread is there: whether it is the last.
    fn arrive(&self, barrier: Barrier) -> Option<bool> {
        let mut barriers = self.0.lock();
        let state = barriers.as_mut()?.get_mut(&(barrier as usize))?;
        state.arrived += 1;
        let is_last = state.arrived == state.threads;
        if is_last {
            state.arrived = 0;
            state.passed += 1;
        }
        Some(is_last)
    }

    pub(crate) fn before_fork(&self) {
        self.0.hold();
    }

    pub(crate) fn after_fork(&self) {
        self.0.reset();
    }
}

unsafe extern "C" fn pthread_barrier_init(barrier: Barrier, attributes: *const c_void, threads: c_uint) -> c_int {
    let init = real!(c"pthread_barrier_init", fn(Barrier, *const c_void, c_uint) -> c_int);
    if thread::enter().is_some() {
        ROOT.barriers.add(barrier, threads);
    }
    // SAFETY: the program's barrier.
    unsafe { init(barrier, attributes, threads) }
}

/// Two places take turns, so that a thread that is quick to arrive again does not release to those still leaving.
fn key(barrier: Barrier, passed: usize) -> usize {
    barrier as usize + passed % 2
}

unsafe extern "C" fn pthread_barrier_wait(barrier: Barrier) -> c_int {
    let wait = real!(c"pthread_barrier_wait", fn(Barrier) -> c_int);
    // SAFETY: the program's barrier.
    let Some(thread) = thread::enter() else { return unsafe { wait(barrier) } };
    schedule::point(thread);
    // SAFETY: the program's barrier.
    let Some(before) = ROOT.barriers.passed(barrier) else { return unsafe { wait(barrier) } };
    thread.detector.release(thread, key(barrier, before));
    let Some(is_last) = ROOT.barriers.arrive(barrier) else { return libc::EINVAL };
    let result = if !schedule::is_controlled() {
        // SAFETY: the program's barrier.
        unsafe { wait(barrier) }
    } else if is_last {
        schedule::wake(Some(thread), barrier as usize, usize::MAX);
        libc::PTHREAD_BARRIER_SERIAL_THREAD
    } else {
        while ROOT.barriers.passed(barrier) == Some(before) {
            schedule::block(thread, barrier as usize, false);
        }
        0
    };
    thread.detector.acquire(thread, key(barrier, before));
    result
}

unsafe extern "C" fn pthread_barrier_destroy(barrier: Barrier) -> c_int {
    let destroy = real!(c"pthread_barrier_destroy", fn(Barrier) -> c_int);
    if thread::enter().is_some() && ROOT.barriers.remove(barrier) {
        forget_sync(key(barrier, 0));
        forget_sync(key(barrier, 1));
    }
    // SAFETY: the program's barrier.
    unsafe { destroy(barrier) }
}
