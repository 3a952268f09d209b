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
    /// The writes to each location in modification order, by the ids of their nodes.
    pub orders: Vec<(String, Vec<usize>)>,
    /// What sequential consistency forbids, in the order of the cycle. Each step is an edge too.
    pub cycle: Vec<CycleEdge>,
}

impl WitnessGraph {
    /// Where a node is drawn; `None` also when it names a thread that the graph does not have.
    pub fn column(&self, node: &Node) -> Option<usize> {
        node.thread.filter(|&thread| thread < self.threads.len())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Unique in the graph; what edges refer to.
    pub id: usize,
    pub kind: NodeKind,
    /// `None` for an initial write, drawn above the threads.
    pub thread: Option<usize>,
    /// Such as `W rel x = 1`.
    pub label: String,
    /// The step as the source language writes it; empty for an initial write.
    pub text: String,
    /// What the event reads or writes; `None` for a fence.
    pub location: Option<String>,
    /// What it writes, in words.
    pub written: Option<String>,
    pub span: Span,
    /// One of the accesses that the violation is about.
    pub highlighted: bool,
    /// Why a drawing leaves the event out at first.
    pub folded: Option<Folded>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeKind {
    /// The value that a location has at the start.
    Initial,
    #[default]
    Read,
    Write,
    Update,
    Fence,
    /// Not an event: what a thread waits for.
    Waiting,
    /// Not an event: where a thread fails.
    Failure,
}

/// Why an event is left out of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folded {
    /// How threads are started and joined.
    ThreadStart,
    /// What a library keeps beside what its users see.
    Library,
    /// An initial value that nobody reads.
    Unread,
    /// Neither the cycle, nor the race, nor the end of a thread needs it.
    NotNeeded,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The papers' name: `po`, `rf`, `mo`, `fr`, `sw`, `ppo`, `hb`, `hbSC`, `psc`; `race` and `waits for`.
    pub relation: String,
    /// Part of the cycle or of the step that makes this a violation.
    pub highlighted: bool,
}

/// A step of a cycle with what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleEdge {
    pub from: usize,
    pub to: usize,
    pub relation: String,
    /// Without a full stop: "`x.load(rlx)` of right reads what `x.store(1, rlx)` of left overwrites".
    pub sentence: String,
}
