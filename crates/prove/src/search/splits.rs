//! How a case is split further than by what loads read: by which section of a lock comes first, by the ways of a
//! branch, by the values of a store.

use crate::domains::Domain;
use crate::domains::Interval;
use crate::search::case::{Case, Decision};
use crate::search::{Deduction, Search};
use crate::system::locks::Section;
use crate::system::{At, EventId, Writes};
use crate::threads::code::Step;

/// Upper bound on case splits that are not forced by a decision.
const MOST_REFINEMENTS: usize = 8;
/// How many of these splits may happen before all loads are decided.
const MOST_EARLY_REFINEMENTS: usize = 3;
/// Maximum number of parts of a split value.
const MOST_VALUES: i128 = 4;

impl<'s> Search<'s, '_> {
    /// All loads that are certainly executed are decided: the ways of a branch on which it depends whether something is
    /// overwritten; or else the values of a store that are compared with each other.
    pub(crate) fn refinement<D: Domain>(&self, case: &Case<D>) -> Option<Vec<Case<D>>> {
        if self.deduction != Deduction::AllThreads || case.refinements.len() == MOST_REFINEMENTS {
            return None;
        }
        if let Some((thread, ways)) = self.open_branch(case) {
            return Some(ways.into_iter().map(|other| case.without(self.system, thread, other)).collect());
        }
        self.values_read(case, None)
    }

    /// The values of a store that the thread which is asked about reads several times: what it asks may be how they
    /// compare.
    pub(crate) fn values<D: Domain>(&self, case: &Case<D>, asked: Option<usize>) -> Option<Vec<Case<D>>> {
        let may_split = self.deduction == Deduction::AllThreads && case.refinements.len() < MOST_EARLY_REFINEMENTS;
        asked.filter(|_| may_split).and_then(|thread| self.values_read(case, Some(thread)))
    }

    fn values_read<D: Domain>(&self, case: &Case<D>, by: Option<usize>) -> Option<Vec<Case<D>>> {
        // By several loads, or by the thread that wrote it: that knows what it wrote.
        let compared = |store: EventId| {
            let from = |&&load: &&EventId| {
                let here = by.is_none_or(|thread| self.system.events[load].thread() == Some(thread));
                here && matches!(case.decisions[load], Decision::From { store: s, .. } if s == store)
            };
            let own = |&load: &EventId| self.system.events[load].thread() == self.system.events[store].thread();
            let loads = || case.trail.iter().filter(from);
            loads().count() > 1 || by.is_none() && loads().any(own)
        };
        let stores = case.trail.iter().filter_map(|&load| match case.decisions[load] {
            Decision::From { store, .. } => Some((store, case.facts.values[store]?)),
            _ => None,
        });
        let few = |&(store, value): &(EventId, Interval)| {
            let size = value.hi as i128 - value.lo as i128 + 1;
            (2..=MOST_VALUES).contains(&size) && self.system.events[store].once && compared(store)
        };
        let (store, values) = stores.into_iter().find(few)?;
        Some((values.lo..=values.hi).map(|value| case.with_value(self.system, store, value)).collect())
    }

    /// A branch, executed once, both ways of which are possible, and one of which has a store to a cell that was
    /// decided to be read from elsewhere. The nodes that the ways begin with.
    fn open_branch<D: Domain>(&self, case: &Case<D>) -> Option<(usize, [usize; 2])> {
        let system = self.system;
        let cells: Vec<_> = case.trail.iter().filter_map(|&load| system.events[load].cell()).collect();
        for (thread, code) in system.codes.iter().enumerate() {
            let (flow, states) = (&system.flows[thread], &case.facts.states[thread]);
            let stores = system.event_at[thread].iter().enumerate().filter_map(|(node, event)| {
                let event = (*event)?;
                let e = &system.events[event];
                let matters = e.writes != Writes::Never && e.once && e.cell().is_some_and(|c| cells.contains(&c));
                (matters && states.before[node].is_some() && !case.is_executed(system, event)).then_some(node)
            });
            let stores: Vec<usize> = stores.collect();
            if stores.is_empty() {
                continue;
            }
            for (node, at) in code.nodes.iter().enumerate() {
                let [yes, no] = at.next[..] else { continue };
                let (yes, no) = (yes as usize, no as usize);
                let both = matches!(at.step, Step::Branch(_)) && states.taken[node] == 3 && yes != no;
                let one_way = |to: usize| flow.predecessors[to].len() == 1;
                let splits = both && flow.once(node) && one_way(yes) && one_way(no);
                if !splits || !case.leads_on(system, thread, node) || !self.is_known_node(case, thread, node) {
                    continue;
                }
                let leads = |to: usize, store: usize| to == store || flow.reaches(to, store);
                if stores.iter().any(|&store| leads(yes, store) != leads(no, store)) {
                    return Some((thread, [yes, no]));
                }
            }
        }
        None
    }

    /// The updates that take the locks under which threads read from each other: order follows from them.
    pub(crate) fn guards<D: Domain>(&self, case: &Case<D>) -> Vec<EventId> {
        let mut connected: Vec<(usize, usize)> = Vec::new();
        for &load in &case.trail {
            let Decision::From { store, .. } = case.decisions[load] else { continue };
            let (at, from) = (self.system.events[load].at, self.system.events[store].at);
            if let (At::Node { thread, node }, At::Node { thread: other, node: store }) = (at, from)
                && thread != other
            {
                connected.extend([(thread, node), (other, store)]);
            }
        }
        let guards = |s: &&Section| {
            let thread = self.system.events[s.taking].thread();
            connected.iter().any(|&(t, node)| Some(t) == thread && s.inside.contains(node))
        };
        self.sections.iter().filter(guards).map(|s| s.taking).collect()
    }

    /// Two sections of one lock that some load connects, and of which it is not known which comes first.
    pub(crate) fn unordered_sections<D: Domain>(&self, case: &Case<D>) -> Option<(&'s Section, &'s Section)> {
        let (system, sections) = (self.system, self.sections);
        let holding = |event: EventId| {
            let At::Node { thread, node } = system.events[event].at else { return Vec::new() };
            let holds = |s: &&Section| {
                let here = system.events[s.taking].thread() == Some(thread);
                let once = |e: &EventId| system.events[*e].once;
                here && once(&s.taking)
                    && s.releases.iter().all(once)
                    && s.inside.contains(node)
                    && case.is_executed(system, s.taking)
                    && case.is_taken(system, s.taking)
            };
            sections.iter().filter(holds).collect()
        };
        let ordered = |a: &Section, b: &Section| {
            case.tried_order.iter().any(|&(release, taking)| a.releases.contains(&release) && taking == b.taking)
        };
        for &load in &case.trail {
            let Decision::From { store, .. } = case.decisions[load] else { continue };
            if system.events[load].thread() == system.events[store].thread() {
                continue;
            }
            for one in holding(load) {
                for other in holding(store) {
                    if one.lock == other.lock && !ordered(one, other) && !ordered(other, one) {
                        return Some((one, other));
                    }
                }
            }
        }
        None
    }

    /// The cases in which a section comes before another: it has ended then, by one of its releases.
    pub(crate) fn in_order<D: Domain>(&self, case: &Case<D>, first: &Section, second: &Section) -> Vec<Case<D>> {
        let ends = |&release: &EventId| case.with_release(self.system, release, second.taking);
        first.releases.iter().map(ends).collect()
    }
}
