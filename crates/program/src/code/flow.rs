//! The shape of a graph of control flow: what comes before what, and what can be repeated.

use super::bits::{BitMatrix, BitSet};
use crate::Function;

/// A graph of control flow over the nodes `0..count`. An edge is named by the node that it leaves and its position
/// among the edges that leave it.
pub trait Successors {
    fn count(&self) -> usize;
    fn successors(&self, node: usize) -> &[u32];
}

impl Successors for Vec<Vec<u32>> {
    fn count(&self) -> usize {
        self.len()
    }

    fn successors(&self, node: usize) -> &[u32] {
        &self[node]
    }
}

impl Function {
    /// The graph of its instructions. The last node is the end of the function.
    pub fn successors(&self) -> Vec<Vec<u32>> {
        let end = self.code.len();
        let of = |(pc, inst): (usize, &crate::Inst)| {
            let mut found = Vec::new();
            inst.for_each_successor(pc, |next| found.push(next.unwrap_or(end).min(end) as u32));
            found
        };
        self.code.iter().enumerate().map(of).chain([Vec::new()]).collect()
    }

    /// For each instruction, and for the end of the function, those that may be followed by it.
    pub fn predecessors(&self) -> Vec<Vec<u32>> {
        predecessors(&self.successors())
    }
}

/// For each node, the nodes that an edge leads from; one entry per edge.
pub(crate) fn predecessors(graph: &impl Successors) -> Vec<Vec<u32>> {
    let mut found = vec![Vec::new(); graph.count()];
    for node in 0..graph.count() {
        for &next in graph.successors(node) {
            found[next as usize].push(node as u32);
        }
    }
    found
}

/// The nodes reachable from `start`, each before its successors except along back edges.
pub fn order_from(graph: &impl Successors, start: u32) -> Vec<u32> {
    order_along(graph, start, |_, _| true)
}

/// Like [`order_from`], but only along edges that are `open`.
pub fn order_along(graph: &impl Successors, start: u32, open: impl Fn(usize, usize) -> bool) -> Vec<u32> {
    let mut seen = BitSet::new(graph.count());
    let mut order = Vec::new();
    let mut stack = vec![(start, 0usize)];
    seen.insert(start as usize);
    while let Some((node, child)) = stack.last_mut() {
        match graph.successors(*node as usize).get(*child) {
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

/// The strongly connected component of each node, by Tarjan's algorithm without recursion. Nodes that are not in
/// `order` have none.
pub fn components(graph: &impl Successors, order: &[u32]) -> Vec<Option<u32>> {
    let n = graph.count();
    let (mut index, mut low, mut component): (Vec<Option<u32>>, _, _) = (vec![None; n], vec![0; n], vec![None; n]);
    let (mut stack, mut calls) = (Vec::new(), Vec::new());
    let (mut next_index, mut next_component) = (0, 0);
    for &root in order {
        if index[root as usize].is_some() {
            continue;
        }
        calls.push((root as usize, 0));
        while let Some((node, child)) = calls.pop() {
            if child == 0 {
                index[node] = Some(next_index);
                low[node] = next_index;
                next_index += 1;
                stack.push(node);
            }
            if let Some(&to) = graph.successors(node).get(child) {
                let to = to as usize;
                calls.push((node, child + 1));
                match index[to] {
                    None => calls.push((to, 0)),
                    Some(index) if component[to].is_none() => low[node] = low[node].min(index),
                    Some(_) => {}
                }
                continue;
            }
            if Some(low[node]) == index[node] {
                while let Some(member) = stack.pop() {
                    component[member] = Some(next_component);
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    component
}

/// What is known about a graph whose first node is where it starts.
#[derive(Clone, Debug)]
pub struct Flow {
    pub predecessors: Vec<Vec<u32>>,
    /// Reachable nodes, each before its successors except along back edges.
    pub order: Vec<u32>,
    /// For each reachable node, its index in `order`.
    position: Vec<Option<u32>>,
    /// Nodes that a back edge goes to.
    pub heads: BitSet,
    /// Whether the second node can be reached from the first in one step or more.
    reaches: BitMatrix,
}

impl Flow {
    pub fn of(graph: &impl Successors) -> Flow {
        let n = graph.count();
        let order = if n == 0 { Vec::new() } else { order_from(graph, 0) };
        let mut position = vec![None; n];
        for (i, &node) in order.iter().enumerate() {
            position[node as usize] = Some(i as u32);
        }
        let mut heads = BitSet::new(n);
        for &node in &order {
            for &next in graph.successors(node as usize) {
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
                for &next in graph.successors(node) {
                    if !reaches.contains(node, next as usize) {
                        reaches.insert(node, next as usize);
                        changed = true;
                    }
                    changed |= reaches.union_row(node, next as usize);
                }
            }
        }
        Flow { predecessors: predecessors(graph), order, position, heads, reaches }
    }

    /// Whether an edge between these reachable nodes goes back in a loop.
    pub fn goes_back(&self, from: usize, to: usize) -> bool {
        self.position[to] <= self.position[from]
    }

    pub fn reaches(&self, from: usize, to: usize) -> bool {
        self.reaches.contains(from, to)
    }

    /// Adds what can be reached from a node.
    pub fn add_reached(&self, from: usize, to: &mut BitSet) {
        self.reaches.add_row(from, to);
    }

    /// Whether the node is in no loop, and so is executed at most once.
    pub fn once(&self, node: usize) -> bool {
        !self.reaches(node, node)
    }

    /// Whether a path along this edge may have been at a node, or may still get there.
    pub fn leaves_room_for(&self, from: usize, to: usize, node: usize) -> bool {
        from == node || to == node || self.reaches(node, from) || self.reaches(to, node)
    }

    /// NotReachableFrom of paper 002 §4.1, for nodes of one execution: whenever both are executed, the first is done
    /// with before the second begins.
    pub fn before(&self, first: usize, second: usize) -> bool {
        first != second && !self.reaches(second, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1 ⇄ 2 → 3, and 4, which nothing leads to.
    fn with_a_loop() -> Vec<Vec<u32>> {
        vec![vec![1], vec![2], vec![1, 3], vec![], vec![3]]
    }

    #[test]
    fn nodes_come_before_their_successors_except_along_back_edges() {
        let flow = Flow::of(&with_a_loop());
        assert_eq!(flow.order, [0, 1, 2, 3]);
        assert_eq!(flow.heads.iter().collect::<Vec<_>>(), [1]);
        assert!(flow.goes_back(2, 1) && !flow.goes_back(2, 3));
    }

    #[test]
    fn what_is_in_a_loop_reaches_itself() {
        let flow = Flow::of(&with_a_loop());
        let once: Vec<usize> = (0..5).filter(|&node| flow.once(node)).collect();
        assert_eq!(once, [0, 3, 4]);
        assert!(flow.before(0, 3) && flow.before(1, 3) && !flow.before(1, 2));
    }

    #[test]
    fn nodes_share_a_component_exactly_if_they_reach_each_other() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..2_000 {
            let n = random.u32(1..10);
            let graph: Vec<Vec<u32>> = (0..n).map(|_| (0..random.u8(..3)).map(|_| random.u32(..n)).collect()).collect();
            let flow = Flow::of(&graph);
            let component = components(&graph, &flow.order);
            for a in 0..n as usize {
                assert_eq!(component[a].is_some(), flow.order.contains(&(a as u32)));
                for b in (0..n as usize).filter(|&b| component[a].is_some() && component[b].is_some()) {
                    let together = a == b || flow.reaches(a, b) && flow.reaches(b, a);
                    assert_eq!(component[a] == component[b], together, "{graph:?} {a} {b}");
                }
            }
        }
    }

    /// Random edges between a few nodes.
    fn random_graph(random: &mut fastrand::Rng) -> Vec<Vec<u32>> {
        let n = random.u32(1..10);
        (0..n).map(|_| (0..random.u8(..3)).map(|_| random.u32(..n)).collect()).collect()
    }

    /// What can be reached in one step or more along the edges that are open, by trying all paths.
    fn reached(graph: &[Vec<u32>], from: usize, open: &dyn Fn(usize, usize) -> bool) -> Vec<bool> {
        let mut seen = vec![false; graph.len()];
        let mut work = vec![from];
        while let Some(node) = work.pop() {
            for (i, &next) in graph[node].iter().enumerate() {
                if open(node, i) && !std::mem::replace(&mut seen[next as usize], true) {
                    work.push(next as usize);
                }
            }
        }
        seen
    }

    #[test]
    fn a_flow_knows_which_nodes_paths_lead_to() {
        let mut random = fastrand::Rng::with_seed(6);
        for _ in 0..2_000 {
            let graph = random_graph(&mut random);
            let flow = Flow::of(&graph);
            let from_start = reached(&graph, 0, &|_, _| true);
            for node in 0..graph.len() {
                let is_reached = node == 0 || from_start[node];
                assert_eq!(flow.order.contains(&(node as u32)), is_reached);
                if !is_reached {
                    continue;
                }
                let expected = reached(&graph, node, &|_, _| true);
                let found: Vec<bool> = (0..graph.len()).map(|to| flow.reaches(node, to)).collect();
                assert_eq!(found, expected, "{graph:?} from {node}");
                let mut set = BitSet::new(graph.len());
                flow.add_reached(node, &mut set);
                assert!((0..graph.len()).all(|to| set.contains(to) == expected[to]));
                assert_eq!(flow.once(node), !expected[node]);
                for (other, &is_after) in expected.iter().enumerate().filter(|&(other, _)| other != node) {
                    assert_eq!(flow.before(other, node), !is_after);
                }
            }
        }
    }

    #[test]
    fn without_the_heads_of_loops_nothing_is_repeated() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..2_000 {
            let graph = random_graph(&mut random);
            let flow = Flow::of(&graph);
            let open = |node: usize, i: usize| !flow.heads.contains(graph[node][i] as usize);
            for &node in &flow.order {
                let again = reached(&graph, node as usize, &open);
                assert!(!again[node as usize], "{graph:?}, heads {:?}", flow.heads);
                for &next in &graph[node as usize] {
                    assert!(flow.heads.contains(next as usize) || !flow.goes_back(node as usize, next as usize));
                }
            }
        }
    }

    #[test]
    fn an_order_along_open_edges_has_what_they_lead_to() {
        let mut random = fastrand::Rng::with_seed(8);
        for _ in 0..2_000 {
            let graph = random_graph(&mut random);
            let closed = (random.usize(..graph.len()), random.usize(..2));
            let start = random.usize(..graph.len());
            let open = |node, i| (node, i) != closed;
            let mut found = order_along(&graph, start as u32, open);
            assert_eq!(found[0] as usize, start);
            found.sort_unstable();
            let expected = reached(&graph, start, &open);
            let is_expected = |&node: &u32| node as usize == start || expected[node as usize];
            assert!(found.into_iter().eq((0..graph.len() as u32).filter(is_expected)), "{graph:?}");
        }
    }

    #[test]
    fn predecessors_are_the_edges_the_other_way_round() {
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..500 {
            let graph = random_graph(&mut random);
            let mut edges: Vec<(u32, u32)> = Vec::new();
            let mut mirrored = Vec::new();
            for (node, before) in predecessors(&graph).iter().enumerate() {
                mirrored.extend(before.iter().map(|&from| (from, node as u32)));
                edges.extend(graph[node].iter().map(|&to| (node as u32, to)));
            }
            edges.sort_unstable();
            mirrored.sort_unstable();
            assert_eq!(edges, mirrored);
        }
    }
}
