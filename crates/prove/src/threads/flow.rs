//! The shape of a thread's flow graph: what comes before what, and what can be repeated.

use crate::bits::{BitMatrix, BitSet};
use crate::threads::code::{Code, Node};

#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub(crate) predecessors: Vec<Vec<u32>>,
    /// Reachable nodes, each before its successors except along back edges.
    pub(crate) order: Vec<u32>,
    /// For each node, its place in that order.
    position: Vec<usize>,
    /// Nodes that a back edge goes to.
    pub(crate) heads: BitSet,
    /// Whether the second node can be reached from the first in one step or more.
    reaches: BitMatrix,
}

impl Flow {
    pub(crate) fn of(code: &Code) -> Flow {
        let n = code.nodes.len();
        let mut predecessors = vec![Vec::new(); n];
        for (i, node) in code.nodes.iter().enumerate() {
            for &next in &node.next {
                predecessors[next as usize].push(i as u32);
            }
        }
        let order = Flow::order_from(&code.nodes, 0);
        let mut position = vec![usize::MAX; n];
        for (i, &node) in order.iter().enumerate() {
            position[node as usize] = i;
        }
        let mut heads = BitSet::new(n);
        for &node in &order {
            for &next in &code.nodes[node as usize].next {
                if position[next as usize] <= position[node as usize] {
                    heads.insert(next as usize);
                }
            }
        }
        let mut reaches = BitMatrix::new(n);
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().rev() {
                let node = node as usize;
                for &next in &code.nodes[node].next {
                    if !reaches.contains(node, next as usize) {
                        reaches.insert(node, next as usize);
                        changed = true;
                    }
                    changed |= reaches.union_row(node, next as usize);
                }
            }
        }
        Flow { predecessors, order, position, heads, reaches }
    }

    /// Whether an edge between these goes back in a loop.
    pub(crate) fn goes_back(&self, from: usize, to: usize) -> bool {
        self.position[to] <= self.position[from]
    }

    pub(crate) fn reaches(&self, from: usize, to: usize) -> bool {
        self.reaches.contains(from, to)
    }

    /// Adds what can be reached from a node.
    pub(crate) fn add_reached(&self, from: usize, to: &mut BitSet) {
        self.reaches.add_row(from, to);
    }

    /// Whether the node is in no loop, and so is executed at most once.
    pub(crate) fn once(&self, node: usize) -> bool {
        !self.reaches(node, node)
    }

    /// Whether a path along this edge may have been at a node, or may still get there.
    pub(crate) fn leaves_room_for(&self, from: usize, to: usize, node: usize) -> bool {
        from == node || to == node || self.reaches(node, from) || self.reaches(to, node)
    }

    /// NotReachableFrom of paper 002 §4.1, for nodes of one execution: whenever both are executed, the first is done with
    /// before the second begins.
    pub(crate) fn before(&self, first: usize, second: usize) -> bool {
        first != second && !self.reaches(second, first)
    }

    /// What can be reached from a node, each before its successors except along back edges.
    pub(crate) fn order_from(nodes: &[Node], start: u32) -> Vec<u32> {
        Flow::order_along(nodes, start, |_, _| true)
    }

    /// The same along those ways out of nodes that are `open`.
    pub(crate) fn order_along(nodes: &[Node], start: u32, open: impl Fn(usize, usize) -> bool) -> Vec<u32> {
        let mut seen = BitSet::new(nodes.len());
        let mut order = Vec::new();
        let mut stack = vec![(start, 0usize)];
        seen.insert(start as usize);
        while let Some((node, child)) = stack.last_mut() {
            match nodes[*node as usize].next.get(*child) {
                Some(&next) => {
                    let is_open = open(*node as usize, *child);
                    *child += 1;
                    if is_open && !seen.contains(next as usize) {
                        seen.insert(next as usize);
                        stack.push((next, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
}
