//! Random programs keep their output and their exit status under every schedule, and never hang.

mod generator;

use fencepost_testing::{is_quick, trials};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::thread;

use crate::support::{build, clang, directory, text, watched};

/// What is wrong with a program that was built, if anything is.
fn objection(ours: &Path, expected: &(ExitStatus, String, String), options: &str) -> Option<String> {
    match watched(ours, options) {
        Err(hang) => Some(hang),
        Ok((status, out, error)) if (status, &out) != (expected.0, &expected.1) => {
            Some(format!("{status} and {out}, not {} and {}: {error}", expected.0, expected.1))
        }
        // They are free of races; robustness is another matter, and costs no exit status here.
        Ok((_, _, error)) if error.contains("data race") || error.contains("internal error") => Some(error),
        Ok(_) => None,
    }
}

fn check(seeds: impl Iterator<Item = u64>) -> (usize, Vec<String>) {
    let here = directory("random");
    let (mut runs, mut objections) = (0, Vec::new());
    for seed in seeds {
        let source = here.join(format!("{seed}.c"));
        fs::write(&source, generator::program(seed)).unwrap();
        let plain = here.join(format!("{seed}.plain"));
        let built = Command::new("gcc").args(["-w", "-O1", "-pthread"]).arg(&source).arg("-o").arg(&plain).output();
        let built = built.unwrap();
        assert!(built.status.success(), "seed {seed}: {}", text(&built));
        let expected = watched(&plain, "").unwrap_or_else(|hang| panic!("seed {seed} as it is: {hang}"));
        for compiler in ["gcc"].into_iter().chain(clang()) {
            let ours = here.join(format!("{seed}.{compiler}"));
            build(&source, &ours, compiler, &[]);
            for schedule in ["os", "random", "pct"] {
                runs += 1;
                let options = format!("exitcode=0:schedule={schedule}:seed={seed}");
                if let Some(objection) = objection(&ours, &expected, &options) {
                    objections.push(format!("seed {seed} by {compiler} with {options}: {objection}"));
                }
            }
            fs::remove_file(&ours).unwrap();
        }
        fs::remove_file(&plain).unwrap();
    }
    (runs, objections)
}

#[test]
fn random_programs_neither_hang_nor_change_what_they_print() {
    let programs = if is_quick() { 4 } else { trials(24) };
    // Two at a time, because most of them mostly wait.
    let halves: Vec<_> = (0..2).map(|half| thread::spawn(move || check((0..programs).skip(half).step_by(2)))).collect();
    let (mut runs, mut objections) = (0, Vec::new());
    for half in halves {
        let (more_runs, more_objections) = half.join().unwrap();
        runs += more_runs;
        objections.extend(more_objections);
    }
    println!("{runs} runs of {programs} programs, {} went wrong", objections.len());
    assert!(objections.is_empty(), "{}", objections.join("\n\n"));
}
