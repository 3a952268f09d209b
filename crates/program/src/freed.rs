//! Memory that can be allocated again.

use std::collections::BTreeSet;

use crate::memory::{self, Region};
use crate::state::ThreadState;
use crate::{Inst, Program};

/// The objects on the heap that some execution frees: where each starts, and its size. Which they are shows on the way;
/// an engine then begins again, knowing more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Freed(BTreeSet<(u64, u64)>);

impl Freed {
    /// Whether it is new that this object can be freed.
    pub fn insert(&mut self, start: u64, size: u64) -> bool {
        self.0.insert((start, size))
    }

    pub fn contains(&self, start: u64, size: u64) -> bool {
        self.0.contains(&(start, size))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn extend(&mut self, others: Freed) {
        self.0.extend(others.0);
    }

    /// What a thread may get for an object of this size, but for what it allocates later itself.
    pub(crate) fn of_size(&self, state: &ThreadState, size: u64) -> impl Iterator<Item = u64> {
        let own = Region::Heap { thread: state.thread };
        let next = memory::heap_object(state.thread, state.allocated, 0, 1).map(|(next, _)| next);
        let later = move |start: u64| memory::region(start) == own && next.is_some_and(|next| start >= next);
        self.0.iter().filter(move |&&(start, length)| length == size && !later(start)).map(|&(start, _)| start)
    }
}

impl Program {
    /// Whether memory that was freed can be allocated again.
    pub fn reuses_memory(&self) -> bool {
        self.functions.iter().flat_map(|function| &function.code).any(|inst| matches!(inst, Inst::Reuse { .. }))
    }
}
