//! The accesses of a program, what each load could read, and the values that hold in every execution.
//!
//! The values are those of a memory-model-oblivious analysis (Miné, paper 002 §2.2): a load may read any store of
//! another thread to its cell, and those of its own that reach it. Everything else starts from here and goes down.

pub(crate) mod creation;
mod guarded;
pub(crate) mod locks;
mod membars;
pub(crate) mod naming;
pub(crate) mod seen;

use std::rc::Rc;

use fencepost_budget::Budget;
use fencepost_models::Refusal;
use fencepost_models::{Access, Model};
use fencepost_program::{Address, Inst, Membar, ObjectId, Program, Span};

use crate::domains::Domain;
use crate::domains::{Interval, THRESHOLDS};
use crate::system::creation::Start;
use crate::system::membars::{membars, membars_of_cas};
use crate::system::seen::Dropped;
use crate::threads::code::{Code, Step};
use crate::threads::interpret::{Interpreter, Reading, States, place};
use crate::unfold::Cells;
use fencepost_program::code::BitSet;
use fencepost_program::code::Flow;

pub(crate) type EventId = usize;

/// An access or fence of the program; initial values and final reads are events too.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) at: At,
    pub(crate) reads: bool,
    pub(crate) writes: Writes,
    /// First and last of the cells that it may go to.
    pub(crate) cells: (Address, Address),
    pub(crate) span: Span,
    /// Loads: the stores that could be read, initial values among them.
    pub(crate) sources: Vec<EventId>,
    /// Executed at most once.
    pub(crate) once: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// The initial value of a cell, before everything.
    Start,
    Node {
        thread: usize,
        node: usize,
    },
    /// A read of a cell when all threads have ended, after everything.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writes {
    Never,
    /// A CAS, which may fail.
    OnSuccess,
    Always,
}

impl Event {
    /// The one cell that it goes to.
    pub(crate) fn cell(&self) -> Option<Address> {
        (self.reads || self.writes != Writes::Never).then_some(self.cells.0).filter(|_| self.cells.0 == self.cells.1)
    }

    pub(crate) fn overlaps(&self, other: &Event) -> bool {
        self.cells.0 <= other.cells.1 && other.cells.0 <= self.cells.1
    }

    pub(crate) fn thread(&self) -> Option<usize> {
        match self.at {
            At::Node { thread, .. } => Some(thread),
            At::Start | At::End => None,
        }
    }
}

pub(crate) struct System<'p> {
    pub(crate) program: &'p Program,
    pub(crate) codes: Vec<Code>,
    pub(crate) flows: Vec<Flow>,
    pub(crate) events: Vec<Event>,
    /// What the first events write: the initial values of all cells.
    initial: Vec<Interval>,
    /// For each thread and node, its event.
    pub(crate) event_at: Vec<Vec<Option<EventId>>>,
    /// For each event, the loads that could read from it.
    pub(crate) readers: Vec<Vec<EventId>>,
    /// For each thread, what it waits for before it does anything.
    pub(crate) starts: Vec<Option<Start>>,
    /// The sources that were left out although the threads' own code allows them, if that is to be explained.
    pub(crate) dropped: Option<Vec<Dropped>>,
    pub(crate) model: Model,
    /// When it is spent, loops end early, and nothing that they found may be taken for a proof.
    pub(crate) budget: Budget,
}

/// What holds of all executions that agree with what was decided.
#[derive(Clone)]
pub(crate) struct Facts<D> {
    /// For each thread.
    pub(crate) states: Vec<Rc<States<D>>>,
    /// For each event, the values that it writes; `None` if it is not executed or does not write.
    pub(crate) values: Vec<Option<Interval>>,
}

/// Rounds over all threads after which values are widened.
const ROUNDS_BEFORE_WIDENING: usize = 6;
const NARROWING_ROUNDS: usize = 2;
/// How often what cannot be read is left out; stopping early is sound.
const MOST_PRUNINGS: usize = 6;

impl<'p> System<'p> {
    pub(crate) fn of(
        cells: &'p Cells,
        observed: &[Address],
        model: Model,
        budget: &Budget,
    ) -> Result<System<'p>, Refusal> {
        let program = &*cells.program;
        let codes: Vec<Code> = (0..program.threads.len())
            .map(|t| Code::of(program, t, cells.several.contains(&t)))
            .collect::<Result<_, _>>()?;
        let flows: Vec<Flow> = codes.iter().map(Flow::of).collect();
        let mut events: Vec<Event> = Vec::new();
        let mut initial = Vec::new();
        for (id, object) in program.objects.iter().enumerate() {
            for (i, &value) in object.init.iter().enumerate() {
                let cell = Address(object.first.0 + i as u64);
                let unknown = cells.unknown.contains(&ObjectId(id as u32));
                initial.push(if unknown { Interval::of(object.ty) } else { Interval::constant(value) });
                events.push(Event {
                    at: At::Start,
                    reads: false,
                    writes: Writes::Always,
                    cells: (cell, cell),
                    span: object.span,
                    sources: Vec::new(),
                    once: true,
                });
            }
        }
        let mut event_at: Vec<Vec<Option<EventId>>> = codes.iter().map(|c| vec![None; c.nodes.len()]).collect();
        for (thread, code) in codes.iter().enumerate() {
            for (node, at) in code.nodes.iter().enumerate() {
                let Step::Do(inst) = &at.step else { continue };
                let cells = match place(inst) {
                    Some(place) => {
                        let object = program.object(place.object);
                        (object.first, Address(object.first.0 + object.init.len().max(1) as u64 - 1))
                    }
                    None if matches!(inst, Inst::Fence { .. }) => (Address(0), Address(0)),
                    None => continue,
                };
                let writes = match inst {
                    Inst::Store { .. } | Inst::Rmw { .. } => Writes::Always,
                    Inst::Cas { .. } => Writes::OnSuccess,
                    _ => Writes::Never,
                };
                event_at[thread][node] = Some(events.len());
                events.push(Event {
                    at: At::Node { thread, node },
                    reads: inst.reads(),
                    writes,
                    cells,
                    span: at.span,
                    sources: Vec::new(),
                    once: flows[thread].once(node),
                });
            }
        }
        for &cell in observed {
            events.push(Event {
                at: At::End,
                reads: true,
                writes: Writes::Never,
                cells: (cell, cell),
                span: Span::default(),
                sources: Vec::new(),
                once: true,
            });
        }
        let readers = vec![Vec::new(); events.len()];
        let starts = vec![None; codes.len()];
        let budget = budget.clone();
        Ok(System { program, codes, flows, events, initial, event_at, readers, starts, dropped: None, model, budget })
    }

    pub(crate) fn interpreter<'a>(&'a self, thread: usize, required: &'a [usize]) -> Interpreter<'a> {
        Interpreter {
            program: self.program,
            code: &self.codes[thread],
            flow: &self.flows[thread],
            stops_at_failure: self.model.keeps_stores_behind_loads(),
            budget: &self.budget,
            required,
        }
    }

    pub(crate) fn inst(&self, event: EventId) -> Option<&Inst> {
        let At::Node { thread, node } = self.events[event].at else { return None };
        match &self.codes[thread].nodes[node].step {
            Step::Do(inst) => Some(inst),
            _ => None,
        }
    }

    /// The access that an event is, if its CAS succeeded, failed, or is undecided.
    pub(crate) fn access(&self, event: EventId, succeeds: Option<bool>) -> Access {
        let e = &self.events[event];
        let writes = match e.writes {
            Writes::Never => false,
            Writes::Always => true,
            Writes::OnSuccess => succeeds == Some(true),
        };
        Access { reads: e.reads, writes, cell: e.cell() }
    }

    pub(crate) fn membars(&self, event: EventId, succeeds: Option<bool>) -> (Membar, Membar) {
        match (self.inst(event), succeeds) {
            (Some(inst), Some(succeeded)) => membars_of_cas(inst, succeeded),
            (Some(inst), None) => membars(inst),
            (None, _) => (Membar::NONE, Membar::NONE),
        }
    }

    /// The values of every execution: a fixpoint upwards, then the cells of array accesses and the values once more.
    pub(crate) fn invariants<D: Domain>(&mut self) -> Facts<D> {
        self.narrow_cells(&self.ignorance::<D>());
        self.find_sources();
        let facts = self.fixpoint::<D>();
        self.narrow_cells(&facts.states);
        self.find_sources();
        self.narrowed(facts)
    }

    /// The values of every execution, without what the order of accesses makes impossible in all of them.
    pub(crate) fn invariants_in_order<D: Domain>(&mut self) -> Facts<D> {
        let mut facts = self.invariants();
        for _ in 0..MOST_PRUNINGS {
            if !self.drop_impossible_sources(&facts) {
                break;
            }
            facts = self.narrowed(self.fixpoint());
        }
        if self.remember_guarded_cells(&facts) {
            facts = self.narrowed(self.fixpoint());
            if self.drop_impossible_sources(&facts) {
                facts = self.narrowed(self.fixpoint());
            }
        }
        facts
    }

    fn narrowed<D: Domain>(&self, mut facts: Facts<D>) -> Facts<D> {
        for _ in 0..NARROWING_ROUNDS {
            facts = self.round(&facts.values);
        }
        facts
    }

    /// What a cell may hold at first.
    pub(crate) fn initial(&self, cell: Address) -> Option<Interval> {
        let mut starts = self.events.iter().zip(&self.initial);
        starts.find(|(event, _)| event.cells.0 == cell).map(|(_, initial)| *initial)
    }

    fn initial_values(&self) -> Vec<Option<Interval>> {
        (0..self.events.len()).map(|event| self.initial.get(event).copied()).collect()
    }

    /// States in which every load may read anything.
    fn ignorance<D: Domain>(&self) -> Vec<Rc<States<D>>> {
        let run = |thread: usize| {
            let interpreter = self.interpreter(thread, &[]);
            let read = |node: usize| {
                let Step::Do(inst) = &self.codes[thread].nodes[node].step else {
                    return Reading { value: None, succeeds: None };
                };
                let value = place(inst).map(|p| Interval::of(self.program.object(p.object).ty));
                Reading { value, succeeds: None }
            };
            Rc::new(interpreter.run(&BitSet::full(self.codes[thread].nodes.len()), &read))
        };
        (0..self.codes.len()).map(run).collect()
    }

    fn narrow_cells<D: Domain>(&mut self, states: &[Rc<States<D>>]) {
        for event in 0..self.events.len() {
            let At::Node { thread, node } = self.events[event].at else { continue };
            let Some(place) = self.inst(event).and_then(place) else { continue };
            let Some(state) = &states[thread].before[node] else { continue };
            let object = self.program.object(place.object);
            let bounds = Interval { lo: 0, hi: object.init.len() as i64 - 1 };
            if let Some(index) = state.interval(place.index).meet(bounds) {
                let cell = |i: i64| Address(object.first.0 + i as u64);
                self.events[event].cells = (cell(index.lo), cell(index.hi));
            }
        }
    }

    fn find_sources(&mut self) {
        self.find_starts();
        for load in 0..self.events.len() {
            if self.budget.is_spent() {
                return;
            }
            if !self.events[load].reads {
                continue;
            }
            let own = self.events[load].thread();
            let mut sources = self.earlier_stores(load);
            for (store, event) in self.events.iter().enumerate() {
                let writes = event.writes != Writes::Never;
                let remote = event.thread().is_some() && event.thread() != own;
                if writes && remote && event.overlaps(&self.events[load]) && self.may_be_later(load, store) {
                    sources.push(store);
                }
            }
            sources.sort_unstable();
            sources.dedup();
            self.events[load].sources = sources;
        }
        self.find_readers();
    }

    pub(crate) fn find_readers(&mut self) {
        self.readers.iter_mut().for_each(Vec::clear);
        for load in 0..self.events.len() {
            for i in 0..self.events[load].sources.len() {
                self.readers[self.events[load].sources[i]].push(load);
            }
        }
    }

    /// What a load reads if nothing was decided about it.
    pub(crate) fn join_of_sources(&self, load: EventId, values: &[Option<Interval>]) -> Option<Interval> {
        self.events[load].sources.iter().filter_map(|&s| values[s]).reduce(Interval::join)
    }

    fn fixpoint<D: Domain>(&self) -> Facts<D> {
        let mut values = self.initial_values();
        for round in 0.. {
            let facts = self.round::<D>(&values);
            let mut changed = false;
            for (old, new) in values.iter_mut().zip(&facts.values) {
                let joined = match (*old, *new) {
                    (Some(a), Some(b)) if round < ROUNDS_BEFORE_WIDENING => Some(a.join(b)),
                    (Some(a), Some(b)) => Some(a.widen(a.join(b), &THRESHOLDS)),
                    (a, b) => a.or(b),
                };
                changed |= joined != *old;
                *old = joined;
            }
            if !changed || self.budget.is_spent() {
                return facts;
            }
        }
        unreachable!("widening ends every chain")
    }

    /// Analyses every thread once, its loads reading from these values.
    fn round<D: Domain>(&self, values: &[Option<Interval>]) -> Facts<D> {
        let mut next = self.initial_values();
        let mut states = Vec::with_capacity(self.codes.len());
        for thread in 0..self.codes.len() {
            let interpreter = self.interpreter(thread, &[]);
            let read = |node: usize| Reading {
                value: self.event_at[thread][node].and_then(|load| self.join_of_sources(load, values)),
                succeeds: None,
            };
            let found: States<D> = interpreter.run(&BitSet::full(self.codes[thread].nodes.len()), &read);
            for (node, event) in self.event_at[thread].iter().enumerate() {
                if let (Some(event), Some(state)) = (event, &found.before[node]) {
                    next[*event] = interpreter.written(node, state, read(node));
                }
            }
            states.push(Rc::new(found));
        }
        Facts { states, values: next }
    }
}
