//! `programs/c`: locks, queues and the like as people write them. A header says how many executions each has; a
//! `broken` line names a definition that weakens it, and the kind of error that this makes. The lines of the error are
//! those that a comment marks with this kind.

use std::ffi::OsString;
use std::path::Path;

use fencepost_explore::{Exploration, Options, Watch, count};
use fencepost_frontend::read_with;
use fencepost_models::{Engine, Model};
use fencepost_program::Program;
use fencepost_story::{FindingKind, Outcome, Properties};
use fencepost_testing::{Effort, Source, sources};

fn programs(directory: &str) -> Vec<Source> {
    let found = sources(directory, &["c", "cc"]);
    assert!(found.len() >= 5, "{}", found.len());
    found
}

fn compiled(path: &Path) -> Program {
    read_with(path, &[]).unwrap_or_else(|e| panic!("{e}")).program
}

fn explored(program: &Program, model: Model) -> Exploration {
    count(program, &Options::new(model), &Watch::default()).unwrap()
}

/// With a definition that breaks it. Some deadlock then, too.
fn weakened(path: &Path, definition: &str) -> Exploration {
    let program = read_with(path, &[OsString::from(definition)]).unwrap_or_else(|e| panic!("{e}")).program;
    count(
        &program,
        &Options { properties: Properties { deadlocks: false, ..Properties::ALL }, ..Options::new(Model::Rc11) },
        &Watch::default(),
    )
    .unwrap()
}

#[test]
fn correct_programs_have_the_executions_that_their_headers_say() {
    for source in ["c", "c/library", "c/jam21"].into_iter().flat_map(programs) {
        let path = &source.path;
        let program = compiled(path);
        let mut tried = 0;
        for expected in source.all("expect") {
            let name = expected.split(' ').next().expect("a model");
            let model = Model::of(Engine::Explore).find(|model| model.name() == name).expect("a model");
            let found = explored(&program, model);
            assert_eq!(found.verdict.outcome, Outcome::Holds, "{} under {name}", path.display());
            let said = format!("{name} holds, {} complete, {} blocked", found.complete, found.blocked);
            assert_eq!(said, expected, "{}", path.display());
            tried += 1;
        }
        assert!(tried > 0 || source.get("racy").is_some(), "{} expects something", path.display());
    }
}

/// The rows of paper 004, appendix C, whose program has a race by design.
#[test]
fn a_racy_program_is_found_out_and_has_the_executions_of_its_header_if_races_are_let_pass() {
    for source in programs("c/jam21").iter().filter(|source| source.get("racy").is_some()) {
        let path = &source.path;
        let program = compiled(path);
        for model in [Model::Rc11, Model::Jam21] {
            let found = explored(&program, model);
            assert_eq!(found.verdict.outcome, Outcome::Violated, "{}", path.display());
            assert_eq!(found.verdict.violations[0].kind, FindingKind::DataRace, "{}", path.display());
        }
        if Effort::get() < Effort::Long {
            continue;
        }
        for expected in source.all("racy").filter_map(|racy| racy.strip_prefix("rc11 ")) {
            let program = read_with(path, &[]).unwrap_or_else(|e| panic!("{e}")).program;
            let options = Options {
                properties: Properties { assertions: true, ..Properties::NONE },
                ..Options::new(Model::Rc11)
            };
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
    for source in programs("c").into_iter().chain(programs("c/library")) {
        let path = &source.path;
        let mut tried = 0;
        for broken in source.all("broken") {
            let (definition, kind) = broken.split_once(' ').expect("a definition and a kind of error");
            let found = weakened(path, definition);
            let shown = format!("{} {definition}", path.display());
            assert_eq!(found.verdict.outcome, Outcome::Violated, "{shown}");
            let violation = &found.verdict.violations[0];
            let expected = match kind {
                "race" => FindingKind::DataRace,
                "assertion" => FindingKind::Assertion,
                "freed" => FindingKind::UseAfterFree,
                _ => panic!("{shown}: {kind} is no kind of error"),
            };
            assert_eq!(violation.kind, expected, "{shown}: {}", violation.message);
            let mark = format!("/* {kind} */");
            let is_marked = |line: u32| source.line(line).ends_with(&mark);
            let marked = violation.accesses.iter().filter(|access| is_marked(access.span.line)).count();
            let needed = if kind == "assertion" { 1 } else { 2 };
            let lines: Vec<u32> = violation.accesses.iter().map(|access| access.span.line).collect();
            assert!(marked >= needed, "{shown}: {} at {lines:?}", violation.message);
            tried += 1;
        }
        assert!(tried > 0, "{} has a broken variant", path.display());
    }
}
