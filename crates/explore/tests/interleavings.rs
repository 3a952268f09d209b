//! The trace of a finding is an interleaving if the execution has one: each read gets what was written last.

use std::collections::HashMap;

use fencepost_explore::{Options, Watch, count};
use fencepost_frontend::parse_fp;
use fencepost_models::Model;
use fencepost_program::Value;
use fencepost_story::{Finding, Properties};
use fencepost_testing::{at_least, trials};

/// The location of a step such as `x.load(rlx)`.
fn location(text: &str) -> Option<&str> {
    text.split_once('.').map(|(location, _)| location)
}

fn check(finding: &Finding, text: &str) {
    let mut memory: HashMap<&str, Value> = HashMap::new();
    for step in &finding.trace {
        let Some(location) = location(&step.text) else { continue };
        if let Some(read) = step.read {
            assert_eq!(
                memory.get(location).copied().unwrap_or(0),
                read,
                "{} in {:#?}\n{text}",
                step.text,
                finding.trace
            );
        }
        if let Some(written) = step.written {
            memory.insert(location, written);
        }
    }
}

/// Threads whose last asserts that not everything was read as it was.
fn random(rng: &mut fastrand::Rng) -> String {
    let mut text = String::from("atomic x, y, z;\n");
    for thread in 0..3 {
        text += &format!("thread t{thread} {{ r = 0;\n");
        for _ in 0..rng.usize(1..4) {
            let location = ["x", "y", "z"][rng.usize(..3)];
            let value = rng.u32(1..4);
            text += &match rng.usize(..5) {
                0 | 1 => format!("s = {location}.load(rlx);\nr = r * 4 + s;\n"),
                2 => format!("{location}.fetch_add({value}, rlx);\n"),
                _ => format!("{location}.store({value}, rlx);\n"),
            };
        }
        text += &format!("assert(r < {});\n}}\n", rng.u32(1..6));
    }
    text
}

#[test]
fn a_trace_of_a_sequentially_consistent_execution_can_be_replayed() {
    let mut rng = fastrand::Rng::with_seed(5);
    let count_of_programs = trials(400);
    let (mut interleaved, mut weak) = (0, 0);
    for _ in 0..count_of_programs {
        let text = random(&mut rng);
        let program = parse_fp("generated.fp", &text).unwrap_or_else(|e| panic!("{e}\n{text}")).program;
        let options =
            Options { properties: Properties { races: false, ..Properties::ALL }, ..Options::new(Model::Rc11) };
        let found = count(&program, &options, &Watch::default()).expect("taken");
        for finding in &found.verdict.violations {
            if finding.interleaved {
                check(finding, &text);
                interleaved += 1;
            } else {
                weak += 1;
            }
        }
    }
    assert!(interleaved >= at_least(100, 400), "{interleaved} of {count_of_programs}, and {weak} others");
}
