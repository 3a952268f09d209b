//! An execution graph, as it is to be drawn.

use fencepost_graph::{EventId, EventKind, Graph, Relations, SC_FENCE_CELL};
use fencepost_program::Names;

use crate::{Edge, Node, WitnessGraph};

/// All events of a graph, with po, rf and mo without what follows from them, and fr to the next write. Of the steps in
/// `cycle`, those that are more than that are drawn as well, and all are highlighted.
pub fn draw(
    names: &Names,
    title: String,
    graph: &Graph,
    highlighted: &[EventId],
    cycle: &[(EventId, &'static str, EventId)],
) -> WitnessGraph {
    let relations = Relations::of(graph);
    let mut edges: Vec<(EventId, &'static str, EventId)> = Vec::new();
    let last = graph.events().filter_map(|(_, event)| event.thread).max();
    let threads = names.thread_count().max(last.map_or(0, |last| last as usize + 1));
    for thread in 0..threads as u32 {
        let events: Vec<EventId> = graph.thread(thread).map(|(id, _)| id).collect();
        edges.extend(events.windows(2).map(|pair| (pair[0], "po", pair[1])));
    }
    edges.extend(relations.rf.pairs().map(|(a, b)| (a, "rf", b)));
    for (_, writes) in graph.modification_orders() {
        edges.extend(writes.windows(2).map(|pair| (pair[0], "mo", pair[1])));
        // Of all later writes, a read is drawn before the next one.
        for (read, event) in graph.events().filter(|(_, e)| e.reads() && !e.is_rmw()) {
            let at = event.label.address.map(|at| graph.writes(at)).unwrap_or_default();
            if at != writes {
                continue;
            }
            let next = writes.iter().position(|&w| Some(w) == graph.source(read)).and_then(|i| writes.get(i + 1));
            edges.extend(next.map(|&next| (read, "fr", next)));
        }
    }
    for &step in cycle {
        if !edges.contains(&step) {
            edges.push(step);
        }
    }
    // An initial write that no edge of another thread touches says nothing.
    let shown = |id: EventId, initial: bool| {
        !initial || highlighted.contains(&id) || edges.iter().any(|&(a, name, b)| (a == id || b == id) && name != "po")
    };
    let nodes: Vec<Node> = graph
        .events()
        .filter(|(id, e)| shown(*id, e.is_initial()))
        .map(|(id, e)| Node {
            id: id.index(),
            thread: e.thread.map(|t| t as usize),
            label: label(names, graph, id),
            span: e.span,
            highlighted: highlighted.contains(&id),
        })
        .collect();
    let edges = edges
        .iter()
        .filter(|(a, _, b)| [a, b].iter().all(|id| nodes.iter().any(|n| n.id == id.index())))
        .map(|&(from, relation, to)| Edge {
            from: from.index(),
            to: to.index(),
            relation: relation.to_string(),
            highlighted: cycle.contains(&(from, relation, to)),
        })
        .collect();
    WitnessGraph { title, threads: (0..threads).map(|t| names.thread_name(t)).collect(), nodes, edges }
}

/// `W rel x = 1`, `R acq y = 0`, `U acqrel x = 0 → 1`, `F sc`.
fn label(names: &Names, graph: &Graph, id: EventId) -> String {
    let event = graph.event(id);
    let label = &event.label;
    let Some(at) = label.address.filter(|&at| at != SC_FENCE_CELL) else { return format!("F {}", label.order) };
    let cell = names.cell_name(at);
    let value = |v: Option<i64>| v.map(|v| names.value_text(at, v)).unwrap_or_default();
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
