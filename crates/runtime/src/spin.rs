//! A lock for short sections. It never calls the C library, and gives way to the system when it has to wait.
//!
//! A signal handler that interrupts a thread which holds such a lock must not ask for it again. So a thread counts as
//! inside the runtime for as long as it holds one (see [`crate::inside`]).

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering};

use crate::inside::Inside;
use crate::{sys, thread};

pub(crate) struct SpinLock<T> {
    locked: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only while the lock is held.
unsafe impl<T: Send> Sync for SpinLock<T> {}

impl<T> SpinLock<T> {
    pub(crate) const fn new(value: T) -> SpinLock<T> {
        SpinLock { locked: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    #[inline]
    pub(crate) fn lock(&self) -> Guard<'_, T> {
        let inside = thread::enter_runtime();
        if self.locked.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.wait();
        }
        Guard { lock: self, _inside: inside }
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
    pub(crate) fn hold(&self) {
        core::mem::forget(self.lock());
    }

    /// Frees the lock. After a fork, the thread that held it is not there any more.
    pub(crate) fn reset(&self) {
        self.locked.store(false, Ordering::Release);
    }
}

pub(crate) struct Guard<'a, T> {
    lock: &'a SpinLock<T>,
    /// Of the thread, if it is known. It ends when the lock is free again.
    _inside: Option<Inside>,
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
    }
}
