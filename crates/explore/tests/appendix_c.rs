//! Exploring the programs of paper 004's appendix C gives the counts of its table, or where
//! `programs/jam21/differences.csv` has another, that one; `docs/evidence/corpus-jam21.md` says why. By the
//! definitions, the same is counted in `fencepost-oracle`.

use fencepost_explore::{Options, explore};
use fencepost_frontend::parse_fp;
use fencepost_models::Model;
use fencepost_oracle::appendix_c::{Executions, Row, differences, rows};
use fencepost_story::Properties;

fn explored(row: &Row, text: &str, model: Model) -> Executions {
    let input = parse_fp(&row.name, text).unwrap_or_else(|e| panic!("{e}"));
    let options = Options { properties: Properties::NONE, ..Options::new(model) };
    let found = explore(&input.program, &options, &Default::default(), |_| {}).unwrap();
    Executions { complete: found.complete, blocked: found.blocked }
}

fn compare(model: Model, expected: impl Fn(&Row, Executions) -> Executions) {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for row in rows() {
        let Some(text) = row.text() else { continue };
        let found = explored(&row, &text, model);
        let expected = expected(&row, found);
        if found != expected {
            wrong.push(format!("{}: expected {expected:?}, found {found:?}", row.name));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{model}\n{}", wrong.join("\n"));
    assert!(compared > 170, "only {compared} rows have a program");
}

#[test]
fn complete_and_blocked_executions_under_rc11() {
    let differences = differences();
    compare(Model::Rc11, |row, _| differences.get(&(row.name.clone(), "rc11".into())).map_or(row.rc11, |d| d.found));
}

#[test]
fn complete_and_blocked_executions_under_jam21() {
    let differences = differences();
    compare(Model::Jam21, |row, _| differences.get(&(row.name.clone(), "jam21".into())).map_or(row.jam21, |d| d.found));
}

/// With the release sequences of 2017, as in the thesis, its counts of complete executions come out, but for rows that
/// differ for another reason. What counts as blocked differs, see `filtered-reads` in `docs/evidence/corpus-jam21.md`.
#[test]
fn complete_executions_with_the_release_sequences_of_2017() {
    let differences = differences();
    let other_reason = |row: &Row, model: &str, table: Executions| {
        let difference = differences.get(&(row.name.clone(), model.to_string()));
        difference.filter(|d| d.reason != "release-sequence").map_or(table, |d| d.found).complete
    };
    // These rows of the thesis stopped at a race. Both models have as many executions as its RC11.
    let stopped_at_race = |row: &Row| row.name.starts_with("dq");
    compare(Model::Rc11With2017ReleaseSequences, |row, found| Executions {
        complete: other_reason(row, "rc11", row.rc11),
        ..found
    });
    compare(Model::Jam21With2017ReleaseSequences, |row, found| Executions {
        complete: if stopped_at_race(row) { row.rc11.complete } else { other_reason(row, "jam21", row.jam21) },
        ..found
    });
}
