//! Must-happen-before of a combination, by rows of bits: what `search::rules` defines, fast enough to ask at every step
//! of the search, and with a reason for everything.

use crate::search::Deduction;
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
    /// The first reads from this store, which another load read before the second overwrote it.
    ReadBefore {
        source: usize,
        load: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) reason: Reason,
}

pub(crate) struct Order {
    deduction: Deduction,
    before: BitMatrix,
    /// Every relation that is not by transitivity, in the order of deduction.
    edges: Vec<Edge>,
}

/// Why no execution has a combination.
#[derive(Clone, Debug)]
pub(crate) struct Cycle {
    /// Each begins where the one before it ends.
    pub(crate) cycle: Vec<Edge>,
    /// All edges that were deduced up to there.
    pub(crate) edges: Vec<Edge>,
}

impl Order {
    /// The least relation that the rules ask for, or the cycle that makes it impossible.
    pub(crate) fn of(combination: &Combination, deduction: Deduction) -> Result<Order, Cycle> {
        let mut order = Order { deduction, before: BitMatrix::new(combination.events.len()), edges: Vec::new() };
        for &(first, second) in &combination.thread_creates {
            order.add(first, second, Reason::StartOrEnd)?;
        }
        for &(end, before) in &combination.thread_joins {
            order.add(before, end, Reason::StartOrEnd)?;
        }
        for &(first, second) in &combination.no_reorder {
            order.add(first, second, Reason::ProgramOrder)?;
        }
        if deduction == Deduction::AllThreads {
            for &(first, second) in &combination.tried_order {
                order.add(first, second, Reason::Tried)?;
            }
            for &(load, store) in &combination.reads_from {
                if combination.different_threads(load, store) && combination.events[store].once {
                    order.add(store, load, Reason::ReadsFrom)?;
                }
            }
        }
        order.saturate(combination)?;
        if deduction == Deduction::Paper {
            order.check_values_read_twice(combination)?;
        }
        Ok(order)
    }

    pub(crate) fn is_before(&self, first: usize, second: usize) -> bool {
        self.before.contains(first, second)
    }

    fn saturate(&mut self, combination: &Combination) -> Result<(), Cycle> {
        let events = &combination.events;
        let beyond_the_paper = self.deduction == Deduction::AllThreads;
        let mut changed = true;
        while changed {
            changed = false;
            for &(load, source) in &combination.reads_from {
                let different_threads = combination.different_threads(load, source);
                if beyond_the_paper && different_threads && !events[source].once {
                    for earlier in (0..events.len()).filter(|&e| e != load) {
                        if self.is_before(earlier, source) {
                            changed |= self.add(earlier, load, Reason::BeforeSource { source })?;
                        }
                    }
                }
                if different_threads && self.is_before(load, source) {
                    let read = Edge { from: source, to: load, reason: Reason::ReadsFrom };
                    return Err(self.cycle(load, source, vec![read]));
                }
                // Where it is not certain that they touch one cell, nothing follows but that the source came first.
                let cell = events[load].load;
                if cell.is_none() || events[source].store != cell {
                    continue;
                }
                for other in (0..events.len()).filter(|&s| events[s].store == cell) {
                    if self.is_before(source, other) && other != load {
                        changed |= self.add(load, other, Reason::Overwrites { source })?;
                    }
                    if !beyond_the_paper || other == source || !events[source].once {
                        continue;
                    }
                    if self.is_before(other, load) || combination.program_order_same_cell.contains(&(other, load)) {
                        changed |= self.add(other, source, Reason::SeenBy { load })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Rule (6) of the paper. The rules that we add imply it.
    fn check_values_read_twice(&mut self, combination: &Combination) -> Result<(), Cycle> {
        let events = &combination.events;
        for &(load, source) in &combination.reads_from {
            if !events[source].once || !combination.different_threads(load, source) || events[load].load.is_none() {
                continue;
            }
            let cell = events[load].load;
            let again = combination.reads_from.iter().filter(|&&(l, s)| s == source && events[l].load == cell);
            for &(again, _) in again {
                let is_between = |&other: &usize| {
                    events[other].store == cell && self.is_before(load, other) && self.is_before(other, again)
                };
                if let Some(other) = (0..events.len()).find(is_between) {
                    // Perhaps both loads are the same, or the order follows otherwise.
                    let back = match self.is_before(again, other) {
                        true => path(&self.edges, again, other),
                        false => vec![Edge { from: again, to: other, reason: Reason::ReadBefore { source, load } }],
                    };
                    return Err(self.cycle(other, again, back));
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
        // To the paper's rules, a cycle says nothing yet.
        if self.deduction == Deduction::AllThreads && (from == to || self.before.contains(to, from)) {
            return Err(self.cycle(to, from, vec![edge]));
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

    /// The path from one event to another, closed by one back.
    fn cycle(&mut self, from: usize, to: usize, back: Vec<Edge>) -> Cycle {
        let mut cycle = path(&self.edges, from, to);
        cycle.extend(back);
        Cycle { cycle, edges: std::mem::take(&mut self.edges) }
    }
}

/// A shortest path along edges, of at least one; empty if there is none.
pub(crate) fn path(edges: &[Edge], from: usize, to: usize) -> Vec<Edge> {
    // Each with the number of the one before it.
    let mut reached: Vec<(Edge, Option<usize>)> = Vec::new();
    let mut last = None;
    loop {
        let at = last.map_or(from, |last: usize| reached[last].0.to);
        for edge in edges.iter().filter(|edge| edge.from == at) {
            if edge.to == to {
                let mut found = vec![*edge];
                while let Some((edge, before)) = last.map(|last| reached[last]) {
                    found.push(edge);
                    last = before;
                }
                found.reverse();
                return found;
            }
            if reached.iter().all(|(seen, _)| seen.to != edge.to) {
                reached.push((*edge, last));
            }
        }
        let next = last.map_or(0, |last| last + 1);
        if next == reached.len() {
            return Vec::new();
        }
        last = Some(next);
    }
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

    /// How many of 20,000 combinations are infeasible, by the rules and by their fast form.
    fn infeasible(seed: u64, deduction: Deduction) -> u32 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut infeasible = 0;
        for _ in 0..20_000 {
            let mut combination = random(&mut rng);
            if deduction == Deduction::Paper && rng.bool() {
                combination = combination.between(0, 1).0;
            }
            let fast = Order::of(&combination, deduction).is_err();
            assert_eq!(fast, rules::infeasible(&combination, deduction), "{combination:?}");
            infeasible += fast as u32;
        }
        infeasible
    }

    #[test]
    fn a_combination_is_infeasible_exactly_if_the_rules_say_so() {
        let infeasible = infeasible(7, Deduction::AllThreads);
        assert!((4_000..16_000).contains(&infeasible), "{infeasible}");
    }

    #[test]
    fn so_it_is_by_the_rules_of_the_paper_alone() {
        let infeasible = infeasible(9, Deduction::Paper);
        assert!((1_000..16_000).contains(&infeasible), "{infeasible}");
    }

    #[test]
    fn the_cycle_of_an_infeasible_combination_is_a_cycle() {
        let mut rng = fastrand::Rng::with_seed(8);
        for _ in 0..5_000 {
            let deduction = if rng.bool() { Deduction::Paper } else { Deduction::AllThreads };
            let Err(found) = Order::of(&random(&mut rng), deduction) else { continue };
            let last = found.cycle.last().expect("not empty");
            assert_eq!(last.to, found.cycle[0].from);
            assert!(found.cycle.windows(2).all(|pair| pair[0].to == pair[1].from));
        }
    }
}
