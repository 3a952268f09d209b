//! What a wait returns is what it read: a program whose loads are waits for any value does what it did.

use std::collections::BTreeSet;

use fencepost_check::check;
use fencepost_explore::{Options, explore};
use fencepost_frontend::parse_fp;
use fencepost_models::{Engine, Model};
use fencepost_oracle::random::{Profile, loads_as_waits, random_sketch};
use fencepost_program::{Program, Reg, Value};
use fencepost_story::Properties;

/// A program, and the same with waits, if it has loads.
fn both(seed: u64) -> Option<[Program; 2]> {
    let text = random_sketch(seed, Profile::ALL[seed as usize % 3]).to_string();
    let mut program = parse_fp("random.fp", &text).unwrap_or_else(|e| panic!("{e}\n{text}")).program;
    for function in &mut program.functions {
        function.observed = (0..function.registers.len() as u32).map(Reg).collect();
    }
    let mut waits = program.clone();
    (loads_as_waits(&mut waits) > 0).then_some([program, waits])
}

/// How many executions are complete and blocked, and what all registers hold in the end.
fn executions(program: &Program, model: Model) -> (u64, u64, BTreeSet<Vec<Vec<Value>>>) {
    let options = Options { properties: Properties::NONE, ..Options::new(model) };
    let mut states = BTreeSet::new();
    let found = explore(program, &options, &Default::default(), |execution| {
        states.insert((0..program.threads.len()).map(|thread| execution.registers(thread).to_vec()).collect());
    })
    .unwrap();
    (found.complete, found.blocked, states)
}

#[test]
fn explore_shows_the_same_executions() {
    let mut several = 0;
    for seed in 0..400 {
        let Some([loads, waits]) = both(seed) else { continue };
        for model in Model::admitting(Engine::Explore, &loads) {
            let expected = executions(&loads, model);
            assert_eq!(executions(&waits, model), expected, "seed {seed}, {model}");
            several += usize::from(expected.2.len() > 1);
        }
    }
    assert!(several > 500, "only {several} have several final states");
}

#[test]
fn check_and_explore_give_the_same_answers() {
    let mut answers = BTreeSet::new();
    for seed in 1_000..1_400 {
        let Some(programs) = both(seed) else { continue };
        for model in Model::admitting(Engine::Explore, &programs[0]) {
            let answer =
                |program| explore(program, &Options::new(model), &Default::default(), |_| {}).unwrap().verdict.outcome;
            let [loads, waits] = programs.each_ref().map(|program| answer(program).name());
            assert_eq!(loads, waits, "explore, seed {seed}, {model}");
        }
        for model in Model::of(Engine::Check) {
            let options = fencepost_check::Options { model, closure: 1_000, ..Default::default() };
            let answer = |program| check(program, &options, &Default::default()).ok().map(|v| v.outcome.name());
            let [loads, waits] = programs.each_ref().map(answer);
            assert_eq!(loads, waits, "check, seed {seed}, {model}");
            answers.extend(loads);
        }
    }
    assert!(answers.len() > 1, "{answers:?}");
}
