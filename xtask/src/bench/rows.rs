//! The rows of the papers' tables.

use std::fs;
use std::path::PathBuf;

use crate::command::root;

/// One question about one program.
pub struct Row {
    pub program: String,
    pub file: PathBuf,
    pub model: &'static str,
    pub observational: bool,
}

/// Figure 7 of the RA paper, then figures 6 and 7 of the RC20 paper, each of the latter plain and observationally.
pub fn rows() -> Result<Vec<Row>, String> {
    let programs = root().join("programs");
    let read = |name: &str| {
        let path = programs.join(name);
        fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let aliases: Vec<(String, String)> = read("rc20/aliases.csv")?.lines().skip(1).filter_map(pair).collect();
    let mut rows = Vec::new();
    for program in first_column(&read("tables/rocker-ra-figure-7.csv")?) {
        let file = programs.join("ra").join(format!("{program}.fp"));
        rows.push(Row { program, file, model: "ra", observational: false });
    }
    for program in first_column(&read("tables/rocker-rc20-figures-6-7.csv")?) {
        let alias = aliases.iter().find(|(row, _)| *row == program).map(|(_, file)| file.clone());
        let file = programs.join("rc20").join(alias.unwrap_or_else(|| format!("{program}.fp")));
        for observational in [false, true] {
            rows.push(Row { program: program.clone(), file: file.clone(), model: "rc20", observational });
        }
    }
    match rows.iter().find(|row| !row.file.is_file()) {
        Some(row) => Err(format!("{} is in a table, but {} does not exist", row.program, row.file.display())),
        None => Ok(rows),
    }
}

fn first_column(table: &str) -> Vec<String> {
    table.lines().skip(1).filter_map(|line| line.split(',').next()).map(str::to_owned).collect()
}

fn pair(line: &str) -> Option<(String, String)> {
    line.split_once(',').map(|(row, file)| (row.to_owned(), file.to_owned()))
}
