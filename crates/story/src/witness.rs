use fencepost_graph::EventId;
use fencepost_program::Span;

/// An execution graph to be drawn: events as nodes, relations as edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WitnessGraph {
    pub title: String,
    /// The names of the columns, which [`Node::thread`] counts from 0.
    pub threads: Vec<String>,
    /// In an order in which they can happen: a drawing puts later ones lower.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

impl WitnessGraph {
    /// The graph with more edges, where it shows the events.
    pub fn with(mut self, edges: impl IntoIterator<Item = (EventId, &'static str, EventId)>) -> WitnessGraph {
        for (from, relation, to) in edges {
            let (from, to) = (from.index(), to.index());
            let is_shown = |id| self.nodes.iter().any(|node| node.id == id);
            if is_shown(from) && is_shown(to) {
                self.edges.push(Edge { from, to, relation: relation.to_string(), highlighted: false });
            }
        }
        self
    }

    /// Where a node is drawn; `None` also when it names a thread that the graph does not have.
    pub fn column(&self, node: &Node) -> Option<usize> {
        node.thread.filter(|&thread| thread < self.threads.len())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Unique in the graph; what edges refer to.
    pub id: usize,
    /// `None` for an initial write, drawn above the threads.
    pub thread: Option<usize>,
    /// Such as `W rel x = 1`.
    pub label: String,
    pub span: Span,
    /// One of the accesses that the violation is about.
    pub highlighted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The papers' name: `po`, `rf`, `mo`, `fr`, `sw`, `ppo`, `hb`, `hbSC`, `psc`.
    pub relation: String,
    /// Part of the cycle or of the step that makes this a violation.
    pub highlighted: bool,
}
