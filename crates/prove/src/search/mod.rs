//! Cases one after the other: what a load reads is picked one load at a time, and a case is left as soon as the rules
//! show that no execution has it, or the facts that the property holds in it.
//!
//! The paper builds all combinations of one thread's loads first (§5, FilterFeasible). Here a combination has the loads
//! of all threads that the property depends on, which orders events through third threads (§6.1 leaves that to the
//! future), and most combinations are never built because a part of them is infeasible already.

pub(crate) mod case;
pub(crate) mod combination;
pub(crate) mod order;
pub(crate) mod record;
mod relevance;
#[cfg(test)]
mod rules;
mod splits;

use fencepost_budget::Budget;
use fencepost_program::Membar;

use crate::domains::Domain;
use crate::proof::property::{Property, Values};
use crate::search::case::{Case, Decision};
use crate::search::combination::{Combination, Participant};
use crate::search::order::{Cycle, Order};
use crate::search::record::{Infeasible, Left, Why};
use crate::system::locks::Section;
use crate::system::{At, EventId, Facts, System, Writes};
use crate::threads::passes::Pass;
use crate::watch::Watch;
use fencepost_program::code::BitSet;

/// How much is deduced from a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deduction {
    /// Between two threads at a time, by the paper's rules.
    Paper,
    /// Between all threads.
    AllThreads,
}

pub(crate) struct Search<'s, 'p> {
    pub(crate) system: &'s System<'p>,
    pub(crate) deduction: Deduction,
    /// Sections that exclude each other.
    pub(crate) sections: &'s [Section],
    pub(crate) limits: Limits<'s>,
    /// Cases that may still be looked at.
    pub(crate) budget: u64,
    pub(crate) cases: u64,
    /// The cases in which the property does not fail, if that is to be explained.
    pub(crate) record: Option<Vec<Left>>,
}

/// When to stop.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'s> {
    pub(crate) watch: &'s Watch,
    pub(crate) budget: &'s Budget,
}

impl Limits<'_> {
    pub(crate) fn are_reached(self) -> bool {
        self.budget.is_spent()
    }
}

/// What a search ends with.
pub(crate) enum Found<D> {
    Proof,
    /// The case in which the property may fail.
    Alarm(Box<Case<D>>),
    /// Too many cases.
    Limit(Box<Case<D>>),
}

/// With more events than this, only those on the cells of decided loads take part in a combination.
const ALL_EVENTS_TAKE_PART: usize = 150;

impl Search<'_, '_> {
    pub(crate) fn prove<D: Domain>(&mut self, property: &Property, facts: &Facts<D>) -> Found<D> {
        let system = self.system;
        let relevant = system.relevant_loads(property);
        let asked = property.node().map(|(thread, _)| thread);
        let mut stack = Vec::new();
        self.keep(Case::of(system, property, facts), &mut stack);
        while let Some(case) = stack.pop() {
            self.cases += 1;
            self.limits.watch.count_case();
            let cell = |at| case.final_value(system, at);
            if !property.may_fail(system, &case.facts, &cell) {
                self.leave(&case, || Why::Holds(property.values(system, &case.facts, &cell, Values::Any)));
                continue;
            }
            if self.budget == 0 || self.limits.are_reached() {
                return Found::Limit(Box::new(case));
            }
            self.budget -= 1;
            let (combination, events) = self.combination(&case);
            let order = match self.order(&combination) {
                Ok(order) => order,
                Err((part, cycle)) => {
                    self.leave(&case, || Why::Order(Box::new(infeasible(combination, events, part, cycle))));
                    continue;
                }
            };
            if let Some((one, other)) = self.unordered_sections(&case) {
                for (first, second) in [(other, one), (one, other)] {
                    self.keep_all(self.in_order(&case, first, second), &mut stack);
                }
            } else if let Some(cases) = self.values(&case, asked) {
                self.keep_all(cases, &mut stack);
            } else if let Some(load) = self.next_load(&case, &relevant, asked, true) {
                self.decide(&case, load, &mut stack);
            } else if let Some(cases) = self.refinement(&case) {
                self.keep_all(cases, &mut stack);
            } else if let Some(load) = self.next_load(&case, &relevant, asked, false) {
                self.decide(&case, load, &mut stack);
            } else if let Some((a, b)) = order.and_then(|order| unordered_stores(&combination, &order)) {
                for (first, second) in [(b, a), (a, b)] {
                    let mut case = case.clone();
                    case.tried_order.push((events[first], events[second]));
                    stack.push(case);
                }
            } else {
                return Found::Alarm(Box::new(case));
            }
        }
        Found::Proof
    }

    /// Notes why the property does not fail in a case.
    fn leave<D>(&mut self, case: &Case<D>, why: impl FnOnce() -> Why) {
        if let Some(record) = &mut self.record {
            record.push(Left::of(case, why()));
        }
    }

    /// Puts a case on the stack, unless the facts leave no execution.
    fn keep<D>(&mut self, case: Case<D>, stack: &mut Vec<Case<D>>) {
        match case.contradiction {
            Some(contradiction) => self.leave(&case, || Why::Contradiction(contradiction)),
            None => stack.push(case),
        }
    }

    fn keep_all<D>(&mut self, cases: Vec<Case<D>>, stack: &mut Vec<Case<D>>) {
        cases.into_iter().for_each(|case| self.keep(case, stack));
    }

    fn decide<D: Domain>(&mut self, case: &Case<D>, load: EventId, stack: &mut Vec<Case<D>>) {
        let first = stack.len();
        for decision in self.choices(case, load) {
            self.keep(case.decide(self.system, load, decision), stack);
        }
        stack[first..].reverse();
    }

    /// The order of a feasible combination, where it is known. Otherwise the cycle, and to which part of the
    /// combination it belongs if not to the whole.
    fn order(&self, combination: &Combination) -> Result<Option<Order>, (Option<Box<Part>>, Cycle)> {
        if self.deduction == Deduction::AllThreads {
            return Order::of(combination, self.deduction).map(Some).map_err(|cycle| (None, cycle));
        }
        let threads = self.system.codes.len();
        for one in 0..threads {
            for other in one + 1..threads.max(one + 2) {
                let part = combination.between(one, other);
                Order::of(&part.0, self.deduction).map_err(|cycle| (Some(Box::new(part)), cycle))?;
            }
        }
        Ok(None)
    }

    /// The load to decide next: one that is certainly executed, or any.
    fn next_load<D: Domain>(
        &self,
        case: &Case<D>,
        relevant: &BitSet,
        asked: Option<usize>,
        executed: bool,
    ) -> Option<EventId> {
        let open = |load: &EventId| {
            let event = &self.system.events[*load];
            let open = case.decisions[*load] == Decision::Open && event.once && case.may_execute(self.system, *load);
            open && self.is_known(case, *load) && case.leads_to_required(self.system, *load)
        };
        // The nearest first: what is read last before the property is what it is about, and the nodes of a thread are
        // numbered along its paths.
        let guards = self.guards(case);
        let nearness = |load: &EventId| match self.system.events[*load].at {
            At::Node { thread, node } => (guards.contains(load), Some(thread) == asked, node),
            At::Start | At::End => (true, true, usize::MAX),
        };
        let open_loads = relevant.iter().filter(open);
        open_loads.filter(|&load| !executed || case.is_executed(self.system, load)).max_by_key(nearness)
    }

    /// Whether an access is not in the chosen pass of a loop of which nothing is known yet: any pass could still be
    /// that.
    fn is_known<D: Domain>(&self, case: &Case<D>, event: EventId) -> bool {
        match self.system.events[event].at {
            At::Node { thread, node } => self.is_known_node(case, thread, node),
            At::Start | At::End => true,
        }
    }

    pub(crate) fn is_known_node<D: Domain>(&self, case: &Case<D>, thread: usize, node: usize) -> bool {
        let passes = &self.system.codes[thread].passes[node];
        passes.iter().all(|&(number, pass)| pass != Pass::Chosen || case.uses_chosen_pass(self.system, thread, number))
    }

    /// Whether a store need not be looked at as what a load reads, because it is the chosen pass that the load then
    /// reads from: nothing else is known of that pass, so it may be any.
    fn is_in_chosen_pass_instead<D: Domain>(&self, case: &Case<D>, store: EventId) -> bool {
        let At::Node { thread, node } = self.system.events[store].at else { return false };
        let code = &self.system.codes[thread];
        code.passes[node].iter().any(|&(number, pass)| {
            matches!(pass, Pass::Earlier | Pass::Later)
                && code.has_chosen_pass(number)
                && !case.uses_chosen_pass(self.system, thread, number)
        })
    }

    fn choices<D: Domain>(&self, case: &Case<D>, load: EventId) -> Vec<Decision> {
        let event = &self.system.events[load];
        let outcomes: &[Option<bool>] = match (event.writes, case.succeeds(load)) {
            (Writes::OnSuccess, Some(true)) => &[Some(true)],
            (Writes::OnSuccess, _) => &[Some(true), Some(false)],
            _ => &[None],
        };
        let stores = event.sources.iter().filter(|&&s| case.facts.values[s].is_some());
        let stores = stores.filter(|&&s| !self.is_in_chosen_pass_instead(case, s));
        let mut choices: Vec<Decision> = stores
            .flat_map(|&store| outcomes.iter().map(move |&succeeds| Decision::From { store, succeeds }))
            .collect();
        if !case.is_executed(self.system, load) {
            choices.push(Decision::Skipped);
        }
        choices
    }

    /// What is executed in a case, what is read, and what program order keeps.
    fn combination<D: Domain>(&self, case: &Case<D>) -> (Combination, Vec<EventId>) {
        let system = self.system;
        let mut events = self.participants(case);
        events.sort_unstable();
        events.dedup();
        let mut place = vec![usize::MAX; system.events.len()];
        let mut combination = Combination::default();
        for (i, &event) in events.iter().enumerate() {
            place[event] = i;
            let access = system.access(event, case.succeeds(event));
            let e = &system.events[event];
            combination.events.push(Participant {
                load: access.cell.filter(|_| access.reads),
                store: access.cell.filter(|_| access.writes),
                once: e.once,
                thread: e.thread(),
            });
        }
        for &load in &case.trail {
            if let Decision::From { store, .. } = case.decisions[load] {
                combination.reads_from.push((place[load], place[store]));
            }
        }
        for &(first, second) in &case.tried_order {
            combination.tried_order.push((place[first], place[second]));
        }
        for (i, &event) in events.iter().enumerate() {
            match system.events[event].at {
                At::Start => combination.thread_creates.extend(
                    (0..events.len())
                        .filter(|&o| o != i)
                        .filter_map(|o| (system.events[events[o]].at != At::Start).then_some((i, o))),
                ),
                At::End => combination.thread_joins.extend(
                    (0..events.len()).filter_map(|o| system.events[events[o]].thread().is_some().then_some((i, o))),
                ),
                At::Node { .. } => {}
            }
        }
        self.program_order(case, &place, &mut combination);
        (combination, events)
    }

    fn participants<D: Domain>(&self, case: &Case<D>) -> Vec<EventId> {
        let system = self.system;
        let mut decided = Vec::new();
        for &load in &case.trail {
            if let Decision::From { store, .. } = case.decisions[load] {
                decided.extend([load, store]);
            }
        }
        let executed: Vec<EventId> = case.executed.iter().flat_map(|e| e.iter().copied()).collect();
        let cells: Vec<_> = decided.iter().filter_map(|&e| system.events[e].cell()).collect();
        let all = executed.len() <= ALL_EVENTS_TAKE_PART;
        let takes_part = |&event: &EventId| {
            let e = &system.events[event];
            (e.reads || e.writes != Writes::Never) && (all || e.cell().is_some_and(|c| cells.contains(&c)))
        };
        decided.extend(executed.into_iter().filter(takes_part));
        decided.extend(case.tried_order.iter().flat_map(|&(first, second)| [first, second]));
        let starts = (0..system.events.len()).take_while(|&e| system.events[e].at == At::Start);
        decided.extend(starts.filter(|&e| system.events[e].cell().is_some_and(|c| cells.contains(&c))));
        decided
    }

    /// Rule (2), and coherence: pairs of accesses of one thread that both are executed.
    fn program_order<D: Domain>(&self, case: &Case<D>, place: &[usize], combination: &mut Combination) {
        let system = self.system;
        for (thread, executed) in case.executed.iter().enumerate() {
            let flow = &system.flows[thread];
            let at = |event: EventId| match system.events[event].at {
                At::Node { node, .. } => node,
                At::Start | At::End => 0,
            };
            let barriers: Vec<(usize, Membar)> = executed
                .iter()
                .map(|&e| {
                    let (before, after) = system.membars(e, case.succeeds(e));
                    (at(e), before | after)
                })
                .filter(|(_, membar)| *membar != Membar::NONE)
                .collect();
            for &first in executed.iter().filter(|&&e| place[e] != usize::MAX) {
                let one = system.access(first, case.succeeds(first));
                for &second in executed.iter().filter(|&&e| place[e] != usize::MAX) {
                    if !flow.before(at(first), at(second)) {
                        continue;
                    }
                    let other = system.access(second, case.succeeds(second));
                    let (_, after) = system.membars(first, case.succeeds(first));
                    let (before, _) = system.membars(second, case.succeeds(second));
                    let is_between = |node: usize| flow.before(at(first), node) && flow.before(node, at(second));
                    let between = || {
                        let between = barriers.iter().filter(|(node, _)| is_between(*node));
                        between.fold(after | before, |all, (_, membar)| all | *membar)
                    };
                    let kept = system.model.no_reorder(one, other, after | before)
                        || !barriers.is_empty() && system.model.no_reorder(one, other, between());
                    if kept {
                        combination.no_reorder.push((place[first], place[second]));
                    }
                    if one.writes && other.reads && one.cell.is_some() && one.cell == other.cell {
                        combination.program_order_same_cell.push((place[first], place[second]));
                    }
                }
            }
        }
    }
}

/// A part of a combination, with the number that each of its events has in the whole.
type Part = (Combination, Vec<usize>);

fn infeasible(combination: Combination, events: Vec<EventId>, part: Option<Box<Part>>, cycle: Cycle) -> Infeasible {
    match part.map(|part| *part) {
        Some((combination, numbers)) => {
            Infeasible { combination, events: numbers.into_iter().map(|i| events[i]).collect(), cycle }
        }
        None => Infeasible { combination, events, cycle },
    }
}

/// Two stores to a cell that some load was decided to read, executed once each, in no order yet.
fn unordered_stores(combination: &Combination, order: &Order) -> Option<(usize, usize)> {
    let events = &combination.events;
    let read = |cell| combination.reads_from.iter().any(|&(load, _)| events[load].load == cell);
    let stores: Vec<usize> =
        (0..events.len()).filter(|&e| events[e].store.is_some() && events[e].once && read(events[e].store)).collect();
    stores.iter().enumerate().find_map(|(i, &a)| {
        let unordered =
            |&&b: &&usize| events[a].store == events[b].store && !order.is_before(a, b) && !order.is_before(b, a);
        stores[i + 1..].iter().find(unordered).map(|&b| (a, b))
    })
}
