//! The whole analysis: every property of a program, proved or with an alarm.

mod completion;
mod explain;
pub(crate) mod property;
mod reached;

pub use explain::source_text;
pub use property::Check;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use fencepost_budget::Budget;
use fencepost_models::Model;
use fencepost_models::Refusal;
use fencepost_program::question::{Observable, Proposition};
use fencepost_program::{Address, Program, Span};

use crate::domains::Domain;
use crate::domains::Interval;
use crate::domains::IntervalDomain;
use crate::domains::OctagonDomain;
use crate::proof::explain::explain;
use crate::proof::property::Property;
use crate::proof::reached::Reach;
use crate::search::case::{Case, Decision};
use crate::search::{Deduction, Found, Limits, Search};
use crate::system::locks::Section;
use crate::system::{At, Facts, System};
use crate::unfold::{Cells, cells_within};
use crate::watch::Watch;

/// How interference between threads is taken into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Combinations of the loads of all threads.
    AllThreads,
    /// The paper's: order between two threads at a time.
    FruitTree,
    /// Every load may read every store (Miné). Oblivious of the memory model.
    Mine,
    /// FruitTree's deduction as if memory were sequentially consistent (WATTS). Unsound for anything else.
    Watts,
}

impl Method {
    pub const ALL: [Method; 4] = [Method::AllThreads, Method::FruitTree, Method::Mine, Method::Watts];

    pub fn name(self) -> &'static str {
        match self {
            Method::AllThreads => "all-threads",
            Method::FruitTree => "fruittree",
            Method::Mine => "mine",
            Method::Watts => "watts",
        }
    }

    /// Whether what it proves holds under this model.
    pub fn is_sound(self, model: Model) -> bool {
        self != Method::Watts || model == Model::Sc
    }
}

/// What is known of the registers of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumericDomain {
    /// Bounds of each.
    Interval,
    /// Also bounds of sums and differences of two.
    Octagon,
}

impl NumericDomain {
    pub const ALL: [NumericDomain; 2] = [NumericDomain::Interval, NumericDomain::Octagon];

    pub fn name(self) -> &'static str {
        match self {
            NumericDomain::Interval => "interval",
            NumericDomain::Octagon => "octagon",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub model: Model,
    pub method: Method,
    pub domain: NumericDomain,
    /// Cases looked at for one property before it is given up.
    pub max_cases: u64,
    /// Which answer to explain, counted from 1.
    pub explain: Option<usize>,
    /// What is not proved when it is spent stays an alarm.
    pub budget: Budget,
    pub watch: Arc<Watch>,
}

impl Options {
    pub fn new(model: Model) -> Options {
        Options {
            model,
            method: Method::AllThreads,
            domain: NumericDomain::Interval,
            max_cases: 20_000,
            explain: None,
            budget: Budget::default(),
            watch: Arc::default(),
        }
    }
}

/// One answer for each place in the source, in source order.
#[derive(Clone, Debug)]
pub struct Proof {
    pub answers: Vec<Answer>,
    /// If no execution completes because of assumptions: where they are.
    pub cut_off: Option<Vec<Span>>,
    /// Cases looked at.
    pub cases: u64,
    /// Why bad cases of the answer that was asked about are impossible; a line each.
    pub explanation: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub check: Check,
    /// Line 0 for a condition on final states.
    pub span: Span,
    /// `None` if it is proved.
    pub alarm: Option<Alarm>,
    /// Not if no execution gets there: then it is proved whatever it says.
    pub reached: bool,
    pub cases: u64,
}

impl Answer {
    pub fn is_proved(&self) -> bool {
        self.alarm.is_none()
    }
}

/// A case in which a property may fail.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// `None` for a condition on final states.
    pub thread: Option<usize>,
    /// What the property is about, and the values that may break it.
    pub values: Vec<(String, Interval)>,
    /// The reads-from combination, thread by thread, in program order.
    pub combination: Vec<ReadChoice>,
    /// Whether the search ended because there were too many cases.
    pub limit: bool,
}

/// A load and what it reads in some case.
#[derive(Clone, Debug)]
pub struct ReadChoice {
    /// `None` for the final value of a cell.
    pub thread: Option<usize>,
    pub span: Span,
    /// The cell, if it is certain which.
    pub cell: Option<Address>,
    pub from: ReadSource,
    pub value: Option<Interval>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadSource {
    /// The load is not executed.
    NotExecuted,
    InitialValue,
    Store {
        thread: usize,
        span: Span,
    },
}

/// Proves what it can. `never` is a property of final states that no execution should have.
pub fn prove(program: &Program, never: Option<&Proposition>, options: &Options) -> Result<Proof, Refusal> {
    prove_cells(&cells_within(program, &options.budget)?, never, options)
}

/// The same for what `cells` made of a program.
pub fn prove_cells(cells: &Cells, never: Option<&Proposition>, options: &Options) -> Result<Proof, Refusal> {
    match options.domain {
        NumericDomain::Interval => prove_over::<IntervalDomain>(cells, never, options),
        NumericDomain::Octagon => prove_over::<OctagonDomain>(cells, never, options),
    }
}

fn prove_over<D: Domain>(cells: &Cells, never: Option<&Proposition>, options: &Options) -> Result<Proof, Refusal> {
    let mut observables = Vec::new();
    if let Some(never) = never {
        never.collect_observables(&mut observables);
    }
    let mut observed: Vec<Address> = observables
        .into_iter()
        .filter_map(|observable| match observable {
            Observable::Cell(at) => Some(at),
            Observable::Register { .. } => None,
        })
        .collect();
    observed.sort_unstable();
    observed.dedup();
    let model = if options.method == Method::Watts { Model::Sc } else { options.model };
    let mut system = System::of(cells, &observed, model, &options.budget)?;
    let facts: Facts<D> = match options.method {
        Method::AllThreads => system.invariants_in_order(),
        Method::FruitTree | Method::Mine | Method::Watts => system.invariants(),
    };
    let mut proof = Proof { answers: Vec::new(), cut_off: None, cases: 0, explanation: None };
    let sections = if options.method == Method::AllThreads { system.sections(&facts) } else { Vec::new() };
    let properties = system.properties(never);
    let limits = Limits { watch: &options.watch, budget: &options.budget };
    options.watch.asked.store(properties.len() as u64, Ordering::Relaxed);
    let answers = answers(&system, &facts, &sections, &properties, options, limits);
    for answer in answers {
        proof.cases += answer.cases;
        // Threads and calls that share a place in the source share its answer.
        match proof.answers.iter_mut().find(|a| a.span == answer.span && a.check == answer.check) {
            Some(known) => {
                known.cases += answer.cases;
                known.alarm = known.alarm.take().or(answer.alarm);
            }
            None => proof.answers.push(answer),
        }
    }
    let asserted = cells.program.functions.iter().flat_map(|f| &f.asserted).copied();
    let reach = Reach { system: &system, facts: &facts, sections: &sections, options, limits };
    reach.mark(&mut proof.answers, asserted, &cells.guards);
    proof.cut_off = reach.cut_off(cells);
    proof.answers.sort_by_key(|a| (a.check == Check::Condition, a.span.file, a.span.line, a.span.column));
    if let Some(asked) = options.explain.and_then(|n| proof.answers.get(n.checked_sub(1)?)) {
        let same = |p: &&Property| p.span == asked.span && p.check() == asked.check;
        // Deductions are told one by one: nothing is left out beforehand.
        let mut system = System::of(cells, &observed, model, &options.budget)?;
        let facts: Facts<D> = system.invariants();
        let sections = system.sections(&facts);
        let logs = properties.iter().filter(same).flat_map(|property| {
            let log = Some(Vec::new());
            let deduction = Deduction::AllThreads;
            let budget = options.max_cases;
            let mut search = Search { system: &system, deduction, sections: &sections, limits, budget, cases: 0, log };
            search.prove(property, &facts);
            search.log.unwrap_or_default()
        });
        let logs: Vec<_> = logs.collect();
        proof.explanation = (!limits.are_reached()).then(|| explain(&system, &logs));
    }
    Ok(proof)
}

/// So many cases are looked at for each property before one is looked at more closely: when time runs out, what is easy
/// is proved.
pub(crate) const FEW_CASES: u64 = 24;

fn answers<D: Domain>(
    system: &System,
    facts: &Facts<D>,
    sections: &[Section],
    properties: &[Property],
    options: &Options,
    limits: Limits,
) -> Vec<Answer> {
    let answered = || options.watch.answered.fetch_add(1, Ordering::Relaxed);
    let mut answers: Vec<Answer> = properties.iter().map(unanswered).collect();
    let mut open: Vec<usize> = Vec::new();
    // What was found before counts, if it was found in time.
    if limits.are_reached() {
        return answers;
    }
    for (i, property) in properties.iter().enumerate() {
        let few = options.max_cases.min(FEW_CASES);
        if let Some(known) = by_invariants(system, facts, property, options.method) {
            answers[i] = known;
        } else if !limits.are_reached() {
            answers[i] = answer(system, facts, sections, property, options, limits, few);
        }
        match &answers[i].alarm {
            Some(Alarm { limit: true, .. }) => open.push(i),
            _ => _ = answered(),
        }
    }
    for i in open {
        if options.max_cases > FEW_CASES && !limits.are_reached() {
            answers[i] = answer(system, facts, sections, &properties[i], options, limits, options.max_cases);
        }
        answered();
    }
    answers
}

/// What holds in all executions is enough for an answer: a proof, or by Miné's method an alarm too.
fn by_invariants<D: Domain>(system: &System, facts: &Facts<D>, property: &Property, method: Method) -> Option<Answer> {
    let load = |at| system.events.iter().position(|e| e.at == At::End && e.cells.0 == at);
    let cell = |at| load(at).and_then(|load| system.join_of_sources(load, &facts.values));
    let fails = property.may_fail(system, facts, &cell);
    let alarm = (fails && method == Method::Mine).then(|| Alarm {
        thread: property.node().map(|(thread, _)| thread),
        values: property.values(system, facts, &cell),
        combination: Vec::new(),
        limit: false,
    });
    let cases = !property.is_trivial() as u64;
    let answer = Answer { check: property.check(), span: property.span, alarm, reached: true, cases };
    (!fails || method == Method::Mine).then_some(answer)
}

pub(crate) fn deduction(method: Method) -> Deduction {
    match method {
        Method::AllThreads => Deduction::AllThreads,
        Method::Mine | Method::FruitTree | Method::Watts => Deduction::Paper,
    }
}

fn answer<D: Domain>(
    system: &System,
    facts: &Facts<D>,
    sections: &[Section],
    property: &Property,
    options: &Options,
    limits: Limits,
    budget: u64,
) -> Answer {
    let deduction = deduction(options.method);
    let mut search = Search { system, deduction, sections, limits, budget, cases: 0, log: None };
    let alarm = match search.prove(property, facts) {
        // Nothing is proved by analyses that ended early.
        Found::Proof if limits.are_reached() => return Answer { cases: search.cases, ..unanswered(property) },
        Found::Proof => None,
        Found::Alarm(case) => Some(alarm(system, property, &case, false)),
        Found::Limit(case) => Some(alarm(system, property, &case, true)),
    };
    Answer { check: property.check(), span: property.span, alarm, reached: true, cases: search.cases }
}

/// There was no time for it.
fn unanswered(property: &Property) -> Answer {
    let thread = property.node().map(|(thread, _)| thread);
    let alarm = Alarm { thread, values: Vec::new(), combination: Vec::new(), limit: true };
    Answer { check: property.check(), span: property.span, alarm: Some(alarm), reached: true, cases: 0 }
}

fn alarm<D: Domain>(system: &System, property: &Property, case: &Case<D>, limit: bool) -> Alarm {
    let mut decided = case.trail.clone();
    decided.sort_unstable();
    let combination = decided.iter().map(|&load| {
        let event = &system.events[load];
        let from = match case.decisions[load] {
            Decision::Open | Decision::Skipped => ReadSource::NotExecuted,
            Decision::From { store, .. } => match system.events[store].at {
                At::Node { thread, .. } => ReadSource::Store { thread, span: system.events[store].span },
                At::Start | At::End => ReadSource::InitialValue,
            },
        };
        let value = case.reading(system, load).value;
        ReadChoice { thread: event.thread(), span: event.span, cell: event.cell(), from, value }
    });
    Alarm {
        thread: property.node().map(|(thread, _)| thread),
        values: property.values(system, &case.facts, &|at| case.final_value(system, at)),
        combination: combination.collect(),
        limit,
    }
}
