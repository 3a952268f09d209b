//! Dat3M: tables in its unit tests say for each program in LLVM IR, processor and model what Dartagnan answers, and
//! `*-expected.csv` does for litmus tests. Compared are the models that are ours too: TSO, and RC11 as published. Its
//! C11 is another model, which lets loads come after later stores.
//!
//! `UNKNOWN` means that Dartagnan found no violation up to its bound, so none is expected of us.

use std::path::Path;

use super::task::{Expected, Question, Task};
use super::{files, name, text};

const RC11: &str = "rc11-2017";

pub fn tasks(directory: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = programs(directory)?;
    tasks.extend(litmus(directory)?);
    Ok(tasks)
}

fn programs(directory: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    let resources = directory.join("dartagnan/src/test/resources");
    for java in files(&directory.join("dartagnan/src/test/java"), "Test.java")? {
        for row in rows(&text(&java)?) {
            let file = resources.join(&row.program);
            if file.is_file() {
                tasks.push(task(name(&resources, &file), file, Question::Assertions, row.model, row.expected));
            }
        }
    }
    Ok(tasks)
}

fn litmus(directory: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for (table, model) in [("TSO-expected.csv", "tso"), ("RC11-expected.csv", RC11)] {
        let table = directory.join("dartagnan/src/test/resources").join(table);
        for row in text(&table)?.lines() {
            let Some((test, holds)) = row.split_once(',') else { continue };
            let file = directory.join(test);
            let expected = if holds.trim() == "1" { Expected::Holds } else { Expected::Violated };
            if file.is_file() {
                tasks.push(task(test.to_owned(), file, Question::Condition, model, expected));
            }
        }
    }
    Ok(tasks)
}

fn task(name: String, file: std::path::PathBuf, question: Question, model: &'static str, expected: Expected) -> Task {
    Task {
        name,
        file,
        text: None,
        question,
        model,
        expected,
        clang: Vec::new(),
        quiet_lines: Vec::new(),
        executions: None,
    }
}

#[derive(PartialEq, Eq, Debug)]
pub struct Row {
    /// Under the resources of the tests.
    pub program: String,
    pub model: &'static str,
    pub expected: Expected,
}

/// The rows of a unit test, such as `{"ttas", TSO, UNKNOWN},`.
pub fn rows(java: &str) -> Vec<Row> {
    let Some((folder, ending)) = path(java) else { return Vec::new() };
    let named = java.split_once("createWmmFromName(() -> \"").and_then(|(_, rest)| rest.split('"').next());
    let row = |line: &str| {
        let mut parts = line.trim().strip_prefix("{\"")?.split(['"', ',', '}']).map(str::trim);
        let program = parts.next()?;
        let mut parts = parts.filter(|part| !part.is_empty());
        let model = match (named, parts.next()?) {
            (None, "TSO") => "tso",
            (Some("rc11"), _) => RC11,
            _ => return None,
        };
        let expected = match parts.next()? {
            "FAIL" => Expected::Violated,
            "PASS" | "UNKNOWN" => Expected::Holds,
            _ => return None,
        };
        Some(Row { program: format!("{folder}{program}{ending}"), model, expected })
    };
    java.lines().filter_map(row).collect()
}

/// The folder and the ending of `getTestResourcePath("locks/" + name + ".ll")`.
fn path(java: &str) -> Option<(&str, &str)> {
    let (_, rest) = java.split_once("getTestResourcePath(\"")?;
    let (folder, rest) = rest.split_once("\" + name + \"")?;
    let ending = rest.split('"').next()?;
    ending.ends_with(".ll").then_some((folder, ending))
}
