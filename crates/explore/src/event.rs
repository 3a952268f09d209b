//! The events of an execution, each with its thread after it.

use std::num::NonZero;
use std::ops::{Deref, Range};
use std::sync::Arc;

use fencepost_program::memory::{self, ThreadSignal};
use fencepost_program::{Action, Address, Answer, Ordering, Span, Value};

use crate::clock::Clock;
use crate::steps::ahead;
use crate::threads::{Origin, Threads, Token};

/// The number of an event: its place in the order of addition. One more is stored, so that an `Option` takes no more
/// room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(NonZero<u32>);

impl Id {
    pub(crate) fn new(index: usize) -> Id {
        Id(NonZero::<u32>::MIN.saturating_add(index as u32))
    }

    /// The numbers of these events.
    pub(crate) fn range(events: Range<usize>) -> impl Iterator<Item = Id> {
        events.map(Id::new)
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    /// By a `wait`, a blocked BCAS or a failed CAS: R* of paper 001.
    AwaitRead,
    Write,
    /// The two parts of an RMW. The write follows at once.
    ExclusiveRead,
    ExclusiveWrite,
    Fence,
    /// A value that nothing determines; not part of the graph.
    Choice,
    /// A thread is made; not part of the graph, because the new thread waits for a write of the one that made it.
    Spawn,
    /// An object on the heap begins or ends, or its size is asked for; not part of the graph, because models know
    /// memory that is there all the time.
    Alloc,
    Free,
    HeapSize,
}

impl Kind {
    pub(crate) fn reads(self) -> bool {
        matches!(self, Kind::Read | Kind::AwaitRead | Kind::ExclusiveRead)
    }

    pub(crate) fn writes(self) -> bool {
        matches!(self, Kind::Write | Kind::ExclusiveWrite)
    }

    pub(crate) fn is_access(self) -> bool {
        self.reads() || self.writes()
    }

    /// Whether the definitions see it.
    pub(crate) fn is_in_graph(self) -> bool {
        self.is_access() || self == Kind::Fence
    }
}

/// The kind of a thread's next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// It has ended, failed, or is blocked.
    Nothing,
    /// It reads, perhaps to write then.
    Read,
    /// It waits for a [`signal`].
    Signal(u32),
    /// It waits until all have come to a barrier.
    Leave,
    /// It tells that it has ended, and does nothing more.
    TellsEnd,
    Other,
}

#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub thread: usize,
    /// Its place in its thread.
    pub index: u32,
    pub kind: Kind,
    /// The number of its location; unused unless the event is an access.
    pub location: usize,
    pub order: Ordering,
    /// Read, written or chosen; the number of a new thread; the pointer that was allocated or freed.
    pub value: Value,
    /// The write that it reads from; `None` is the initial one.
    pub source: Option<Id>,
    /// Its place in the modification order, where the initial write has 0.
    pub position: u32,
    /// Of what kind its thread's next action is.
    pub ahead: Ahead,
    /// The [`signal`] that it sends.
    pub signal: Option<u32>,
    /// The event is what the exploration adds first when it has a choice beside reads-from and modification order:
    /// which value to choose, whether a weak CAS fails.
    pub first_choice: bool,
    pub part: Part,
    /// A part of waiting at a barrier, see `barriers`.
    pub barrier: bool,
    /// It read what its program does not accept: by the definitions no event.
    pub refused: bool,
    /// The thread goes no further: a wait or a BCAS read something else, or a spin loop came round.
    pub cut_off: bool,
    /// Large, and never changed: copies of the event share it.
    pub rest: Arc<Rest>,
}

/// What a copy of an event need not copy.
#[derive(Debug)]
pub(crate) struct Rest {
    pub span: Span,
    /// What the thread was told, if it went on.
    pub answer: Option<Answer>,
    /// Where the thread stands after the event.
    pub token: Token,
    /// What the thread wants to do next.
    pub action: Action,
    /// The thread that it made.
    pub child: Option<Start>,
    /// Events before or equal along po and rf.
    pub prefix: Clock,
    pub views: Views,
}

impl Deref for Event {
    type Target = Rest;

    fn deref(&self) -> &Rest {
        &self.rest
    }
}

/// Whether an event is a whole access, or one to a part of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    /// The part of this number, and more are to come: the thread has not gone on yet.
    Before(u8),
    /// The last part, of this number.
    Last(u8),
}

/// A thread before its first event.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub origin: Origin,
    pub token: Token,
    pub action: Action,
    pub ahead: Ahead,
}

impl Start {
    pub(crate) fn new(threads: &dyn Threads, origin: Origin) -> Start {
        let token = threads.start(origin);
        let action = threads.next(&token);
        Start { origin, token, action, ahead: ahead(&action) }
    }
}

/// The number of the signal that a write to a thread's start cell or end cell sends. A thread that waits for a signal
/// does nothing until it is sent, and only one write can send it. So waiting for it never blocks an execution, nor adds
/// one.
pub(crate) fn signal(at: Address) -> Option<u32> {
    memory::thread_signal(at).map(|signal| match signal {
        ThreadSignal::Started(thread) => 2 * thread,
        ThreadSignal::Ended(thread) => 2 * thread + 1,
    })
}

/// The thread that tells by a signal that it has ended.
pub(crate) fn ended_thread(signal: u32) -> Option<usize> {
    (signal % 2 == 1).then_some(signal as usize / 2)
}

/// What happens before, as in `fencepost-monitor`: now, after an acquire fence, and what a relaxed write hands on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Views {
    pub current: Clock,
    pub acquire: Clock,
    pub release: Clock,
    /// What a read of this write acquires.
    pub written: Clock,
}
