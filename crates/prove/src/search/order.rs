//! Must-happen-before of a combination, by rows of bits: what [`crate::search::rules`] defines, fast enough to ask at
//! every step of the search, and with a reason for everything.

use crate::search::combination::Combination;
use fencepost_program::code::BitMatrix;

/// Why one event must happen before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The first is an initial value, or the second a final read.
    StartOrEnd,
    ProgramOrder,
    Tried,
    /// The second reads from the first.
    ReadsFrom,
    /// The second reads from this store, all instances of which come after the first.
    BeforeSource {
        source: usize,
    },
    /// The first reads from this store, which must happen before the second.
    Overwrites {
        source: usize,
    },
    /// The second is what this load reads, and the load must see the first.
    SeenBy {
        load: usize,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) reason: Reason,
}

pub(crate) struct Order {
    before: BitMatrix,
    /// Every relation that is not by transitivity, in the order of deduction.
    pub(crate) edges: Vec<Edge>,
}

/// The edges of a cycle, each beginning where the one before ends, and all edges that were deduced up to there.
pub(crate) struct Cycle {
    pub(crate) cycle: Vec<Edge>,
    pub(crate) edges: Vec<Edge>,
}

impl Order {
    /// The least relation that the rules ask for, or the cycle that makes it impossible.
    pub(crate) fn of(combination: &Combination) -> Result<Order, Cycle> {
        let mut order = Order { before: BitMatrix::new(combination.events.len()), edges: Vec::new() };
        for &(first, second) in &combination.thread_creates {
            order.add(first, second, Reason::StartOrEnd)?;
        }
        for &(end, before) in &combination.thread_joins {
            order.add(before, end, Reason::StartOrEnd)?;
        }
        for &(first, second) in &combination.no_reorder {
            order.add(first, second, Reason::ProgramOrder)?;
        }
        for &(first, second) in &combination.tried_order {
            order.add(first, second, Reason::Tried)?;
        }
        for &(load, store) in &combination.reads_from {
            if combination.different_threads(load, store) && combination.events[store].once {
                order.add(store, load, Reason::ReadsFrom)?;
            }
        }
        order.saturate(combination)?;
        Ok(order)
    }

    pub(crate) fn is_before(&self, first: usize, second: usize) -> bool {
        self.before.contains(first, second)
    }

    fn saturate(&mut self, combination: &Combination) -> Result<(), Cycle> {
        let events = &combination.events;
        let mut changed = true;
        while changed {
            changed = false;
            for &(load, source) in &combination.reads_from {
                if combination.different_threads(load, source) && !events[source].once {
                    for earlier in (0..events.len()).filter(|&e| e != load) {
                        if self.is_before(earlier, source) {
                            changed |= self.add(earlier, load, Reason::BeforeSource { source })?;
                        }
                    }
                }
                let cell = events[load].load;
                if cell.is_none() || events[source].store != cell {
                    // Where it is not certain that they touch one cell, nothing follows but that the source came first.
                    if combination.different_threads(load, source) && self.is_before(load, source) {
                        return Err(self.cycle(load, source, None));
                    }
                    continue;
                }
                if combination.different_threads(load, source) && self.is_before(load, source) {
                    return Err(self.cycle(load, source, None));
                }
                for other in (0..events.len()).filter(|&s| s != source && events[s].store == cell) {
                    if self.is_before(source, other) && other != load {
                        changed |= self.add(load, other, Reason::Overwrites { source })?;
                    }
                    let seen =
                        self.is_before(other, load) || combination.program_order_same_cell.contains(&(other, load));
                    if seen && events[source].once {
                        changed |= self.add(other, source, Reason::SeenBy { load })?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, from: usize, to: usize, reason: Reason) -> Result<bool, Cycle> {
        if self.before.contains(from, to) {
            return Ok(false);
        }
        let edge = Edge { from, to, reason };
        if from == to || self.before.contains(to, from) {
            return Err(self.cycle(to, from, Some(edge)));
        }
        self.edges.push(edge);
        for earlier in 0..self.before.size() {
            if earlier == from || self.before.contains(earlier, from) {
                self.before.insert(earlier, to);
                self.before.union_row(earlier, to);
            }
        }
        Ok(true)
    }

    /// The path from one event to another, closed by an edge back, or by the first reading from the second.
    fn cycle(&mut self, from: usize, to: usize, back: Option<Edge>) -> Cycle {
        let mut cycle = path(&self.edges, from, to);
        cycle.push(back.unwrap_or(Edge { from: to, to: from, reason: Reason::ReadsFrom }));
        Cycle { cycle, edges: std::mem::take(&mut self.edges) }
    }
}

/// A shortest path along edges.
pub(crate) fn path(edges: &[Edge], from: usize, to: usize) -> Vec<Edge> {
    let mut reached: Vec<(usize, Option<(usize, Edge)>)> = vec![(from, None)];
    let mut next = 0;
    while next < reached.len() && reached[next].0 != to {
        let at = reached[next].0;
        for edge in edges.iter().filter(|e| e.from == at) {
            if reached.iter().all(|(seen, _)| *seen != edge.to) {
                reached.push((edge.to, Some((next, *edge))));
            }
        }
        next += 1;
    }
    let mut found = Vec::new();
    while let Some((_, Some((previous, edge)))) = reached.get(next) {
        found.push(*edge);
        next = *previous;
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use fencepost_program::Address;

    use super::*;
    use crate::search::combination::Participant;
    use crate::search::rules;

    /// Straight-line threads with random order kept between their accesses, and random sources for some loads.
    fn random(rng: &mut fastrand::Rng) -> Combination {
        let mut c = Combination::default();
        let (cells, threads) = (rng.u64(1..4), rng.usize(1..4));
        let event = |load: bool, store: bool, cell: u64, once, thread| {
            let cell = Some(Address(cell));
            Participant { load: cell.filter(|_| load), store: cell.filter(|_| store), once, thread }
        };
        c.events.extend((0..cells).map(|cell| event(false, true, cell, true, None)));
        for thread in 0..threads {
            for _ in 0..rng.usize(1..5) {
                let kind = rng.u32(..5);
                let mut e = event(kind < 3, kind > 1, rng.u64(..cells), rng.u32(..8) > 0, Some(thread));
                if rng.u32(..10) == 0 {
                    e = Participant { load: None, store: None, ..e };
                }
                c.events.push(e);
            }
        }
        let n = c.events.len();
        for b in cells as usize..n {
            c.thread_creates.extend((0..cells as usize).map(|start| (start, b)));
            for a in (cells as usize..b).filter(|&a| c.events[a].thread == c.events[b].thread) {
                if rng.bool() {
                    c.no_reorder.push((a, b));
                }
                if c.events[a].store.is_some() && c.events[a].store == c.events[b].load {
                    c.program_order_same_cell.push((a, b));
                }
            }
        }
        for load in (0..n).filter(|&l| c.events[l].load.is_some()).collect::<Vec<_>>() {
            let stores: Vec<usize> =
                (0..n).filter(|&s| s != load && c.events[s].store == c.events[load].load).collect();
            if rng.u32(..4) > 0 {
                c.reads_from.push((load, stores[rng.usize(..stores.len())]));
            }
        }
        if rng.bool() {
            let end = c.events.len();
            c.events.push(event(true, false, 0, true, None));
            c.thread_joins.extend((0..end).map(|e| (end, e)));
        }
        c
    }

    #[test]
    fn a_combination_is_infeasible_exactly_if_the_rules_say_so() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut infeasible = 0;
        for _ in 0..20_000 {
            let combination = random(&mut rng);
            let fast = Order::of(&combination).is_err();
            assert_eq!(fast, rules::infeasible(&combination, true), "{combination:?}");
            infeasible += fast as u32;
        }
        assert!((4_000..16_000).contains(&infeasible), "{infeasible}");
    }

    #[test]
    fn the_cycle_of_an_infeasible_combination_is_a_cycle() {
        let mut rng = fastrand::Rng::with_seed(8);
        for _ in 0..5_000 {
            let Err(found) = Order::of(&random(&mut rng)) else { continue };
            let last = found.cycle.last().expect("not empty");
            assert_eq!(last.to, found.cycle[0].from);
            assert!(found.cycle.windows(2).all(|pair| pair[0].to == pair[1].from));
        }
    }
}
