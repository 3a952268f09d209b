//! An execution graph, as it is to be drawn.

use std::collections::{HashMap, HashSet};

use fencepost_graph::{EventId, EventKind, Relations, SC_FENCE_CELL, Step as CycleStep};
use fencepost_program::memory::{Region, region};
use fencepost_program::{Address, Value};

use crate::run::{Run, Step};
use crate::{CycleEdge, Edge, Folded, Node, NodeKind, WitnessGraph};

/// Up to this number of events, a drawing is small enough to show all of them.
const SMALL: usize = 28;
/// Events at the end of each thread that are shown where nothing else says what matters.
const LAST_EVENTS: usize = 4;

impl Run<'_> {
    /// All events of a graph, with po, rf and mo without what follows from them, and fr to the next write. Of the steps
    /// in `cycle`, those that are more than that are drawn as well, and all are highlighted.
    pub(crate) fn draw(&self, title: String, highlighted: &[EventId], cycle: &[CycleStep]) -> WitnessGraph {
        let (names, graph) = (&self.names, &self.graph);
        let last = graph.events().filter_map(|(_, event)| event.thread).max();
        let threads = names.thread_count().max(last.map_or(0, |last| last as usize + 1));
        let edges = self.edges_to_draw(threads, cycle);
        // An initial write that no edge of another thread touches says nothing.
        let touched: HashSet<EventId> =
            edges.iter().filter(|(_, name, _)| *name != "po").flat_map(|&(a, _, b)| [a, b]).collect();
        let steps: HashMap<EventId, &Step> = self.steps.iter().filter_map(|step| Some((step.event?, step))).collect();
        let nodes: Vec<Node> = graph
            .events()
            .filter(|(id, e)| !e.is_initial() || highlighted.contains(id) || touched.contains(id))
            .map(|(id, e)| {
                let at = e.label.address.filter(|&at| at != SC_FENCE_CELL);
                Node {
                    id: id.index(),
                    kind: self.kind(id),
                    thread: e.thread.map(|t| t as usize),
                    label: self.label(id),
                    text: steps.get(&id).map(|step| self.text(step)).unwrap_or_default(),
                    location: at.map(|at| names.cell_name(at)),
                    written: at.and_then(|at| Some(names.value_text(at, e.label.written?))),
                    span: e.span,
                    highlighted: highlighted.contains(&id),
                    folded: self.uninteresting(id, steps.get(&id).copied()),
                }
            })
            .collect();
        let shown: HashSet<usize> = nodes.iter().map(|node| node.id).collect();
        let edges: Vec<Edge> = edges
            .iter()
            .filter(|(a, _, b)| shown.contains(&a.index()) && shown.contains(&b.index()))
            .map(|&(from, relation, to)| Edge {
                from: from.index(),
                to: to.index(),
                relation: relation.to_string(),
                highlighted: cycle.contains(&(from, relation, to)),
            })
            .collect();
        let orders = graph.modification_orders().filter(|(at, _)| *at != SC_FENCE_CELL);
        let orders = orders.map(|(at, writes)| {
            let writes = writes.iter().map(|write| write.index()).filter(|id| shown.contains(id));
            (names.cell_name(at), writes.collect())
        });
        let told = |&(from, relation, to): &CycleStep| CycleEdge {
            from: from.index(),
            to: to.index(),
            relation: relation.to_string(),
            sentence: cycle_sentence(relation, &self.event_name(from), &self.event_name(to)),
        };
        let threads = (0..threads).map(|t| names.thread_name(t)).collect();
        WitnessGraph { title, threads, nodes, edges, orders: orders.collect(), cycle: cycle.iter().map(told).collect() }
    }

    fn edges_to_draw(&self, threads: usize, cycle: &[CycleStep]) -> Vec<CycleStep> {
        let graph = &self.graph;
        let mut edges: Vec<CycleStep> = Vec::new();
        for thread in 0..threads as u32 {
            let events: Vec<EventId> = graph.thread(thread).map(|(id, _)| id).collect();
            edges.extend(events.windows(2).map(|pair| (pair[0], "po", pair[1])));
        }
        edges.extend(Relations::of(graph).rf.pairs().map(|(a, b)| (a, "rf", b)));
        let mut reads: HashMap<Address, Vec<EventId>> = HashMap::new();
        for (read, event) in graph.events().filter(|(_, e)| e.reads() && !e.is_rmw()) {
            if let Some(at) = event.label.address {
                reads.entry(at).or_default().push(read);
            }
        }
        for (at, writes) in graph.modification_orders() {
            edges.extend(writes.windows(2).map(|pair| (pair[0], "mo", pair[1])));
            // Of all later writes, a read is drawn before the next one.
            let place: HashMap<EventId, usize> = writes.iter().enumerate().map(|(i, &write)| (write, i)).collect();
            for &read in reads.get(&at).into_iter().flatten() {
                let source = graph.source(read).and_then(|source| place.get(&source));
                let next = source.and_then(|&i| writes.get(i + 1));
                edges.extend(next.map(|&next| (read, "fr", next)));
            }
        }
        for &step in cycle {
            if !edges.contains(&step) {
                edges.push(step);
            }
        }
        edges
    }

    fn kind(&self, id: EventId) -> NodeKind {
        let event = self.graph.event(id);
        match event.label.kind {
            _ if event.is_initial() => NodeKind::Initial,
            _ if event.is_fence() => NodeKind::Fence,
            EventKind::Fence => NodeKind::Fence,
            EventKind::Rmw => NodeKind::Update,
            EventKind::Write => NodeKind::Write,
            EventKind::Read | EventKind::AwaitRead => NodeKind::Read,
        }
    }

    /// Whether an event says little in any drawing.
    fn uninteresting(&self, id: EventId, step: Option<&Step>) -> Option<Folded> {
        let event = self.graph.event(id);
        let pointer = event.label.address.and_then(Address::pointer_and_size).map(|(pointer, _)| pointer);
        if pointer.is_some_and(|pointer| region(pointer) == Region::Thread) {
            return Some(Folded::ThreadStart);
        }
        if let Some(step) = step {
            return (!self.shows(step)).then_some(Folded::Library);
        }
        let is_read = || self.graph.events().any(|(other, e)| e.reads() && self.graph.source(other) == Some(id));
        (event.is_initial() && !is_read()).then_some(Folded::Unread)
    }

    /// `W rel x = 1`, `R acq y = 0`, `U acqrel x = 0 → 1`, `F sc`.
    fn label(&self, id: EventId) -> String {
        let event = self.graph.event(id);
        let label = &event.label;
        let Some(at) = label.address.filter(|&at| at != SC_FENCE_CELL) else { return format!("F {}", label.order) };
        let cell = self.names.cell_name(at);
        let value = |v: Option<Value>| v.map(|v| self.names.value_text(at, v)).unwrap_or_default();
        if event.is_initial() {
            return format!("{cell} = {}", value(label.written));
        }
        match label.kind {
            EventKind::Rmw => {
                format!("U {} {cell} = {} → {}", label.order, value(label.read), value(label.written))
            }
            EventKind::Write => format!("W {} {cell} = {}", label.order, value(label.written)),
            EventKind::Fence => format!("F {}", label.order),
            EventKind::Read | EventKind::AwaitRead => format!("R {} {cell} = {}", label.order, value(label.read)),
        }
    }
}

/// What a step of a cycle says of its two events.
pub(crate) fn cycle_sentence(relation: &str, from: &str, to: &str) -> String {
    match relation {
        "po" => format!("{from} is before {to} in its thread"),
        "rf" => format!("{from} is read by {to}"),
        "mo" => format!("{from} is overwritten by {to}"),
        "fr" => format!("{from} reads what {to} overwrites"),
        _ => format!("{from} comes before {to} ({relation})"),
    }
}

impl WitnessGraph {
    /// The graph with more edges, where it shows the events.
    pub(crate) fn with(mut self, edges: impl IntoIterator<Item = CycleStep>) -> WitnessGraph {
        let shown: HashSet<usize> = self.nodes.iter().map(|node| node.id).collect();
        for (from, relation, to) in edges {
            let (from, to) = (from.index(), to.index());
            if shown.contains(&from) && shown.contains(&to) {
                self.edges.push(Edge { from, to, relation: relation.to_string(), highlighted: false });
            }
        }
        self
    }

    /// Adds what a thread does next: it is no event. `because` are edges from it.
    pub(crate) fn and_then(&mut self, node: Node, because: impl IntoIterator<Item = (&'static str, usize)>) {
        let before = self.nodes.iter().rfind(|other| other.thread == node.thread).map(|other| other.id);
        let id = self.nodes.iter().map(|node| node.id + 1).max().unwrap_or(0);
        let edge = |from, to, relation: &str, highlighted| Edge { from, to, relation: relation.into(), highlighted };
        self.edges.extend(before.map(|before| edge(before, id, "po", false)));
        self.edges.extend(because.into_iter().map(|(relation, to)| edge(id, to, relation, true)));
        self.nodes.push(Node { id, ..node });
    }

    /// Folds what the finding does not need, if the drawing is large: all but the events of the cycle and those that
    /// stand out, what they read, and the ends of threads where nothing stands out.
    pub(crate) fn folded(mut self) -> WitnessGraph {
        let stands_out = |node: &&Node| node.highlighted || matches!(node.kind, NodeKind::Waiting | NodeKind::Failure);
        let mut needed: HashSet<usize> = self.nodes.iter().filter(stands_out).map(|node| node.id).collect();
        needed.extend(self.edges.iter().filter(|edge| edge.highlighted).flat_map(|edge| [edge.from, edge.to]));
        self.nodes.iter_mut().filter(|node| needed.contains(&node.id)).for_each(|node| node.folded = None);
        if self.nodes.iter().filter(|node| node.folded.is_none()).count() <= SMALL {
            return self.unread();
        }
        let is_event = |id: &usize| {
            let kind = self.nodes.iter().find(|node| node.id == *id).map(|node| node.kind);
            !matches!(kind, Some(NodeKind::Waiting | NodeKind::Failure) | None)
        };
        if !needed.iter().any(is_event) {
            for thread in 0..self.threads.len() {
                let own = self.nodes.iter().rev().filter(|node| node.thread == Some(thread) && node.folded.is_none());
                needed.extend(own.take(LAST_EVENTS).map(|node| node.id));
            }
        }
        let sources = self.edges.iter().filter(|edge| edge.relation == "rf" && needed.contains(&edge.to));
        let sources: Vec<usize> = sources.map(|edge| edge.from).collect();
        needed.extend(sources);
        for node in &mut self.nodes {
            if node.folded.is_none() && !needed.contains(&node.id) {
                node.folded = Some(Folded::NotNeeded);
            }
        }
        self.unread()
    }

    /// Folds initial values that no event reads that is shown.
    fn unread(mut self) -> WitnessGraph {
        let shown: HashSet<usize> =
            self.nodes.iter().filter(|node| node.folded.is_none()).map(|node| node.id).collect();
        let touches = |edge: &&Edge| edge.relation == "rf" && shown.contains(&edge.to) || edge.highlighted;
        let read: HashSet<usize> = self.edges.iter().filter(touches).map(|edge| edge.from).collect();
        let is_unread =
            |node: &&mut Node| node.kind == NodeKind::Initial && !node.highlighted && !read.contains(&node.id);
        self.nodes.iter_mut().filter(is_unread).for_each(|node| node.folded = Some(Folded::Unread));
        self
    }
}
