//! A lock for short sections. It never calls the C library, and gives way to the system when it has to wait.
//!
//! A signal handler that interrupts a thread which holds such a lock must not ask for it again. So a thread counts as inside the
//! runtime for as long as it holds one (see [`crate::thread::Thread::inside`]).

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering};

use crate::thread::Thread;
use crate::{sys, tls};

pub struct SpinLock<T> {
    locked: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only while the lock is held.
unsafe impl<T: Send> Sync for SpinLock<T> {}

impl<T> SpinLock<T> {
    pub const fn new(value: T) -> SpinLock<T> {
        SpinLock { locked: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    #[inline]
    pub fn lock(&self) -> Guard<'_, T> {
        let owner = enter();
        if self.locked.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.wait();
        }
        Guard { lock: self, owner }
    }

    #[cold]
    fn wait(&self) {
        let mut turns = 0u32;
        while self.locked.load(Ordering::Relaxed) || self.locked.swap(true, Ordering::Acquire) {
            turns += 1;
            if turns.is_multiple_of(64) { sys::yield_now() } else { core::hint::spin_loop() }
        }
    }

    /// Locks it until it is [`reset`](SpinLock::reset), for a fork.
    pub fn hold(&self) {
        core::mem::forget(self.lock());
    }

    /// Forgets who held the lock. After a fork, that thread is not there any more.
    pub fn reset(&self) {
        self.locked.store(false, Ordering::Release);
    }
}

/// The thread, if it is known, which is inside from now on.
#[inline(always)]
fn enter() -> *mut Thread {
    let thread = tls::thread();
    if thread as usize > 1 {
        // SAFETY: a thread's own record.
        unsafe { (*thread).inside += 1 };
    }
    thread
}

pub struct Guard<'a, T> {
    lock: &'a SpinLock<T>,
    owner: *mut Thread,
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held, and only once.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.lock.locked.store(false, Ordering::Release);
        if self.owner as usize > 1 {
            // SAFETY: a thread's own record, which outlives the thread.
            unsafe { (*self.owner).inside -= 1 };
        }
    }
}
