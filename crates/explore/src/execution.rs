//! An execution graph under construction: events in the order in which they were added, each with the state of its
//! thread after it, so that the program is never run again.

use fencepost_program::Value;

use crate::event::{Ahead, Event, Id, Kind, Start};
use crate::heap::Heap;

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
        &self.events[id.index()]
    }

    pub(crate) fn last(&self, thread: usize) -> Option<&Event> {
        self.threads[thread].last().map(|&id| self.event(id))
    }

    /// Of what kind the next action of a thread is.
    pub(crate) fn ahead(&self, thread: usize) -> Ahead {
        match (self.last(thread), &self.starts[thread]) {
            (Some(event), _) if event.cut_off => Ahead::Nothing,
            (Some(event), _) => event.ahead,
            (None, Some(start)) => start.ahead,
            (None, None) => Ahead::Nothing,
        }
    }

    pub(crate) fn location(&mut self, location: usize) -> &mut Location {
        if self.locations.len() <= location {
            self.locations.resize_with(location + 1, Location::default);
        }
        &mut self.locations[location]
    }

    /// All accesses to a location.
    pub(crate) fn accesses(&self, location: usize) -> impl Iterator<Item = &Event> {
        let Location { reads, writes } = &self.locations[location];
        reads.iter().chain(writes).map(|&id| self.event(id))
    }

    /// The place of a write in its modification order.
    pub(crate) fn position(&self, write: Option<Id>) -> u32 {
        write.map_or(0, |write| self.event(write).position)
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
        let id = Id::new(self.events.len());
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

    /// The event that was added last.
    pub(crate) fn last_added(&self) -> Option<&Event> {
        self.events.last()
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
        let old = std::mem::replace(&mut self.events[read.index()], event);
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
            self.events[later.index()].position += 1;
        }
    }

    fn pop(&mut self) {
        let event = self.events.pop().expect("an event to take back");
        match event.kind {
            Kind::Alloc => self.heap.take_back(event.value as u64),
            Kind::Free => self.heap.unfree(event.value as u64, Id::new(self.events.len())),
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
                self.events[later.index()].position -= 1;
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
    pub(crate) fn without(&self, deleted: &[bool]) -> (Execution, Vec<Option<Id>>) {
        let mut numbers = vec![None; self.events.len()];
        let mut next = 0;
        for (number, &deleted) in numbers.iter_mut().zip(deleted) {
            if !deleted {
                *number = Some(Id::new(next));
                next += 1;
            }
        }
        let kept = |ids: &[Id]| -> Vec<Id> { ids.iter().filter_map(|&id| numbers[id.index()]).collect() };
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
        for (old, (event, &deleted)) in self.events.iter().zip(deleted).enumerate() {
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
            event.source = event.source.and_then(|source| numbers[source.index()]);
            execution.sc_events += event.order.is_sc() as u32;
            let id = Id::new(execution.events.len());
            match event.kind {
                Kind::Alloc => execution.heap.keep(&self.heap, event.value as u64, (Id::new(old), id)),
                Kind::Free => execution.heap.free(event.value as u64, id),
                _ => {}
            }
            execution.events.push(event);
        }
        for location in 0..execution.locations.len() {
            for i in 0..execution.locations[location].writes.len() {
                let write = execution.locations[location].writes[i];
                execution.events[write.index()].position = i as u32 + 1;
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
}
