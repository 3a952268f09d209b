//! `programs/c`: what `check` says of locks and queues in C, and of the library of C++. A header has `check: robust`,
//! or `not-robust`, or `observationally-robust` for what reads stale values and drops them; a `broken` line names a
//! definition that makes the program go wrong.

use std::ffi::OsString;
use std::path::Path;

use fencepost_check::{Options, check};
use fencepost_frontend::read_with;
use fencepost_program::Program;
use fencepost_story::{FindingKind, Outcome, Verdict};
use fencepost_testing::{Source, sample, sources};

/// Programs in C, and in C++ with its library.
fn programs() -> Vec<Source> {
    sources("c", &["c"]).into_iter().chain(sources("c/cpp", &["cc"])).collect()
}

/// With a definition that breaks it, or as it is.
fn compiled(path: &Path, definition: Option<&str>) -> Program {
    let is_cxx = path.extension().is_some_and(|extension| extension == "cc");
    let standard = is_cxx.then_some("-std=c++20");
    let arguments: Vec<OsString> = standard.into_iter().chain(definition).map(OsString::from).collect();
    read_with(path, &arguments).unwrap_or_else(|e| panic!("{e}")).program
}

fn checked(path: &Path, definition: Option<&str>, observational: bool) -> Verdict {
    let program = compiled(path, definition);
    let options = Options { observational, ..Options::default() };
    check(&program, &options, &Default::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn name(path: &Path) -> String {
    match checked(path, None, false) {
        Verdict { outcome: Outcome::Holds, .. } => "robust".to_string(),
        Verdict { violations, .. } if violations.iter().any(|v| v.kind == FindingKind::Robustness) => {
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
    for source in sample(programs) {
        let expected: Vec<&str> = source.all("check").collect();
        assert_eq!(expected, [name(&source.path)], "{}", source.path.display());
    }
}

#[test]
fn a_robust_program_has_as_many_executions_under_rc11_as_under_sc() {
    for source in programs() {
        if source.all("check").any(|said| said == "robust") && source.get("expect").is_some() {
            let of = |model| source.all("expect").find_map(|line| line.strip_prefix(model)).expect("a count");
            let complete = |line: &str| line.split(',').nth(1).map(str::to_owned);
            assert_eq!(complete(of("rc11 ")), complete(of("sc ")), "{}", source.path.display());
        }
    }
}

#[test]
fn what_a_weaker_ordering_breaks_is_found() {
    for source in sample(programs()) {
        let path = &source.path;
        for broken in source.all("broken") {
            let (definition, kind) = broken.split_once(' ').expect("a definition and a kind of error");
            let found = checked(path, Some(definition), false);
            assert_eq!(found.outcome, Outcome::Violated, "{} {definition}", path.display());
            let kinds: Vec<FindingKind> = found.violations.iter().map(|v| v.kind).collect();
            // A thread that may miss a write to a new object may also miss the allocation.
            let expected: &[FindingKind] = match kind {
                "race" => &[FindingKind::DataRace, FindingKind::UseAfterFree],
                "freed" => &[FindingKind::UseAfterFree],
                "deadlock" => &[FindingKind::Deadlock],
                _ => &[FindingKind::Assertion],
            };
            let expected = |kind: &FindingKind| *kind == FindingKind::Robustness || expected.contains(kind);
            assert!(kinds.iter().all(expected), "{} {definition}: {kinds:?}", path.display());
        }
    }
}

/// `programs/c/ends`: how programs and threads can end, or not.
#[test]
fn programs_end_as_their_headers_say() {
    let mut ends = 0;
    for source in sources("c/ends", &["c"]) {
        let verdict = checked(&source.path, None, false);
        let found = match (&verdict.outcome, verdict.violations.first()) {
            (Outcome::Violated, Some(violation)) => violation.kind.name(),
            (outcome, _) => outcome.name(),
        };
        assert_eq!(found, source.expect("expect"), "{}", source.path.display());
        ends += 1;
    }
    assert!(ends >= 5);
}

#[test]
fn neither_verdicts_nor_counts_of_c_programs_depend_on_the_number_of_workers() {
    for Source { path, .. } in sample(programs()) {
        let program = compiled(&path, None);
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
