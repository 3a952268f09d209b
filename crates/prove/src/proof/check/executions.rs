//! No execution is one that an explanation calls impossible.

use std::collections::BTreeMap;

use fencepost_explore::{Options as Exploring, Shown, explore};
use fencepost_models::Model;
use fencepost_oracle::random::{Profile, random_sketch};
use fencepost_program::question::{Observable, Proposition, Term};
use fencepost_program::{Program, Reg, Register, Value};
use fencepost_story::{Outcome, Properties};
use fencepost_testing::{at_least, seeds, trials};

use crate::proof::check::explain;
use crate::proof::explain::Grounds;
use crate::proof::options::Options;
use crate::search::case::{Decision, Refinement};
use crate::search::record::{Left, Why};
use crate::system::{At, EventId, System};

/// A complete execution in the events of a system.
struct Execution {
    /// What each executed load reads, and whether it writes too.
    reads: BTreeMap<EventId, (EventId, bool)>,
    /// The places of stores in the modification orders of their cells, and what they write.
    stores: BTreeMap<EventId, (usize, Value)>,
    observed: Vec<(Observable, Value)>,
}

impl Execution {
    fn of(program: &Program, system: &System, shown: &Shown) -> Execution {
        let graph = shown.graph();
        let event = |id| {
            let e = graph.event(id);
            let is_it = |known: &crate::system::Event| match (known.at, e.thread) {
                (At::Start, None) => e.label.address == Some(known.cells.0),
                (At::Node { thread, .. }, Some(by)) => thread == by as usize && known.span == e.span,
                _ => false,
            };
            system.events.iter().position(is_it).expect("every event is an event of the system")
        };
        let reads = graph.events().filter_map(|(id, e)| {
            let source = graph.source(id).filter(|_| e.thread.is_some())?;
            Some((event(id), (event(source), e.label.written.is_some())))
        });
        let mut reads: BTreeMap<EventId, (EventId, bool)> = reads.collect();
        let mut stores = BTreeMap::new();
        for (cell, writes) in graph.modification_orders() {
            for (place, &write) in writes.iter().enumerate() {
                let value = graph.event(write).label.written.unwrap_or(program.initial_value(cell));
                stores.insert(event(write), (place, value));
            }
            let end = system.events.iter().position(|e| e.at == At::End && e.cells.0 == cell);
            reads.extend(end.zip(writes.last()).map(|(end, &last)| (end, (event(last), false))));
        }
        let observed = observables(program).into_iter().map(|observable| (observable, shown.observable(observable)));
        Execution { reads, stores, observed: observed.collect() }
    }

    /// Whether this is one of the executions that a case is about; `None` if that cannot be seen.
    fn is_in(&self, case: &Left) -> Option<bool> {
        let reads = case.reads.iter().all(|&(load, decision)| match (decision, self.reads.get(&load)) {
            (Decision::Open, _) | (Decision::Skipped, None) => true,
            (Decision::From { store, succeeds }, Some(&(source, writes))) => {
                store == source && succeeds.is_none_or(|succeeds| succeeds == writes)
            }
            _ => false,
        });
        let place = |store| self.stores.get(&store).map(|&(place, _)| place);
        let in_order = case.tried_order.iter().all(|&(a, b)| place(a) < place(b) && place(a).is_some());
        let mut values = true;
        for refinement in &case.refinements {
            match *refinement {
                Refinement::Without { .. } => return None,
                Refinement::Value { store, value } => {
                    values &= self.stores.get(&store).is_some_and(|&(_, written)| written == value);
                }
            }
        }
        Some(reads && in_order && values)
    }
}

/// The registers of the source, and all cells.
fn observables(program: &Program) -> Vec<Observable> {
    let registers = program.threads.iter().enumerate().flat_map(|(thread, t)| {
        program.function(t.func).observed.iter().map(move |&reg| Observable::Register { thread, reg })
    });
    registers.chain(program.cells().map(Observable::Cell)).collect()
}

fn program(seed: u64) -> Program {
    let text = random_sketch(seed, Profile::ALL[seed as usize % 3]).to_string();
    let mut program = fencepost_frontend::parse_fp("random.fp", &text).expect("well formed").program;
    for function in &mut program.functions {
        let named = |register: &Register| register.name().is_some_and(|name| name.starts_with('r'));
        let registers = function.registers.iter().enumerate().filter(|(_, register)| named(register));
        function.observed = registers.map(|(i, _)| Reg(i as u32)).collect();
    }
    program
}

/// Its complete executions, if there are not too many.
fn executions(program: &Program, model: Model, system: &System) -> Option<Vec<Execution>> {
    let options = Exploring { properties: Properties::NONE, max_executions: Some(300), ..Exploring::new(model) };
    let mut found = Vec::new();
    let exploration =
        explore(program, &options, &Default::default(), |shown| found.push(Execution::of(program, system, shown)));
    (exploration.expect("it is admitted").verdict.outcome == Outcome::Holds).then_some(found)
}

#[test]
fn no_execution_is_in_a_case_that_is_called_impossible() {
    let programs = trials(300);
    let (mut impossible, mut harmless, mut dropped) = (0, 0, 0);
    for seed in seeds(programs) {
        let program = program(seed);
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let wanted = observables(&program).into_iter().enumerate();
            let equal = wanted.map(|(i, observable)| {
                Proposition::Equal(Term::Observable(observable), Term::Value((seed >> i & 1) as Value))
            });
            let never = Proposition::All(equal.collect());
            explain(&program, Some(&never), &Options::new(model), |system, _, explanations| {
                let Some(executions) = executions(&program, model, system) else { return };
                for pair in system.dropped.iter().flatten() {
                    let reads = |e: &Execution| e.reads.get(&pair.load).is_some_and(|&(store, _)| store == pair.store);
                    assert!(!executions.iter().any(reads), "seed {seed}, {model}: {} {}", pair.load, pair.store);
                    dropped += 1;
                }
                let cases = explanations.iter().flat_map(|explanation| match &explanation.grounds {
                    Grounds::Cases(cases) => &cases[..],
                    Grounds::Values => &[],
                });
                for case in cases {
                    let mut found = executions.iter().filter(|execution| execution.is_in(case) == Some(true));
                    match &case.why {
                        Why::Holds(_) => {
                            let value = |e: &Execution, wanted| {
                                e.observed.iter().find(|(o, _)| *o == wanted).map_or(0, |(_, value)| *value)
                            };
                            assert!(found.all(|e| !never.holds(&|o| value(e, o))), "seed {seed}, {model}");
                            harmless += 1;
                        }
                        Why::Contradiction(_) | Why::Order(_) => {
                            assert!(found.next().is_none(), "seed {seed}, {model}");
                            impossible += 1;
                        }
                    }
                }
            });
        }
    }
    let enough = impossible > at_least(300, 300) && harmless > at_least(600, 300) && dropped > at_least(40, 300);
    assert!(enough, "{impossible} impossible cases, {harmless} harmless ones, {dropped} dropped pairs");
}
