//! The programs of paper 004's appendix C have as many executions as its table says, by brute force.
//!
//! `programs/tables/jam21-appendix-c.csv` is the table, `programs/jam21/` has our versions of the tests, and
//! `programs/jam21/differences.csv` the counts that differ from the table by our definitions; `docs/corpus-jam21.md` says
//! why they do.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::parse;
use fencepost_graph::Graph;
use fencepost_models::Model;
use fencepost_oracle::free_graphs::{Question, ThreadAt, Verdict, generate};
use fencepost_oracle::{BoundExceeded, Bounds};
use fencepost_program::{Action, Program};

/// What a test run has time for; JAM21 costs more for each graph.
const RC11_BOUNDS: Bounds = Bounds { events: 64, graphs: 100_000 };
const JAM21_BOUNDS: Bounds = Bounds { events: 64, graphs: 20_000 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Executions {
    complete: u64,
    blocked: u64,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lines_of(file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(repository().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect()).collect()
}

fn executions(complete: &str, blocked: &str) -> Executions {
    let number = |text: &str| text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    Executions { complete: number(complete), blocked: number(blocked) }
}

/// A row of the table.
struct Row {
    /// The name of our program: the test's, and its variant unless that is the first.
    name: String,
    rc11: Executions,
    jam21: Executions,
}

impl Row {
    fn text(&self) -> Option<String> {
        fs::read_to_string(repository().join("programs/jam21").join(format!("{}.fp", self.name))).ok()
    }
}

fn rows() -> Vec<Row> {
    let row = |cells: Vec<String>| Row {
        name: if cells[2] == "0" { cells[1].clone() } else { format!("{}.v{}", cells[1], cells[2]) },
        rc11: executions(&cells[3], &cells[4]),
        jam21: executions(&cells[5], &cells[6]),
    };
    lines_of("programs/tables/jam21-appendix-c.csv").into_iter().map(row).collect()
}

/// A count that is not the table's.
struct Difference {
    found: Executions,
    reason: String,
}

/// By program and model.
fn differences() -> BTreeMap<(String, String), Difference> {
    let difference = |cells: Vec<String>| {
        let found = executions(&cells[2], &cells[3]);
        ((cells[0].clone(), cells[1].clone()), Difference { found, reason: cells[4].clone() })
    };
    lines_of("programs/jam21/differences.csv").into_iter().map(difference).collect()
}

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
    let document = fs::read_to_string(repository().join("docs/corpus-jam21.md")).expect("the documentation");
    for row in rows() {
        assert!(document.contains(&format!("| `{}` |", row.name)), "{}", row.name);
    }
}
