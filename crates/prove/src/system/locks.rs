//! Locks: cells that are only ever taken by changing 0 to something else, and only set back to 0 by the thread that
//! took them.
//!
//! Then the sections between a taking and the release that follows it exclude each other, for any number of threads and
//! rounds, under every model in which updates are atomic. For suppose that a thread takes the lock within the section
//! of another thread, and look at the first such taking in modification order. It reads a 0 that was written right
//! before it, within that section, by the release of a third section. The taking of that one is either within the first
//! section, and then earlier; or the first section was taken within it, and earlier. Both contradict the choice.
//!
//! The paper counts locks as fences (002 §4.3); this is ours.

use std::collections::BTreeMap;

use fencepost_program::{Address, Comparison, Inst, Operand, UpdateOp};

use crate::domains::Domain;
use crate::domains::Interval;
use crate::system::{At, EventId, Facts, System, Writes};
use crate::threads::interpret::Reading;
use fencepost_program::code::BitSet;

/// How a lock is taken, and what is done until it is released.
pub(crate) struct Section {
    pub(crate) lock: Address,
    pub(crate) taking: EventId,
    /// One of these ends it.
    pub(crate) releases: Vec<EventId>,
    /// The nodes of its thread at which the lock may be held since this taking.
    pub(crate) inside: BitSet,
}

/// A cell that is certainly a lock.
pub(crate) struct Lock {
    pub(crate) cell: Address,
    pub(crate) takings: Vec<EventId>,
    pub(crate) releases: Vec<EventId>,
    /// For each thread, the nodes that it may get to without holding the lock.
    free: Vec<BitSet>,
}

impl Lock {
    /// Whether the thread holds the lock whenever it gets to the node, if it ever does.
    pub(crate) fn is_held<D>(&self, facts: &Facts<D>, thread: usize, node: usize) -> bool {
        facts.states[thread].before[node].is_some() && !self.free[thread].contains(node)
    }
}

/// Whether an update blocks until it reads 0.
pub(crate) fn waits_for_zero(inst: &Inst) -> bool {
    matches!(inst, Inst::Rmw { when: Some((Comparison::Eq, Operand::Const(0))), .. })
}

/// What the accesses of one cell are, if it is a lock.
#[derive(Default)]
struct Uses {
    takings: Vec<EventId>,
    releases: Vec<EventId>,
}

impl System<'_> {
    /// The sections of all cells that are certainly locks.
    pub(crate) fn sections<D: Domain>(&self, facts: &Facts<D>) -> Vec<Section> {
        let locks = self.locks(facts);
        locks.iter().flat_map(|lock| lock.takings.iter().map(|&taking| self.section(lock, taking))).collect()
    }

    pub(crate) fn locks<D: Domain>(&self, facts: &Facts<D>) -> Vec<Lock> {
        let mut found = Vec::new();
        for (cell, Uses { takings, releases }) in self.candidates(facts) {
            let free = |thread: usize| self.without_holding(thread, &takings, &releases, facts);
            let free: Vec<BitSet> = (0..self.codes.len()).map(free).collect();
            let is_held = |&release: &EventId| match self.events[release].at {
                At::Node { thread, node } => !free[thread].contains(node),
                At::Start | At::End => false,
            };
            if releases.iter().all(is_held) {
                found.push(Lock { cell, takings, releases, free });
            }
        }
        found
    }

    /// Cells that start with 0, every write of which takes or releases.
    fn candidates<D: Domain>(&self, facts: &Facts<D>) -> BTreeMap<Address, Uses> {
        let mut cells: BTreeMap<Address, Uses> = BTreeMap::new();
        let mut other: Vec<(Address, Address)> = Vec::new();
        for (id, event) in self.events.iter().enumerate() {
            let Some(value) = facts.values[id].filter(|_| event.writes != Writes::Never) else { continue };
            let (Some(cell), Some(inst)) = (event.cell(), self.inst(id)) else {
                if event.at != At::Start || value != Interval::constant(0) {
                    other.push(event.cells);
                }
                continue;
            };
            let nonzero = !value.contains(0);
            let uses = cells.entry(cell).or_default();
            match inst {
                Inst::Cas { expected: Operand::Const(0), .. } if nonzero => uses.takings.push(id),
                inst if nonzero && waits_for_zero(inst) => uses.takings.push(id),
                Inst::Rmw { op: UpdateOp::Exchange, .. } if nonzero => uses.takings.push(id),
                Inst::Store { .. } if value == Interval::constant(0) => uses.releases.push(id),
                _ => other.push(event.cells),
            }
        }
        cells.retain(|&cell, uses| {
            !uses.takings.is_empty() && other.iter().all(|&(first, last)| cell < first || cell > last)
        });
        cells
    }

    /// The nodes to which some path leads from the thread's start, from a release, or from a taking that failed,
    /// without a taking in between.
    fn without_holding<D: Domain>(
        &self,
        thread: usize,
        takings: &[EventId],
        releases: &[EventId],
        facts: &Facts<D>,
    ) -> BitSet {
        let node = |event: &EventId| match self.events[*event].at {
            At::Node { thread: t, node } if t == thread => Some(node),
            _ => None,
        };
        let releases: Vec<usize> = releases.iter().filter_map(node).collect();
        let takings: Vec<usize> = takings.iter().filter_map(node).collect();
        let nodes = self.codes[thread].nodes.len();
        if takings.is_empty() {
            return BitSet::full(nodes);
        }
        let mut allowed = BitSet::full(nodes);
        takings.iter().for_each(|&n| allowed.remove(n));
        let read = |n: usize| {
            let value = self.event_at[thread][n].and_then(|load| self.join_of_sources(load, &facts.values));
            match takings.contains(&n) {
                // It fails.
                true => Reading { value: value.and_then(|v| v.without(0)), succeeds: Some(false) },
                false => Reading { value, succeeds: None },
            }
        };
        let interpreter = self.interpreter(thread, &[]);
        let mut seeds = vec![(0, D::start(&self.codes[thread].types))];
        for &n in takings.iter().chain(&releases) {
            if let Some(state) = &facts.states[thread].before[n] {
                seeds.extend(interpreter.after(n, state, &allowed, &read));
            }
        }
        let reached = interpreter.run_from(seeds, &allowed, &read);
        BitSet::of(nodes, (0..nodes).filter(|&n| reached.before[n].is_some()))
    }

    fn section(&self, lock: &Lock, taking: EventId) -> Section {
        let mut section = Section { lock: lock.cell, taking, releases: Vec::new(), inside: BitSet::new(0) };
        let At::Node { thread, node } = self.events[taking].at else { return section };
        let nodes = &self.codes[thread].nodes;
        section.inside = BitSet::new(nodes.len());
        let mut work = nodes[node].next.clone();
        while let Some(at) = work.pop() {
            let at = at as usize;
            if section.inside.contains(at) {
                continue;
            }
            match self.event_at[thread][at] {
                Some(event) if lock.takings.contains(&event) => continue,
                Some(event) if lock.releases.contains(&event) => {
                    section.inside.insert(at);
                    section.releases.push(event);
                    continue;
                }
                _ => {}
            }
            section.inside.insert(at);
            work.extend(&nodes[at].next);
        }
        section
    }
}
