//! C programs go wrong in the same way for `check`, which searches all states, and for an exploration of interleavings,
//! whatever goes wrong: assertions, `abort`, memory errors; and `exit` ends both.

use std::ffi::OsString;

use fencepost_explore::{Options, count};
use fencepost_frontend::read_with;
use fencepost_models::Model;
use fencepost_story::{Outcome, Reason, Verdict};
use fencepost_testing::{Source, is_quick, sample, sources};

/// The definitions that break a program, by its header, and none.
fn variants(source: &Source) -> Vec<Vec<OsString>> {
    let broken = source.all("broken").filter_map(|broken| broken.split_once(' '));
    let broken = broken.map(|(definition, _)| vec![OsString::from(definition)]);
    std::iter::once(Vec::new()).chain(broken).collect()
}

fn kind(verdict: &Verdict) -> String {
    match (&verdict.outcome, verdict.violations.first()) {
        (Outcome::Violated, Some(violation)) => violation.kind.name().to_owned(),
        // For `check`, an execution that goes on for ever is one.
        (Outcome::Unknown(Reason::NoExecution(why)), _) if why.contains("a loop without an exit") => "holds".to_owned(),
        (Outcome::Unknown(reason), _) => format!("unknown: {reason:?}"),
        (outcome, _) => outcome.name().to_owned(),
    }
}

#[test]
fn check_finds_what_an_exploration_of_interleavings_finds_in_c_programs() {
    use fencepost_check::{Options as Checking, Properties, check};
    let (mut compared, mut gone, mut deadlocks, mut differences) = (0, 0, 0, Vec::new());
    // Not those of C++: where a container is used without its lock, each engine finds another error first.
    let directories = ["c", "c/ends", "c/errors", "c/library", "c/sizes"];
    for source in sample(directories.into_iter().flat_map(|directory| sources(directory, &["c", "cc"]))) {
        for arguments in variants(&source) {
            let path = &source.path;
            let program = read_with(path, &arguments).unwrap_or_else(|e| panic!("{e}")).program;
            for assertions in [true, false] {
                let properties = Properties { assertions, deadlocks: !assertions, ..Properties::NONE };
                let exploring = Options { properties, ..Options::new(Model::Sc) };
                let explored = count(&program, &exploring, &Default::default()).unwrap().verdict;
                let local =
                    explored.violations.iter().any(|violation| violation.message.contains("a local variable of"));
                let explored = kind(&explored);
                let checking = Checking { properties, ..Checking::default() };
                let checked = kind(&check(&program, &checking, &Default::default()).unwrap_or_else(|e| panic!("{e}")));
                // That a local variable may be gone, although it never is in a run, is not what `check` asks.
                if local && checked == "holds" {
                    continue;
                }
                gone += u32::from(local);
                if checked != explored {
                    differences.push(format!("{} {arguments:?}: check {checked}, explore {explored}", path.display()));
                }
                compared += 1;
                deadlocks += (explored == "deadlock") as u32;
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(is_quick() || compared > 120 && gone >= 3 && deadlocks > 2, "{compared}, {deadlocks} deadlocks");
}
