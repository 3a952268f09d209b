//! The examples of paper 000.

use std::collections::BTreeSet;

use crate::support::{build, clang, corpus, directory, programs, report, run, text};

/// The kinds of violations that runs under the system's schedule and controlled ones show.
fn shown(program: &std::path::Path) -> BTreeSet<String> {
    let mut shown = BTreeSet::new();
    for arguments in [&[][..], &["--runs", "20", "--schedule", "random"], &["--runs", "5", "--schedule", "pct"]] {
        for violation in report(program, arguments)["violations"].as_array().unwrap() {
            shown.insert(violation["what"].as_str().unwrap_or("race").to_owned());
        }
    }
    shown
}

#[test]
fn examples_of_the_paper_are_judged_as_in_the_paper() {
    for compiler in ["gcc"].into_iter().chain(clang()) {
        for source in corpus("paper") {
            let program = directory(&format!("paper-{compiler}")).join(&source.name).with_extension("out");
            build(&source.path, &program, compiler, &[]);
            let shown = shown(&program);
            match source.expect.split(' ').next().unwrap() {
                "robust" => assert!(shown.is_empty(), "{} by {compiler}: {shown:?}", source.name),
                // In another order of the same accesses, the other thread may be the one that is late.
                kind => assert!(shown.contains(kind), "{} by {compiler}: {shown:?}", source.name),
            }
        }
    }
}

#[test]
fn prediction_finds_example_3_1_in_every_run_that_has_it() {
    let program = directory("paper-3.1").join("ex3.1");
    build(&programs().join("paper/ex3.1.c"), &program, "gcc", &[]);
    let mut found = 0;
    for run_number in 0..50 {
        let output = run(&program, "");
        // If both threads were just in time to read what the other wrote, there is nothing to predict.
        let both_read_a_write = !String::from_utf8_lossy(&output.stdout).split_whitespace().any(|value| value == "0");
        assert!(both_read_a_write || output.status.code() == Some(66), "run {run_number}: {}", text(&output));
        found += usize::from(output.status.code() == Some(66));
    }
    assert!(found >= 25, "found in {found} of 50 runs");
}

#[test]
fn memory_does_not_grow_with_the_length_of_the_run() {
    let program = directory("paper-7.2").join("ex7.2");
    build(&programs().join("paper/ex7.2-mp.c"), &program, "gcc", &[]);
    let longest = std::env::var("FENCEPOST_TEST_LONG").is_ok();
    let peak = |n: u32| -> i64 {
        let output = std::process::Command::new(&program).arg(n.to_string()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        String::from_utf8_lossy(&output.stdout).trim().parse().expect("the program prints its peak in KiB")
    };
    let (short, long) = (peak(3), peak(if longest { 7 } else { 6 }));
    println!("peak: {short} KiB with 10^3 writes, {long} KiB with many more");
    assert!(long - short < 4096, "{short} KiB, then {long} KiB");
}
