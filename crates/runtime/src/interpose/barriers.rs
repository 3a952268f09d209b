use core::ffi::{c_int, c_uint, c_void};

use hashbrown::HashMap;
use libc::pthread_barrier_t;

use crate::spin::SpinLock;
use crate::{detector, export, real, schedule, thread};

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

static BARRIERS: SpinLock<Option<HashMap<usize, State, foldhash::fast::FixedState>>> = SpinLock::new(None);

pub fn before_fork() {
    BARRIERS.hold();
}

pub fn after_fork() {
    BARRIERS.reset();
}

unsafe extern "C" fn pthread_barrier_init(barrier: Barrier, attributes: *const c_void, threads: c_uint) -> c_int {
    let init = real!(c"pthread_barrier_init", fn(Barrier, *const c_void, c_uint) -> c_int);
    if thread::enter().is_some() {
        let state = State { threads, arrived: 0, passed: 0 };
        BARRIERS.lock().get_or_insert_default().insert(barrier as usize, state);
    }
    // SAFETY: the program's barrier.
    unsafe { init(barrier, attributes, threads) }
}

/// Two places take turns, so that a thread that is quick to arrive again does not release to those still leaving.
fn key(barrier: Barrier, passed: usize) -> usize {
    barrier as usize + passed % 2
}

fn passed(barrier: Barrier) -> Option<usize> {
    BARRIERS.lock().as_ref()?.get(&(barrier as usize)).map(|state| state.passed)
}

unsafe extern "C" fn pthread_barrier_wait(barrier: Barrier) -> c_int {
    let wait = real!(c"pthread_barrier_wait", fn(Barrier) -> c_int);
    // SAFETY: the program's barrier,.
    let Some(thread) = thread::enter() else { return unsafe { wait(barrier) } };
    schedule::point(thread);
    // SAFETY: the program's barrier.
    let Some(before) = passed(barrier) else { return unsafe { wait(barrier) } };
    detector::release(thread, key(barrier, before));
    let last = {
        let mut barriers = BARRIERS.lock();
        let Some(state) = barriers.as_mut().and_then(|barriers| barriers.get_mut(&(barrier as usize))) else {
            return libc::EINVAL;
        };
        state.arrived += 1;
        let last = state.arrived == state.threads;
        if last {
            state.arrived = 0;
            state.passed += 1;
        }
        last
    };
    let result = if !schedule::is_controlled() {
        // SAFETY: the program's barrier.
        unsafe { wait(barrier) }
    } else if last {
        schedule::wake(barrier as usize, usize::MAX);
        libc::PTHREAD_BARRIER_SERIAL_THREAD
    } else {
        while passed(barrier) == Some(before) {
            schedule::block(thread, barrier as usize, false);
        }
        0
    };
    detector::acquire(thread, key(barrier, before));
    result
}

unsafe extern "C" fn pthread_barrier_destroy(barrier: Barrier) -> c_int {
    let destroy = real!(c"pthread_barrier_destroy", fn(Barrier) -> c_int);
    if thread::enter().is_some()
        && BARRIERS.lock().as_mut().is_some_and(|barriers| barriers.remove(&(barrier as usize)).is_some())
    {
        detector::forget_sync(key(barrier, 0));
        detector::forget_sync(key(barrier, 1));
    }
    // SAFETY: the program's barrier.
    unsafe { destroy(barrier) }
}
