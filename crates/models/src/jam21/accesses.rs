//! The events of paper 004: reads, writes and fences. An RMW of the graph is here a read and the write that follows it.

use fencepost_graph::{Event, EventId, EventSet, Relation, Relations};
use fencepost_program::Address;

/// The events of a graph with every RMW taken apart, and their po and rf, with new numbers.
pub(super) struct Accesses {
    events: Vec<Access>,
    /// By event here, the event of the graph.
    pub origins: Vec<EventId>,
    /// Creation and join of threads are part of it.
    pub po: Relation,
    pub rf: Relation,
}

pub(super) struct Access {
    address: Option<Address>,
    writes: bool,
    pub is_fence: bool,
    pub is_initial: bool,
    pub is_acquire: bool,
    pub is_release: bool,
    pub is_sc: bool,
}

impl Access {
    /// A read or the read part of an RMW if it does not write; a read releases nothing, and a write acquires nothing.
    fn part(event: &Event, writes: bool) -> Access {
        let order = event.label.order;
        let is_fence = event.is_fence();
        Access {
            address: event.label.address,
            writes,
            is_fence,
            is_initial: event.is_initial(),
            is_acquire: order.is_acquire() && (is_fence || !writes),
            is_release: order.is_release() && (is_fence || writes),
            is_sc: order.is_sc(),
        }
    }
}

/// Where the parts of an event are. They differ for an RMW.
#[derive(Clone, Copy)]
struct Parts {
    first: EventId,
    last: EventId,
}

impl Accesses {
    pub fn of(r: &Relations) -> Accesses {
        let mut events = Vec::new();
        let mut origins = Vec::new();
        let mut parts = Vec::new();
        for (id, event) in r.graph.events() {
            let first = EventId(events.len() as u32);
            if event.is_rmw() {
                events.push(Access::part(event, false));
                origins.push(id);
            }
            let last = EventId(events.len() as u32);
            events.push(Access::part(event, event.writes()));
            origins.push(id);
            parts.push(Parts { first, last });
        }
        let po = po(r, &parts, events.len());
        let mut rf = Relation::empty(events.len());
        for (write, read) in r.rf.pairs() {
            rf.insert(parts[write.index()].last, parts[read.index()].first);
        }
        Accesses { events, origins, po, rf }
    }

    pub fn set(&self, holds: impl Fn(&Access) -> bool) -> EventSet {
        let mut set = EventSet::empty(self.events.len());
        for (i, _) in self.events.iter().enumerate().filter(|(_, e)| holds(e)) {
            set.insert(EventId(i as u32));
        }
        set
    }

    pub fn same_location(&self, a: EventId, b: EventId) -> bool {
        let address = |e: EventId| self.events[e.index()].address;
        address(a).is_some() && address(a) == address(b)
    }

    /// Relates each write to the other writes of its location.
    pub fn distinct_writes(&self) -> Relation {
        let writes = self.set(|e| e.writes);
        let mut relation = Relation::empty(self.events.len());
        for a in writes.iter() {
            for b in writes.iter().filter(|&b| a != b && self.same_location(a, b)) {
                relation.insert(a, b);
            }
        }
        relation
    }
}

fn po(r: &Relations, parts: &[Parts], events: usize) -> Relation {
    let whole = r.po_across_threads();
    if parts.len() == events {
        return whole;
    }
    let mut po = Relation::empty(events);
    let both = |Parts { first, last }: Parts| [first, last];
    for Parts { first, last } in parts.iter().filter(|p| p.first != p.last) {
        po.insert(*first, *last);
    }
    for (a, b) in whole.pairs() {
        for a in both(parts[a.index()]) {
            for b in both(parts[b.index()]) {
                po.insert(a, b);
            }
        }
    }
    po
}
