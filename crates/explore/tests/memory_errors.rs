//! Memory errors of C programs, and wrong use of locks and the like: each is found at its line, and the same program
//! done right has none.

use std::fmt::Write;

use fencepost_explore::{Options, Watch, count};
use fencepost_frontend::{Settings, read_as};
use fencepost_models::Model;
use fencepost_story::Outcome;
use fencepost_testing::{Source, sources};

#[test]
fn each_error_is_found_at_its_line_and_nothing_else_is() {
    let files = sources("c/errors", &["c"]);
    assert!(files.len() >= 25, "{}", files.len());
    compare(files);
}

#[test]
fn each_wrong_use_of_the_library_is_found_at_its_line_and_nothing_else_is() {
    let files = sources("c/misuse", &["c"]);
    assert!(files.len() >= 15, "{}", files.len());
    compare(files);
}

fn compare(files: Vec<Source>) {
    let mut wrong = String::new();
    for source in files {
        let (file, expected) = (&source.path, source.expect("expect"));
        let strict = Settings { strict: true, ..Settings::default() };
        let program = read_as(file, &[], strict).unwrap_or_else(|e| panic!("{e}")).program;
        for model in [Model::Rc11, Model::Sc, Model::Jam21] {
            let leaks = file.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("leak"));
            let exploration = count(&program, &Options { leaks, ..Options::new(model) }, &Watch::default()).unwrap();
            let found = match (&exploration.verdict.outcome, exploration.verdict.violations.first()) {
                (Outcome::Holds, _) => "holds".to_owned(),
                (Outcome::Violated, Some(violation)) => {
                    let line = violation.accesses.first().map_or(0, |access| access.span.line);
                    format!("{} at {line}", violation.kind.name())
                }
                (outcome, _) => format!("{outcome:?}"),
            };
            if found != expected {
                writeln!(wrong, "{} under {model}: {found}, not {expected}", file.display()).expect("a string");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
