//! The harness on small tasks of our own, in `xtask/corpus`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::answer::{Answer, answer};
use super::engines::Engines;
use super::outcome::{Outcome, Row};
use super::task::{Expected, Question, Task};
use super::{dat3m, goblint, nidhugg, svcomp, table, ultimate};
use crate::command::{cargo_program, root};

fn directory(kind: &str) -> PathBuf {
    root().join("xtask/corpus").join(kind)
}

/// The `fencepost` beside this test, which is built if nothing built it before.
fn engines() -> Engines {
    let here = std::env::current_exe().unwrap();
    let program = here.ancestors().nth(2).unwrap().join("fencepost");
    if !program.is_file() {
        let status = Command::new(cargo_program()).args(["build", "-p", "fencepost"]).current_dir(root()).status();
        assert!(status.unwrap().success());
    }
    Engines { program, limit: Duration::from_secs(300) }
}

/// The outcome of each task, with the question.
fn outcomes(tasks: Vec<Task>) -> Vec<(String, Question, Outcome)> {
    let engines = engines();
    let rows = tasks.into_iter().map(|task| Row::new(task, &engines));
    rows.map(|row| (row.task.name.clone(), row.task.question, row.outcome())).collect()
}

fn expect(tasks: Vec<Task>, expected: &[(&str, Question, Outcome)]) {
    let found = outcomes(tasks);
    let found: Vec<_> = found.iter().map(|(name, question, outcome)| (name.as_str(), *question, *outcome)).collect();
    assert_eq!(found, expected);
}

#[test]
fn sv_comp_tasks_are_compared_with_their_definitions() {
    expect(
        svcomp::tasks(&directory("svcomp")).unwrap(),
        &[
            ("locked.yml", Question::Assertions, Outcome::Agreed),
            ("locked.yml", Question::Races, Outcome::Agreed),
            ("lost_update.yml", Question::Assertions, Outcome::Agreed),
            ("lost_update.yml", Question::Races, Outcome::Agreed),
            ("wrong.yml", Question::Assertions, Outcome::Disagreed),
        ],
    );
}

#[test]
fn goblint_tasks_are_compared_with_their_comments() {
    expect(
        goblint::tasks(&directory("goblint")).unwrap(),
        &[
            ("01-checks.c", Question::Races, Outcome::Agreed),
            ("01-checks.c", Question::Assertions, Outcome::Agreed),
            ("01-checks.c", Question::Assertions, Outcome::Agreed),
            ("02-wrong.c", Question::Races, Outcome::Disagreed),
        ],
    );
}

#[test]
fn ultimate_tasks_are_compared_with_their_first_lines() {
    expect(
        ultimate::tasks(&directory("ultimate")).unwrap(),
        &[("races/same.c", Question::Races, Outcome::Agreed), ("safe.c", Question::Assertions, Outcome::Agreed)],
    );
}

#[test]
fn nidhugg_tasks_are_compared_with_their_table() {
    let tasks = nidhugg::tasks(&directory("nidhugg")).unwrap();
    let engines = engines();
    let rows: Vec<Row> = tasks.into_iter().map(|task| Row::new(task, &engines)).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].outcome(), Outcome::Agreed);
    assert_eq!(rows[0].executions(), rows[0].task.executions);
    assert!(table::summary(&rows).contains("1 of 1 have as many executions"));
}

#[test]
fn dat3m_tasks_are_compared_with_unit_tests_and_tables() {
    expect(
        dat3m::tasks(&directory("dat3m")).unwrap(),
        &[
            ("locks/lock.ll", Question::Assertions, Outcome::Agreed),
            ("litmus/SB.litmus", Question::Condition, Outcome::Agreed),
        ],
    );
}

#[test]
fn checks_of_another_kind_end_the_program_without_an_error() {
    let asked = goblint::questions("assert(a); // UNKNOWN\n__goblint_check(b); //FAIL\nif (c) assert(d);\n");
    let texts: Vec<_> = asked.iter().map(|asked| (asked.expected, asked.text.as_deref().unwrap())).collect();
    let start = "extern void _Exit(int);\n#line 1\n(void)((0 != (a)) || (_Exit(0), 0)); // UNKNOWN\n";
    let holds = format!("{start}(void)(b); //FAIL\nif (c) assert(d);\n");
    let fails = format!("{start}__goblint_check(b); //FAIL\nif (c) (void)((0 != (d)) || (_Exit(0), 0));\n");
    assert_eq!(texts, [(Expected::Holds, holds.as_str()), (Expected::Violated, fails.as_str())]);
}

#[test]
fn a_warning_that_may_be_false_leaves_races_open() {
    assert!(goblint::questions("x = 1; // RACE\ny = 1; // NORACE\n").is_empty());
    let asked = goblint::questions("x = 1; // RACE!\ny = 1; // NORACE\n// z = 1; // NORACE\n");
    assert_eq!(asked.len(), 1);
    assert_eq!((asked[0].expected, &asked[0].quiet_lines[..]), (Expected::Violated, &[2][..]));
}

fn task(question: Question) -> Task {
    Task {
        name: "task.c".into(),
        file: Path::new("task.c").into(),
        text: None,
        question,
        model: "sc",
        expected: Expected::Holds,
        clang: Vec::new(),
        quiet_lines: vec![7],
        executions: None,
    }
}

#[test]
fn another_finding_is_no_answer() {
    let report = r#"{"verdict":"violated","violations":[{"kind":"data-race","message":"m","accesses":[{"line":7}]}]}"#;
    let of = |question| answer(&task(question), report, "");
    assert!(matches!(of(Question::Races), Answer::Violated { lines, .. } if lines == [7]));
    assert!(matches!(of(Question::Assertions), Answer::Open(_)));
}

#[test]
fn a_bounded_verdict_is_no_answer() {
    let of = |report| answer(&task(Question::Assertions), report, "");
    assert_eq!(of(r#"{"verdict":"holds","executions":{"complete":3}}"#), Answer::Holds { executions: Some(3) });
    assert!(matches!(of(r#"{"verdict":"holds","bound":3}"#), Answer::Open(_)));
    assert!(matches!(of(r#"{"verdict":"unknown","reason":"timeout"}"#), Answer::Open(_)));
    assert!(matches!(of(r#"{"verdict":"unknown","reason":"a.c:3: `f`, which is not supported"}"#), Answer::Refused(_)));
}

#[test]
fn reasons_are_counted_without_their_places() {
    assert_eq!(table::reason("refused: /tmp/a.c:3: the program reaches `f`"), "refused: the program reaches `f`");
    assert_eq!(table::reason("a.c:3:4: `f`"), "`f`");
    assert_eq!(table::reason("error: no reader"), "error: no reader");
}
