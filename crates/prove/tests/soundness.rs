//! What is proved holds: no execution that the model allows fails.

use fencepost_explore::{Options as Exploring, explore};
use fencepost_frontend::parse_fp;
use fencepost_models::Model;
use fencepost_oracle::random::{Profile, Sketch, random_sketch, shrink};
use fencepost_program::{Inst, Program, Span};
use fencepost_prove::{MemoryModel, Method, Options, Question, find_execution, prove};
use fencepost_report::Outcome;

struct Outcomes {
    proved: u32,
    true_alarms: u32,
    bogus_alarms: u32,
}

/// Whether some execution fails; `None` if there are too many of them.
fn fails(program: &Program, model: MemoryModel) -> Option<bool> {
    let model = match model {
        MemoryModel::Sc => Model::Sc,
        MemoryModel::Tso => Model::Tso,
        MemoryModel::Pso => Model::Pso,
        MemoryModel::Rmo => return fails_by_axioms(program, MemoryModel::Rmo),
    };
    let options = Exploring { races: false, max_executions: Some(20_000), ..Exploring::new(model) };
    match explore(program, &options, &Default::default(), |_| {}).verdict.outcome {
        Outcome::Holds => Some(false),
        Outcome::Violated => Some(true),
        Outcome::Unknown(_) => None,
    }
}

fn fails_by_axioms(program: &Program, model: MemoryModel) -> Option<bool> {
    let asserts = |span: &Span, inst: &Inst| matches!(inst, Inst::Assert { .. }).then_some(*span);
    for function in &program.functions {
        for span in function.spans.iter().zip(&function.code).filter_map(|(span, inst)| asserts(span, inst)) {
            if find_execution(program, model, Question::Fails(span), 2_000).ok()?.is_some() {
                return Some(true);
            }
        }
    }
    Some(false)
}

/// Whether the proof is bogus; `None` if there is nothing to compare.
fn compare(text: &str, model: MemoryModel, method: Method, count: &mut Outcomes) -> Option<bool> {
    let program = parse_fp("random.fp", text).ok()?.program;
    let proof = prove(&program, None, &Options { method, ..Options::new(model) }).ok()?;
    if proof.answers.is_empty() {
        return None;
    }
    let proved = proof.answers.iter().all(|a| a.is_proved());
    let fails = fails(&program, model)?;
    match (proved, fails) {
        (true, false) => count.proved += 1,
        (false, true) => count.true_alarms += 1,
        (false, false) => count.bogus_alarms += 1,
        (true, true) => return Some(true),
    }
    Some(false)
}

fn nothing_bogus_is_proved(model: MemoryModel, method: Method, wanted: u32) {
    let wanted = std::env::var("FENCEPOST_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(wanted);
    let mut count = Outcomes { proved: 0, true_alarms: 0, bogus_alarms: 0 };
    let (mut compared, mut seed) = (0, 0);
    while compared < wanted {
        let sketch = random_sketch(seed, Profile::ALL[seed as usize % 3]);
        match compare(&sketch.to_string(), model, method, &mut count) {
            None => {}
            Some(false) => compared += 1,
            Some(true) => {
                let is_bogus =
                    |s: &Sketch| compare(&s.to_string(), model, method, &mut { Outcomes { ..count } }) == Some(true);
                let small = shrink(&sketch, is_bogus);
                panic!("seed {seed}, model {model}: a bogus proof\n{small}");
            }
        }
        seed += 1;
    }
    println!(
        "{model}: {} proved, {} true alarms, {} bogus alarms",
        count.proved, count.true_alarms, count.bogus_alarms
    );
    assert!(count.proved * 10 > wanted && count.true_alarms * 10 > wanted, "the programs are all alike");
}

#[test]
fn what_is_proved_under_sc_holds_in_every_execution() {
    nothing_bogus_is_proved(MemoryModel::Sc, Method::AllThreads, 10_000);
}

#[test]
fn what_is_proved_under_tso_holds_in_every_execution() {
    nothing_bogus_is_proved(MemoryModel::Tso, Method::AllThreads, 10_000);
}

#[test]
fn what_is_proved_under_pso_holds_in_every_execution() {
    nothing_bogus_is_proved(MemoryModel::Pso, Method::AllThreads, 10_000);
}

#[test]
fn what_is_proved_under_rmo_holds_in_every_execution() {
    nothing_bogus_is_proved(MemoryModel::Rmo, Method::AllThreads, 2_000);
}
