//! `programs/c`: locks, queues and the like as people write them. A header says how many executions each has; a `broken`
//! line names a definition that weakens it, and the kind of error that this makes. The lines of the error are those that
//! a comment marks with this kind.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fencepost_explore::{Exploration, Options, Watch, count};
use fencepost_frontend::read_with;
use fencepost_models::{Engine, Model};
use fencepost_report::{Outcome, ViolationKind};

fn programs(directory: &str) -> Vec<(PathBuf, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(directory);
    let mut found: Vec<(PathBuf, String)> = Vec::new();
    for entry in std::fs::read_dir(directory).expect("the corpus") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "c" || e == "cc") {
            let text = std::fs::read_to_string(&path).expect("a program");
            found.push((path, text));
        }
    }
    found.sort();
    assert!(found.len() >= 5, "{}", found.len());
    found
}

fn explored(path: &Path, model: Model) -> Exploration {
    let program = read_with(path, &[]).unwrap_or_else(|e| panic!("{e}")).program;
    count(&program, &Options::new(model), &Watch::default()).unwrap()
}

/// With a definition that breaks it. Some deadlock then, too.
fn weakened(path: &Path, definition: &str) -> Exploration {
    let program = read_with(path, &[OsString::from(definition)]).unwrap_or_else(|e| panic!("{e}")).program;
    count(&program, &Options { deadlocks: false, ..Options::new(Model::Rc11) }, &Watch::default()).unwrap()
}

/// What the lines of a header that start with a word say.
fn header<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    let comment = text.split("*/").next().unwrap_or("");
    comment.lines().filter_map(move |line| line.trim_start_matches(['/', '*', ' ']).strip_prefix(word))
}

#[test]
fn correct_programs_have_the_executions_that_their_headers_say() {
    for (path, text) in ["c", "c/library", "c/jam21"].into_iter().flat_map(programs) {
        let mut tried = 0;
        for expected in header(&text, "expect: ") {
            let name = expected.split(' ').next().expect("a model");
            let model = Model::of(Engine::Explore).find(|model| model.name() == name).expect("a model");
            let found = explored(&path, model);
            assert_eq!(found.verdict.outcome, Outcome::Holds, "{} under {name}", path.display());
            let said = format!("{name} holds, {} complete, {} blocked", found.complete, found.blocked);
            assert_eq!(said, expected, "{}", path.display());
            tried += 1;
        }
        assert!(tried > 0 || header(&text, "racy: ").count() > 0, "{} expects something", path.display());
    }
}

/// The rows of paper 004, appendix C, whose program has a race by design.
#[test]
fn a_racy_program_is_found_out_and_has_the_executions_of_its_header_if_races_are_let_pass() {
    let all = programs("c/jam21").into_iter();
    for (path, text) in all.filter(|(_, text)| header(text, "racy: ").count() > 0) {
        for model in [Model::Rc11, Model::Jam21] {
            let found = explored(&path, model);
            assert_eq!(found.verdict.outcome, Outcome::Violated, "{}", path.display());
            assert_eq!(found.verdict.violations[0].kind, ViolationKind::DataRace, "{}", path.display());
        }
        if std::env::var("FENCEPOST_TEST_LONG").is_err() {
            continue;
        }
        for expected in header(&text, "racy: rc11 ") {
            let program = read_with(&path, &[]).unwrap_or_else(|e| panic!("{e}")).program;
            let options = Options { races: false, deadlocks: false, ..Options::new(Model::Rc11) };
            let found = count(&program, &options, &Watch::default()).unwrap();
            assert_eq!(
                format!("{} complete, {} blocked", found.complete, found.blocked),
                expected,
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn each_program_with_a_weaker_ordering_or_without_a_fence_goes_wrong_at_the_lines_that_are_marked() {
    for (path, text) in programs("c").into_iter().chain(programs("c/library")) {
        let mut tried = 0;
        for broken in header(&text, "broken: ") {
            let (definition, kind) = broken.split_once(' ').expect("a definition and a kind of error");
            let found = weakened(&path, definition);
            let shown = format!("{} {definition}", path.display());
            assert_eq!(found.verdict.outcome, Outcome::Violated, "{shown}");
            let violation = &found.verdict.violations[0];
            let expected = match kind {
                "race" => ViolationKind::DataRace,
                "assertion" => ViolationKind::Assertion,
                "freed" => ViolationKind::UseAfterFree,
                _ => panic!("{shown}: {kind} is no kind of error"),
            };
            assert_eq!(violation.kind, expected, "{shown}: {}", violation.message);
            let mark = format!("/* {kind} */");
            let line = |number: u32| text.lines().nth(number as usize - 1).unwrap_or("");
            let marked = violation.accesses.iter().filter(|access| line(access.span.line).ends_with(&mark)).count();
            let needed = if kind == "assertion" { 1 } else { 2 };
            let lines: Vec<u32> = violation.accesses.iter().map(|access| access.span.line).collect();
            assert!(marked >= needed, "{shown}: {} at {lines:?}", violation.message);
            tried += 1;
        }
        assert!(tried > 0, "{} has a broken variant", path.display());
    }
}
