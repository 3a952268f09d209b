//! `programs/c`: what `check` says of locks and queues in C, and of the library of C++. A header has `check: robust`, or `not-robust`, or `observationally-robust`
//! for what reads stale values and drops them; a `broken` line names a definition that makes the program go wrong.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fencepost_check::{Options, check};
use fencepost_frontend::read_with;
use fencepost_report::{Outcome, Verdict, ViolationKind};

/// Programs in C, and in C++ with its library.
fn programs() -> Vec<(PathBuf, String)> {
    let of = |directory: &str, kind: &str| {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(directory);
        let paths = std::fs::read_dir(directory).expect("the corpus").map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.extension().is_some_and(|e| e == kind)).collect::<Vec<PathBuf>>()
    };
    let mut paths = [of("c", "c"), of("c/cpp", "cc")].concat();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).expect("a program"))).collect()
}

/// What the lines of a header that start with a word say.
fn header<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    let comment = text.split("*/").next().unwrap_or("");
    comment.lines().filter_map(move |line| line.trim_start_matches(['/', '*', ' ']).strip_prefix(word))
}

fn checked(path: &Path, definition: Option<&str>, observational: bool) -> Verdict {
    let arguments: Vec<OsString> = definition.into_iter().map(OsString::from).collect();
    let program = read_with(path, &arguments).unwrap_or_else(|e| panic!("{e}")).program;
    let options = Options { observational, ..Options::default() };
    check(&program, &options, &Default::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn name(path: &Path) -> String {
    match checked(path, None, false) {
        Verdict { outcome: Outcome::Holds, .. } => "robust".to_string(),
        Verdict { violations, .. } if violations.iter().any(|v| v.kind == ViolationKind::Robustness) => {
            match checked(path, None, true).outcome {
                Outcome::Holds => "observationally-robust".to_string(),
                _ => "not-robust".to_string(),
            }
        }
        other => format!("{:?}", other.outcome),
    }
}

#[test]
fn programs_are_as_robust_as_their_headers_say() {
    let programs = programs();
    assert!(programs.len() >= 20);
    for (path, text) in programs {
        let expected: Vec<&str> = header(&text, "check: ").collect();
        assert_eq!(expected, [name(&path)], "{}", path.display());
    }
}

#[test]
fn a_robust_program_has_as_many_executions_under_rc11_as_under_sc() {
    for (path, text) in programs() {
        if header(&text, "check: ").any(|said| said == "robust") && header(&text, "expect: ").next().is_some() {
            let of = |model| header(&text, "expect: ").find_map(|line| line.strip_prefix(model)).expect("a count");
            let complete = |line: &str| line.split(',').nth(1).map(str::to_owned);
            assert_eq!(complete(of("rc11 ")), complete(of("sc ")), "{}", path.display());
        }
    }
}

#[test]
fn what_a_weaker_ordering_breaks_is_found() {
    for (path, text) in programs() {
        for broken in header(&text, "broken: ") {
            let (definition, kind) = broken.split_once(' ').expect("a definition and a kind of error");
            let found = checked(&path, Some(definition), false);
            assert_eq!(found.outcome, Outcome::Violated, "{} {definition}", path.display());
            let kinds: Vec<ViolationKind> = found.violations.iter().map(|v| v.kind).collect();
            // Who may miss what was written to a new object may also miss that it was allocated.
            let expected: &[ViolationKind] = match kind {
                "race" => &[ViolationKind::DataRace, ViolationKind::UseAfterFree],
                "freed" => &[ViolationKind::UseAfterFree],
                _ => &[ViolationKind::Assertion],
            };
            let expected = |kind: &ViolationKind| *kind == ViolationKind::Robustness || expected.contains(kind);
            assert!(kinds.iter().all(expected), "{} {definition}: {kinds:?}", path.display());
        }
    }
}

/// `programs/c/ends`: how programs and threads can end, or not.
#[test]
fn programs_end_as_their_headers_say() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/c/ends");
    let paths = std::fs::read_dir(directory).expect("the programs").map(|entry| entry.expect("an entry").path());
    let mut ends = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a program");
        let verdict = checked(&path, None, false);
        let found = match (&verdict.outcome, verdict.violations.first()) {
            (Outcome::Violated, Some(violation)) => violation.kind.name(),
            (outcome, _) => outcome.name(),
        };
        let expected = text.lines().next().and_then(|line| line.strip_prefix("/*! expect: ")).expect("a header");
        assert_eq!(found, expected, "{}", path.display());
        ends += 1;
    }
    assert!(ends >= 5);
}

#[test]
fn neither_verdicts_nor_counts_of_c_programs_depend_on_the_number_of_workers() {
    for (path, _) in programs() {
        let program = read_with(&path, &[]).unwrap_or_else(|e| panic!("{e}")).program;
        let counted = |jobs: usize, closure: usize| {
            let options = Options { jobs, closure, ..Options::default() };
            let verdict = check(&program, &options, &Default::default()).expect("a program for RC11");
            let kind = verdict.violations.first().map(|violation| violation.kind);
            (verdict.outcome, kind, verdict.statistics.states)
        };
        for closure in [0, Options::default().closure] {
            assert_eq!(counted(1, closure), counted(3, closure), "{} {closure}", path.display());
        }
    }
}
