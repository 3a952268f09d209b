//! JAM21 by clocks: the same answers as the relations of `super`, which are the definition, at a fraction of the cost.
//!
//! [`nodes`] reads the graph, [`coherence`] has the axioms of RC11, [`visibility`] what each event knows for one order
//! of volatile accesses and fences, and [`order`] finds such an order. One row of [`bits`] is one word for graphs of up
//! to 64 accesses, and all buffers are kept from one graph to the next.

mod bits;
mod coherence;
mod nodes;
mod order;
mod visibility;

use std::cell::RefCell;

use bits::Bits;
use coherence::Coherence;
use fencepost_graph::Graph;
use nodes::Nodes;
use visibility::Visibility;

/// Buffers for rows of `WORDS` words.
struct Clocks<const WORDS: usize> {
    coherence: Coherence<WORDS>,
    visibility: Visibility<WORDS>,
    /// By pivot: the pivots before it.
    order: Vec<Bits<WORDS>>,
}

#[derive(Default)]
struct Buffers {
    nodes: Nodes,
    narrow: Clocks<1>,
    wide: Clocks<4>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Whether JAM21 allows the graph; by clocks.
pub fn consistent_by_clocks(graph: &Graph) -> bool {
    decide(graph, true)
}

/// [`consistent_by_clocks`] of a graph that is known to be coherent and atomic as in RC11.
pub(super) fn coherent_graph_is_consistent(graph: &Graph) -> bool {
    decide(graph, false)
}

fn decide(graph: &Graph, ask_for_coherence: bool) -> bool {
    if !ask_for_coherence && super::is_all_relaxed(graph) {
        return true;
    }
    BUFFERS.with_borrow_mut(|buffers| {
        let Buffers { nodes, narrow, wide } = buffers;
        if !nodes.read(graph) {
            return super::consistent_by_relation(graph);
        }
        match nodes.width() {
            0..=64 => narrow.decide(graph, nodes, ask_for_coherence),
            65..=256 => wide.decide(graph, nodes, ask_for_coherence),
            257..=1024 => Clocks::<16>::default().decide(graph, nodes, ask_for_coherence),
            1025..=8192 => Clocks::<128>::default().decide(graph, nodes, ask_for_coherence),
            _ => super::consistent_by_relation(graph),
        }
    })
}

impl<const WORDS: usize> Default for Clocks<WORDS> {
    fn default() -> Self {
        Clocks { coherence: Coherence::new(), visibility: Visibility::new(), order: Vec::new() }
    }
}

impl<const WORDS: usize> Clocks<WORDS> {
    fn decide(&mut self, graph: &Graph, nodes: &mut Nodes, ask_for_coherence: bool) -> bool {
        if ask_for_coherence && !self.coherence.holds(graph, nodes) {
            return false;
        }
        nodes.find_pivots();
        self.visibility.prepare(nodes);
        self.has_linearisation(nodes)
    }
}
