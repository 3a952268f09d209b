//! What a report of a C or C++ program says: in the words of the source, and what the program printed.

use std::ffi::OsString;
use std::time::Duration;

use fencepost_check::{Options, Properties, check};
use fencepost_frontend::{Nondet, Settings, read_as};
use fencepost_program::Program;
use fencepost_story::{Finding, FindingKind, Outcome};
use fencepost_testing::{compiled_as, programs};

fn program(text: &str, settings: Settings) -> Program {
    compiled_as("program", text, settings)
}

fn violation(program: &Program, options: &Options) -> Finding {
    let verdict = check(program, options, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(verdict.outcome, Outcome::Violated);
    verdict.violations.into_iter().next().expect("a violation")
}

#[test]
fn what_the_cpp_library_does_is_shown_at_the_lines_that_call_it_and_by_the_names_of_members() {
    let path = programs().join("c/cpp/peterson.cc");
    let arguments = [OsString::from("-DORDER=std::memory_order_relaxed")];
    let program = read_as(&path, &arguments, Settings::default()).unwrap_or_else(|e| panic!("{e}")).program;
    let verdict = check(&program, &Options::default(), &Default::default()).expect("a program for RC11");
    let violation = verdict.violations.first().expect("a violation");
    assert_eq!(violation.kind, FindingKind::Robustness);
    let file = |span: fencepost_program::Span| &program.sources[span.file.0 as usize].name;
    for access in &violation.accesses {
        assert!(file(access.span).ends_with("peterson.cc"), "{access:?} in {}", file(access.span));
        assert!(access.location.starts_with("mutex."), "{access:?}");
    }
    // Of how `std::thread` makes a thread, only that it does.
    for step in &violation.trace {
        assert!(!step.text.starts_with("heap[") && !step.text.starts_with("stack of"), "{}", step.text);
    }
    assert_eq!(violation.trace.iter().filter(|step| step.text.starts_with("spawn(")).count(), 2);
}

#[test]
fn what_was_printed_on_the_way_to_a_violation_is_shown_in_the_order_of_the_run() {
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n
        static atomic_int x;
        static struct { long whole; } pair;
        static void *other(void *p) { printf(\"begin\\n\"); x = 1; printf(\"wrote %d\", 1); puts(\"!\"); return p; }
        int main(void) {
            pthread_t thread;
            printf(\"before\\n\");
            ((int *)&pair)[1] = 2;
            printf(\"%ld\\n\", pair.whole >> 32);
            pthread_create(&thread, 0, other, 0);
            pthread_join(thread, 0);
            printf(\"x is %d\\n\", x);
            assert(x != 1);
        }";
    let output = |settings: Settings| {
        let found = violation(&program(text, settings), &Options::default());
        assert_eq!(found.kind, FindingKind::Assertion);
        found.output.into_iter().map(|line| format!("{}: {}", line.thread, line.text)).collect::<Vec<_>>()
    };
    let expected = ["main: before", "main: 2", "other: begin", "other: wrote 1!", "main: x is 1"];
    assert_eq!(output(Settings { output: true, ..Settings::default() }), expected);
    assert_eq!(output(Settings::default()), [""; 0]);
}

#[test]
fn values_that_nothing_determines_are_tried_within_their_bounds() {
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); assert(x * x != 49); }";
    let holds = |lo, hi| {
        let program = program(text, Settings { nondet: Nondet::Within(lo, hi), ..Settings::default() });
        let properties = Properties { robustness: false, ..Properties::default() };
        let options = Options { properties, ..Options::default() };
        check(&program, &options, &Default::default()).expect("a program for RC11").outcome == Outcome::Holds
    };
    assert!(holds(-6, 6) && !holds(-6, 7) && !holds(-7, 6));
}

/// The allocation is unordered too, but that is not what a user would look for.
#[test]
fn unordered_publication_is_a_race_with_a_way_out() {
    let path = programs().join("c/cpp/double-checked.cc");
    let arguments = [OsString::from("-DFIRST=std::memory_order_relaxed")];
    let program = read_as(&path, &arguments, Settings::default()).unwrap_or_else(|e| panic!("{e}")).program;
    let found = violation(&program, &Options { fixes: Some(Duration::from_secs(600)), ..Options::default() });
    assert_eq!(found.kind, FindingKind::DataRace, "{}", found.message);
    assert!(found.fixes.iter().any(|fix| fix.remains.is_none()), "{:?}", found.fixes);
}
