//! Condition variables order nothing themselves: what a waiter learns, it learns through the mutex (C11 7.26.3).

use core::ffi::{c_int, c_void};

use libc::{pthread_cond_t, pthread_mutex_t, timespec};

use super::{c11_status, locks, threads};
use crate::{export, real, schedule, thread};

export! {
    ["pthread_cond_wait"] => pthread_cond_wait;
    ["pthread_cond_timedwait"] => pthread_cond_timedwait;
    ["pthread_cond_clockwait"] => pthread_cond_clockwait;
    ["pthread_cond_signal"] => pthread_cond_signal;
    ["pthread_cond_broadcast"] => pthread_cond_broadcast;
    ["cnd_wait"] => cnd_wait;
    ["cnd_timedwait"] => cnd_timedwait;
    ["cnd_signal"] => cnd_signal;
    ["cnd_broadcast"] => cnd_broadcast;
}

type Condition = *mut pthread_cond_t;
type Mutex = *mut pthread_mutex_t;
type Time = *const timespec;

/// A thread that is cancelled while it waits has the mutex again when its handlers run.
extern "C" fn reacquire(mutex: *mut c_void) {
    if let Some(thread) = thread::enter() {
        thread.detector.acquire(thread, mutex as usize);
    }
}

/// The C library's note of what to do when a thread is cancelled (`struct _pthread_cleanup_buffer`).
#[repr(C)]
struct Cleanup {
    routine: Option<extern "C" fn(*mut c_void)>,
    argument: *mut c_void,
    kind: c_int,
    previous: *mut Cleanup,
}

unsafe extern "C" {
    fn _pthread_cleanup_push(cleanup: *mut Cleanup, routine: extern "C" fn(*mut c_void), argument: *mut c_void);
    fn _pthread_cleanup_pop(cleanup: *mut Cleanup, execute: c_int);
}

/// Waits, and learns what the mutex tells in any case.
fn wait_in_system(mutex: Mutex, wait: impl FnOnce() -> c_int) -> c_int {
    let mut cleanup =
        Cleanup { routine: None, argument: core::ptr::null_mut(), kind: 0, previous: core::ptr::null_mut() };
    // SAFETY: the note is on the stack until it is taken back.
    unsafe { _pthread_cleanup_push(&raw mut cleanup, reacquire, mutex.cast()) };
    let result = wait();
    // SAFETY: the note that was pushed above, on this very stack.
    unsafe { _pthread_cleanup_pop(&raw mut cleanup, 1) };
    result
}

fn wait(condition: Condition, mutex: Mutex, timed: bool, wait: impl FnOnce() -> c_int) -> c_int {
    let Some(thread) = thread::enter() else { return wait() };
    if !schedule::is_controlled() {
        thread.detector.release(thread, mutex as usize);
        return wait_in_system(mutex, wait);
    }
    schedule::point(thread);
    threads::end_if_cancelled();
    // The mutex is given up and the thread is counted as waiting before anyone else has a turn.
    // SAFETY: the program's mutex, which the caller of a wait holds.
    schedule::without_turns(thread, || unsafe { locks::pthread_mutex_unlock(mutex) });
    let signalled = schedule::block(thread, condition as usize, timed);
    // SAFETY: the program's mutex, which the caller holds on both sides of the wait.
    let result = unsafe { locks::pthread_mutex_lock(mutex) };
    threads::end_if_cancelled();
    match (result, signalled) {
        (0, false) => libc::ETIMEDOUT,
        (result, _) => result,
    }
}

unsafe extern "C" fn pthread_cond_wait(condition: Condition, mutex: Mutex) -> c_int {
    let real_wait = real!(c"pthread_cond_wait" @ c"GLIBC_2.3.2", fn(Condition, Mutex) -> c_int);
    // SAFETY: the program's condition and its mutex, as it passed them.
    wait(condition, mutex, false, || unsafe { real_wait(condition, mutex) })
}

unsafe extern "C" fn pthread_cond_timedwait(condition: Condition, mutex: Mutex, time: Time) -> c_int {
    let real_wait = real!(c"pthread_cond_timedwait" @ c"GLIBC_2.3.2", fn(Condition, Mutex, Time) -> c_int);
    // SAFETY: the program's condition and its mutex, as it passed them.
    wait(condition, mutex, true, || unsafe { real_wait(condition, mutex, time) })
}

unsafe extern "C" fn pthread_cond_clockwait(condition: Condition, mutex: Mutex, clock: c_int, time: Time) -> c_int {
    let real_wait = real!(c"pthread_cond_clockwait", fn(Condition, Mutex, c_int, Time) -> c_int);
    // SAFETY: the program's condition and its mutex, as it passed them.
    wait(condition, mutex, true, || unsafe { real_wait(condition, mutex, clock, time) })
}

fn signal(condition: Condition, waiters: usize, signal: impl FnOnce() -> c_int) -> c_int {
    let Some(thread) = thread::enter() else { return signal() };
    if !schedule::is_controlled() {
        return signal();
    }
    schedule::wake(Some(thread), condition as usize, waiters);
    schedule::point(thread);
    0
}

unsafe extern "C" fn pthread_cond_signal(condition: Condition) -> c_int {
    let real_signal = real!(c"pthread_cond_signal" @ c"GLIBC_2.3.2", fn(Condition) -> c_int);
    // SAFETY: the program's condition and its mutex, as it passed them.
    signal(condition, 1, || unsafe { real_signal(condition) })
}

unsafe extern "C" fn pthread_cond_broadcast(condition: Condition) -> c_int {
    let real_signal = real!(c"pthread_cond_broadcast" @ c"GLIBC_2.3.2", fn(Condition) -> c_int);
    // SAFETY: the program's condition and its mutex, as it passed them.
    signal(condition, usize::MAX, || unsafe { real_signal(condition) })
}

// A cnd_t of the C library is a pthread_cond_t.
unsafe extern "C" fn cnd_wait(condition: Condition, mutex: Mutex) -> c_int {
    // SAFETY: the program's condition, which is a pthread_cond_t.
    c11_status(unsafe { pthread_cond_wait(condition, mutex) })
}

unsafe extern "C" fn cnd_timedwait(condition: Condition, mutex: Mutex, time: Time) -> c_int {
    // SAFETY: the program's condition, which is a pthread_cond_t.
    c11_status(unsafe { pthread_cond_timedwait(condition, mutex, time) })
}

unsafe extern "C" fn cnd_signal(condition: Condition) -> c_int {
    // SAFETY: the program's condition, which is a pthread_cond_t.
    c11_status(unsafe { pthread_cond_signal(condition) })
}

unsafe extern "C" fn cnd_broadcast(condition: Condition) -> c_int {
    // SAFETY: the program's condition, which is a pthread_cond_t.
    c11_status(unsafe { pthread_cond_broadcast(condition) })
}
