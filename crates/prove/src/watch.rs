//! How far a proof is, and whether to go on: for who waits for it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

#[derive(Debug, Default)]
pub struct Watch {
    /// Set from outside: what is not proved by now stays an alarm.
    pub stop: AtomicBool,
    pub cases: AtomicU64,
    /// Properties that have their answer, and all of them.
    pub answered: AtomicU64,
    pub asked: AtomicU64,
}

impl Watch {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn count_case(&self) {
        self.cases.fetch_add(1, Ordering::Relaxed);
    }
}
