//! `programs/c/errors`: wrong uses of memory, each found in a sequentially consistent run at the line that its header
//! names, and right ones. Whether nothing is lost in the end is not what `check` asks.

use fencepost_check::{Options, Properties, check};
use fencepost_frontend::read_with;
use fencepost_story::Outcome;
use fencepost_testing::sources;

#[test]
fn an_error_of_memory_is_found_where_the_header_says() {
    let (mut wrong, mut right, mut differences) = (0, 0, Vec::new());
    for source in sources("c/errors", &["c"]) {
        let (path, expected) = (&source.path, source.expect("expect"));
        let expected = if expected.starts_with("leak") { "holds" } else { expected };
        let program = read_with(path, &[]).unwrap_or_else(|e| panic!("{e}")).program;
        for closure in [0, Options::default().closure] {
            let properties = Properties { robustness: false, races: false, ..Properties::default() };
            let options = Options { properties, closure, ..Options::default() };
            let verdict = check(&program, &options, &Default::default()).expect("a program for RC11");
            let found = match (&verdict.outcome, verdict.violations.first()) {
                (Outcome::Holds, _) => "holds".to_owned(),
                (_, Some(violation)) => {
                    let line = violation.accesses.first().map_or(0, |access| access.span.line);
                    format!("{} at {line}", violation.kind.name())
                }
                (outcome, None) => format!("{outcome:?}"),
            };
            *if found == "holds" { &mut right } else { &mut wrong } += 1;
            if found != expected {
                differences.push(format!("{}: expected {expected}, found {found}", path.display()));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(wrong >= 20 && right >= 16, "{wrong} wrong, {right} right");
}
