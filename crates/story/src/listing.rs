//! Execution graphs as lists of events.

use fencepost_graph::{EventId, Graph, SC_FENCE_CELL};
use fencepost_program::{Ordering, Span, Value};

use crate::Run;
use crate::values::{access_values, as_number};

/// The events of an execution graph with all that a reader or a program needs to build the graph again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// With the numbers 1, 2, ….
    pub events: Vec<ListedEvent>,
    pub orders: Vec<ListedOrder>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedEvent {
    pub thread: String,
    /// The step as the source language writes it.
    pub step: String,
    /// `None` for a fence.
    pub location: Option<String>,
    pub ordering: Ordering,
    pub read: Option<Value>,
    pub written: Option<Value>,
    /// `reads 0`, `writes 1`, `0 -> 1`, or nothing.
    pub values: String,
    /// The number of the event that it reads from; 0 is the initial value.
    pub source: Option<usize>,
    pub span: Span,
}

/// The modification order of a location, without the initial write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOrder {
    /// `None` for the order of SC fences.
    pub location: Option<String>,
    pub writes: Vec<usize>,
}

impl Run<'_> {
    pub fn listing(&self) -> Listing {
        let Run { graph, names, .. } = self;
        let event = |(id, event): (EventId, &fencepost_graph::Event)| {
            // An SC fence that is kept as an RMW reads nothing that the program knows of.
            let is_access = !event.is_fence();
            let (at, read, written) = (event.label.address, event.label.read, event.label.written);
            let (at, read, written) =
                (at.filter(|_| is_access), read.filter(|_| is_access), written.filter(|_| is_access));
            Some(ListedEvent {
                thread: names.thread_name(event.thread? as usize),
                step: self.event_text(id),
                location: at.map(|at| names.cell_name(at)),
                ordering: event.label.order,
                read: as_number(at, read),
                written: as_number(at, written),
                values: access_values(names, at, read, written),
                source: graph.source(id).filter(|_| is_access).map(|source| event_number(graph, source)),
                span: event.span,
            })
        };
        let orders = graph.modification_orders().map(|(at, writes)| ListedOrder {
            location: (at != SC_FENCE_CELL).then(|| names.cell_name(at)),
            writes: writes[1..].iter().map(|&write| event_number(graph, write)).collect(),
        });
        Listing { events: graph.events().filter_map(event).collect(), orders: orders.collect() }
    }
}

/// Numbers from 1 for the events of threads, 0 for initial values.
pub(crate) fn event_number(graph: &Graph, id: EventId) -> usize {
    let initial = graph.events().take_while(|(_, event)| event.is_initial()).count();
    (id.index() + 1).saturating_sub(initial)
}
