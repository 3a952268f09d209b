//! What a still picture shows of a graph: without the events that are folded away, and with one edge between two events
//! however many relations they are in.

use std::collections::{HashMap, HashSet};

use fencepost_story::{Edge, Node, WitnessGraph};

use crate::relation::in_use;

pub(crate) struct Shown {
    pub(crate) graph: WitnessGraph,
    /// The nodes that stand for events that are folded away.
    pub(crate) chips: HashSet<usize>,
}

impl Shown {
    pub(crate) fn of(graph: &WitnessGraph) -> Shown {
        let (nodes, chips) = nodes(graph);
        let mut edges = program_order(graph, &nodes);
        edges.extend(merged(graph, &nodes));
        let (title, threads) = (graph.title.clone(), graph.threads.clone());
        Shown { graph: WitnessGraph { title, threads, nodes, edges, ..WitnessGraph::default() }, chips }
    }
}

/// The names of the relations that an edge stands for.
pub(crate) fn names(edge: &Edge) -> impl Iterator<Item = &str> {
    edge.relation.split(", ")
}

/// The nodes that are shown, and one for each stretch of folded ones in a column.
fn nodes(graph: &WitnessGraph) -> (Vec<Node>, HashSet<usize>) {
    let mut free = graph.nodes.iter().map(|node| node.id + 1).max().unwrap_or(0);
    let mut nodes: Vec<Node> = Vec::new();
    // By column, where the stretch stands that is not over, and how long it is.
    let mut open: HashMap<Option<usize>, (usize, usize)> = HashMap::new();
    let mut chips = HashSet::new();
    for node in &graph.nodes {
        let column = graph.column(node);
        if node.folded.is_none() {
            if column.is_some() {
                open.remove(&column);
            }
            nodes.push(node.clone());
            continue;
        }
        let (place, length) = open.entry(column).or_insert((nodes.len(), 0));
        *length += 1;
        if *length == 1 {
            nodes.push(Node { id: free, thread: column, ..Node::default() });
            chips.insert(free);
            free += 1;
        }
        nodes[*place].label = match column {
            Some(_) => format!("⋯ {length}"),
            None => format!("⋯ {length} not read"),
        };
    }
    // What is folded away of the initial values stands behind the others.
    nodes.sort_by_key(|node| (graph.column(node).is_some(), graph.column(node).is_none() && chips.contains(&node.id)));
    (nodes, chips)
}

fn program_order(graph: &WitnessGraph, nodes: &[Node]) -> Vec<Edge> {
    let place: HashMap<usize, usize> = nodes.iter().enumerate().map(|(i, node)| (node.id, i)).collect();
    let thread: HashMap<usize, Option<usize>> = nodes.iter().map(|node| (node.id, node.thread)).collect();
    let steps: Vec<&Edge> = graph.edges.iter().filter(|edge| edge.relation == "po" && edge.highlighted).collect();
    // A step of the cycle may skip events: it is all edges between its two.
    let is_highlighted = |from: usize, to: usize| {
        let is_around = |step: &&Edge| {
            thread.get(&step.from) == thread.get(&from)
                && place.get(&step.from) <= place.get(&from)
                && place.get(&to) <= place.get(&step.to)
        };
        steps.iter().filter(|step| place.contains_key(&step.from)).any(is_around)
    };
    let mut last: HashMap<usize, usize> = HashMap::new();
    let mut edges = Vec::new();
    for node in nodes {
        let Some(thread) = graph.column(node) else { continue };
        if let Some(from) = last.insert(thread, node.id) {
            let highlighted = is_highlighted(from, node.id);
            edges.push(Edge { from, to: node.id, relation: "po".to_owned(), highlighted });
        }
    }
    edges
}

fn merged(graph: &WitnessGraph, nodes: &[Node]) -> Vec<Edge> {
    let columns: HashMap<usize, (Option<usize>, usize)> =
        nodes.iter().enumerate().map(|(i, node)| (node.id, (graph.column(node), i))).collect();
    let mut places: HashMap<(usize, usize), usize> = HashMap::new();
    let mut edges: Vec<Edge> = Vec::new();
    for edge in graph.edges.iter().filter(|edge| edge.relation != "po") {
        let (Some(from), Some(to)) = (columns.get(&edge.from), columns.get(&edge.to)) else { continue };
        // The initial value is always the first in modification order, and program order decides within a thread.
        let is_implied = from.0.is_none() || (from.0 == to.0 && from.1 < to.1);
        if is_implied && matches!(edge.relation.as_str(), "mo" | "fr") && !edge.highlighted {
            continue;
        }
        match places.get(&(edge.from, edge.to)) {
            Some(&place) => {
                let known = &mut edges[place];
                known.relation = in_use(names(known).chain([edge.relation.as_str()])).join(", ");
                known.highlighted |= edge.highlighted;
            }
            None => {
                places.insert((edge.from, edge.to), edges.len());
                edges.push(edge.clone());
            }
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use fencepost_story::Folded;

    use super::*;

    fn edge(from: usize, to: usize, relation: &str) -> Edge {
        Edge { from, to, relation: relation.into(), highlighted: false }
    }

    fn graph(folded: &[usize], edges: Vec<Edge>) -> WitnessGraph {
        let node = |id: usize| Node {
            id,
            thread: (id > 0).then_some(0),
            folded: folded.contains(&id).then_some(Folded::Library),
            ..Node::default()
        };
        WitnessGraph { threads: vec!["t".into()], nodes: (0..6).map(node).collect(), edges, ..WitnessGraph::default() }
    }

    #[test]
    fn edges_between_two_events_are_one_with_all_names() {
        let shown =
            Shown::of(&graph(&[], vec![edge(1, 3, "rf"), edge(1, 3, "sw"), edge(3, 1, "fr"), edge(1, 3, "rf")]));
        let names: Vec<&str> = shown.graph.edges.iter().map(|e| e.relation.as_str()).filter(|r| *r != "po").collect();
        assert_eq!(names, ["rf, sw", "fr"]);
    }

    #[test]
    fn folded_events_are_one_node_through_which_program_order_runs() {
        let shown = Shown::of(&graph(&[2, 3], vec![edge(1, 2, "rf"), edge(1, 5, "rf")]));
        let labels: Vec<&str> = shown.graph.nodes.iter().map(|node| node.label.as_str()).collect();
        assert_eq!(labels, ["", "", "⋯ 2", "", ""]);
        let edges: Vec<(usize, usize)> = shown.graph.edges.iter().map(|e| (e.from, e.to)).collect();
        assert_eq!(edges, [(1, 6), (6, 4), (4, 5), (1, 5)]);
        assert!(shown.chips.contains(&6));
    }

    #[test]
    fn what_follows_from_program_order_and_initial_values_is_not_drawn() {
        let shown =
            Shown::of(&graph(&[], vec![edge(0, 1, "mo"), edge(1, 2, "mo"), edge(2, 1, "mo"), edge(1, 2, "fr")]));
        let edges = shown.graph.edges.iter().filter(|edge| edge.relation != "po");
        assert_eq!(edges.map(|edge| (edge.from, edge.to)).collect::<Vec<_>>(), [(2, 1)]);
    }
}
