//! The table of paper 004's appendix C, and where the counts here differ from it.
//!
//! `programs/tables/jam21-appendix-c.csv` is the table, `programs/jam21/` has our versions of the tests, and
//! `programs/jam21/differences.csv` the counts that differ from the table by our definitions;
//! `docs/evidence/corpus-jam21.md` says why they do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executions {
    pub complete: u64,
    pub blocked: u64,
}

/// A row of the table.
pub struct Row {
    /// The name of our program: the test's, and its variant unless that is the first.
    pub name: String,
    pub rc11: Executions,
    pub jam21: Executions,
}

impl Row {
    /// Our program, if there is one.
    pub fn text(&self) -> Option<String> {
        fs::read_to_string(repository().join("programs/jam21").join(format!("{}.fp", self.name))).ok()
    }
}

/// A count that is not the table's.
pub struct Difference {
    pub found: Executions,
    pub reason: String,
}

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn rows() -> Vec<Row> {
    let row = |cells: Vec<String>| Row {
        name: if cells[2] == "0" { cells[1].clone() } else { format!("{}.v{}", cells[1], cells[2]) },
        rc11: executions(&cells[3], &cells[4]),
        jam21: executions(&cells[5], &cells[6]),
    };
    lines_of("programs/tables/jam21-appendix-c.csv").into_iter().map(row).collect()
}

/// By program and model.
pub fn differences() -> BTreeMap<(String, String), Difference> {
    let difference = |cells: Vec<String>| {
        let found = executions(&cells[2], &cells[3]);
        ((cells[0].clone(), cells[1].clone()), Difference { found, reason: cells[4].clone() })
    };
    lines_of("programs/jam21/differences.csv").into_iter().map(difference).collect()
}

fn lines_of(file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(repository().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect()).collect()
}

fn executions(complete: &str, blocked: &str) -> Executions {
    let number = |text: &str| text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    Executions { complete: number(complete), blocked: number(blocked) }
}
