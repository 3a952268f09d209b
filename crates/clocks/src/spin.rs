use core::cell::UnsafeCell;
use core::hint::spin_loop;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering};

/// A lock for sections of some hundred instructions.
pub(crate) struct RawLock(AtomicBool);

impl RawLock {
    pub(crate) const fn new() -> RawLock {
        RawLock(AtomicBool::new(false))
    }

    #[inline]
    pub(crate) fn acquire(&self, yield_now: fn()) {
        if self.0.swap(true, Ordering::Acquire) {
            self.wait(yield_now);
        }
    }

    /// Looks again after longer and longer pauses: each look takes the cache line away from the holder, which is about
    /// to change it.
    #[cold]
    fn wait(&self, yield_now: fn()) {
        let (mut pauses, mut waited) = (4u32, 0u32);
        loop {
            for _ in 0..pauses {
                spin_loop();
            }
            if !self.0.load(Ordering::Relaxed) && !self.0.swap(true, Ordering::Acquire) {
                return;
            }
            waited += pauses;
            if waited >= 256 {
                yield_now();
                (pauses, waited) = (4, 0);
            } else {
                pauses = (pauses * 2).min(32);
            }
        }
    }

    #[inline]
    pub(crate) fn is_held(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    #[inline]
    pub(crate) fn release(&self) {
        self.0.store(false, Ordering::Release);
    }
}

/// A value that is only reached while its lock is held.
pub(crate) struct Spin<T> {
    lock: RawLock,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached through `Held` only, one at a time.
unsafe impl<T> Sync for Spin<T> {}

impl<T> Spin<T> {
    pub(crate) const fn new(value: T) -> Spin<T> {
        Spin { lock: RawLock::new(), value: UnsafeCell::new(value) }
    }

    pub(crate) fn lock(&self, yield_now: fn()) -> Held<'_, T> {
        self.lock.acquire(yield_now);
        Held(self)
    }
}

pub(crate) struct Held<'a, T>(&'a Spin<T>);

impl<T> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Held<'_, T> {
    fn drop(&mut self) {
        self.0.lock.release();
    }
}

impl<T> Spin<T> {
    /// # Safety
    /// The lock must be held, by a [`Held`] that was forgotten.
    pub(crate) unsafe fn held(&self) -> Held<'_, T> {
        Held(self)
    }
}
