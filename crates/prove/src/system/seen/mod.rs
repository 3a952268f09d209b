//! What has certainly taken effect before each access, and which stores a load therefore never reads.
//!
//! FruitTree asks of whole combinations of what the loads of a thread read whether they are feasible (paper 002 §4,
//! §5), and there are exponentially many. Here every pair of a load and a store is asked about once, for all
//! executions: a thread that gets past `if (!registered.load()) return` has read what was stored after everything else
//! was set up, and reads none of the initial values that were overwritten by then. Pairs that are impossible are left
//! out, values get smaller, and that may make more pairs impossible. What is left is for the search.
//!
//! Every relation is between instances: an access in a loop follows the last instance, before it, of what is on every
//! path to it. So this holds in loops as well, where no load is decided.

mod reasons;
mod saturation;

use std::collections::HashMap;

use fencepost_models::Access;
use fencepost_program::{Address, Membar};

use crate::domains::Domain;
use crate::domains::Interval;
use crate::system::seen::reasons::Reasons;
pub(crate) use crate::system::seen::reasons::{Because, Deduction, Dropped, Exclusion, WhyDropped};
use crate::system::seen::saturation::Saturation;
use crate::system::{At, EventId, Facts, System, Writes};
use crate::threads::interpret::Reading;
use fencepost_program::code::BitSet;
use fencepost_program::code::Dominators;

/// How far behind a load it is looked at what its value decides.
const NODES_BEHIND_A_LOAD: usize = 120;
/// Maximum number of rounds in which the relation grows; stopping early is sound.
const MOST_ROUNDS: usize = 10;

/// For each event, those of which some instance has certainly taken effect before it does, whichever instance that is.
/// The initial value of a cell stands for something else, that it is overwritten.
pub(crate) struct Seen {
    before: Vec<BitSet>,
    /// Why, if that is to be explained.
    reasons: Option<Reasons>,
}

impl Seen {
    /// Whether some instance of `first` has certainly taken effect before each of `second` does.
    pub(crate) fn has(&self, second: EventId, first: EventId) -> bool {
        self.before[second].contains(first)
    }

    fn why(&self, load: EventId, store: EventId, exclusion: Exclusion) -> WhyDropped {
        match &self.reasons {
            Some(reasons) => reasons.of(load, store, exclusion),
            None => WhyDropped::Order { exclusion, deductions: Vec::new() },
        }
    }
}

/// The sources of a load without those that it reads in no execution.
pub(crate) struct LeftOut {
    load: EventId,
    kept: Vec<EventId>,
    dropped: Vec<Dropped>,
}

/// Sources of a load with the same value, and where its thread may get to when one of them is read.
struct Outcome {
    sources: Vec<EventId>,
    leads_to: BitSet,
}

impl System<'_> {
    /// Leaves out what no load reads in any execution; whether there was something to leave out.
    pub(crate) fn drop_impossible_sources<D: Domain>(&mut self, facts: &Facts<D>) -> bool {
        if !self.has_room_for_seen() {
            return false;
        }
        let seen = self.seen(facts);
        let mut dropped = false;
        for load in 0..self.events.len() {
            if self.budget.is_spent() {
                break;
            }
            let left_out = self.without_sources(load, |store| {
                let exclusion = self.excluded(&seen, load, store)?;
                Some(seen.why(load, store, exclusion))
            });
            dropped |= self.leave_out(left_out);
        }
        if dropped {
            self.find_readers();
        }
        dropped
    }

    /// What is left of the sources of a load, and what is left out.
    pub(crate) fn without_sources(&self, load: EventId, why: impl Fn(EventId) -> Option<WhyDropped>) -> LeftOut {
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        for &store in &self.events[load].sources {
            match why(store) {
                None => kept.push(store),
                Some(why) => dropped.push(Dropped { load, store, why }),
            }
        }
        LeftOut { load, kept, dropped }
    }

    /// Whether there was something to leave out.
    pub(crate) fn leave_out(&mut self, LeftOut { load, kept, dropped }: LeftOut) -> bool {
        self.events[load].sources = kept;
        let is_any = !dropped.is_empty();
        if let Some(all) = &mut self.dropped {
            all.extend(dropped);
        }
        is_any
    }

    /// Why no instance of the load reads an instance of the store, if that is certain.
    fn excluded(&self, seen: &Seen, load: EventId, store: EventId) -> Option<Exclusion> {
        let (l, s) = (&self.events[load], &self.events[store]);
        let before = &seen.before[load];
        let cell = l.cell().filter(|_| s.cell() == l.cell())?;
        let At::Node { thread, node } = s.at else {
            return before.contains(store).then_some(Exclusion::InitialValueOverwritten);
        };
        if l.thread() != Some(thread) && l.once && seen.before[store].contains(load) {
            return Some(Exclusion::Later);
        }
        let overwriting = before.iter().find(|&other| {
            let e = &self.events[other];
            let At::Node { thread: by, node: at } = e.at else { return false };
            let overwrites = other != store && e.writes == Writes::Always && e.cell() == Some(cell);
            let earlier = by == thread && self.flows[by].before(node, at);
            overwrites && (earlier || s.once && seen.before[other].contains(store))
        });
        overwriting.map(Exclusion::Overwritten)
    }

    /// Whether a bit for each two events fits into memory.
    pub(crate) fn has_room_for_seen(&self) -> bool {
        let events = self.events.len() as u64;
        self.budget.check_room(events.saturating_mul(events) / 8).is_ok()
    }

    /// The least relation that the rules of [`Saturation::grown`] give.
    pub(crate) fn seen<D: Domain>(&self, facts: &Facts<D>) -> Seen {
        let events = self.events.len();
        let starts: HashMap<Address, EventId> = self
            .events
            .iter()
            .enumerate()
            .take_while(|(_, e)| e.at == At::Start)
            .map(|(id, e)| (e.cells.0, id))
            .collect();
        let above: Vec<Dominators> =
            (0..self.codes.len()).map(|t| facts.states[t].dominators(&self.codes[t], &self.flows[t])).collect();
        let outcomes: Vec<Vec<Outcome>> = (0..events)
            .map(|load| if self.budget.is_spent() { Vec::new() } else { self.outcomes(facts, load) })
            .collect();
        let stored: Vec<Vec<BitSet>> =
            (0..self.codes.len()).map(|thread| self.stored_on_all_paths(facts, thread, &starts)).collect();
        let before = vec![BitSet::new(events); events];
        let mut saturation = Saturation { system: self, starts, above, outcomes, stored, before };
        let mut reasons = self.dropped.as_ref().map(|_| Reasons::default());
        for _ in 0..MOST_ROUNDS {
            if !saturation.round(&mut reasons) {
                break;
            }
        }
        Seen { before: saturation.before, reasons }
    }

    fn outcomes<D: Domain>(&self, facts: &Facts<D>, load: EventId) -> Vec<Outcome> {
        let At::Node { thread, node } = self.events[load].at else { return Vec::new() };
        let Some(state) = &facts.states[thread].before[node] else { return Vec::new() };
        let mut groups: Vec<(Interval, Vec<EventId>)> = Vec::new();
        for &store in &self.events[load].sources {
            let Some(value) = facts.values[store] else { continue };
            match groups.iter_mut().find(|(v, _)| *v == value) {
                Some((_, stores)) => stores.push(store),
                None => groups.push((value, vec![store])),
            }
        }
        let (near, rim) = self.nodes_behind(thread, node);
        let mut allowed = near.clone();
        allowed.union(&rim);
        let interpreter = self.interpreter(thread, &[]);
        let outcome = |(value, sources): (Interval, Vec<EventId>)| {
            let read = |at: usize| {
                let joined = || self.event_at[thread][at].and_then(|e| self.join_of_sources(e, &facts.values));
                Reading { value: if at == node { Some(value) } else { joined() }, succeeds: None }
            };
            let seeds = interpreter.after(node, state, &allowed, &read);
            let reached = interpreter.run_from(seeds, &allowed, &read);
            let mut leads_to = BitSet::new(self.codes[thread].nodes.len());
            for at in allowed.iter().filter(|&at| reached.before[at].is_some()) {
                leads_to.insert(at);
                if rim.contains(at) {
                    self.flows[thread].add_reached(at, &mut leads_to);
                }
            }
            Outcome { sources, leads_to }
        };
        groups.into_iter().map(outcome).collect()
    }

    /// Some of the nodes that follow one, without itself, and those that these lead to beyond.
    fn nodes_behind(&self, thread: usize, node: usize) -> (BitSet, BitSet) {
        let nodes = &self.codes[thread].nodes;
        let (mut near, mut rim) = (BitSet::new(nodes.len()), BitSet::new(nodes.len()));
        let mut work = std::collections::VecDeque::from([node]);
        let mut left = NODES_BEHIND_A_LOAD;
        while let Some(at) = work.pop_front() {
            for next in nodes[at].next.iter().map(|&n| n as usize) {
                if next == node || near.contains(next) {
                    continue;
                }
                if left == 0 {
                    rim.insert(next);
                } else {
                    left -= 1;
                    near.insert(next);
                    work.push_back(next);
                }
            }
        }
        near.iter().for_each(|n| rim.remove(n));
        (near, rim)
    }

    /// Whether no store that precedes the access can take effect after it.
    fn keeps_all_stores_before(&self, event: EventId) -> bool {
        let store = Access { reads: false, writes: true, cell: None };
        let access = self.access(event, None);
        let before: Membar = self.membars(event, None).0;
        (access.reads || access.writes) && self.model.no_reorder(store, access, before)
    }

    /// For each node, the cells (by their initial values) that its thread has written on every path to it.
    fn stored_on_all_paths<D: Domain>(
        &self,
        facts: &Facts<D>,
        thread: usize,
        starts: &HashMap<Address, EventId>,
    ) -> Vec<BitSet> {
        let (code, flow, states) = (&self.codes[thread], &self.flows[thread], &facts.states[thread]);
        let none = BitSet::new(self.events.len());
        let mut stored: Vec<Option<BitSet>> = vec![None; code.nodes.len()];
        stored[0] = Some(none.clone());
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &flow.order {
                let node = node as usize;
                let Some(mut after) = stored[node].clone() else { continue };
                if let Some(event) = self.event_at[thread][node].filter(|&e| self.events[e].writes == Writes::Always) {
                    self.events[event]
                        .cell()
                        .and_then(|cell| starts.get(&cell))
                        .into_iter()
                        .for_each(|&start| after.insert(start));
                }
                for (i, &next) in code.nodes[node].next.iter().enumerate() {
                    if states.taken[node] >> i & 1 == 0 {
                        continue;
                    }
                    let to = &mut stored[next as usize];
                    let both = to.as_ref().map_or_else(
                        || after.clone(),
                        |old| {
                            let mut both = old.clone();
                            both.intersect(&after);
                            both
                        },
                    );
                    if to.as_ref() != Some(&both) {
                        *to = Some(both);
                        changed = true;
                    }
                }
            }
        }
        stored.into_iter().map(|s| s.unwrap_or_else(|| none.clone())).collect()
    }
}
