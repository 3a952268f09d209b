//! All that a search needs to know of the next step of a local state.

use super::code::{Masks, Slice, WordOp};
use super::guard::Guard;
use crate::index::{LocationId, Optional};
use crate::lts::{Step, Successors};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Takes the value of its location. The successors for the value say whether it reads, updates, or waits.
    Access,
    /// An access that takes no value: a store, an SC fence as an RMW, or an allocation.
    Write,
    Fence,
    Choose,
    /// Creates a thread.
    Spawn,
    /// No step: the thread was not created yet, has ended, or was given up by an assumption.
    Stopped,
    /// No step, and never one: see [`Step::Hangs`].
    Hangs,
    /// No step, but the thread does not wait: see [`Step::Endless`].
    Endless,
    Failed,
    /// What the thread does next is not known.
    Unknown,
    Dependent,
}

impl Kind {
    pub(super) fn of(step: Step) -> Kind {
        match step {
            step if step.takes_value() => Kind::Access,
            Step::Store { .. } | Step::FenceRmw | Step::Heap(_) => Kind::Write,
            Step::Fence { .. } => Kind::Fence,
            Step::Choose { .. } => Kind::Choose,
            Step::Spawn { .. } => Kind::Spawn,
            Step::Unborn | Step::End | Step::Blocked => Kind::Stopped,
            Step::Hangs => Kind::Hangs,
            Step::Endless => Kind::Endless,
            step if step.is_unknown() => Kind::Unknown,
            Step::Failed(_) => Kind::Failed,
            _ => Kind::Dependent,
        }
    }
}

/// Bits that are left when all of some views may miss them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaleCheck {
    pub mask: u64,
    /// The word and the shift of each view.
    pub views: Slice<(u16, u8)>,
}

/// What a read, or an update, does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effect {
    /// The operations of the monitors: if the thread's last event was on the same location, and if it was not.
    pub code: [Slice<WordOp>; 2],
    /// Bits of accesses that it would race with.
    pub races: Masks,
}

pub(crate) struct CompiledStep {
    pub kind: Kind,
    /// Has no step while memory holds certain values (a `wait` or blocking RMW), or was given up by an assumption.
    pub blocking: bool,
    /// Was given up by an assumption.
    pub given_up: bool,
    /// Is in a loop that only an assumption bounds.
    pub bounded: bool,
    /// The thread has ended the program.
    pub exited: bool,
    pub location: Optional<LocationId>,
    /// The thread that is created.
    pub child: Optional<u32>,
    /// No other thread can observe the step: only this thread accesses the location, or no thread writes to it.
    /// Allocation counts, because no other thread can know the new object yet.
    pub private: bool,
    /// An SC fence as an RMW.
    pub fence: bool,
    /// Being here for ever is no deadlock: the wait has a time limit, the time is read, or it is for a freed object
    /// ([`Step::takes_freed_object`]).
    pub may_give_up: bool,
    /// The code of the thread leads from here to its end.
    pub may_end: bool,
    /// Begins or ends an object, or asks for its size. The location is the life of the object, and the step makes no
    /// event.
    pub heap: bool,
    pub guard: Guard,
    /// The new value of the thread's field in [`Layout::last_location`](crate::layout::Layout::last_location).
    pub last_location: u32,
    /// A word, and a bit of it that is clear if the thread knows the last write along SC-happens-before.
    pub sc_word: u16,
    pub sc_mask: u64,
    /// The step goes stale if one of these has a bit left; by the thread's last event, as in [`Effect::code`].
    pub stale: [Slice<StaleCheck>; 2],
    /// A stale read taints the register and is no violation.
    pub taints: bool,
    /// Like `stale`, for a violation of a read that taints: it may read memory to which nothing was written.
    pub unwritten: [Slice<StaleCheck>; 2],
    pub read: Effect,
    pub update: Effect,
    pub tainted: Slice<WordOp>,
    pub successors: Slice<Successors>,
}

impl CompiledStep {
    /// Whether the step commutes with every step of other threads, and is taken at once.
    #[inline(always)]
    pub(crate) fn is_eager(&self) -> bool {
        self.private || matches!(self.kind, Kind::Fence | Kind::Choose | Kind::Spawn)
    }
}
