use core::ffi::{c_int, c_uint};

use libc::{sem_t, timespec};

use super::{forget_sync, threads};
use crate::thread::Thread;
use crate::{export, real, schedule, thread};

export! {
    ["sem_wait"] => sem_wait;
    ["sem_trywait"] => sem_trywait;
    ["sem_timedwait"] => sem_timedwait;
    ["sem_clockwait"] => sem_clockwait;
    ["sem_post"] => sem_post;
    ["sem_init"] => sem_init;
    ["sem_destroy"] => sem_destroy;
}

type Semaphore = *mut sem_t;
type Time = *const timespec;

/// These return -1 and set errno.
fn wait(semaphore: Semaphore, timed: bool, wait: impl FnOnce() -> c_int) -> c_int {
    let Some(thread) = thread::enter() else { return wait() };
    let result = if schedule::is_controlled() { wait_in_turn(thread, semaphore, timed) } else { wait() };
    if result == 0 {
        thread.detector.acquire(thread, semaphore as usize);
    }
    result
}

fn wait_in_turn(thread: &mut Thread, semaphore: Semaphore, timed: bool) -> c_int {
    let attempt = real!(c"sem_trywait", fn(Semaphore) -> c_int);
    schedule::point(thread);
    // SAFETY: the program's semaphore; errno is this thread's.
    unsafe {
        while attempt(semaphore) != 0 {
            if *libc::__errno_location() != libc::EAGAIN {
                return -1;
            }
            threads::end_if_cancelled();
            if !schedule::block(thread, semaphore as usize, timed) {
                *libc::__errno_location() = libc::ETIMEDOUT;
                return -1;
            }
        }
    }
    0
}

unsafe extern "C" fn sem_wait(semaphore: Semaphore) -> c_int {
    let real_wait = real!(c"sem_wait", fn(Semaphore) -> c_int);
    // SAFETY: the program's semaphore.
    wait(semaphore, false, || unsafe { real_wait(semaphore) })
}

unsafe extern "C" fn sem_trywait(semaphore: Semaphore) -> c_int {
    let attempt = real!(c"sem_trywait", fn(Semaphore) -> c_int);
    // SAFETY: the program's semaphore.
    let Some(thread) = thread::enter() else { return unsafe { attempt(semaphore) } };
    schedule::point(thread);
    // SAFETY: the program's semaphore.
    let result = unsafe { attempt(semaphore) };
    if result == 0 {
        thread.detector.acquire(thread, semaphore as usize);
    }
    result
}

unsafe extern "C" fn sem_timedwait(semaphore: Semaphore, time: Time) -> c_int {
    let real_wait = real!(c"sem_timedwait", fn(Semaphore, Time) -> c_int);
    // SAFETY: the program's semaphore.
    wait(semaphore, true, || unsafe { real_wait(semaphore, time) })
}

unsafe extern "C" fn sem_clockwait(semaphore: Semaphore, clock: c_int, time: Time) -> c_int {
    let real_wait = real!(c"sem_clockwait", fn(Semaphore, c_int, Time) -> c_int);
    // SAFETY: the program's semaphore.
    wait(semaphore, true, || unsafe { real_wait(semaphore, clock, time) })
}

unsafe extern "C" fn sem_post(semaphore: Semaphore) -> c_int {
    let post = real!(c"sem_post", fn(Semaphore) -> c_int);
    // SAFETY: the program's semaphore.
    let Some(thread) = thread::enter() else { return unsafe { post(semaphore) } };
    thread.detector.release(thread, semaphore as usize);
    // SAFETY: the program's semaphore.
    let result = unsafe { post(semaphore) };
    schedule::wake(Some(thread), semaphore as usize, usize::MAX);
    schedule::point(thread);
    result
}

unsafe extern "C" fn sem_init(semaphore: Semaphore, shared: c_int, value: c_uint) -> c_int {
    let init = real!(c"sem_init", fn(Semaphore, c_int, c_uint) -> c_int);
    forget_sync(semaphore as usize);
    // SAFETY: the program's semaphore.
    unsafe { init(semaphore, shared, value) }
}

unsafe extern "C" fn sem_destroy(semaphore: Semaphore) -> c_int {
    let destroy = real!(c"sem_destroy", fn(Semaphore) -> c_int);
    forget_sync(semaphore as usize);
    // SAFETY: the program's semaphore.
    unsafe { destroy(semaphore) }
}
