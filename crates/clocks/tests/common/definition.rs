//! The answers by definition: every extended execution graph is built and tested.

use fencepost_clocks::{Model, Order};
use fencepost_graph::{EventId, EventKind, EventLabel, Graph, Relation, Relations, races};
use fencepost_models::psc;
use fencepost_program::{Address, Ordering, Span};

use super::trace::{Part, Performed};

/// Plain memory comes after the atomic locations, two halves a granule.
const PLAIN: u64 = 1000;

pub struct Definition {
    model: Model,
    graph: Graph,
    /// Synchronisation that no atomic access makes, as pairs of events.
    edges: Vec<(EventId, EventId)>,
    released: Vec<Vec<EventId>>,
}

pub struct Stale {
    pub timestamps: Vec<u64>,
    /// Coherence and atomicity alone would have allowed more.
    pub decided_by_psc: bool,
}

pub fn ordering(order: Order) -> Ordering {
    match order {
        Order::Relaxed => Ordering::Relaxed,
        Order::Acquire => Ordering::Acquire,
        Order::Release => Ordering::Release,
        Order::AcqRel => Ordering::AcqRel,
        Order::SeqCst => Ordering::SeqCst,
    }
}

fn label(part: &Part, location: usize) -> EventLabel {
    let (order, at) = (ordering(part.order), Address(location as u64));
    match (part.reads, part.writes) {
        (true, false) => EventLabel::read(order, at, 0),
        (false, true) => EventLabel::write(order, at, 0),
        _ => EventLabel::rmw(order, at, 0, 0),
    }
}

impl Definition {
    pub fn new(model: Model, locations: usize, syncs: usize, granules: usize) -> Definition {
        let atomic = (0..locations).map(|l| (Address(l as u64), 0));
        let plain = (0..granules as u64 * 2).map(|g| (Address(PLAIN + g), 0));
        let fence = [(fencepost_graph::SC_FENCE_CELL, 0)];
        let graph = Graph::initial(atomic.chain(plain).chain(fence));
        Definition { model, graph, edges: Vec::new(), released: vec![Vec::new(); syncs] }
    }

    fn synchronised(&self, events: usize) -> Relation {
        let mut relation = Relation::empty(events);
        for &(a, b) in &self.edges {
            relation.insert(a, b);
        }
        relation
    }

    fn hb(&self, r: &Relations) -> Relation {
        (&r.po | r.sw() | self.synchronised(r.graph.len())).closure()
    }

    /// Paper 001 Def. 3.5.
    fn is_coherent(&self, r: &Relations, hb: &Relation) -> bool {
        let overwritten = &r.mo | &r.fr;
        (&r.po | &r.rf).is_acyclic()
            && r.fr.then_is_irreflexive(&r.mo)
            && r.mo.then_is_irreflexive(&r.rf)
            && (&overwritten | overwritten.then(&r.rf)).then_is_irreflexive(hb)
    }

    fn sc_allows(&self, r: &Relations) -> bool {
        (r.hb_sc_step() | self.synchronised(r.graph.len())).is_acyclic()
    }

    /// The timestamps of all writes that the model lets the part read or follow although SC does not.
    pub fn stale(&self, thread: usize, location: usize, part: &Part) -> Stale {
        let writes = self.graph.writes(Address(location as u64));
        let mut stale = Stale { timestamps: Vec::new(), decided_by_psc: false };
        for (i, &write) in writes.iter().enumerate() {
            let value = self.graph.event(write).label.written.expect("a write");
            if !part.accepts.value(value as u64) {
                continue;
            }
            let extended = self.graph.extended(thread as u32, label(part, location), Some(write));
            let r = Relations::of(&extended);
            if self.sc_allows(&r) {
                continue;
            }
            let hb = self.hb(&r);
            if self.is_coherent(&r, &hb) {
                let allowed = self.model == Model::Rc20 || psc(&r, &hb).is_acyclic();
                stale.timestamps.extend(allowed.then_some(i as u64));
                stale.decided_by_psc |= !allowed;
            }
        }
        stale
    }

    /// T_SC(τ)(x).
    pub fn known_in_sc(&self, thread: usize, location: usize) -> u64 {
        let r = Relations::of(&self.graph);
        let hb_sc = (r.hb_sc_step() | self.synchronised(self.graph.len())).closure();
        let mine: Vec<EventId> = self.graph.thread(thread as u32).map(|(id, _)| id).collect();
        let writes = self.graph.writes(Address(location as u64));
        let known = |w: &EventId| mine.iter().any(|&e| e == *w || hb_sc.contains(*w, e));
        writes.iter().rposition(known).unwrap_or(0) as u64
    }

    fn push(&mut self, thread: usize, label: EventLabel) -> EventId {
        let last = label.address.and_then(|at| self.graph.writes(at).last().copied());
        self.graph.push(thread as u32, label, Span::default(), last)
    }

    /// An event that only orders: the two ends of synchronisation.
    fn push_end(&mut self, thread: usize) -> EventId {
        self.push(thread, EventLabel::fence(Ordering::Relaxed))
    }

    pub fn access(&mut self, thread: usize, location: usize, performed: Performed) {
        let at = Address(location as u64);
        let label = match performed {
            Performed::Load(order) => EventLabel::read(ordering(order), at, 0),
            Performed::Store(order, value) => EventLabel::write(ordering(order), at, value as i64),
            Performed::Rmw(order, value) => EventLabel::rmw(ordering(order), at, 0, value as i64),
            Performed::Nothing => return,
        };
        self.push(thread, label);
    }

    pub fn fence(&mut self, thread: usize, order: Order) {
        let as_rmw = order == Order::SeqCst && self.model == Model::Rc20;
        let label = if as_rmw { EventLabel::sc_fence_rmw() } else { EventLabel::fence(ordering(order)) };
        self.push(thread, label);
    }

    pub fn release(&mut self, thread: usize, sync: usize) {
        let event = self.push_end(thread);
        self.released[sync].push(event);
    }

    pub fn acquire(&mut self, thread: usize, sync: usize) {
        let event = self.push_end(thread);
        self.edges.extend(self.released[sync].iter().map(|&r| (r, event)));
    }

    pub fn order(&mut self, first: usize, second: usize) {
        let ends = (self.push_end(first), self.push_end(second));
        self.edges.push(ends);
    }

    /// A plain access. Returns whether it races with an earlier one (paper 001 Def. 6.1).
    pub fn plain(&mut self, thread: usize, granule: usize, halves: u8, writes: bool) -> bool {
        let mut events = Vec::new();
        for half in (0..2).filter(|half| halves >> half & 1 == 1) {
            let at = Address(PLAIN + granule as u64 * 2 + half);
            let kind = if writes { EventKind::Write } else { EventKind::Read };
            let label = match kind {
                EventKind::Write => EventLabel::write(Ordering::NonAtomic, at, 0),
                _ => EventLabel::read(Ordering::NonAtomic, at, 0),
            };
            events.push(self.push(thread, label));
        }
        let r = Relations::of(&self.graph);
        races(&self.graph, &self.hb(&r)).iter().any(|(_, second)| events.contains(second))
    }
}
