//! Several workers share one exploration. An idle worker gets what is left in the lowest frame of another.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::branch::Branch;

pub(crate) struct Pool {
    jobs: usize,
    state: Mutex<State>,
    changed: Condvar,
    /// How many wait and have nothing to take.
    hungry: AtomicUsize,
}

struct State {
    branches: Vec<Branch>,
    waiting: usize,
    over: bool,
}

impl Pool {
    pub(crate) fn new(jobs: usize, first: Branch) -> Pool {
        let state = State { branches: vec![first], waiting: 0, over: false };
        Pool { jobs, state: Mutex::new(state), changed: Condvar::new(), hungry: AtomicUsize::new(0) }
    }

    /// Something to explore; `None` when all is done.
    pub(crate) fn take(&self) -> Option<Branch> {
        let mut state = self.lock();
        state.waiting += 1;
        loop {
            if state.waiting == self.jobs && state.branches.is_empty() {
                state.over = true;
                self.changed.notify_all();
            }
            if state.over {
                return None;
            }
            if let Some(branch) = state.branches.pop() {
                state.waiting -= 1;
                self.count(&state);
                return Some(branch);
            }
            self.count(&state);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives something away, if someone has nothing to do.
    pub(crate) fn share(&self, split: &mut dyn FnMut() -> Option<Branch>) {
        if self.hungry.load(Relaxed) > 0
            && let Some(branch) = split()
        {
            let mut state = self.lock();
            state.branches.push(branch);
            self.count(&state);
            self.changed.notify_one();
        }
    }

    /// Lets all others go home.
    pub(crate) fn close(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }

    fn count(&self, state: &State) {
        self.hungry.store(state.waiting.saturating_sub(state.branches.len()), Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
