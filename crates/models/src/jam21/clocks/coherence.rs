//! Coherence and atomicity of RC11, as in `crate::coherence`, by views.
//!
//! A view is the set of events that happen before a point of a thread: now, after an acquire fence, and what a relaxed
//! write hands on since the last release fence. The graph's order goes along po and rf, so one pass computes them.

use fencepost_graph::{EventId, Graph};

use super::bits::Bits;
use super::nodes::Nodes;

#[derive(Clone, Copy)]
struct Views<const WORDS: usize> {
    current: Bits<WORDS>,
    acquire: Bits<WORDS>,
    release: Bits<WORDS>,
}

pub(super) struct Coherence<const WORDS: usize> {
    views: Vec<Views<WORDS>>,
    /// By write: what its readers acquire.
    written: Vec<Bits<WORDS>>,
    /// By write: its readers; then the later writes of its location and their readers.
    later: Vec<Bits<WORDS>>,
}

impl<const WORDS: usize> Coherence<WORDS> {
    pub const fn new() -> Self {
        Coherence { views: Vec::new(), written: Vec::new(), later: Vec::new() }
    }

    pub fn holds(&mut self, graph: &Graph, nodes: &Nodes) -> bool {
        self.find_later(graph, nodes);
        let none = Views { current: Bits::EMPTY, acquire: Bits::EMPTY, release: Bits::EMPTY };
        self.views.clear();
        self.views.resize(nodes.first.len(), none);
        self.written.clear();
        self.written.resize(nodes.writes.len(), Bits::EMPTY);
        (nodes.initial_events..graph.len()).all(|e| self.allows(graph, nodes, EventId(e as u32)))
    }

    fn find_later(&mut self, graph: &Graph, nodes: &Nodes) {
        self.later.clear();
        self.later.resize(nodes.writes.len(), Bits::EMPTY);
        for e in nodes.initial_events..graph.len() {
            if let Some(source) = graph.source(EventId(e as u32)) {
                self.later[nodes.write_of[source.index()] as usize].insert(e - nodes.initial_events);
            }
        }
        for location in &nodes.locations {
            let mut later = Bits::EMPTY;
            for write in (location.start as usize..location.end as usize).rev() {
                let mut with_readers = self.later[write] | later;
                if let Some(e) = nodes.writes[write].event.index().checked_sub(nodes.initial_events) {
                    with_readers.insert(e);
                }
                self.later[write] = later;
                later = with_readers;
            }
        }
    }

    /// Whether an event happens before everything that makes its source or itself older than it is: nothing that it is
    /// aware of is a later write, or reads from one.
    fn allows(&mut self, graph: &Graph, nodes: &Nodes, id: EventId) -> bool {
        let event = graph.event(id);
        let Some(thread) = event.thread else { return true };
        let Views { current, acquire, release } = &mut self.views[thread as usize];
        let order = event.label.order;
        let source = graph.source(id).map(|source| nodes.write_of[source.index()] as usize);
        let own = nodes.write_of[id.index()] as usize;
        let number = id.index() - nodes.initial_events;
        if let Some(source) = source {
            *acquire |= self.written[source];
            if order.is_acquire() {
                *current |= self.written[source];
            }
            if current.meets(&self.later[source]) || event.writes() && own != source + 1 {
                return false;
            }
        }
        if event.writes() && current.meets(&self.later[own]) {
            return false;
        }
        if event.is_fence() && order.is_acquire() {
            *current |= *acquire;
        }
        current.insert(number);
        acquire.insert(number);
        if event.writes() {
            let handed_on = source.map_or(Bits::EMPTY, |source| self.written[source]);
            self.written[own] = handed_on | if order.is_release() { *current } else { *release };
        }
        if event.is_fence() && order.is_release() {
            *release = *current;
        }
        true
    }
}
