//! `programs/c/streams`: strings and streams of C++ in two threads. `check` and `explore` say the same of each program,
//! with the streams of ours that stand in for the library's, and find what its `broken` line breaks. A `flags` line has
//! arguments for clang.

use std::ffi::OsString;

use fencepost_check::check;
use fencepost_explore::{Options, count};
use fencepost_frontend::read_with;
use fencepost_models::Model;
use fencepost_story::{FindingKind, Outcome, Verdict};
use fencepost_testing::{Source, sample, sources};

/// What both engines say of a program that is compiled with these arguments too.
fn verdicts(source: &Source, arguments: &[&str]) -> [Verdict; 2] {
    let flags = source.all("flags").flat_map(str::split_whitespace);
    let arguments: Vec<OsString> = flags.chain(arguments.iter().copied()).map(OsString::from).collect();
    let program = read_with(&source.path, &arguments).unwrap_or_else(|e| panic!("{e}")).program;
    let checked = check(&program, &Default::default(), &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let explored = count(&program, &Options::new(Model::Rc11), &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    [checked, explored.verdict]
}

#[test]
fn programs_with_strings_and_streams_are_right_and_go_wrong_as_their_headers_say() {
    let programs = sources("c/streams", &["cc"]);
    assert!(programs.len() >= 25, "{}", programs.len());
    for source in sample(programs) {
        let path = source.path.display();
        assert_eq!(source.expect("check"), "robust", "{path}");
        for verdict in verdicts(&source, &[]) {
            assert_eq!(verdict.outcome, Outcome::Holds, "{path}");
        }
        let (definition, kind) = source.expect("broken").split_once(' ').expect("a definition and a kind of error");
        let expected = match kind {
            "race" => FindingKind::DataRace,
            "assertion" => FindingKind::Assertion,
            _ => panic!("{path}: {kind} is no kind of error"),
        };
        for verdict in verdicts(&source, &[definition]) {
            assert_eq!(verdict.outcome, Outcome::Violated, "{path} {definition}");
            assert_eq!(verdict.violations[0].kind, expected, "{path} {definition}");
        }
    }
}
