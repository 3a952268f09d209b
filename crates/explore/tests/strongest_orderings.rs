//! With a model's strongest orderings everywhere, a program reads what it reads under SC. Threads create and join each
//! other: a model that forgets that what came before a creation or after a join is ordered, reads more.

use std::collections::BTreeSet;

use fencepost_explore::{Options, Watch, explore};
use fencepost_models::jam21::Jam21By;
use fencepost_models::{Engine, Model};
use fencepost_oracle::random::{Family, Strength, random_family};
use fencepost_program::{Program, Value, memory};
use fencepost_story::Properties;
use fencepost_testing::{at_least, trials};

/// The values read by each complete execution, by the line of the read.
fn outcomes(program: &Program, model: Model, jam21_by: Jam21By) -> BTreeSet<Vec<(u32, Value)>> {
    let mut outcomes = BTreeSet::new();
    let options =
        Options { properties: Properties { races: false, ..Properties::ALL }, jam21_by, ..Options::new(model) };
    let explored = explore(program, &options, &Watch::default(), |shown| {
        let graph = shown.graph();
        let program_reads = graph.events().filter(|(_, e)| {
            let at = e.label.address.filter(|_| e.reads() && !e.is_fence());
            at.is_some_and(|at| memory::thread_signal(at).is_none())
        });
        let mut read: Vec<(u32, Value)> =
            program_reads.filter_map(|(_, e)| Some((e.span.line, e.label.read?))).collect();
        read.sort_unstable();
        outcomes.insert(read);
    });
    assert!(explored.unwrap().complete > 0, "{model}: nothing was explored");
    outcomes
}

fn compare(family: &Family, strength: Strength, models: &[Model]) -> bool {
    let program = family.program(strength);
    let expected = outcomes(&program, Model::Sc, Jam21By::default());
    // In JAM21, co-jom does not know that RMWs are atomic: see `docs/reference/jam21.md`.
    for &model in models.iter().filter(|model| !(model.is_jam21() && family.has_updates())) {
        let ways: &[Jam21By] = if model.is_jam21() { &Jam21By::ALL } else { &[Jam21By::Clocks] };
        for &by in ways {
            let found = outcomes(&program, model, by);
            assert_eq!(found, expected, "{model} by {by:?}, {strength:?}: {family:?}");
        }
    }
    outcomes(&family.program(Strength::Relaxed), Model::Rc20, Jam21By::default()) != expected
}

fn families() -> u64 {
    trials(1_000)
}

#[test]
fn with_sc_accesses_only() {
    use Model::*;
    let models = [Tso, Pso, Rc11, Rc11With2017ReleaseSequences, Jam21, Jam21With2017ReleaseSequences];
    let weak = (0..families()).filter(|&seed| compare(&random_family(seed), Strength::ScAccesses, &models)).count();
    assert!(weak as u64 > at_least(20, 1_000), "only {weak} programs read more if they are relaxed");
}

#[test]
fn with_an_sc_fence_after_each_access() {
    // RA and RC20 order all SC fences, so that each is a factor in the number of executions.
    let small = (1_000_000..1_000_000 + families()).map(random_family).filter(|family| family.accesses() <= 6);
    let weak = small
        .filter(|family| compare(family, Strength::ScFences, &Model::of(Engine::Explore).collect::<Vec<_>>()))
        .count();
    assert!(weak as u64 > at_least(5, 1_000), "only {weak} programs read more if they are relaxed");
}
