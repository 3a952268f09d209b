//! Is there an order of the pivots, not against po ∪ rf, that leaves co-jom acyclic?
//!
//! As in `super::super::linearisation`: where one order of two pivots makes a cycle, the other is forced; only what is
//! left open is tried both ways. To see whether putting f before d makes a cycle needs no new clocks: all that is known
//! up to f becomes known to all that d and the pivots behind it push to, and nothing else does. So co-jom gets the
//! edges from what f knows to what follows d, within each location.

use super::Clocks;
use super::bits::Bits;
use super::nodes::{Kind, NONE, Nodes};

impl<const WORDS: usize> Clocks<WORDS> {
    pub(super) fn has_linearisation(&mut self, nodes: &Nodes) -> bool {
        let mut order = std::mem::take(&mut self.order);
        po_rf(nodes, &mut order, &mut self.visibility.before);
        let found = self.visibility.go_forwards(nodes, &order) && self.extends_to_linearisation(nodes, &mut order);
        self.order = order;
        found
    }

    /// Whether a transitive order, which leaves co-jom acyclic and for which clocks were computed, is part of a
    /// linearisation that does.
    fn extends_to_linearisation(&mut self, nodes: &Nodes, order: &mut [Bits<WORDS>]) -> bool {
        loop {
            if first_open_pair(order).is_none() {
                return true;
            }
            self.visibility.go_backwards(nodes, order);
            match self.force(nodes, order) {
                None => return false,
                Some(false) => break,
                Some(true) => {
                    if !close(order) || !self.visibility.go_forwards(nodes, order) {
                        return false;
                    }
                }
            }
        }
        let mut line = self.line_up(nodes, order);
        if self.visibility.go_forwards(nodes, &line) {
            return true;
        }
        let Some((a, b)) = first_open_pair(order) else { return false };
        for (first, second) in [(a, b), (b, a)] {
            line.copy_from_slice(order);
            line[second].insert(first);
            if close(&mut line)
                && self.visibility.go_forwards(nodes, &line)
                && self.extends_to_linearisation(nodes, &mut line)
            {
                return true;
            }
        }
        false
    }

    /// Adds the order of two pivots wherever the other order makes a cycle. Whether something was added; `None` if both
    /// make one.
    fn force(&self, nodes: &Nodes, order: &mut [Bits<WORDS>]) -> Option<bool> {
        let visibility = &self.visibility;
        let mut forced = false;
        for second in 0..nodes.pivots {
            let (knows, already) = self.up_to(order, second);
            for first in (0..nodes.pivots).filter(|&first| first != second) {
                if order[second].contains(first) || order[first].contains(second) {
                    continue;
                }
                // Would it close a cycle if `second` came before `first`?
                let follows = visibility.follows[first];
                if already.meets(&follows) || has_two_of_one_location(nodes, knows & follows) {
                    order[second].insert(first);
                    forced = true;
                }
            }
        }
        let contradicts = |second: usize| order[second].iter().any(|first| order[first].contains(second));
        if forced && (0..nodes.pivots).any(contradicts) { None } else { Some(forced) }
    }

    /// What is known up to a pivot, and what comes before any of it in co-jom.
    fn up_to(&self, order: &[Bits<WORDS>], pivot: usize) -> (Bits<WORDS>, Bits<WORDS>) {
        let Clocks { visibility, .. } = self;
        let earlier = order[pivot].iter().fold(Bits::EMPTY, |known, e| known | visibility.knows[e]);
        let knows = visibility.knows[pivot] | earlier;
        (knows, knows.iter().fold(Bits::EMPTY, |before, write| before | visibility.before[write]))
    }

    /// A total order that contains `order`: that in which the last pass went along the pivots.
    fn line_up(&self, nodes: &Nodes, order: &[Bits<WORDS>]) -> Vec<Bits<WORDS>> {
        let mut line = order.to_vec();
        let mut before = Bits::EMPTY;
        for pivot in self.visibility.line().filter_map(|n| Some(nodes.nodes[n].pivot).filter(|&p| p != NONE)) {
            line[pivot as usize] = before;
            before.insert(pivot as usize);
        }
        line
    }
}

/// The order of pivots that po ∪ rf forces. `of_write` is a buffer.
fn po_rf<const WORDS: usize>(nodes: &Nodes, order: &mut Vec<Bits<WORDS>>, of_write: &mut Vec<Bits<WORDS>>) {
    order.clear();
    order.resize(nodes.pivots + nodes.first.len(), Bits::EMPTY);
    of_write.clear();
    of_write.resize(nodes.writes.len(), Bits::EMPTY);
    for node in &nodes.nodes {
        let thread = nodes.pivots + node.thread as usize;
        if node.kind == Kind::Read {
            let source = of_write[node.write as usize];
            order[thread] |= source;
        }
        if node.pivot != NONE {
            order[node.pivot as usize] = order[thread];
            order[thread].insert(node.pivot as usize);
        }
        if node.kind == Kind::Write {
            of_write[node.write as usize] = order[thread];
        }
    }
    order.truncate(nodes.pivots);
}

fn first_open_pair<const WORDS: usize>(order: &[Bits<WORDS>]) -> Option<(usize, usize)> {
    let open = |&(a, b): &(usize, usize)| !order[a].contains(b) && !order[b].contains(a);
    (0..order.len()).flat_map(|b| (0..b).map(move |a| (a, b))).find(open)
}

/// Makes the order transitive. Whether it has no cycle.
fn close<const WORDS: usize>(order: &mut [Bits<WORDS>]) -> bool {
    for via in 0..order.len() {
        let before_via = order[via];
        for before in order.iter_mut().filter(|before| before.contains(via)) {
            *before |= before_via;
        }
    }
    (0..order.len()).all(|pivot| !order[pivot].contains(pivot))
}

/// Writes are numbered location by location, so two of one location are neighbours.
fn has_two_of_one_location<const WORDS: usize>(nodes: &Nodes, writes: Bits<WORDS>) -> bool {
    let mut last = NONE;
    writes.iter().any(|write| {
        let location = nodes.writes[write].location;
        std::mem::replace(&mut last, location) == location
    })
}
