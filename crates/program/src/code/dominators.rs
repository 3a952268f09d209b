//! What every path to a node goes through.

use super::flow::{Flow, Successors, order_along};

/// For each node the nearest one before it that is on every path from node 0, as a tree (Cooper, Harvey and Kennedy, *A
/// Simple, Fast Dominance Algorithm*). Node 0 has itself; unreachable nodes have none.
pub struct Dominators {
    nearest: Vec<Option<u32>>,
}

impl Dominators {
    /// Along the edges that are `open`, each given by the node that it leaves and its position there. `flow` is of the
    /// same graph.
    pub fn of(graph: &impl Successors, flow: &Flow, open: impl Fn(usize, usize) -> bool) -> Dominators {
        let follows = |from: usize, node: u32| {
            let next = graph.successors(from);
            (0..next.len()).any(|i| next[i] == node && open(from, i))
        };
        let n = graph.count();
        let mut nearest = vec![None; n];
        if n == 0 {
            return Dominators { nearest };
        }
        let order = order_along(graph, 0, &open);
        let mut position = vec![0; n];
        for (i, &node) in order.iter().enumerate() {
            position[node as usize] = i;
        }
        nearest[0] = Some(0);
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().skip(1) {
                let before = flow.predecessors[node as usize].iter().copied();
                let before = before.filter(|&p| nearest[p as usize].is_some() && follows(p as usize, node));
                let common = before.reduce(|a, b| common(&nearest, &position, a, b));
                if common.is_some() && common != nearest[node as usize] {
                    nearest[node as usize] = common;
                    changed = true;
                }
            }
        }
        Dominators { nearest }
    }

    pub fn is_reached(&self, node: usize) -> bool {
        self.nearest[node].is_some()
    }

    /// The other nodes on every path to a node, the nearest first.
    pub fn above(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let up = |&n: &usize| self.nearest[n].map(|up| up as usize).filter(|&up| up != n);
        std::iter::successors(up(&node), up)
    }
}

fn common(nearest: &[Option<u32>], position: &[usize], mut a: u32, mut b: u32) -> u32 {
    let up = |node: u32| nearest[node as usize].expect("only nodes that have one are compared");
    while a != b {
        if position[a as usize] > position[b as usize] {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::BitSet;

    fn reached(graph: &[Vec<u32>], open: &[u8], without: Option<usize>) -> BitSet {
        let mut seen = BitSet::new(graph.len());
        let mut work = vec![0];
        while let Some(node) = work.pop() {
            if Some(node) == without || seen.contains(node) {
                continue;
            }
            seen.insert(node);
            let next = graph[node].iter().enumerate().filter(|(i, _)| open[node] >> i & 1 == 1);
            work.extend(next.map(|(_, &to)| to as usize));
        }
        seen
    }

    #[test]
    fn a_node_is_above_another_exactly_if_that_cannot_be_reached_without_it() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..5_000 {
            let n = rng.usize(2..12) as u32;
            let graph: Vec<Vec<u32>> = (0..n).map(|_| (0..rng.usize(1..3)).map(|_| rng.u32(1..n)).collect()).collect();
            let open: Vec<u8> = graph.iter().map(|_| rng.u8(1..4)).collect();
            let dominators = Dominators::of(&graph, &Flow::of(&graph), |node, i| open[node] >> i & 1 == 1);
            let all = reached(&graph, &open, None);
            for node in 0..graph.len() {
                assert_eq!(dominators.is_reached(node), all.contains(node));
                let expected = |&other: &usize| {
                    other != node
                        && all.contains(node)
                        && all.contains(other)
                        && !reached(&graph, &open, Some(other)).contains(node)
                };
                let expected: Vec<usize> = (0..graph.len()).filter(expected).collect();
                let mut found: Vec<usize> = dominators.above(node).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{graph:?} {open:?}");
            }
        }
    }
}
