use std::fmt;

use fencepost_program::memory::thread_signal;
use fencepost_program::{Address, Ordering, Program, Span, Value};

use crate::{Event, EventId, EventLabel, SC_FENCE_CELL};

/// An execution graph (paper 001 Def. 3.3): events with their labels, reads-from, and modification order.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    events: Vec<Event>,
    /// For each event, the write that it reads from.
    sources: Vec<Option<EventId>>,
    locations: Vec<Location>,
}

#[derive(Clone, Debug)]
struct Location {
    address: Address,
    /// Its writes, in modification order.
    writes: Vec<EventId>,
}

/// A graph without the order in which its events were added, their spans and uses: equal for equal executions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CanonicalGraph {
    events: Vec<(EventName, EventLabel, Option<EventName>)>,
    modification_orders: Vec<(Address, Vec<EventName>)>,
}

/// Thread and serial number.
type EventName = (Option<u32>, u32);

impl Graph {
    /// The initial graph G0 (paper 001 Def. 3.4): a relaxed write to each location.
    pub fn initial(cells: impl IntoIterator<Item = (Address, Value)>) -> Graph {
        let mut graph = Graph::default();
        for (serial, (address, value)) in cells.into_iter().enumerate() {
            let id = EventId(serial as u32);
            graph.events.push(Event {
                thread: None,
                serial: serial as u32,
                label: EventLabel::write(Ordering::Relaxed, address, value),
                span: Span::default(),
                used: false,
            });
            graph.sources.push(None);
            graph.locations.push(Location { address, writes: vec![id] });
        }
        graph
    }

    /// The initial graph of a program. With `sc_fence_cell`, SC fences can be added as RMWs of [`SC_FENCE_CELL`].
    pub fn initial_of(program: &Program, sc_fence_cell: bool) -> Graph {
        let cells = program.cells().map(|cell| (cell, program.initial_value(cell)));
        Graph::initial(cells.chain(sc_fence_cell.then_some((SC_FENCE_CELL, 0))))
    }

    pub fn len(&self) -> usize {
        self.events.len()
    }

    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    pub fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.events[id.index()]
    }

    /// All events in the order in which they were added, initialisation first.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = (EventId, &Event)> + ExactSizeIterator {
        self.events.iter().enumerate().map(|(i, e)| (EventId(i as u32), e))
    }

    /// The events of a thread, in program order.
    pub fn thread(&self, thread: u32) -> impl DoubleEndedIterator<Item = (EventId, &Event)> {
        self.events().filter(move |(_, e)| e.thread == Some(thread))
    }

    /// The write that a read reads from.
    pub fn source(&self, read: EventId) -> Option<EventId> {
        self.sources[read.index()]
    }

    /// The write by which a thread was created or has ended, if this read is the first event of that thread or joins
    /// it. A thread waits for its start cell, and a joining thread for its end cell, so most models need not know about
    /// them.
    pub fn creation_or_end(&self, read: EventId) -> Option<EventId> {
        self.event(read).label.address.and_then(thread_signal)?;
        self.source(read).filter(|&write| !self.event(write).is_initial())
    }

    /// The writes to a location in modification order; empty for a location that the graph does not have.
    pub fn writes(&self, address: Address) -> &[EventId] {
        self.locations.iter().find(|l| l.address == address).map_or(&[], |l| &l.writes)
    }

    /// Every location with its modification order.
    pub fn modification_orders(&self) -> impl Iterator<Item = (Address, &[EventId])> {
        self.locations.iter().map(|l| (l.address, l.writes.as_slice()))
    }

    /// The graph with one more event at the end of a thread: `add` of paper 003 Not. 4.4 and paper 001 Not. 3.8. See
    /// [`Graph::push`].
    pub fn extended(&self, thread: u32, label: EventLabel, predecessor: Option<EventId>) -> Graph {
        let mut graph = self.clone();
        graph.push(thread, label, Span::default(), predecessor);
        graph
    }

    /// Adds an event at the end of a thread. What reads, reads from `predecessor`; what writes is placed right after it
    /// in modification order; a fence has none.
    ///
    /// # Panics
    /// If the event touches a location, and `predecessor` is not a write to it.
    pub fn push(&mut self, thread: u32, label: EventLabel, span: Span, predecessor: Option<EventId>) -> EventId {
        let id = EventId(self.events.len() as u32);
        let serial = self.thread(thread).next_back().map_or(0, |(_, last)| last.serial + 1);
        let event = Event { thread: Some(thread), serial, label, span, used: false };
        if let Some(address) = label.address {
            let predecessor = predecessor.expect("an access has a predecessor write");
            let location = self.locations.iter_mut().find(|l| l.address == address).expect("a location of the graph");
            let position = location.writes.iter().rposition(|&w| w == predecessor).expect("a write to the location");
            if event.writes() {
                location.writes.insert(position + 1, id);
            }
        }
        self.sources.push(predecessor.filter(|_| event.reads()));
        self.events.push(event);
        id
    }

    /// Makes a read read from another write to its location, which may come later in the graph: program order and
    /// reads-from have a cycle then, if it depends on the read.
    pub fn set_source(&mut self, read: EventId, write: EventId) {
        self.sources[read.index()] = Some(write);
    }

    /// Takes back the last [`Graph::push`]. The event must not be read by another.
    pub fn pop(&mut self) {
        let (Some(event), Some(_)) = (self.events.pop(), self.sources.pop()) else { return };
        let id = EventId(self.events.len() as u32);
        if event.writes() {
            for location in self.locations.iter_mut().filter(|l| Some(l.address) == event.label.address) {
                location.writes.retain(|&w| w != id);
            }
        }
    }

    pub fn canonical(&self) -> CanonicalGraph {
        let name = |id: EventId| (self.event(id).thread, self.event(id).serial);
        let mut events: Vec<_> = self.events().map(|(id, e)| (name(id), e.label, self.source(id).map(name))).collect();
        events.sort();
        let mut modification_orders: Vec<_> =
            self.modification_orders().map(|(a, writes)| (a, writes.iter().copied().map(name).collect())).collect();
        modification_orders.sort();
        CanonicalGraph { events, modification_orders }
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, event) in self.events() {
            match event.thread {
                Some(thread) => write!(f, "{}: thread {thread} {}", id.0, event.label)?,
                None => write!(f, "{}: initially {}", id.0, event.label)?,
            }
            if let Some(source) = self.source(id) {
                write!(f, " reads {}", source.0)?;
            }
            writeln!(f)?;
        }
        for (address, writes) in self.modification_orders().filter(|(_, writes)| writes.len() > 1) {
            let writes: Vec<String> = writes.iter().map(|w| w.0.to_string()).collect();
            let name = if address == SC_FENCE_CELL { "SC fences".to_owned() } else { address.0.to_string() };
            writeln!(f, "mo of {name}: {}", writes.join(" "))?;
        }
        Ok(())
    }
}
