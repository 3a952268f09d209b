//! Memory errors of C programs, and wrong use of locks and the like: each is found at its line, and the same program done right has none.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use fencepost_explore::{Options, Watch, count};
use fencepost_frontend::{Settings, read_as};
use fencepost_models::Model;
use fencepost_report::Outcome;

fn programs(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/c").join(directory);
    let files = std::fs::read_dir(directory).expect("the corpus is there");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "c"));
    files.sort();
    files
}

/// What the header of a program says: `holds`, or the kind of a violation and its line.
fn expected(file: &Path) -> String {
    let text = std::fs::read_to_string(file).expect("readable");
    let header = text.lines().next().and_then(|line| line.strip_prefix("/*! expect: ")?.strip_suffix(" */"));
    header.unwrap_or_else(|| panic!("{} has no header", file.display())).to_owned()
}

#[test]
fn each_error_is_found_at_its_line_and_nothing_else_is() {
    let files = programs("errors");
    assert!(files.len() >= 25, "{}", files.len());
    compare(files);
}

#[test]
fn each_wrong_use_of_the_library_is_found_at_its_line_and_nothing_else_is() {
    let files = programs("misuse");
    assert!(files.len() >= 15, "{}", files.len());
    compare(files);
}

fn compare(files: Vec<PathBuf>) {
    let mut wrong = String::new();
    for file in files {
        let strict = Settings { strict: true, ..Settings::default() };
        let program = read_as(&file, &[], strict).unwrap_or_else(|e| panic!("{e}")).program;
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
            if found != expected(&file) {
                writeln!(wrong, "{} under {model}: {found}, not {}", file.display(), expected(&file))
                    .expect("a string");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
