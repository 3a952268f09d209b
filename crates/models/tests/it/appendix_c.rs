//! The litmus tests of paper 004's appendix C, against its table.

use std::fs;
use std::path::{Path, PathBuf};

use fencepost_models::Model;
use fencepost_oracle::{Bounds, complete_graphs};

use crate::support::parse;

/// Rows that differ, with what the definition gives. RC11 differs in the same way in all but the last, because release
/// sequences here are those of C++20: a relaxed write after a release write of the same thread does not continue them.
const EXPLAINED: [(&str, usize); 10] = [
    ("MP+rels+acq", 4),
    ("MP+rels+acqf", 4),
    ("S+rels+acq", 4),
    ("S+rels+acqf", 4),
    ("MPU+rels+acq", 13),
    ("MPU+rels+acqf", 13),
    ("MPU2+rels+acq", 36),
    ("MPU2+rels+acqf", 36),
    ("relseq", 20),
    ("WWR+2WR", 0),
];

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs")
}

#[test]
fn appendix_c_counts_as_many_complete_executions() {
    let table = fs::read_to_string(programs().join("tables/jam21-appendix-c.csv")).expect("the table");
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [group, test, variant, .., complete, _] = fields[..] else { panic!("{line}") };
        if group != "litmus" {
            continue;
        }
        let suffix = if variant == "0" { String::new() } else { format!(".v{variant}") };
        let Ok(text) = fs::read_to_string(programs().join(format!("jam21/{test}{suffix}.fp"))) else { continue };
        let explained = EXPLAINED.iter().find(|(name, _)| *name == test).map(|&(_, count)| count);
        let expected = explained.unwrap_or_else(|| complete.parse().expect("a count"));
        let found = complete_graphs(&parse(&text), Model::Jam21, Bounds { events: 64, graphs: 100_000 });
        assert_eq!(found.map(|graphs| graphs.len()), Ok(expected), "{test}{suffix}");
        compared += 1;
    }
    assert!(compared >= 150, "{compared} programs");
}
