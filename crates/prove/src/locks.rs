//! Locks: cells that are only ever taken from 0, and only ever set back to 0 by who took them.
//!
//! Then the sections between a taking and the release that follows it exclude each other, for any number of threads and
//! rounds, under every model in which updates are atomic. For suppose that somebody takes the lock within the section of
//! another thread, and look at the first such taking in modification order. It reads a 0 that was written right before it,
//! within that section, by the release of a third section. The taking of that one is either within the first section, and then
//! earlier; or the first section was taken within it, and earlier. Both contradict the choice.
//!
//! The paper counts locks as fences (002 §4.3); this is ours.

use std::collections::BTreeMap;

use fencepost_program::{Address, Inst, UpdateOp};

use crate::bits::BitSet;
use crate::domain::Domain;
use crate::interpret::Reading;
use crate::interval::Interval;
use crate::system::{At, EventId, Facts, System, Writes};

/// How a lock is taken, and what is done until it is released.
pub(crate) struct Section {
    pub(crate) lock: Address,
    pub(crate) taking: EventId,
    /// One of these ends it.
    pub(crate) releases: Vec<EventId>,
    /// The nodes of its thread at which the lock may be held since this taking.
    pub(crate) inside: BitSet,
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
        let mut found = Vec::new();
        for (lock, uses) in self.candidates(facts) {
            if (0..self.codes.len()).any(|thread| self.may_release_what_it_does_not_hold(thread, &uses, facts)) {
                continue;
            }
            found.extend(uses.takings.iter().map(|&taking| self.section(lock, taking, &uses)));
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
                Inst::BlockingCas { expected, .. } | Inst::Cas { expected, .. }
                    if nonzero && *expected == fencepost_program::Operand::Const(0) =>
                {
                    uses.takings.push(id);
                }
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

    /// Whether some path leads to a release from the thread's start, from a release, or from a taking that failed, without
    /// a taking in between.
    fn may_release_what_it_does_not_hold<D: Domain>(&self, thread: usize, uses: &Uses, facts: &Facts<D>) -> bool {
        let node = |event: EventId| match self.events[event].at {
            At::Node { thread: t, node } if t == thread => Some(node),
            _ => None,
        };
        let releases: Vec<usize> = uses.releases.iter().filter_map(|&e| node(e)).collect();
        if releases.is_empty() {
            return false;
        }
        let takings: Vec<usize> = uses.takings.iter().filter_map(|&e| node(e)).collect();
        let mut allowed = BitSet::full(self.codes[thread].nodes.len());
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
        releases.iter().any(|&n| reached.before[n].is_some())
    }

    fn section(&self, lock: Address, taking: EventId, uses: &Uses) -> Section {
        let mut section = Section { lock, taking, releases: Vec::new(), inside: BitSet::new(0) };
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
                Some(event) if uses.takings.contains(&event) => continue,
                Some(event) if uses.releases.contains(&event) => {
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
