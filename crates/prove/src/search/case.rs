//! A case of the search: what some loads read, and what follows from it.

use std::rc::Rc;

use fencepost_program::{Address, Value};

use crate::domains::Domain;
use crate::domains::Interval;
use crate::proof::property::Property;
use crate::system::locks::waits_for_zero;
use crate::system::{At, EventId, Facts, System, Writes};
use crate::threads::interpret::Reading;
use crate::threads::passes::Pass;
use fencepost_program::code::BitSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Open,
    /// The load is not executed.
    Skipped,
    From {
        store: EventId,
        /// For a CAS, whether it succeeds.
        succeeds: Option<bool>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refinement {
    /// The thread does not get to a node.
    Without { thread: usize, node: usize },
    /// The store writes this value.
    Value { store: EventId, value: Value },
}

/// Why the facts leave no execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contradiction {
    /// The thread cannot get to a node that it gets to in all these executions.
    NotReached { thread: usize, node: usize },
    /// A store that a load reads from is not executed.
    NotWritten(EventId),
    /// A CAS that a load reads from fails.
    Fails(EventId),
}

#[derive(Clone)]
pub(crate) struct Case<D> {
    /// For each event.
    pub(crate) decisions: Vec<Decision>,
    /// The loads that were decided, in order.
    pub(crate) trail: Vec<EventId>,
    /// A CAS that some load reads from has succeeded.
    succeeded: BitSet,
    /// For each thread, the nodes that it certainly gets to.
    required: Vec<Vec<usize>>,
    /// For each thread, the nodes that can be on such a path.
    allowed: Vec<BitSet>,
    /// Orders of stores to one cell that are tried.
    pub(crate) tried_order: Vec<(EventId, EventId)>,
    /// Splits that are neither by what a load reads nor by order.
    pub(crate) refinements: Vec<Refinement>,
    /// Set if the facts leave no execution.
    pub(crate) contradiction: Option<Contradiction>,
    pub(crate) facts: Facts<D>,
    /// Events that are certainly executed.
    pub(crate) executed: Vec<Rc<Vec<EventId>>>,
}

/// Maximum number of times that a change of one thread's facts is propagated; stopping early is sound.
const MOST_RUNS: usize = 10;

impl<D: Domain> Case<D> {
    /// The executions that get to where the property is checked.
    pub(crate) fn of(system: &System, property: &Property, facts: &Facts<D>) -> Case<D> {
        let threads = system.codes.len();
        let mut case = Case {
            decisions: vec![Decision::Open; system.events.len()],
            trail: Vec::new(),
            succeeded: BitSet::new(system.events.len()),
            required: vec![Vec::new(); threads],
            allowed: system.codes.iter().map(|c| BitSet::full(c.nodes.len())).collect(),
            tried_order: Vec::new(),
            refinements: Vec::new(),
            contradiction: None,
            facts: facts.clone(),
            executed: (0..threads).map(|_| Rc::default()).collect(),
        };
        for (thread, code) in system.codes.iter().enumerate() {
            for (node, passes) in code.passes.iter().enumerate() {
                let is_other = |&&(number, pass): &&(u32, Pass)| {
                    let here = |&(t, n): &(usize, usize)| t == thread && code.passes[n].contains(&(number, pass));
                    pass == Pass::Failing && property.node().filter(here).is_none()
                };
                if passes.iter().any(|p| is_other(&p)) {
                    case.allowed[thread].remove(node);
                }
            }
        }
        let mut dirty = BitSet::new(threads);
        match property.node() {
            Some((thread, node)) => {
                case.require(system, thread, node);
                if system.model.keeps_stores_behind_loads() {
                    // The thread goes no further, and nothing that it would do later can matter.
                    for other in 0..system.codes[thread].nodes.len() {
                        if other != node && !system.flows[thread].reaches(other, node) {
                            case.allowed[thread].remove(other);
                        }
                    }
                }
                dirty.insert(thread);
            }
            None => {
                for (thread, code) in system.codes.iter().enumerate() {
                    case.require(system, thread, code.end());
                    dirty.insert(thread);
                }
            }
        }
        case.refine(system, dirty);
        case
    }

    /// The case with one more decision.
    pub(crate) fn decide(&self, system: &System, load: EventId, decision: Decision) -> Case<D> {
        let mut case = self.clone();
        case.decisions[load] = decision;
        case.trail.push(load);
        let mut dirty = BitSet::new(system.codes.len());
        let at = |event: EventId| match system.events[event].at {
            At::Node { thread, node } => Some((thread, node)),
            At::Start | At::End => None,
        };
        match decision {
            Decision::Open => {}
            Decision::Skipped => {
                if let Some((thread, node)) = at(load) {
                    case.allowed[thread].remove(node);
                    dirty.insert(thread);
                }
            }
            Decision::From { store, .. } => {
                if case.facts.values[store].is_none() {
                    case.contradiction = Some(Contradiction::NotWritten(store));
                    return case;
                }
                if let Some((thread, node)) = at(load) {
                    case.require(system, thread, node);
                    dirty.insert(thread);
                }
                if let Some((thread, node)) = at(store) {
                    case.require(system, thread, node);
                    dirty.insert(thread);
                    if system.events[store].writes == Writes::OnSuccess {
                        if case.succeeds(store) == Some(false) {
                            case.contradiction = Some(Contradiction::Fails(store));
                            return case;
                        }
                        case.succeeded.insert(store);
                    }
                }
            }
        }
        case.refine(system, dirty);
        case
    }

    /// The case in which a lock was released there before it was taken elsewhere.
    pub(crate) fn with_release(&self, system: &System, release: EventId, taking: EventId) -> Case<D> {
        let mut case = self.clone();
        case.tried_order.push((release, taking));
        let mut dirty = BitSet::new(system.codes.len());
        match system.events[release].at {
            At::Node { thread, node } if self.facts.values[release].is_some() => {
                case.require(system, thread, node);
                dirty.insert(thread);
                case.refine(system, dirty);
            }
            _ => case.contradiction = Some(Contradiction::NotWritten(release)),
        }
        case
    }

    /// The case in which the thread does not get to a node.
    pub(crate) fn without(&self, system: &System, thread: usize, node: usize) -> Case<D> {
        let mut case = self.clone();
        case.refinements.push(Refinement::Without { thread, node });
        case.allowed[thread].remove(node);
        let mut dirty = BitSet::new(system.codes.len());
        dirty.insert(thread);
        case.refine(system, dirty);
        case
    }

    /// The case in which a store, executed once, writes this value.
    pub(crate) fn with_value(&self, system: &System, store: EventId, value: Value) -> Case<D> {
        let mut case = self.clone();
        case.refinements.push(Refinement::Value { store, value });
        case.facts.values[store] = Some(Interval::constant(value));
        let concerned = system.readers[store].iter().chain([&store]);
        let dirty = BitSet::of(system.codes.len(), concerned.filter_map(|&event| system.events[event].thread()));
        case.refine(system, dirty);
        case
    }

    /// Whether the thread still has to get somewhere from a node, or from an access.
    pub(crate) fn leads_on(&self, system: &System, thread: usize, node: usize) -> bool {
        self.required[thread].iter().any(|&required| node == required || system.flows[thread].reaches(node, required))
    }

    pub(crate) fn leads_to_required(&self, system: &System, event: EventId) -> bool {
        match system.events[event].at {
            At::Node { thread, node } => self.leads_on(system, thread, node),
            At::Start | At::End => true,
        }
    }

    /// Whether an update that takes a lock certainly read 0.
    pub(crate) fn is_taken(&self, system: &System, taking: EventId) -> bool {
        match system.events[taking].writes {
            Writes::OnSuccess => self.succeeds(taking) == Some(true),
            _ => {
                let blocks = system.inst(taking).is_some_and(waits_for_zero);
                blocks || self.reading(system, taking).value == Some(Interval::constant(0))
            }
        }
    }

    /// Whether a CAS succeeds, where that is known.
    pub(crate) fn succeeds(&self, event: EventId) -> Option<bool> {
        match self.decisions[event] {
            Decision::From { succeeds: Some(succeeds), .. } => Some(succeeds),
            _ => self.succeeded.contains(event).then_some(true),
        }
    }

    pub(crate) fn reading(&self, system: &System, load: EventId) -> Reading {
        let event = &system.events[load];
        let value = match self.decisions[load] {
            Decision::Open if !event.reads => self.facts.values[load].filter(|_| event.once),
            Decision::Open => system.join_of_sources(load, &self.facts.values),
            Decision::Skipped => None,
            Decision::From { store, .. } => self.facts.values[store],
        };
        Reading { value, succeeds: self.succeeds(load) }
    }

    /// The value of a cell when all threads have ended.
    pub(crate) fn final_value(&self, system: &System, at: Address) -> Option<Interval> {
        let load = system.events.iter().position(|e| e.at == At::End && e.cells.0 == at)?;
        self.reading(system, load).value
    }

    pub(crate) fn is_executed(&self, system: &System, event: EventId) -> bool {
        match system.events[event].thread() {
            Some(thread) => self.executed[thread].contains(&event),
            None => true,
        }
    }

    /// Whether nothing that is known keeps the event from being executed.
    pub(crate) fn may_execute(&self, system: &System, event: EventId) -> bool {
        match system.events[event].at {
            At::Node { thread, node } => self.facts.states[thread].before[node].is_some(),
            At::Start | At::End => true,
        }
    }

    /// Whether something is known of the chosen pass of a thread's loop, so that it is not any pass.
    pub(crate) fn uses_chosen_pass(&self, system: &System, thread: usize, number: u32) -> bool {
        let passes = |node: usize| &system.codes[thread].passes[node];
        let about = |node: usize| passes(node).iter().any(|&(n, pass)| n == number && is_any_pass(pass));
        let at = |event: EventId| match system.events[event].at {
            At::Node { thread: t, node } if t == thread => Some(node),
            _ => None,
        };
        self.required[thread].iter().any(|&node| about(node))
            || self.trail.iter().any(|&load| at(load).is_some_and(about))
            || self.executed[thread].iter().any(|&event| at(event).is_some_and(about))
    }

    fn require(&mut self, system: &System, thread: usize, node: usize) {
        if self.required[thread].contains(&node) {
            return;
        }
        self.required[thread].push(node);
        let flow = &system.flows[thread];
        for other in 0..system.codes[thread].nodes.len() {
            if other != node && !flow.reaches(other, node) && !flow.reaches(node, other) {
                self.allowed[thread].remove(other);
            }
        }
    }

    /// Analyses the threads again whose loads read something else now.
    fn refine(&mut self, system: &System, dirty: BitSet) {
        self.contradiction = self.refined(system, dirty).err();
    }

    /// Facts only go down, so this may stop at any time.
    fn refined(&mut self, system: &System, mut dirty: BitSet) -> Result<(), Contradiction> {
        let mut left = MOST_RUNS;
        loop {
            let Some(thread) = dirty.iter().next() else { return Ok(()) };
            dirty.remove(thread);
            if left == 0 {
                return Ok(());
            }
            left -= 1;
            let required = self.required[thread].clone();
            let interpreter = system.interpreter(thread, &required);
            let read = |node: usize| match system.event_at[thread][node] {
                Some(load) => self.reading(system, load),
                None => Reading { value: None, succeeds: None },
            };
            let states = interpreter.run::<D>(&self.allowed[thread], &read);
            if let Some(&node) = required.iter().find(|&&node| states.before[node].is_none()) {
                return Err(Contradiction::NotReached { thread, node });
            }
            let mut written = Vec::new();
            for (node, event) in system.event_at[thread].iter().enumerate() {
                let Some(event) = *event else { continue };
                if system.events[event].writes == Writes::Never {
                    continue;
                }
                let new = states.before[node].as_ref().and_then(|s| interpreter.written(node, s, read(node)));
                let new = new.zip(self.facts.values[event]).and_then(|(a, b)| a.meet(b));
                if new != self.facts.values[event] {
                    written.push((event, new));
                }
            }
            self.facts.states[thread] = Rc::new(states);
            for (event, new) in written {
                self.facts.values[event] = new;
                for &load in &system.readers[event] {
                    let reads = match self.decisions[load] {
                        Decision::Open => true,
                        Decision::Skipped => false,
                        Decision::From { store, .. } if store == event && new.is_none() => {
                            return Err(Contradiction::NotWritten(store));
                        }
                        Decision::From { store, .. } => store == event,
                    };
                    if let Some(thread) = system.events[load].thread().filter(|_| reads) {
                        dirty.insert(thread);
                    }
                }
            }
            self.executed[thread] = Rc::new(self.certainly_executed(system, thread));
        }
    }

    /// The accesses and fences on every path to what is required.
    fn certainly_executed(&self, system: &System, thread: usize) -> Vec<EventId> {
        if self.required[thread].is_empty() {
            return Vec::new();
        }
        let (code, flow) = (&system.codes[thread], &system.flows[thread]);
        let above = self.facts.states[thread].dominators(code, flow);
        let mut executed = BitSet::new(code.nodes.len());
        for &node in self.required[thread].iter().filter(|&&node| above.is_reached(node)) {
            executed.insert(node);
            for other in above.above(node) {
                if executed.contains(other) {
                    break;
                }
                executed.insert(other);
            }
        }
        executed.iter().filter_map(|node| system.event_at[thread][node]).collect()
    }
}

/// Whether this pass could have been the chosen one, or is.
pub(crate) fn is_any_pass(pass: Pass) -> bool {
    matches!(pass, Pass::Earlier | Pass::Chosen | Pass::Later)
}
