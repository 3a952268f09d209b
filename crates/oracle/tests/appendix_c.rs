//! The programs of paper 004's appendix C have as many executions as its table says, by brute force.
//!
//! `programs/tables/jam21-appendix-c.csv` is the table, `programs/jam21/` has our versions of the tests, and
//! `programs/jam21/differences.csv` the counts that differ from the table by our definitions;
//! `docs/evidence/corpus-jam21.md` says why they do.

mod common;

use std::fs;

use common::parse;
use fencepost_graph::Graph;
use fencepost_models::Model;
use fencepost_oracle::appendix_c::{Difference, Executions, Row, differences, repository, rows};
use fencepost_oracle::free_graphs::{Question, ThreadAt, Verdict, generate};
use fencepost_oracle::{BoundExceeded, Bounds};
use fencepost_program::{Action, Program};

/// What a test run has time for; JAM21 costs more for each graph.
const RC11_BOUNDS: Bounds = Bounds { events: 64, graphs: 100_000 };
const JAM21_BOUNDS: Bounds = Bounds { events: 64, graphs: 20_000 };

struct Count<C> {
    consistent: C,
    found: Executions,
}

impl<C: Fn(&Graph) -> bool> Question for Count<C> {
    fn admits(&mut self, graph: &Graph) -> Verdict {
        if (self.consistent)(graph) { Verdict::Extend } else { Verdict::Cut }
    }

    /// An execution is blocked if some thread is cut off by an assumption and no other can go on.
    fn visit(&mut self, _: &Graph, threads: &[ThreadAt]) -> bool {
        if threads.iter().all(|t| t.action == Action::End) {
            self.found.complete += 1;
        } else if threads.iter().all(|t| matches!(t.action, Action::End | Action::Blocked)) {
            self.found.blocked += 1;
        }
        true
    }
}

fn count(
    program: &Program,
    model: Model,
    bounds: Bounds,
    consistent: impl Fn(&Graph) -> bool,
) -> Result<Executions, BoundExceeded> {
    let mut question = Count { consistent, found: Executions { complete: 0, blocked: 0 } };
    generate(program, model.sc_fence_label(), bounds, &mut question)?;
    Ok(question.found)
}

/// Compares what is found for all programs with what is expected of each row.
fn compare(
    model: Model,
    bounds: Bounds,
    consistent: impl Fn(&Graph) -> bool,
    expected: impl Fn(&Row, Executions) -> Executions,
) {
    let mut wrong = Vec::new();
    let mut too_large = Vec::new();
    for row in rows() {
        let Some(text) = row.text() else { continue };
        match count(&parse(&text), model, bounds, &consistent) {
            Ok(found) => {
                let expected = expected(&row, found);
                if found != expected {
                    wrong.push(format!("{}: expected {expected:?}, found {found:?}", row.name));
                }
            }
            Err(BoundExceeded) => too_large.push(row.name),
        }
    }
    println!("{} programs are too large: {}", too_large.len(), too_large.join(", "));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn executions_under_rc11() {
    let differences = differences();
    compare(
        Model::Rc11,
        RC11_BOUNDS,
        |graph| Model::Rc11.consistent(graph),
        |row, _| differences.get(&(row.name.clone(), "rc11".to_string())).map_or(row.rc11, |d| d.found),
    );
}

#[test]
fn executions_under_jam21() {
    let differences = differences();
    compare(
        Model::Jam21,
        JAM21_BOUNDS,
        |graph| Model::Jam21.consistent(graph),
        |row, _| differences.get(&(row.name.clone(), "jam21".to_string())).map_or(row.jam21, |d| d.found),
    );
}

/// The complete executions of a row with the release sequences of 2017.
fn complete_in_2017(row: Executions, difference: Option<&Difference>) -> u64 {
    difference.filter(|d| d.reason != "release-sequence").map_or(row, |d| d.found).complete
}

/// The table was made with the release sequences of 2017.
#[test]
fn complete_executions_under_rc11_with_the_release_sequences_of_2017() {
    let differences = differences();
    let model = Model::Rc11With2017ReleaseSequences;
    compare(
        model,
        RC11_BOUNDS,
        |graph| model.consistent(graph),
        |row, found| {
            let difference = differences.get(&(row.name.clone(), "rc11".to_string()));
            Executions { complete: complete_in_2017(row.rc11, difference), ..found }
        },
    );
}

#[test]
fn complete_executions_under_jam21_with_the_release_sequences_of_2017() {
    let differences = differences();
    let model = Model::Jam21With2017ReleaseSequences;
    compare(
        model,
        JAM21_BOUNDS,
        |graph| model.consistent(graph),
        |row, found| {
            let difference = differences.get(&(row.name.clone(), "jam21".to_string()));
            Executions { complete: complete_in_2017(row.jam21, difference), ..found }
        },
    );
}

#[test]
fn differences_are_of_rows_with_a_program_and_differ() {
    let rows = rows();
    for ((name, model), difference) in differences() {
        let row = rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("there is no row {name}"));
        assert!(row.text().is_some(), "{name} has no program");
        let stated = match model.as_str() {
            "rc11" => row.rc11,
            "jam21" => row.jam21,
            _ => panic!("{name}: the table has no model {model}"),
        };
        assert_ne!(stated, difference.found, "{name} {model}");
    }
}

#[test]
fn headers_repeat_the_table() {
    for row in rows() {
        let Some(text) = row.text() else { continue };
        let written = |e: Executions| format!("{}+{}", e.complete, e.blocked);
        let line = format!("//! expect-executions: rc11={} jam21={}\n", written(row.rc11), written(row.jam21));
        assert!(text.contains(&line), "{}: {line}", row.name);
    }
}

#[test]
fn every_row_is_in_the_documentation() {
    let document = fs::read_to_string(repository().join("docs/evidence/corpus-jam21.md")).expect("the documentation");
    for row in rows() {
        assert!(document.contains(&format!("| `{}` |", row.name)), "{}", row.name);
    }
}
