//! How the relation of what has certainly taken effect grows, a row at a time.

use std::collections::HashMap;

use fencepost_program::Address;
use fencepost_program::code::{BitSet, Dominators};

use crate::system::seen::Outcome;
use crate::system::seen::reasons::{Because, Reasons};
use crate::system::{EventId, System, Writes};

pub(super) struct Saturation<'s, 'p> {
    pub(super) system: &'s System<'p>,
    /// The initial value of each cell.
    pub(super) starts: HashMap<Address, EventId>,
    /// For each thread, what every path to a node goes through.
    pub(super) above: Vec<Dominators>,
    /// For each load.
    pub(super) outcomes: Vec<Vec<Outcome>>,
    /// For each thread and node, the initial values that its thread has overwritten on every path to it.
    pub(super) stored: Vec<Vec<BitSet>>,
    pub(super) before: Vec<BitSet>,
}

/// For a load and a set of its outcomes, what has taken effect whichever of them it has. Valid for a round.
type Learned = HashMap<(EventId, u64), BitSet>;

/// What has taken effect before an event, and why, if that is to be explained.
struct Row<'r> {
    event: EventId,
    before: BitSet,
    reasons: Option<&'r mut Reasons>,
}

impl Row<'_> {
    fn add(&mut self, first: EventId, because: impl Fn() -> Because) {
        if let Some(reasons) = &mut self.reasons
            && !self.before.contains(first)
        {
            reasons.note(first, self.event, because());
        }
        self.before.insert(first);
    }

    fn add_all(&mut self, all: &BitSet, because: impl Fn() -> Because) {
        match self.reasons {
            Some(_) => all.iter().for_each(|first| self.add(first, &because)),
            None => self.before.union(all),
        }
    }
}

impl Saturation<'_, '_> {
    /// Whether the relation has grown.
    pub(super) fn round(&mut self, reasons: &mut Option<Reasons>) -> bool {
        let mut changed = false;
        let mut learned = Learned::new();
        let system = self.system;
        for (thread, flow) in system.flows.iter().enumerate() {
            for &node in &flow.order {
                if system.budget.is_spent() {
                    return false;
                }
                let node = node as usize;
                let event = system.event_at[thread][node].filter(|_| self.above[thread].is_reached(node));
                let Some(event) = event else { continue };
                let row = Row { event, before: self.before[event].clone(), reasons: reasons.as_mut() };
                let row = self.grown(row, thread, node, &mut learned);
                if row != self.before[event] {
                    self.before[event] = row;
                    changed = true;
                }
            }
        }
        changed
    }

    fn grown(&self, mut row: Row, thread: usize, node: usize, learned: &mut Learned) -> BitSet {
        let (system, event) = (self.system, row.event);
        if system.events[event].reads {
            self.learn(&mut row, event, None, learned);
        }
        let own = system.access(event, None);
        let mut between = system.membars(event, None).0;
        for other in self.above[thread].above(node).filter_map(|n| system.event_at[thread][n]) {
            let (before, after) = system.membars(other, None);
            let access = system.access(other, None);
            let is_access = access.reads || access.writes;
            if is_access && system.model.no_reorder(access, own, after | between) {
                row.add(other, || Because::ProgramOrder);
                if let Some(start) =
                    self.overwritten_by(other).filter(|_| system.events[other].writes == Writes::Always)
                {
                    row.add(start, || Because::OverwrittenBy(other));
                }
                row.add_all(&self.before[other], || Because::Before(other));
                if access.reads {
                    self.learn(&mut row, other, Some(node), learned);
                }
            }
            between = between | before | after;
        }
        if system.keeps_all_stores_before(event) {
            row.add_all(&self.stored[thread][node], || Because::StoredOnAllPaths);
        }
        row.before
    }

    /// Adds what has taken effect whatever a load read, if its thread gets to a node then, without that load again on
    /// the way.
    fn learn(&self, row: &mut Row, load: EventId, node: Option<usize>, learned: &mut Learned) {
        let outcomes = &self.outcomes[load];
        if outcomes.len() > 64 {
            return;
        }
        let leads = |outcome: &Outcome| node.is_none_or(|node| outcome.leads_to.contains(node));
        let possible = (0..outcomes.len()).filter(|&i| leads(&outcomes[i])).fold(0u64, |all, i| all | 1 << i);
        let sources = || {
            let possible = outcomes.iter().enumerate().filter(move |(i, _)| possible >> i & 1 == 1);
            possible.flat_map(|(_, outcome)| outcome.sources.iter().copied())
        };
        let common = learned.entry((load, possible)).or_insert_with(|| {
            let rows = sources().map(|store| self.by_reading(load, store));
            let common = rows.reduce(|mut a, b| {
                a.intersect(&b);
                a
            });
            common.unwrap_or_else(|| BitSet::new(self.system.events.len()))
        });
        row.add_all(common, || Because::Read { load, sources: sources().collect() });
    }

    /// What has taken effect if the load reads this store. Its own thread's store it may read before that takes effect.
    fn by_reading(&self, load: EventId, store: EventId) -> BitSet {
        let thread = self.system.events[store].thread();
        if thread.is_none() || thread == self.system.events[load].thread() {
            return BitSet::new(self.system.events.len());
        }
        let mut row = self.before[store].clone();
        row.insert(store);
        self.overwritten_by(store).into_iter().for_each(|start| row.insert(start));
        row
    }

    /// The initial value of the cell that a store goes to.
    fn overwritten_by(&self, store: EventId) -> Option<EventId> {
        self.system.events[store].cell().and_then(|cell| self.starts.get(&cell).copied())
    }
}
