//! `check` calls a program robust exactly when every graph that `explore` shows is sequentially consistent.
//!
//! `explore` shows complete executions. If a program has no others, they are all that there is to see: every graph that the
//! model allows is part of one of them, and a graph with a part that is not sequentially consistent is not either. So a thread
//! that an assumption or an assertion would stop is let end there, which leaves the same graphs and makes them complete. A
//! `wait` or a blocking CAS that is cut off has read what the program does not accept, which is no event by the definition. If
//! a program has such executions, one direction is left: what `explore` shows, `check` must find.

use fencepost_check::{Model, Properties, check};
use fencepost_explore::{Options, explore};
use fencepost_frontend::parse_fp;
use fencepost_oracle::random::{Profile, Sketch, random_sketch, shrink};
use fencepost_program::Program;
use fencepost_report::Outcome;

/// What `explore` has seen.
struct Seen {
    weak: bool,
    racy: bool,
    blocked: bool,
}

fn seen(program: &Program, model: Model) -> Result<Seen, String> {
    let options = Options::new(model.definition());
    let mut weak = false;
    let everything = Options { races: false, assertions: false, ..options.clone() };
    let exploration = explore(program, &everything, &Default::default(), |execution| {
        weak |= !fencepost_models::Model::Sc.consistent(&execution.graph());
    });
    let races = explore(program, &Options { assertions: false, ..options }, &Default::default(), |_| {});
    for outcome in [&exploration.verdict.outcome, &races.verdict.outcome] {
        if let Outcome::Unknown(reason) = outcome {
            return Err(format!("explore: {reason}"));
        }
    }
    Ok(Seen { weak, racy: races.verdict.outcome == Outcome::Violated, blocked: exploration.blocked > 0 })
}

/// The program with `return` where an assumption or an assertion fails.
fn ending_instead_of_stopping(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let condition =
            ["assume(", "assert("].iter().find_map(|word| line.trim().strip_prefix(word)?.strip_suffix(");"));
        match condition {
            Some(condition) => out.push_str(&format!("if (!({condition})) {{ return; }}")),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// What was compared: `Some(true)` if in both directions.
fn agrees(text: &str, model: Model) -> Result<Option<bool>, String> {
    let Ok(input) = parse_fp("random.fp", text) else { return Ok(None) };
    let program = input.program;
    // `check` reports a stale read of a plain location as the race that it comes from.
    let properties = Properties { robustness: true, races: true, assertions: false, deadlocks: false };
    let options = fencepost_check::Options { model, properties, closure: 1_000, ..Default::default() };
    let Ok(verdict) = check(&program, &options, &Default::default()) else { return Ok(None) };
    let found = match verdict.outcome {
        Outcome::Unknown(reason) => return Err(format!("check: {reason}")),
        outcome => outcome == Outcome::Violated,
    };
    let ending = ending_instead_of_stopping(text);
    let ending = parse_fp("ending.fp", &ending).map_err(|e| format!("{e}\n{ending}"))?;
    let seen = seen(&ending.program, model)?;
    let shown = seen.weak || seen.racy;
    if shown && !found || found && !shown && !seen.blocked {
        return Err(format!("check finds {found}, explore shows weak {} and racy {}", seen.weak, seen.racy));
    }
    Ok(Some(!seen.blocked))
}

fn compare(model: Model, profiles: &[Profile]) {
    let wanted = std::env::var("FENCEPOST_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(3_000);
    let (mut exact, mut robust_side, mut seed) = (0, 0, 0);
    while exact < wanted {
        let sketch = random_sketch(seed, profiles[seed as usize % profiles.len()]);
        match agrees(&sketch.to_string(), model) {
            Ok(Some(true)) => exact += 1,
            Ok(Some(false)) => robust_side += 1,
            Ok(None) => {}
            Err(_) => {
                let small = shrink(&sketch, |s: &Sketch| agrees(&s.to_string(), model).is_err());
                let why = agrees(&small.to_string(), model).expect_err("shrinking keeps the difference");
                panic!("seed {seed}, model {model}: {why}\n{small}");
            }
        }
        seed += 1;
        assert!(seed < 10 * wanted, "too few programs can be compared: {exact} of {seed}");
    }
    println!("{model}: {exact} programs in both directions, {robust_side} in one");
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
