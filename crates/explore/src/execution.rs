//! An execution graph under construction: events in the order in which they were added, each with the state of its thread
//! after it, so that the program is never run again.

use std::sync::Arc;

use fencepost_graph::{EventLabel, Graph, SC_FENCE_CELL};
use fencepost_program::{Address, Ordering, Program, Span, ThreadState, Value, memory};

use crate::clock::Clock;
use crate::heap::Heap;

/// The number of an event: its place in the order of addition.
pub(crate) type Id = u32;
/// The initial write of a location, where an event's number is asked for.
pub(crate) const INITIAL: Id = Id::MAX;

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
    /// An object on the heap begins or ends, or its size is asked for; not part of the graph, because models know memory
    /// that is there all the time.
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

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// It has ended, failed, or is blocked.
    Nothing,
    /// It reads, perhaps to write then.
    Read,
    /// It waits for a [`signal`].
    Signal(u32),
    Other,
}

#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub thread: usize,
    /// Its place in its thread.
    pub index: u32,
    pub kind: Kind,
    /// The number of its location; unused if it is no access.
    pub location: usize,
    pub order: Ordering,
    /// Read, written or chosen; the number of a new thread; the pointer that was allocated or freed.
    pub value: Value,
    pub source: Id,
    /// Its place in the modification order, where the initial write has 0.
    pub position: u32,
    pub span: Span,
    /// The thread after the event.
    pub state: Arc<ThreadState>,
    /// What the thread does next, from what the machine says alone.
    pub ahead: Ahead,
    /// The thread that it made.
    pub child: Option<Start>,
    /// The [`signal`] that it sends.
    pub signal: Option<u32>,
    /// The event is what the exploration adds first when it has a choice beside reads-from and modification order: which
    /// value to choose, whether a weak CAS fails.
    pub first_choice: bool,
    pub part: Part,
    /// It read what its program does not accept: by the definitions no event.
    pub refused: bool,
    /// The thread goes no further: a wait or a BCAS read something else, or a spin loop came round.
    pub cut_off: bool,
    /// Events before or equal along po and rf.
    pub prefix: Clock,
    pub views: Views,
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
    pub state: Arc<ThreadState>,
    pub ahead: Ahead,
}

/// What a write to a thread's start cell or end cell tells, by a number. A thread that waits for it does nothing until then,
/// and no other write can tell it: so waiting never makes an execution that is blocked, or one more.
pub(crate) fn signal(at: Address) -> Option<u32> {
    let (pointer, 8) = at.pointer_and_size()? else { return None };
    let thread = memory::thread_of_cell(pointer)?;
    if pointer == memory::start_cell(thread) {
        Some(2 * thread)
    } else {
        (pointer == memory::end_cell(thread)).then_some(2 * thread + 1)
    }
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

#[derive(Clone, Debug, Default)]
pub(crate) struct Location {
    /// In modification order, without the initial write.
    pub writes: Vec<Id>,
    pub reads: Vec<Id>,
}

#[derive(Clone, Debug)]
pub(crate) struct Execution {
    pub events: Vec<Event>,
    pub threads: Vec<Vec<Id>>,
    /// The threads before their first events; nothing for one that is yet to be made.
    pub starts: Vec<Option<Start>>,
    pub locations: Vec<Location>,
    /// The signals that were sent, each a bit.
    signals: Vec<u64>,
    /// How many events are SC.
    pub sc_events: u32,
    pub heap: Heap,
}

impl Execution {
    pub(crate) fn new(starts: Vec<Start>) -> Execution {
        Execution {
            events: Vec::new(),
            threads: vec![Vec::new(); starts.len()],
            starts: starts.into_iter().map(Some).collect(),
            locations: Vec::new(),
            signals: Vec::new(),
            sc_events: 0,
            heap: Heap::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    pub(crate) fn event(&self, id: Id) -> &Event {
        &self.events[id as usize]
    }

    pub(crate) fn last(&self, thread: usize) -> Option<&Event> {
        self.threads[thread].last().map(|&id| self.event(id))
    }

    pub(crate) fn location(&mut self, location: usize) -> &mut Location {
        if self.locations.len() <= location {
            self.locations.resize_with(location + 1, Location::default);
        }
        &mut self.locations[location]
    }

    /// The place of a write in its modification order.
    pub(crate) fn position(&self, write: Id) -> u32 {
        if write == INITIAL { 0 } else { self.event(write).position }
    }

    /// Whether an event is before another, or is it, along po and rf. The other one may be still to be added.
    pub(crate) fn in_prefix(&self, id: Id, of: &Event) -> bool {
        let event = self.event(id);
        of.prefix.get(event.thread) > event.index
    }

    /// Whether an event happens before another.
    pub(crate) fn happens_before(&self, a: Id, b: Id) -> bool {
        let first = self.event(a);
        a != b && self.event(b).views.current.get(first.thread) > first.index
    }

    /// Adds an event at the end of its thread. A write goes to its `position`.
    pub(crate) fn push(&mut self, event: Event) -> Id {
        let id = self.events.len() as Id;
        self.threads[event.thread].push(id);
        if event.kind.reads() {
            self.location(event.location).reads.push(id);
        }
        if event.kind.writes() {
            self.insert(event.location, id, event.position);
        }
        self.sc_events += event.order.is_sc() as u32;
        self.note(&event);
        if event.kind == Kind::Free {
            self.heap.free(event.value as u64, id);
        }
        self.events.push(event);
        id
    }

    /// Remembers a thread that was made, or a signal that was sent.
    fn note(&mut self, event: &Event) {
        if let Some(child) = &event.child {
            let thread = event.value as usize;
            if self.threads.len() <= thread {
                self.threads.resize(thread + 1, Vec::new());
                self.starts.resize(thread + 1, None);
            }
            self.starts[thread] = Some(child.clone());
        }
        if let Some(signal) = event.signal {
            let word = signal as usize / 64;
            if self.signals.len() <= word {
                self.signals.resize(word + 1, 0);
            }
            self.signals[word] |= 1 << (signal % 64);
        }
    }

    /// The threads that run or have run.
    pub(crate) fn made_threads(&self) -> impl Iterator<Item = usize> {
        self.starts.iter().enumerate().filter(|(_, start)| start.is_some()).map(|(thread, _)| thread)
    }

    /// Whether a signal was sent.
    pub(crate) fn has_signal(&self, signal: u32) -> bool {
        self.signals.get(signal as usize / 64).is_some_and(|word| word >> (signal % 64) & 1 == 1)
    }

    /// Changes a read that is the last event of its thread.
    pub(crate) fn replace(&mut self, read: Id, event: Event) {
        let old = std::mem::replace(&mut self.events[read as usize], event);
        self.sc_events += self.event(read).order.is_sc() as u32;
        self.sc_events -= old.order.is_sc() as u32;
    }

    /// Takes back all but the first events.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.events.len() > len {
            self.pop();
        }
    }

    fn insert(&mut self, location: usize, id: Id, position: u32) {
        self.location(location).writes.insert(position as usize - 1, id);
        for i in position as usize..self.locations[location].writes.len() {
            let later = self.locations[location].writes[i];
            self.events[later as usize].position += 1;
        }
    }

    fn pop(&mut self) {
        let event = self.events.pop().expect("an event to take back");
        match event.kind {
            Kind::Alloc => self.heap.take_back(event.thread),
            Kind::Free => self.heap.unfree(event.value as u64, self.events.len() as Id),
            _ => {}
        }
        self.threads[event.thread].pop();
        if event.kind.reads() {
            self.locations[event.location].reads.pop();
        }
        if event.kind.writes() {
            let writes = &mut self.locations[event.location].writes;
            writes.remove(event.position as usize - 1);
            for i in event.position as usize - 1..writes.len() {
                let later = self.locations[event.location].writes[i];
                self.events[later as usize].position -= 1;
            }
        }
        self.sc_events -= event.order.is_sc() as u32;
        if event.child.is_some() {
            self.starts[event.value as usize] = None;
        }
        if let Some(signal) = event.signal {
            self.signals[signal as usize / 64] &= !(1 << (signal % 64));
        }
    }

    /// The execution without some events, which must be closed under what depends on them. Gives the new number of each
    /// event that stays.
    pub(crate) fn without(&self, deleted: &[bool]) -> (Execution, Vec<Id>) {
        let mut numbers = vec![INITIAL; self.events.len()];
        let mut next = 0;
        for (number, &deleted) in numbers.iter_mut().zip(deleted) {
            if !deleted {
                *number = next;
                next += 1;
            }
        }
        let kept = |ids: &[Id]| -> Vec<Id> {
            ids.iter().filter(|&&id| !deleted[id as usize]).map(|&id| numbers[id as usize]).collect()
        };
        let mut execution = Execution {
            events: Vec::with_capacity(self.events.len() + 8),
            threads: self.threads.iter().map(|t| kept(t)).collect(),
            starts: self.starts.clone(),
            signals: Vec::new(),
            locations: self
                .locations
                .iter()
                .map(|l| Location { writes: kept(&l.writes), reads: kept(&l.reads) })
                .collect(),
            sc_events: 0,
            heap: Heap::default(),
        };
        for (event, &deleted) in self.events.iter().zip(deleted) {
            if deleted {
                if event.child.is_some() {
                    execution.starts[event.value as usize] = None;
                }
                continue;
            }
            let mut event = event.clone();
            if event.signal.is_some() {
                execution.note(&event);
            }
            if event.kind.reads() && event.source != INITIAL {
                event.source = numbers[event.source as usize];
            }
            execution.sc_events += event.order.is_sc() as u32;
            let id = execution.events.len() as Id;
            match event.kind {
                Kind::Alloc => execution.heap.keep(&self.heap, event.thread, event.value as u64, id),
                Kind::Free => execution.heap.free(event.value as u64, id),
                _ => {}
            }
            execution.events.push(event);
        }
        for location in 0..execution.locations.len() {
            for i in 0..execution.locations[location].writes.len() {
                let write = execution.locations[location].writes[i];
                execution.events[write as usize].position = i as u32 + 1;
            }
        }
        (execution, numbers)
    }

    /// The execution without what it read and does not accept.
    pub(crate) fn without_refused(&self) -> Execution {
        let refused: Vec<bool> = self.events.iter().map(|event| event.refused).collect();
        self.without(&refused).0
    }

    /// The exclusive read of an RMW's write.
    pub(crate) fn exclusive_read(&self, write: &Event) -> Id {
        self.threads[write.thread][write.index as usize - 1]
    }

    /// By thread, the values that it chose.
    pub(crate) fn choices(&self) -> Vec<Vec<Value>> {
        let chosen = |&id: &Id| Some(self.event(id)).filter(|e| e.kind == Kind::Choice).map(|e| e.value);
        self.threads.iter().map(|events| events.iter().filter_map(chosen).collect()).collect()
    }

    /// The execution as the definitions see it. An RMW is one event; one whose write is still to come is a read.
    pub(crate) fn graph(&self, program: &Program, addresses: &[Address], sc_fence_cell: bool) -> Graph {
        let cells = program.cells().chain(addresses.iter().copied().filter(|at| at.pointer_and_size().is_some()));
        let cells = cells.map(|at| (at, program.initial_value(at)));
        let mut graph = Graph::initial(cells.chain(sc_fence_cell.then_some((SC_FENCE_CELL, 0))));
        let mut numbers = vec![None; self.events.len()];
        let initial = |graph: &Graph, location: usize| graph.writes(addresses[location])[0];
        // A read may have an earlier number than the write it reads from: go along po and rf.
        let mut next = vec![0; self.threads.len()];
        let mut added = true;
        while added {
            added = false;
            for (thread, events) in self.threads.iter().enumerate() {
                while let Some(&id) = events.get(next[thread]) {
                    let event = self.event(id);
                    let rmw = event.kind == Kind::ExclusiveRead;
                    let write = events.get(next[thread] + 1).filter(|_| rmw).map(|&w| self.event(w));
                    let source = match event.source {
                        INITIAL => None,
                        source => numbers[source as usize],
                    };
                    if event.kind.reads() && event.source != INITIAL && source.is_none() {
                        break;
                    }
                    let label = match (event.kind, write) {
                        (kind, _) if !kind.is_in_graph() => None,
                        (Kind::Fence, _) => Some(EventLabel::fence(event.order)),
                        (Kind::Write, _) => {
                            Some(EventLabel::write(event.order, addresses[event.location], event.value))
                        }
                        (Kind::ExclusiveRead, Some(_)) if addresses[event.location] == SC_FENCE_CELL => {
                            Some(EventLabel::sc_fence_rmw())
                        }
                        (Kind::ExclusiveRead, Some(write)) => {
                            Some(EventLabel::rmw(event.order, addresses[event.location], event.value, write.value))
                        }
                        (Kind::AwaitRead, _) => {
                            Some(EventLabel::await_read(event.order, addresses[event.location], event.value))
                        }
                        _ => Some(EventLabel::read(event.order, addresses[event.location], event.value)),
                    };
                    if let Some(label) = label {
                        let predecessor = match (event.kind, label.address) {
                            (_, None) => None,
                            // Right after the nearest earlier write that is there already.
                            (Kind::Write, _) => {
                                let earlier = &self.locations[event.location].writes[..event.position as usize - 1];
                                let there = earlier.iter().rev().find_map(|&w| numbers[w as usize]);
                                Some(there.unwrap_or_else(|| initial(&graph, event.location)))
                            }
                            // An RMW comes right after what it reads.
                            _ => Some(source.unwrap_or_else(|| initial(&graph, event.location))),
                        };
                        let number = graph.push(thread as u32, label, event.span, predecessor);
                        numbers[id as usize] = Some(number);
                        if write.is_some() {
                            numbers[events[next[thread] + 1] as usize] = Some(number);
                        }
                    }
                    next[thread] += 1 + write.is_some() as usize;
                    added = true;
                }
            }
        }
        graph
    }
}
