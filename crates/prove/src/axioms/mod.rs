//! Every execution of a small program by its axioms: what a proof is compared with, and what decides an alarm under
//! RMO.
//!
//! Engines that add events along po ∪ rf never see a load that reads from a store which depends on what the load makes
//! possible; RMO has such executions. So this guesses: each thread alone with every value that its loads might read,
//! then every way in which the reads and writes of all threads fit together, each judged by the axioms of the model.

use std::collections::{BTreeMap, BTreeSet};

use fencepost_budget::Budget;
use fencepost_graph::{EventId, EventKind, EventLabel, Graph, Relation, Relations};
use fencepost_models::Model;
use fencepost_program::question::{Observable, Proposition};
use fencepost_program::{
    Accept, Action, Address, Answer, Failure, LabelKind, Machine, Program, Reg, Span, ThreadState, Value,
};

use crate::domains::Interval;
use crate::proof::property::possible;

/// What an execution is looked for.
#[derive(Clone, Copy)]
pub enum Question<'a> {
    /// A thread stops at this place because of a failure.
    Fails(Span),
    /// All threads have ended, and this holds of the final state.
    Ends(&'a Proposition),
}

/// There are too many executions, or loops that do not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// Of one thread.
const MOST_TRACES: usize = 4_000;
const UNROLL: u32 = 3;

/// An execution of a program of cells that answers the question with yes. At most `candidates` are looked at.
pub fn find_execution(
    program: &Program,
    model: Model,
    question: Question,
    candidates: u64,
) -> Result<Option<Graph>, TooMany> {
    find_execution_within(program, model, question, candidates, &Budget::default())
}

/// Like [`find_execution`], but stops with [`TooMany`] when the budget is spent.
pub fn find_execution_within(
    program: &Program,
    model: Model,
    question: Question,
    candidates: u64,
    budget: &Budget,
) -> Result<Option<Graph>, TooMany> {
    if program.has_flat_memory() {
        // Its threads and locations turn up on the way; `cells` makes a program of it that has them from the start.
        return Err(TooMany);
    }
    let machine = Machine::unrolling(program, UNROLL);
    let (traces, complete) = traces(&machine, budget)?;
    let mut candidates = Candidates { program, model, question, left: candidates, budget, found: None };
    candidates.choose(&traces, &mut Vec::new())?;
    match candidates.found {
        None if !complete => Err(TooMany),
        found => Ok(found),
    }
}

/// A run of one thread alone: its events, and where it stands after them.
struct Trace {
    events: Vec<(EventLabel, Span)>,
    state: ThreadState,
    action: Action,
    /// Of the action.
    span: Span,
}

/// All runs of each thread, its loads reading any value that some run may write; and whether none was cut off.
fn traces(machine: &Machine, budget: &Budget) -> Result<(Vec<Vec<Trace>>, bool), TooMany> {
    let program = machine.program();
    let mut values: BTreeMap<Address, BTreeSet<Value>> =
        program.cells().map(|cell| (cell, BTreeSet::from([program.initial_value(cell)]))).collect();
    let mut rounds = 0;
    loop {
        let mut complete = true;
        let mut all: Vec<Vec<Trace>> = Vec::new();
        for thread in 0..program.threads.len() {
            let mut found = Vec::new();
            run((machine, budget), &values, machine.start(thread), &mut Vec::new(), &mut found, &mut complete)?;
            all.push(found);
        }
        let mut grown = false;
        for (label, _) in all.iter().flatten().flat_map(|trace| &trace.events) {
            if let (Some(at), Some(value)) = (label.address, label.written) {
                grown |= values.entry(at).or_default().insert(value);
            }
        }
        // A value goes through each write of an execution at most once. Without this, increments would grow for ever.
        let longest = |traces: &Vec<Trace>| traces.iter().map(|t| t.events.len()).max().unwrap_or(0);
        rounds += 1;
        if !grown || rounds > all.iter().map(longest).sum::<usize>() {
            return Ok((all, complete));
        }
    }
}

fn run(
    (machine, budget): (&Machine, &Budget),
    values: &BTreeMap<Address, BTreeSet<Value>>,
    state: ThreadState,
    events: &mut Vec<(EventLabel, Span)>,
    found: &mut Vec<Trace>,
    complete: &mut bool,
) -> Result<(), TooMany> {
    if found.len() >= MOST_TRACES || budget.is_spent() {
        return Err(TooMany);
    }
    let (action, span) = (machine.next(&state), machine.span(&state));
    *complete &= !state.is_out_of_bound() && action != Action::Failed(Failure::EndlessLocalLoop);
    let mut go = |label: Option<EventLabel>, answer: Answer, found: &mut Vec<Trace>| {
        let mut next = state.clone();
        machine.resume(&mut next, answer, 0);
        events.extend(label.map(|label| (label, span)));
        let result = run((machine, budget), values, next, events, found, complete);
        if label.is_some() {
            events.pop();
        }
        result
    };
    match action {
        Action::Choose { lo, hi } => {
            if hi.saturating_sub(lo) > 100 {
                return Err(TooMany);
            }
            for value in lo..=hi {
                go(None, Answer::Chose(value), found)?;
            }
            return Ok(());
        }
        Action::Fence { order } => return go(Some(EventLabel::fence(order)), Answer::Done, found),
        Action::Store { at, value, order } => {
            return go(Some(EventLabel::write(order, at, value)), Answer::Done, found);
        }
        _ => {}
    }
    for label in action.labels() {
        for &value in values.get(&label.at).into_iter().flatten() {
            if !label.accept.accepts(value) {
                continue;
            }
            let (event, answer) = match label.kind {
                LabelKind::Rmw => {
                    let written = action.written(value).unwrap_or(value);
                    (EventLabel::rmw(label.order, label.at, value, written), Answer::Updated(value))
                }
                _ => (EventLabel::read(label.order, label.at, value), Answer::Read(value)),
            };
            go(Some(event), answer, found)?;
        }
    }
    // A thread that waits may wait for ever.
    if !matches!(action, Action::Load { .. } | Action::Rmw { accept: Accept::Any, .. } | Action::Cas { .. }) {
        found.push(Trace { events: events.clone(), state, action, span });
    }
    Ok(())
}

struct Candidates<'a> {
    program: &'a Program,
    model: Model,
    question: Question<'a>,
    left: u64,
    budget: &'a Budget,
    found: Option<Graph>,
}

impl Candidates<'_> {
    /// Picks a run for each thread.
    fn choose<'t>(&mut self, traces: &'t [Vec<Trace>], chosen: &mut Vec<&'t Trace>) -> Result<(), TooMany> {
        if self.found.is_some() {
            return Ok(());
        }
        if chosen.len() < traces.len() {
            for trace in &traces[chosen.len()] {
                chosen.push(trace);
                if self.may_answer(chosen) {
                    self.choose(traces, chosen)?;
                }
                chosen.pop();
            }
            return Ok(());
        }
        self.left = self.left.checked_sub(1).filter(|_| !self.budget.is_spent()).ok_or(TooMany)?;
        if let Question::Fails(span) = self.question
            && !chosen.iter().any(|t| matches!(t.action, Action::Failed(_)) && t.span == span)
        {
            return Ok(());
        }
        self.link(chosen)
    }

    /// Whether the runs of the first threads leave room for a yes.
    fn may_answer(&self, chosen: &[&Trace]) -> bool {
        let Question::Ends(proposition) = self.question else { return true };
        let value = |observable: Observable| match observable {
            Observable::Register { thread, reg } if thread < chosen.len() => {
                Some(Interval::constant(self.register(chosen, thread, reg)))
            }
            Observable::Register { .. } | Observable::Cell(_) => Some(Interval::FULL),
        };
        chosen.iter().all(|t| t.action == Action::End) && possible(proposition, &value).0
    }

    fn register(&self, chosen: &[&Trace], thread: usize, reg: Reg) -> Value {
        let index = self.program.observed_index(thread, reg);
        index.and_then(|index| chosen[thread].state.observed().get(index).copied()).unwrap_or(0)
    }

    /// Every modification order and every source of every read.
    fn link(&mut self, chosen: &[&Trace]) -> Result<(), TooMany> {
        let mut events: Vec<(u32, EventLabel, Span)> = Vec::new();
        for (thread, trace) in chosen.iter().enumerate() {
            events.extend(trace.events.iter().map(|&(label, span)| (thread as u32, label, span)));
        }
        let reads_nothing = |label: &EventLabel| {
            label.read.is_some_and(|value| {
                let at = label.address;
                let initial = at.is_some_and(|at| self.program.initial_value(at) == value);
                !initial && !events.iter().any(|(_, l, _)| l.address == at && l.written == Some(value))
            })
        };
        if events.iter().any(|(_, label, _)| reads_nothing(label)) {
            return Ok(());
        }
        let graph = Graph::initial_of(self.program, false);
        let first = graph.len();
        self.order(&events, 0, graph, first, chosen)
    }

    /// Adds the events from `next` on, each write at every place of its modification order.
    fn order(
        &mut self,
        events: &[(u32, EventLabel, Span)],
        next: usize,
        mut graph: Graph,
        first: usize,
        chosen: &[&Trace],
    ) -> Result<(), TooMany> {
        if self.found.is_some() {
            return Ok(());
        }
        let Some(&(thread, label, span)) = events.get(next) else {
            if let Question::Ends(proposition) = self.question {
                let cell =
                    |at: Address| graph.writes(at).last().and_then(|&w| graph.event(w).label.written).unwrap_or(0);
                let value = |observable: Observable| match observable {
                    Observable::Register { thread, reg } => self.register(chosen, thread, reg),
                    Observable::Cell(at) => cell(at),
                };
                if !proposition.holds(&value) {
                    return Ok(());
                }
            }
            return self.read(&graph, first, &mut Vec::new());
        };
        let Some(at) = label.address else {
            graph.push(thread, label, span, None);
            return self.order(events, next + 1, graph, first, chosen);
        };
        let writes = graph.writes(at).to_vec();
        let positions =
            if matches!(label.kind, EventKind::Write | EventKind::Rmw) { writes.as_slice() } else { &writes[..1] };
        // Writes of one thread to one location stay in order in every model.
        let own = writes.iter().rposition(|&w| graph.event(w).thread == Some(thread)).unwrap_or(0);
        for &after in positions.iter().skip(if positions.len() > 1 { own } else { 0 }) {
            let mut graph = graph.clone();
            graph.push(thread, label, span, Some(after));
            self.order(events, next + 1, graph, first, chosen)?;
        }
        Ok(())
    }

    /// Every source of every read, and then the axioms.
    fn read(&mut self, graph: &Graph, next: usize, sources: &mut Vec<(EventId, EventId)>) -> Result<(), TooMany> {
        if self.found.is_some() {
            return Ok(());
        }
        if next < graph.len() {
            let read = EventId(next as u32);
            let label = graph.event(read).label;
            let (Some(at), Some(value)) = (label.address, label.read) else {
                return self.read(graph, next + 1, sources);
            };
            for &write in graph.writes(at) {
                if write != read && graph.event(write).label.written == Some(value) {
                    sources.push((write, read));
                    self.read(graph, next + 1, sources)?;
                    sources.pop();
                }
            }
            return Ok(());
        }
        self.left = self.left.checked_sub(1).filter(|_| !self.budget.is_spent()).ok_or(TooMany)?;
        if self.allows(graph, sources) {
            let mut found = graph.clone();
            for &(write, read) in sources.iter() {
                found.set_source(read, write);
            }
            self.found = Some(found);
        }
        Ok(())
    }

    fn allows(&self, graph: &Graph, sources: &[(EventId, EventId)]) -> bool {
        let mut relations = Relations::of(graph);
        relations.rf = Relation::empty(graph.len());
        relations.fr = Relation::empty(graph.len());
        for &(write, read) in sources {
            relations.rf.insert(write, read);
            let at = graph.event(read).label.address.expect("a read has a location");
            let later = graph.writes(at).iter().skip_while(|&&w| w != write).skip(1);
            for &overwriting in later.filter(|&&w| w != read) {
                relations.fr.insert(read, overwriting);
            }
        }
        self.model.allows(&relations)
    }
}
