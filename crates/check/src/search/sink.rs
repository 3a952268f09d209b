//! What an expansion finds, and the trait that receives it.

use super::lookahead::Miss;
use crate::compiled::Fault;
use crate::lts::Move;

/// A violation that a state shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The next step of the thread may go stale.
    Stale {
        thread: usize,
    },
    /// The next step of the thread depends on a stale value.
    Dependent {
        thread: usize,
    },
    /// The next step of the thread is a memory error.
    Memory {
        thread: usize,
        fault: Fault,
    },
    /// The next step of the thread, which reads or updates, races with an earlier access.
    Race {
        thread: usize,
        updates: bool,
    },
    Failed {
        thread: usize,
    },
    /// What the thread does next is not known.
    Unknown {
        thread: usize,
    },
    Deadlock,
}

/// Receives what the expansion of a state finds.
pub(crate) trait Sink {
    fn successor(&mut self, state: &[u64], moves: &[Move]);
    fn found(&mut self, found: Found);
    /// Of the threads that are left, none has an end, and none was given up.
    fn goes_on(&mut self);
    /// The successors of a local state for a value are not known yet; the expansion is not complete.
    fn miss(&mut self, miss: Miss);
}
