//! Nothing depends on the order in which a program lists its threads.

use fencepost_check::check;
use fencepost_explore::{Options, explore};
use fencepost_frontend::parse_fp;
use fencepost_models::{Engine, Model};
use fencepost_oracle::random::{Profile, Sketch, random_sketch};
use fencepost_program::Program;
use fencepost_story::{Outcome, Properties, Reason};
use fencepost_testing::{at_least, trials};

fn parse(sketch: &Sketch) -> Program {
    let text = sketch.to_string();
    parse_fp("random.fp", &text).unwrap_or_else(|e| panic!("{e}\n{text}")).program
}

/// The sketch with its threads in another order, one of several by `number`.
fn reordered(sketch: &Sketch, number: u64) -> Sketch {
    let mut other = sketch.clone();
    let by = 1 + number as usize % other.threads.len().max(2).saturating_sub(1);
    other.threads.rotate_left(by % sketch.threads.len().max(1));
    if number % 2 == 1 {
        other.threads.reverse();
    }
    other
}

fn counts(program: &Program, model: Model) -> (u64, u64) {
    let options = Options { properties: Properties::NONE, compare_with_definition: true, ..Options::new(model) };
    let found = explore(program, &options, &Default::default(), |_| {}).unwrap();
    (found.complete, found.blocked)
}

#[test]
fn counts_of_executions_do_not_depend_on_the_order_of_threads() {
    for seed in 0..trials(800) {
        let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]);
        let (one, other) = (parse(&sketch), parse(&reordered(&sketch, seed)));
        for model in Model::admitting(Engine::Explore, &one) {
            assert_eq!(counts(&one, model), counts(&other, model), "seed {seed}, {model}\n{sketch}");
        }
    }
}

#[test]
fn what_explore_finds_does_not_depend_on_the_order_of_threads() {
    let mut violated = 0u64;
    for seed in 10_000..10_000 + trials(500) {
        let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]);
        let (one, other) = (parse(&sketch), parse(&reordered(&sketch, seed)));
        for model in Model::admitting(Engine::Explore, &one) {
            let verdict =
                |program| explore(program, &Options::new(model), &Default::default(), |_| {}).unwrap().verdict.outcome;
            let found = verdict(&one);
            // Its lines are others.
            assert_eq!(found.name(), verdict(&other).name(), "seed {seed}, {model}\n{sketch}");
            violated += u64::from(found == Outcome::Violated);
        }
    }
    assert!(violated > at_least(250, 500), "only {violated} violations");
}

/// Threads in another order are on other lines.
fn without_lines(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Unknown(Reason::NoExecution(_)) => Outcome::Unknown(Reason::NoExecution(String::new())),
        outcome => outcome,
    }
}

#[test]
fn what_check_finds_does_not_depend_on_the_order_of_threads() {
    let mut violated = 0u64;
    for seed in 20_000..20_000 + trials(800) {
        let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]);
        let (one, other) = (parse(&sketch), parse(&reordered(&sketch, seed)));
        for model in Model::of(Engine::Check) {
            let options = fencepost_check::Options { model, closure: 1_000, ..Default::default() };
            let verdict = |program| check(program, &options, &Default::default()).map(|v| without_lines(v.outcome));
            let found = verdict(&one);
            assert_eq!(found.is_err(), verdict(&other).is_err(), "seed {seed}, {model}\n{sketch}");
            if let (Ok(found), Ok(again)) = (found, verdict(&other)) {
                assert_eq!(found, again, "seed {seed}, {model}\n{sketch}");
                violated += u64::from(found == Outcome::Violated);
            }
        }
    }
    assert!(violated > at_least(250, 800), "only {violated} violations");
}
