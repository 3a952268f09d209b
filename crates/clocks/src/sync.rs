//! Fences, and synchronisation objects of the program: mutexes, condition variables, semaphores and so on.

use core::cell::UnsafeCell;

use crate::clocks::Clocks;
use crate::order::{Model, Order};
use crate::pool::Pool;
use crate::psc::PscSync;
use crate::spin::RawLock;
use crate::thread::Thread;
use crate::vector::Stamped;

/// Something through which threads synchronise that is not an atomic location: what was released into it is what an
/// acquire gets, along hb and along hbSC.
pub struct Sync {
    pub(crate) lock: RawLock,
    pub(crate) state: UnsafeCell<SyncState>,
}

// SAFETY: the state is reached under the lock only.
unsafe impl core::marker::Sync for Sync {}
// SAFETY: as above.
unsafe impl Send for Sync {}

pub(crate) struct SyncState {
    released: Stamped,
    sc_released: Stamped,
    psc: PscSync,
}

impl SyncState {
    pub(crate) fn psc(&self) -> &PscSync {
        &self.psc
    }

    pub(crate) const fn new() -> SyncState {
        SyncState { released: Stamped::BOTTOM, sc_released: Stamped::BOTTOM, psc: PscSync::new() }
    }

    pub(crate) fn free(&mut self, pool: &Pool) {
        self.released.free(pool);
        self.sc_released.free(pool);
        self.psc = PscSync::new();
    }
}

/// The location that SC fences read and write under RC20 (paper 000 §4.2).
pub(crate) struct FenceState {
    written: Stamped,
    sc_written: Stamped,
}

impl FenceState {
    pub(crate) const fn new() -> FenceState {
        FenceState { written: Stamped::BOTTOM, sc_written: Stamped::BOTTOM }
    }
}

impl Clocks {
    /// The thread gets what was released into the object: it locked a mutex, passed a barrier, was woken.
    pub fn acquire(&self, thread: &Thread, sync: &Sync) {
        self.with_sync(sync, |object| {
            // SAFETY: the thread is the caller, and a collection waits for the lock of the object.
            let state = unsafe { &mut *thread.state.get() };
            state.step(thread.slot, &self.pool);
            state.learn(&object.released, &self.pool);
            state.learn_sc(&object.sc_released, &self.pool);
            state.leave(thread.slot, &self.pool);
            if !object.psc.is_bottom() {
                state.psc.acquire(&object.psc, &self.pool);
            }
            thread.changed();
        });
    }

    /// The thread adds what it knows to the object: it unlocked a mutex, arrived at a barrier, signalled.
    pub fn release(&self, thread: &Thread, sync: &Sync) {
        self.with_sync(sync, |object| {
            // SAFETY: as in `acquire`.
            let state = unsafe { &mut *thread.state.get() };
            let number = state.step(thread.slot, &self.pool);
            state.leave(thread.slot, &self.pool);
            object.released.add(&state.published(thread.slot), &self.pool);
            object.sc_released.add(&state.published_sc(thread.slot), &self.pool);
            if state.psc.active {
                state.psc.release(&mut object.psc, &self.pool);
            }
            thread.released(number);
            thread.changed();
        });
    }

    /// What was released into the object is forgotten, as when it is initialised again.
    pub fn forget(&self, sync: &Sync) {
        self.with_sync(sync, |object| {
            object.released.clear();
            object.sc_released.clear();
            object.psc = PscSync::new();
        });
    }

    fn with_sync(&self, sync: &Sync, change: impl FnOnce(&mut SyncState)) {
        sync.lock.acquire(self.platform().yield_now);
        // SAFETY: the lock is held.
        change(unsafe { &mut *sync.state.get() });
        sync.lock.release();
        self.views_grew();
    }

    /// `atomic_thread_fence`. A relaxed one does nothing.
    pub fn fence(&self, thread: &Thread, order: Order) {
        if order == Order::Relaxed {
            return;
        }
        if order == Order::SeqCst && self.model() == Model::Rc20 {
            return self.sc_fence_as_rmw(thread);
        }
        // SAFETY: the thread is the caller.
        if order == Order::Acquire && unsafe { (*thread.state.get()).has_nothing_to_acquire() } {
            return;
        }
        let pool = &self.pool;
        self.alone(thread, |state| {
            let number = state.step(thread.slot, pool);
            state.leave(thread.slot, pool);
            if order.is_acquire() {
                state.acquire_fence(pool);
                state.psc.acquire_fence(pool);
            }
            if order.is_sc() {
                state.psc.sc_fence(thread.slot, number, &state.current, pool);
            }
            if order.is_release() {
                state.release_fence(thread.slot, pool);
                if state.psc.active {
                    state.psc.release_fence();
                }
                thread.released(number);
            }
        });
        self.views_grew();
    }

    /// `fence(acq); FADD(f, 0, acqrel); fence(rel)`, as one event: nothing can come between the three.
    fn sc_fence_as_rmw(&self, thread: &Thread) {
        let pool = &self.pool;
        let mut cell = self.fence.lock(self.platform().yield_now);
        self.alone(thread, |state| {
            let number = state.step(thread.slot, pool);
            state.leave(thread.slot, pool);
            state.acquire_fence(pool);
            state.learn(&cell.written, pool);
            state.learn_sc(&cell.sc_written, pool);
            cell.written.assign(&state.published(thread.slot), pool);
            cell.sc_written.assign(&state.published_sc(thread.slot), pool);
            state.release_fence(thread.slot, pool);
            thread.released(number);
        });
    }
}
