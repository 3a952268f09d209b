//! Mutexes, read-write locks and spin locks.

use core::ffi::{c_int, c_void};

use libc::{pthread_mutex_t, pthread_rwlock_t, timespec};

use super::{acquired, c11_status, forget_sync, try_in_turn};
use crate::{export, real, schedule, thread};

export! {
    ["pthread_mutex_lock"] => pthread_mutex_lock;
    ["pthread_mutex_trylock"] => pthread_mutex_trylock;
    ["pthread_mutex_timedlock"] => pthread_mutex_timedlock;
    ["pthread_mutex_clocklock"] => pthread_mutex_clocklock;
    ["pthread_mutex_unlock"] => pthread_mutex_unlock;
    ["pthread_mutex_destroy"] => pthread_mutex_destroy;
    ["mtx_lock"] => mtx_lock;
    ["mtx_trylock"] => mtx_trylock;
    ["mtx_timedlock"] => mtx_timedlock;
    ["mtx_unlock"] => mtx_unlock;
    ["mtx_destroy"] => mtx_destroy;
    ["pthread_rwlock_rdlock"] => pthread_rwlock_rdlock;
    ["pthread_rwlock_tryrdlock"] => pthread_rwlock_tryrdlock;
    ["pthread_rwlock_timedrdlock"] => pthread_rwlock_timedrdlock;
    ["pthread_rwlock_clockrdlock"] => pthread_rwlock_clockrdlock;
    ["pthread_rwlock_wrlock"] => pthread_rwlock_wrlock;
    ["pthread_rwlock_trywrlock"] => pthread_rwlock_trywrlock;
    ["pthread_rwlock_timedwrlock"] => pthread_rwlock_timedwrlock;
    ["pthread_rwlock_clockwrlock"] => pthread_rwlock_clockwrlock;
    ["pthread_rwlock_unlock"] => pthread_rwlock_unlock;
    ["pthread_rwlock_destroy"] => pthread_rwlock_destroy;
    ["pthread_spin_lock"] => pthread_spin_lock;
    ["pthread_spin_trylock"] => pthread_spin_trylock;
    ["pthread_spin_unlock"] => pthread_spin_unlock;
    ["pthread_spin_destroy"] => pthread_spin_destroy;
}

type Mutex = *mut pthread_mutex_t;
type RwLock = *mut pthread_rwlock_t;
/// A volatile int; of the same type as a pointer to anything for calls.
type Spin = *mut c_void;
type Time = *const timespec;

/// Locks for good: with `wait` when threads run freely, with `attempt` when they take turns.
fn lock(key: usize, timed: bool, wait: impl FnOnce() -> c_int, attempt: impl FnMut() -> c_int) -> c_int {
    let Some(thread) = thread::enter() else { return wait() };
    let result = if schedule::is_controlled() { try_in_turn(thread, key, timed, libc::EBUSY, attempt) } else { wait() };
    acquired(thread, key, result)
}

fn try_lock(key: usize, attempt: impl FnOnce() -> c_int) -> c_int {
    let Some(thread) = thread::enter() else { return attempt() };
    schedule::point(thread);
    let result = attempt();
    acquired(thread, key, result)
}

fn unlock(key: usize, unlock: impl FnOnce() -> c_int) -> c_int {
    let Some(thread) = thread::enter() else { return unlock() };
    thread.detector.release(thread, key);
    let result = unlock();
    schedule::wake(Some(thread), key, usize::MAX);
    schedule::point(thread);
    result
}

fn destroy(key: usize, destroy: impl FnOnce() -> c_int) -> c_int {
    if thread::enter().is_some() {
        forget_sync(key);
    }
    destroy()
}

fn mutex_attempt(mutex: Mutex) -> impl FnMut() -> c_int {
    let attempt = real!(c"pthread_mutex_trylock", fn(Mutex) -> c_int);
    // SAFETY: the program's mutex.
    move || unsafe { attempt(mutex) }
}

pub(super) unsafe extern "C" fn pthread_mutex_lock(mutex: Mutex) -> c_int {
    let wait = real!(c"pthread_mutex_lock", fn(Mutex) -> c_int);
    // SAFETY: the program's mutex.
    lock(mutex as usize, false, || unsafe { wait(mutex) }, mutex_attempt(mutex))
}

unsafe extern "C" fn pthread_mutex_trylock(mutex: Mutex) -> c_int {
    try_lock(mutex as usize, mutex_attempt(mutex))
}

unsafe extern "C" fn pthread_mutex_timedlock(mutex: Mutex, time: Time) -> c_int {
    let wait = real!(c"pthread_mutex_timedlock", fn(Mutex, Time) -> c_int);
    // SAFETY: the program's arguments.
    lock(mutex as usize, true, || unsafe { wait(mutex, time) }, mutex_attempt(mutex))
}

unsafe extern "C" fn pthread_mutex_clocklock(mutex: Mutex, clock: c_int, time: Time) -> c_int {
    let wait = real!(c"pthread_mutex_clocklock", fn(Mutex, c_int, Time) -> c_int);
    // SAFETY: the program's arguments.
    lock(mutex as usize, true, || unsafe { wait(mutex, clock, time) }, mutex_attempt(mutex))
}

pub(super) unsafe extern "C" fn pthread_mutex_unlock(mutex: Mutex) -> c_int {
    let real_unlock = real!(c"pthread_mutex_unlock", fn(Mutex) -> c_int);
    // SAFETY: the program's mutex.
    unlock(mutex as usize, || unsafe { real_unlock(mutex) })
}

unsafe extern "C" fn pthread_mutex_destroy(mutex: Mutex) -> c_int {
    let real_destroy = real!(c"pthread_mutex_destroy", fn(Mutex) -> c_int);
    // SAFETY: the program's mutex.
    destroy(mutex as usize, || unsafe { real_destroy(mutex) })
}

// An mtx_t of the C library is a pthread_mutex_t.
unsafe extern "C" fn mtx_lock(mutex: Mutex) -> c_int {
    // SAFETY: the program's mutex, which is a pthread_mutex_t.
    c11_status(unsafe { pthread_mutex_lock(mutex) })
}

unsafe extern "C" fn mtx_trylock(mutex: Mutex) -> c_int {
    // SAFETY: the program's mutex, which is a pthread_mutex_t.
    c11_status(unsafe { pthread_mutex_trylock(mutex) })
}

unsafe extern "C" fn mtx_timedlock(mutex: Mutex, time: Time) -> c_int {
    // SAFETY: the program's mutex, which is a pthread_mutex_t.
    c11_status(unsafe { pthread_mutex_timedlock(mutex, time) })
}

unsafe extern "C" fn mtx_unlock(mutex: Mutex) -> c_int {
    // SAFETY: the program's mutex, which is a pthread_mutex_t.
    c11_status(unsafe { pthread_mutex_unlock(mutex) })
}

unsafe extern "C" fn mtx_destroy(mutex: Mutex) {
    // SAFETY: the program's mutex, which is a pthread_mutex_t.
    unsafe { pthread_mutex_destroy(mutex) };
}

/// Readers release to a place of their own, from which only writers acquire: readers do not order each other.
fn readers(lock: RwLock) -> usize {
    lock as usize + 1
}

fn read_lock(rwlock: RwLock, timed: bool, wait: impl FnOnce() -> c_int) -> c_int {
    let attempt = real!(c"pthread_rwlock_tryrdlock", fn(RwLock) -> c_int);
    // SAFETY: the program's lock.
    lock(rwlock as usize, timed, wait, || unsafe { attempt(rwlock) })
}

fn write_lock(rwlock: RwLock, timed: bool, wait: impl FnOnce() -> c_int) -> c_int {
    let attempt = real!(c"pthread_rwlock_trywrlock", fn(RwLock) -> c_int);
    // SAFETY: the program's lock.
    let result = lock(rwlock as usize, timed, wait, || unsafe { attempt(rwlock) });
    write_locked(rwlock, result)
}

fn write_locked(rwlock: RwLock, result: c_int) -> c_int {
    if result == 0
        && let Some(thread) = thread::enter()
    {
        thread.detector.acquire(thread, readers(rwlock));
        thread.detector.hold_for_writing(rwlock as usize, true);
    }
    result
}

unsafe extern "C" fn pthread_rwlock_rdlock(rwlock: RwLock) -> c_int {
    let wait = real!(c"pthread_rwlock_rdlock", fn(RwLock) -> c_int);
    // SAFETY: the program's lock.
    read_lock(rwlock, false, || unsafe { wait(rwlock) })
}

unsafe extern "C" fn pthread_rwlock_tryrdlock(rwlock: RwLock) -> c_int {
    let attempt = real!(c"pthread_rwlock_tryrdlock", fn(RwLock) -> c_int);
    // SAFETY: the program's lock.
    try_lock(rwlock as usize, || unsafe { attempt(rwlock) })
}

unsafe extern "C" fn pthread_rwlock_timedrdlock(rwlock: RwLock, time: Time) -> c_int {
    let wait = real!(c"pthread_rwlock_timedrdlock", fn(RwLock, Time) -> c_int);
    // SAFETY: the program's lock.
    read_lock(rwlock, true, || unsafe { wait(rwlock, time) })
}

unsafe extern "C" fn pthread_rwlock_clockrdlock(rwlock: RwLock, clock: c_int, time: Time) -> c_int {
    let wait = real!(c"pthread_rwlock_clockrdlock", fn(RwLock, c_int, Time) -> c_int);
    // SAFETY: the program's lock.
    read_lock(rwlock, true, || unsafe { wait(rwlock, clock, time) })
}

unsafe extern "C" fn pthread_rwlock_wrlock(rwlock: RwLock) -> c_int {
    let wait = real!(c"pthread_rwlock_wrlock", fn(RwLock) -> c_int);
    // SAFETY: the program's lock.
    write_lock(rwlock, false, || unsafe { wait(rwlock) })
}

unsafe extern "C" fn pthread_rwlock_trywrlock(rwlock: RwLock) -> c_int {
    let attempt = real!(c"pthread_rwlock_trywrlock", fn(RwLock) -> c_int);
    // SAFETY: the program's lock.
    let result = try_lock(rwlock as usize, || unsafe { attempt(rwlock) });
    write_locked(rwlock, result)
}

unsafe extern "C" fn pthread_rwlock_timedwrlock(rwlock: RwLock, time: Time) -> c_int {
    let wait = real!(c"pthread_rwlock_timedwrlock", fn(RwLock, Time) -> c_int);
    // SAFETY: the program's lock.
    write_lock(rwlock, true, || unsafe { wait(rwlock, time) })
}

unsafe extern "C" fn pthread_rwlock_clockwrlock(rwlock: RwLock, clock: c_int, time: Time) -> c_int {
    let wait = real!(c"pthread_rwlock_clockwrlock", fn(RwLock, c_int, Time) -> c_int);
    // SAFETY: the program's lock.
    write_lock(rwlock, true, || unsafe { wait(rwlock, clock, time) })
}

unsafe extern "C" fn pthread_rwlock_unlock(rwlock: RwLock) -> c_int {
    let real_unlock = real!(c"pthread_rwlock_unlock", fn(RwLock) -> c_int);
    // SAFETY: the program's lock.
    let Some(thread) = thread::enter() else { return unsafe { real_unlock(rwlock) } };
    let writing = thread.detector.hold_for_writing(rwlock as usize, false);
    thread.detector.release(thread, if writing { rwlock as usize } else { readers(rwlock) });
    // SAFETY: the program's lock.
    let result = unsafe { real_unlock(rwlock) };
    schedule::wake(Some(thread), rwlock as usize, usize::MAX);
    schedule::point(thread);
    result
}

unsafe extern "C" fn pthread_rwlock_destroy(rwlock: RwLock) -> c_int {
    let real_destroy = real!(c"pthread_rwlock_destroy", fn(RwLock) -> c_int);
    forget_sync(readers(rwlock));
    // SAFETY: the program's lock.
    destroy(rwlock as usize, || unsafe { real_destroy(rwlock) })
}

fn spin_attempt(spin: Spin) -> impl FnMut() -> c_int {
    let attempt = real!(c"pthread_spin_trylock", fn(Spin) -> c_int);
    // SAFETY: the program's lock.
    move || unsafe { attempt(spin) }
}

unsafe extern "C" fn pthread_spin_lock(spin: Spin) -> c_int {
    let wait = real!(c"pthread_spin_lock", fn(Spin) -> c_int);
    // SAFETY: the program's lock.
    lock(spin as usize, false, || unsafe { wait(spin) }, spin_attempt(spin))
}

unsafe extern "C" fn pthread_spin_trylock(spin: Spin) -> c_int {
    try_lock(spin as usize, spin_attempt(spin))
}

unsafe extern "C" fn pthread_spin_unlock(spin: Spin) -> c_int {
    let real_unlock = real!(c"pthread_spin_unlock", fn(Spin) -> c_int);
    // SAFETY: the program's lock.
    unlock(spin as usize, || unsafe { real_unlock(spin) })
}

unsafe extern "C" fn pthread_spin_destroy(spin: Spin) -> c_int {
    let real_destroy = real!(c"pthread_spin_destroy", fn(Spin) -> c_int);
    // SAFETY: the program's lock.
    destroy(spin as usize, || unsafe { real_destroy(spin) })
}
