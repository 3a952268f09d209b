//! How far a proof is.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Default)]
pub struct Watch {
    pub cases: AtomicU64,
    /// Properties that have their answer, and all of them.
    pub answered: AtomicU64,
    pub asked: AtomicU64,
}

impl Watch {
    pub(crate) fn count_case(&self) {
        self.cases.fetch_add(1, Ordering::Relaxed);
    }
}
