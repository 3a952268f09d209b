//! Nidhugg's tests: `reference.results.txt` says for each program whether its assertion can fail under SC (`Allow` or
//! `Forbid`), and how many executions Nidhugg counts.

use std::path::Path;

use super::task::{Expected, Question, Task};
use super::{files, name, text};

pub fn tasks(directory: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for table in files(directory, "reference.results.txt")? {
        for (program, expected, executions) in rows(&text(&table)?) {
            let file = table.with_file_name("C-tests").join(format!("{program}.c"));
            if !file.is_file() {
                continue;
            }
            tasks.push(Task {
                name: name(directory, &file),
                file,
                text: None,
                question: Question::Assertions,
                model: "sc",
                expected,
                clang: Vec::new(),
                quiet_lines: Vec::new(),
                executions,
            });
        }
    }
    Ok(tasks)
}

/// The name of each program, what is expected, and the number of executions.
pub fn rows(text: &str) -> Vec<(&str, Expected, Option<u64>)> {
    let row = |line| {
        let mut words = str::split_whitespace(line);
        let name = words.next().filter(|name| !name.starts_with('#'))?;
        let expected = match words.next()? {
            "Allow" => Expected::Violated,
            "Forbid" => Expected::Holds,
            _ => return None,
        };
        Some((name, expected, words.nth(1).and_then(|number| number.parse().ok())))
    };
    text.lines().filter_map(row).collect()
}
