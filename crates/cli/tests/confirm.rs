//! `prove --confirm` of random programs with arrays and every update, under every model: a real alarm is an execution
//! that the axioms allow, what is proved or bogus fails in none, and what fails under a model fails under weaker ones.

use std::fmt::Write as _;
use std::process::Command;

use fastrand::Rng;
use fencepost_frontend::parse_fp;
use fencepost_models::Model;
use fencepost_program::{Inst, Program, Span};
use fencepost_prove::{Question, find_execution};
use fencepost_testing::{seeds, trials};
use serde_json::Value;

/// From strong to weak.
const MODELS: [Model; 5] = [Model::Sc, Model::Ibm370, Model::Tso, Model::Pso, Model::Rmo];
const CANDIDATES: u64 = 200_000;

/// The statements of a thread, and the registers that it has.
fn thread(rng: &mut Rng) -> (String, Vec<String>) {
    let (mut text, mut registers) = (String::new(), Vec::<String>::new());
    for i in 0..rng.usize(1..=3) {
        let index = match registers.last() {
            Some(register) if rng.u8(..4) == 0 => format!("{register} & 1"),
            _ => rng.u8(..2).to_string(),
        };
        let place = if rng.bool() { "x".to_owned() } else { format!("a[{index}]") };
        let (value, other) = (rng.u8(..3), rng.u8(..3));
        let statement = match rng.u8(..12) {
            0..=2 => format!("r{i} = {place}.load(rlx);"),
            3..=5 => {
                writeln!(text, "  {place}.store({value}, rlx);").expect("a string");
                continue;
            }
            6 => format!("r{i} = {place}.cas({value}, {other}, rlx);"),
            7 => format!("(ok{i}, r{i}) = {place}.cas_weak({value}, {other}, rlx);"),
            _ => {
                let update = ["fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor", "exchange"];
                format!("r{i} = {place}.{}({value}, rlx);", update[rng.usize(..update.len())])
            }
        };
        writeln!(text, "  {statement}").expect("a string");
        registers.push(format!("r{i}"));
    }
    (text, registers)
}

/// A program with one assertion.
fn random_program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = "atomic x, a[2];\n".to_owned();
    let threads = rng.usize(2..=3);
    let asserts = rng.usize(..threads);
    for number in 0..threads {
        let (body, registers) = thread(&mut rng);
        let mut assertion = String::new();
        if number == asserts {
            let equal: Vec<String> = registers.iter().map(|r| format!("{r} == {}", rng.u8(..3))).collect();
            let wanted = if equal.is_empty() { "1 == 0".to_owned() } else { equal.join(" && ") };
            assertion = match rng.u8(..10) {
                0 => format!("  assert({} == 0);\n", rng.u8(..2)),
                1 => format!("  if ({wanted}) {{\n    assert(0 == 1);\n  }}\n"),
                2 => "  if (1 == 2) {\n    assert(0 == 1);\n  }\n".to_owned(),
                _ => format!("  assert(!({wanted}));\n"),
            };
        }
        writeln!(text, "thread t{number} {{\n{body}{assertion}}}").expect("a string");
    }
    text
}

fn assertion(program: &Program) -> Option<Span> {
    program.functions.iter().flat_map(|f| f.code.iter().zip(&f.spans)).find_map(|(inst, &span)| match inst {
        Inst::Assert { .. } => Some(span),
        _ => None,
    })
}

/// What `prove --confirm` says of the assertion.
fn confirmed(path: &std::path::Path, model: Model, text: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(["prove", "--confirm", "--format", "json", "--model", model.name()]).arg(path);
    let output = command.output().expect("it runs");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{model}: {}\n{text}", String::from_utf8_lossy(&output.stderr)));
    let answers = report["assertions"].as_array().expect("answers");
    let answer = answers.iter().find(|answer| answer["kind"] == "assertion").unwrap_or_else(|| panic!("{report}"));
    answer["result"].as_str().expect("a result").to_owned()
}

#[test]
fn confirmed_alarms_are_executions_of_the_axioms() {
    let programs = trials(60);
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("random.fp");
    let (mut proved, mut real, mut bogus, mut undecided) = (0, 0, 0, 0);
    for seed in seeds(programs) {
        let text = random_program(seed);
        std::fs::write(&path, &text).expect("writable");
        let program = parse_fp("random.fp", &text).unwrap_or_else(|_| panic!("well formed\n{text}")).program;
        let mut failed = None;
        for model in MODELS {
            let result = confirmed(&path, model, &text);
            // The compiler of the language may have decided it.
            let fails = match assertion(&program) {
                Some(span) => {
                    find_execution(&program, model, Question::Fails(span), CANDIDATES).ok().map(|g| g.is_some())
                }
                None => None,
            };
            match result.as_str() {
                "real" => {
                    assert_ne!(fails, Some(false), "seed {seed}, {model}: no execution fails\n{text}");
                    failed = failed.or(Some(model));
                    real += 1;
                }
                "proved" | "bogus" => {
                    assert_ne!(fails, Some(true), "seed {seed}, {model}: {result}, but an execution fails\n{text}");
                    assert_eq!(failed, None, "seed {seed}: {result} under {model}, which is weaker\n{text}");
                    *(if result == "proved" { &mut proved } else { &mut bogus }) += 1;
                }
                _ => undecided += 1,
            }
        }
    }
    println!("{proved} proved, {real} real, {bogus} bogus, {undecided} undecided");
    assert!(proved > programs && real > programs / 2, "{proved} proved, {real} real, {bogus} bogus");
    assert!(undecided < programs, "{undecided} undecided");
}
