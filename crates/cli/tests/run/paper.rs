//! The examples of paper 000.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use fencepost_testing::Effort;
use serde_json::Value;

use crate::support::{build, clang, corpus, directory, programs, run, text};

/// The kinds of violations that runs under the system's schedule and controlled ones show.
fn shown(program: &Path) -> BTreeSet<String> {
    let runs = (0..2).map(|_| "os".to_owned());
    let random = (0..12).map(|seed| format!("random:seed={seed}"));
    let pct = (0..6).map(|seed| format!("pct:seed={seed}:steps=20"));
    let mut shown = BTreeSet::new();
    for schedule in runs.chain(random).chain(pct) {
        let raw = program.with_extension("raw");
        fs::write(&raw, "").unwrap();
        let options = format!("schedule={schedule}");
        let output =
            Command::new(program).env("FENCEPOST_OPTIONS", options).env("FENCEPOST_RAW", &raw).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 66)), "{}", text(&output));
        for line in fs::read_to_string(&raw).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            shown.extend(line["kind"].as_str().map(str::to_owned));
        }
    }
    shown
}

#[test]
fn examples_of_the_paper_show_what_they_should_and_nothing_else() {
    for compiler in ["gcc"].into_iter().chain(clang()) {
        for source in corpus("paper") {
            let program = directory(&format!("paper-{compiler}")).join(&source.name).with_extension("out");
            build(&source.path, &program, compiler, &[]);
            let expected: BTreeSet<String> =
                source.expect.split(' ').filter(|&kind| kind != "robust").map(str::to_owned).collect();
            assert_eq!(shown(&program), expected, "{} by {compiler}", source.name);
        }
    }
}

/// Whether a run of example 3.1 was reported, and whether a thread read 0.
fn example_3_1(program: &Path, options: &str) -> (bool, bool) {
    let output = run(program, options);
    let read_0 = String::from_utf8_lossy(&output.stdout).split_whitespace().any(|value| value == "0");
    (output.status.code() == Some(66), read_0)
}

#[test]
fn prediction_finds_example_3_1_in_every_run_in_which_one_thread_ends_first() {
    let program = directory("paper-3.1").join("ex3.1");
    build(&programs().join("paper/ex3.1.c"), &program, "gcc", &[]);
    for seed in 0..30 {
        // By priorities that never change: one thread after the other, the run of section 3.1 that the matrices of
        // theorem 2.2 say nothing about.
        assert_eq!(example_3_1(&program, &format!("schedule=pct:depth=1:seed={seed}")), (true, true), "seed {seed}");
    }
}

#[test]
fn example_3_1_is_reported_exactly_when_a_thread_reads_0() {
    // Otherwise the graph of the run has no from-read edge, hbSC is hb, and theorem 3.1 has no witness to find.
    let program = directory("paper-3.1-exactly").join("ex3.1");
    build(&programs().join("paper/ex3.1.c"), &program, "gcc", &[]);
    let mut both = [0; 2];
    for schedule in ["os", "random"] {
        for seed in 0..20 {
            let (reported, read_0) = example_3_1(&program, &format!("schedule={schedule}:seed={seed}"));
            assert_eq!(reported, read_0, "{schedule}, seed {seed}");
            both[usize::from(reported)] += 1;
        }
    }
    assert!(both[0] > 0 && both[1] > 0, "there were runs of both kinds: {both:?}");
}

#[test]
fn memory_does_not_grow_with_the_length_of_the_run() {
    let program = directory("paper-7.2").join("ex7.2");
    build(&programs().join("paper/ex7.2-mp.c"), &program, "gcc", &[]);
    let longest = Effort::get() == Effort::Long;
    let peak = |n: u32| -> i64 {
        let output = std::process::Command::new(&program).arg(n.to_string()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        String::from_utf8_lossy(&output.stdout).trim().parse().expect("the program prints its peak in KiB")
    };
    let (short, long) = (peak(3), peak(if longest { 7 } else { 6 }));
    println!("peak: {short} KiB with 10^3 writes, {long} KiB with many more");
    assert!(long - short < 4096, "{short} KiB, then {long} KiB");
}
