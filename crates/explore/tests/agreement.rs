//! `check` calls a program robust exactly when every graph that `explore` shows is sequentially consistent, be the
//! execution complete or blocked: every graph that the model allows is part of one of them, and a graph with a part
//! that is not sequentially consistent is not either.

use fencepost_check::{Model, Properties, check};
use fencepost_explore::{Options, count, explore};
use fencepost_frontend::parse_fp;
use fencepost_oracle::random::{Profile, Sketch, random_sketch, shrink};
use fencepost_program::Program;
use fencepost_story::{Outcome, Reason};
use fencepost_testing::trials;

/// What `explore` has seen.
struct Seen {
    weak: bool,
    racy: bool,
}

fn seen(program: &Program, model: Model) -> Result<Seen, String> {
    let mut weak = false;
    let everything = Options { properties: Properties::NONE, show_blocked: true, ..Options::new(model) };
    let exploration = explore(program, &everything, &Default::default(), |execution| {
        weak |= !fencepost_models::Model::Sc.consistent(&execution.graph());
    })
    .unwrap();
    let only_races = Options { properties: Properties { races: true, ..Properties::NONE }, ..Options::new(model) };
    let races = count(program, &only_races, &Default::default()).unwrap();
    for outcome in [&exploration.verdict.outcome, &races.verdict.outcome] {
        if let Outcome::Unknown(reason) = outcome
            && !matches!(reason, Reason::NoExecution(_))
        {
            return Err(format!("explore: {reason}"));
        }
    }
    Ok(Seen { weak, racy: races.verdict.outcome == Outcome::Violated })
}

/// Whether anything was compared.
fn agrees(text: &str, model: Model) -> Result<bool, String> {
    let Ok(input) = parse_fp("random.fp", text) else { return Ok(false) };
    let program = input.program;
    // `check` reports a stale read of a plain location as the race that it comes from.
    let properties = Properties { robustness: true, races: true, assertions: false, deadlocks: false };
    let options = fencepost_check::Options { model, properties, closure: 1_000, ..Default::default() };
    let Ok(verdict) = check(&program, &options, &Default::default()) else { return Ok(false) };
    let found = match verdict.outcome {
        Outcome::Unknown(Reason::NoExecution(_)) => false,
        Outcome::Unknown(reason) => return Err(format!("check: {reason}")),
        outcome => outcome == Outcome::Violated,
    };
    let seen = seen(&program, model)?;
    if found != (seen.weak || seen.racy) {
        return Err(format!("check finds {found}, explore shows weak {} and racy {}", seen.weak, seen.racy));
    }
    Ok(true)
}

fn compare(model: Model, profiles: &[Profile]) {
    let wanted = trials(3_000);
    let (mut compared, mut seed) = (0, 0);
    while compared < wanted {
        let sketch = random_sketch(seed, profiles[seed as usize % profiles.len()]);
        match agrees(&sketch.to_string(), model) {
            Ok(is_compared) => compared += is_compared as u64,
            Err(_) => {
                let small = shrink(&sketch, |s: &Sketch| agrees(&s.to_string(), model).is_err());
                let why = agrees(&small.to_string(), model).expect_err("shrinking keeps the difference");
                panic!("seed {seed}, model {model}: {why}\n{small}");
            }
        }
        seed += 1;
        assert!(seed < 10 * wanted, "too few programs can be compared: {compared} of {seed}");
    }
}

#[test]
fn check_and_explore_agree_under_ra() {
    compare(Model::Ra, &[Profile::Ra, Profile::Rc20]);
}

#[test]
fn check_and_explore_agree_under_rc20() {
    compare(Model::Rc20, &[Profile::Rc20]);
}

#[test]
fn check_and_explore_agree_under_rc11_with_sc_accesses_and_fences() {
    compare(Model::Rc11, &[Profile::Rc11]);
}
