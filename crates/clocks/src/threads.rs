//! Threads begin, end and are joined. All three carry both hb and hbSC.

use core::sync::atomic::Ordering;

use crate::clocks::Clocks;
use crate::slots::Status;
use crate::thread::{Thread, ThreadState};

impl Clocks {
    /// A new thread, created by `parent` (`None` for the first), under a name of the caller's choice that reports will
    /// have. `None` if there are [`crate::MAX_THREADS`] already that run, were never joined, or ended unknown to the
    /// parent.
    pub fn spawn(&self, parent: Option<&Thread>, name: u32) -> Option<&Thread> {
        let yield_now = self.platform().yield_now;
        if let Some(parent) = parent {
            // SAFETY: the parent is the caller.
            self.alone(parent, |state| unsafe { self.publish(parent, state) });
        }
        let child = {
            let mut slots = self.slots.lock(yield_now);
            // SAFETY: the parent is the caller, and changes its clocks nowhere else.
            let knows = parent.map(|p| unsafe { &*p.state.get() });
            // SAFETY: threads stay where they are.
            unsafe { &*slots.take(knows, self.pool.arena())? }
        };
        child.name.store(name, Ordering::Relaxed);
        child.numbers.forget_met();
        self.alone(child, |state| {
            if let Some(parent) = parent {
                // SAFETY: the parent is the caller.
                let parent = unsafe { &*parent.state.get() };
                state.current.copy(&parent.current, &self.pool);
                state.sc.copy(&parent.sc, &self.pool);
                state.psc.follow(&parent.psc, &self.pool);
                state.psc.leave(child.slot, &self.pool);
            }
            state.step(child.slot, &self.pool);
            (state.learnt_at, state.sc_learnt_at, state.at) = (state.now, state.now, 0);
            child.first.store(state.now, Ordering::Relaxed);
            child.released(state.now);
        });
        Some(child)
    }

    /// The thread has ended. Its clocks stay until it is joined or discarded.
    pub fn finish(&self, thread: &Thread) {
        // SAFETY: the thread is the caller, or is not running.
        self.alone(thread, |state| unsafe { self.publish(thread, state) });
        self.slots.lock(self.platform().yield_now).set(thread.slot, Status::Ended);
    }

    /// `thread` joins `ended`, which has finished, and whose clocks are no more afterwards.
    pub fn join(&self, thread: &Thread, ended: &Thread) {
        self.alone(thread, |state| {
            state.step(thread.slot, &self.pool);
            // SAFETY: the other thread has ended, and only one thread joins it.
            let ended = unsafe { &*ended.state.get() };
            if state.current.join(&ended.current, &self.pool) {
                state.learnt_at = state.now;
            }
            if state.sc.join(&ended.sc, &self.pool) {
                state.sc_learnt_at = state.now;
            }
            state.leave(thread.slot, &self.pool);
            state.psc.follow(&ended.psc, &self.pool);
        });
        self.discard(ended);
    }

    /// Notes that `ended`, which has finished, will not be joined.
    pub fn discard(&self, ended: &Thread) {
        self.alone(ended, |state| {
            let now = state.now;
            state.free(&self.pool);
            *state = ThreadState { now, ..ThreadState::new() };
        });
        self.slots.lock(self.platform().yield_now).set(ended.slot, Status::Free);
    }

    /// The name of the thread that was in a slot at an epoch, if there was none after it.
    pub(crate) fn name_in_slot(&self, slot: u16, epoch: u64) -> Option<u32> {
        self.slots.lock(self.platform().yield_now).thread(slot).and_then(|thread| thread.name_at(epoch))
    }

    /// A new event of the thread, which will publish all that it knows.
    ///
    /// # Safety
    /// As for [`Clocks::alone`].
    unsafe fn publish(&self, thread: &Thread, state: &mut ThreadState) {
        let number = state.step(thread.slot, &self.pool);
        state.leave(thread.slot, &self.pool);
        thread.released(number);
    }

    /// Changes the clocks of a thread, which is the caller or does not run, outside the lock of anything else.
    #[inline]
    pub(crate) fn alone<R>(&self, thread: &Thread, change: impl FnOnce(&mut ThreadState) -> R) -> R {
        thread.lock.acquire(self.platform().yield_now);
        // SAFETY: only a collection looks at the clocks of another thread, and it takes the lock first.
        let result = change(unsafe { &mut *thread.state.get() });
        thread.changed();
        thread.lock.release();
        result
    }
}
