//! Synchronisation algorithms, as in figure 7 of paper 000: those that are not robust are found, the others stay
//! silent.

use std::path::{Path, PathBuf};

use fencepost_testing::{Effort, sample};
use serde_json::Value;

use crate::support::{Source, build, corpus, directory, fencepost, text};

const SCHEDULES: [&str; 3] = ["os", "random", "pct"];

fn is_long() -> bool {
    Effort::get() == Effort::Long
}

fn built(source: &Source) -> PathBuf {
    let program = directory("synthetic").join(&source.name).with_extension("out");
    build(&source.path, &program, "gcc", &[]);
    program
}

fn report(program: &Path, threads: u32, schedule: &str, runs: u32) -> Value {
    let output = fencepost()
        .args(["run", "--format", "json", "--schedule", schedule, "--runs", &runs.to_string(), "--"])
        .arg(program)
        .arg(threads.to_string())
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output)))
}

#[test]
fn programs_that_are_not_robust_are_found() {
    let threads: &[u32] = if is_long() { &[2, 4, 8, 16, 32] } else { &[2, 8] };
    println!("runs until found: {:8} {:>8} {:>8} {:>8} {:>8}", "", "threads", "os", "random", "pct");
    for source in sample(corpus("synthetic").iter().filter(|source| source.expect == "not robust")) {
        let program = built(source);
        for &threads in threads {
            let mut needed = Vec::new();
            for schedule in SCHEDULES {
                // The system may never choose the schedule that shows it.
                let limit = if schedule == "os" { 100 } else { 10_000 };
                let report = report(&program, threads, schedule, limit);
                let violations = report["violations"].as_array().unwrap();
                let found = violations.iter().any(|violation| violation["kind"] == "robustness");
                assert!(found || schedule == "os", "{} under {schedule} was not found: {report:#}", source.name);
                needed.push(if found { report["runs"].to_string() } else { format!("> {}", report["runs"]) });
            }
            println!("{:26} {threads:>8} {:>8} {:>8} {:>8}", source.name, needed[0], needed[1], needed[2]);
        }
    }
}

#[test]
fn programs_that_are_robust_stay_silent() {
    // A thousand runs of each with two threads and with eight, and some with more.
    let plan: &[(u32, u32)] = if is_long() { &[(2, 334), (8, 334), (32, 10)] } else { &[(2, 10), (8, 2)] };
    for source in corpus("synthetic").iter().filter(|source| source.expect == "robust") {
        let program = built(source);
        for &(threads, runs) in plan {
            for schedule in SCHEDULES {
                let report = report(&program, threads, schedule, runs);
                assert_eq!(report["verdict"], "nothing found", "{} under {schedule}: {report:#}", source.name);
                assert_eq!(report["runs"], runs, "{} under {schedule}", source.name);
            }
        }
    }
}

/// Whether all executions that RC11 allows are allowed by SC.
fn is_robust(source: &Source, definitions: &[&str]) -> bool {
    let output = fencepost()
        .args(["explore", "--models", "sc,rc11", "--unroll", "4", "--argc", "1"])
        .arg(&source.path)
        .arg("--")
        .args(definitions)
        .output()
        .unwrap();
    let said = text(&output);
    // "holds up to 4 iterations" would not do.
    assert!(said.starts_with("holds: ") || said.starts_with("violated: "), "{}: {said}", source.name);
    said.starts_with("holds: ")
}

#[test]
fn the_labels_are_what_an_exploration_of_all_executions_says() {
    for source in corpus("synthetic") {
        // Lamport's algorithm has far more executions than the others.
        let lamport = source.name.starts_with("lamport");
        let rounds = if lamport && !is_long() { "-DROUNDS=1" } else { "-DROUNDS=2" };
        let expected = source.expect == "robust";
        assert_eq!(is_robust(&source, &[rounds]), expected, "{}", source.name);
        if expected && !lamport {
            assert!(is_robust(&source, &["-DROUNDS=1", "-DTHREADS=3"]), "{} with three threads", source.name);
        }
    }
}
