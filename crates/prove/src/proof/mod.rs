//! The whole analysis: every property of a program, proved or with an alarm.

mod answer;
#[cfg(test)]
mod check;
mod completion;
mod explain;
mod options;
pub(crate) mod property;
mod prover;
mod reached;
mod text;

use std::sync::atomic::Ordering;

use fencepost_models::{Model, Refusal};
use fencepost_program::question::{Observable, Proposition};
use fencepost_program::{Address, Program, Span};

pub use answer::{Alarm, Answer, Proof, ReadChoice, ReadSource};
pub use options::{Method, NumericDomain, Options};
pub use property::Check;
pub use text::source_text;

use crate::domains::{Domain, IntervalDomain, OctagonDomain};
use crate::proof::property::Property;
use crate::proof::prover::Prover;
use crate::search::Limits;
use crate::system::{Facts, System};
use crate::unfold::{Cells, cells_within};

/// Proves what it can of a program: its assertions, and that no final state satisfies `never`.
pub fn prove(program: &Program, never: Option<&Proposition>, options: &Options) -> Result<Proof, Refusal> {
    prove_cells(&cells_within(program, &options.budget)?, never, options)
}

/// Proves what it can of a program whose cells are known, as [`prove`] does.
pub fn prove_cells(cells: &Cells, never: Option<&Proposition>, options: &Options) -> Result<Proof, Refusal> {
    match options.domain {
        NumericDomain::Interval => prove_over::<IntervalDomain>(cells, never, options),
        NumericDomain::Octagon => prove_over::<OctagonDomain>(cells, never, options),
    }
}

fn prove_over<D: Domain>(cells: &Cells, never: Option<&Proposition>, options: &Options) -> Result<Proof, Refusal> {
    let model = if options.method == Method::Watts { Model::Sc } else { options.model };
    let mut system = System::of(cells, &observed_cells(never), model, &options.budget)?;
    system.dropped = options.explain.map(|_| Vec::new());
    let facts: Facts<D> = match options.method {
        Method::AllThreads => system.invariants_in_order(),
        Method::FruitTree | Method::Mine | Method::Watts => system.invariants(),
    };
    let sections = if options.method == Method::AllThreads { system.sections(&facts) } else { Vec::new() };
    let properties = system.properties(never);
    let asserted: Vec<Span> = cells.program.functions.iter().flat_map(|f| &f.asserted).copied().collect();
    let explained = options.explain.and_then(|n| places(&properties, &asserted).get(n.checked_sub(1)?).copied());
    let limits = Limits { watch: &options.watch, budget: &options.budget };
    let prover = Prover { system: &system, facts: &facts, sections: &sections, options, limits, explained };
    options.watch.asked.store(properties.len() as u64, Ordering::Relaxed);
    let mut proof = Proof { answers: Vec::new(), cut_off: None, cases: 0, explanation: None };
    let (answers, explanations) = prover.answers(&properties);
    for answer in answers {
        proof.cases += answer.cases;
        // Threads and calls that share a place in the source share its answer.
        match proof.answers.iter_mut().find(|a| a.place() == answer.place()) {
            Some(known) => {
                known.cases += answer.cases;
                known.alarm = known.alarm.take().or(answer.alarm);
            }
            None => proof.answers.push(answer),
        }
    }
    prover.mark_unreached(&mut proof.answers, &asserted, &cells.guards);
    proof.cut_off = prover.cut_off(cells);
    // Users have not written what our library checks without a place in the source.
    proof.answers.retain(|a| a.span.line != 0 || a.check == Check::Condition || !a.is_proved());
    proof.answers.sort_by_key(|answer| source_order(answer.place()));
    if explained.is_some() && !limits.are_reached() {
        proof.explanation = Some(text::explanation(&system, &facts, &properties, &explanations));
    }
    Ok(proof)
}

/// The cells that a proposition mentions.
fn observed_cells(never: Option<&Proposition>) -> Vec<Address> {
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
    observed
}

/// What the answers will be about, in their order: properties, and assertions of which nothing is left.
fn places(properties: &[Property], asserted: &[Span]) -> Vec<(Check, Span)> {
    let mut places: Vec<(Check, Span)> = Vec::new();
    let unreached = asserted.iter().filter(|span| span.line != 0).map(|&span| (Check::Assertion, span));
    for place in properties.iter().map(|p| (p.check(), p.span)).chain(unreached) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places.sort_by_key(|&place| source_order(place));
    places
}

/// What has no place in the source comes last, and conditions after it.
fn source_order((check, span): (Check, Span)) -> impl Ord {
    (check == Check::Condition, span.line == 0, span.file, span.line, span.column)
}
