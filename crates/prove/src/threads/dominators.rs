//! What every path to a node goes through, among the paths that some facts leave open.

use crate::threads::code::Code;
use crate::threads::flow::Flow;
use crate::threads::interpret::States;

/// For each node the nearest one before it that is on every path from the start, as a tree (Cooper, Harvey and Kennedy, *A Simple,
/// Fast Dominance Algorithm*).
pub(crate) struct Dominators {
    nearest: Vec<u32>,
}

const UNREACHED: u32 = u32::MAX;

impl Dominators {
    pub(crate) fn of<D>(code: &Code, flow: &Flow, states: &States<D>) -> Dominators {
        let follows = |from: usize, node: u32| {
            let next = &code.nodes[from].next;
            (0..next.len()).any(|i| next[i] == node && states.taken[from] >> i & 1 == 1)
        };
        let order = order(code, states);
        let mut position = vec![0; code.nodes.len()];
        for (i, &node) in order.iter().enumerate() {
            position[node as usize] = i;
        }
        let mut nearest = vec![UNREACHED; code.nodes.len()];
        if !order.is_empty() {
            nearest[0] = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().skip(1) {
                let before = flow.predecessors[node as usize].iter().copied();
                let before = before.filter(|&p| nearest[p as usize] != UNREACHED && follows(p as usize, node));
                let common = before.reduce(|a, b| common(&nearest, &position, a, b));
                if let Some(common) = common.filter(|&c| c != nearest[node as usize]) {
                    nearest[node as usize] = common;
                    changed = true;
                }
            }
        }
        Dominators { nearest }
    }

    pub(crate) fn is_reached(&self, node: usize) -> bool {
        self.nearest[node] != UNREACHED
    }

    /// The other nodes on every path to a node, the nearest first.
    pub(crate) fn above(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let up = |&n: &usize| Some(self.nearest[n] as usize).filter(|&up| up != n && up != UNREACHED as usize);
        std::iter::successors(up(&node), up)
    }
}

/// What is reached, each node before its successors except along back edges.
fn order<D>(code: &Code, states: &States<D>) -> Vec<u32> {
    if states.before[0].is_none() {
        return Vec::new();
    }
    let is_open = |at: usize, child: usize| {
        states.taken[at] >> child & 1 == 1 && states.before[code.nodes[at].next[child] as usize].is_some()
    };
    Flow::order_along(&code.nodes, 0, is_open)
}

fn common(nearest: &[u32], position: &[usize], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        if position[a as usize] > position[b as usize] {
            a = nearest[a as usize];
        } else {
            b = nearest[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use fencepost_program::Span;

    use super::*;
    use crate::bits::BitSet;
    use crate::threads::code::{Node, Step};

    /// A flow graph in which some edges are closed, and what can be reached in it.
    fn random(rng: &mut fastrand::Rng) -> (Code, States<()>) {
        let n = rng.usize(2..12) as u32;
        let node = |rng: &mut fastrand::Rng| {
            let next = (0..rng.usize(1..3)).map(|_| rng.u32(1..n)).collect();
            Node { step: Step::Either, span: Span::default(), next }
        };
        let nodes: Vec<Node> = (0..n).map(|_| node(rng)).collect();
        let taken: Vec<u8> = nodes.iter().map(|_| rng.u8(1..4)).collect();
        let passes = vec![Vec::new(); nodes.len()];
        let code = Code { nodes, passes, ..Code::default() };
        let reached = reached(&code, &taken, None);
        let before = (0..n as usize).map(|node| reached.contains(node).then_some(())).collect();
        (code, States { before, taken })
    }

    fn reached(code: &Code, taken: &[u8], without: Option<usize>) -> BitSet {
        let mut seen = BitSet::new(code.nodes.len());
        let mut work = vec![0];
        while let Some(node) = work.pop() {
            if Some(node) == without || seen.contains(node) {
                continue;
            }
            seen.insert(node);
            let next = code.nodes[node].next.iter().enumerate().filter(|(i, _)| taken[node] >> i & 1 == 1);
            work.extend(next.map(|(_, &to)| to as usize));
        }
        seen
    }

    #[test]
    fn a_node_is_above_another_exactly_if_that_cannot_be_reached_without_it() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..5_000 {
            let (code, states) = random(&mut rng);
            let dominators = Dominators::of(&code, &Flow::of(&code), &states);
            for node in 0..code.nodes.len() {
                assert_eq!(dominators.is_reached(node), states.before[node].is_some());
                let expected = |&other: &usize| {
                    other != node
                        && states.before[node].is_some()
                        && states.before[other].is_some()
                        && !reached(&code, &states.taken, Some(other)).contains(node)
                };
                let expected: Vec<usize> = (0..code.nodes.len()).filter(expected).collect();
                let mut found: Vec<usize> = dominators.above(node).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{code:?} {:?}", states.taken);
            }
        }
    }
}
