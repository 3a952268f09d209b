//! SV-COMP: a `.yml` file names the program and, for each property, the verdict.
//!
//! Programs mean what they do under sequential consistency, races of plain variables included.

use std::path::Path;

use super::task::{Expected, Question, Task};
use super::{files, name, text};

pub fn tasks(directory: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for file in files(directory, ".yml")? {
        let definition = definition(&text(&file)?);
        let Some(input) = definition.input else { continue };
        let program = file.with_file_name(input);
        if !program.is_file() {
            return Err(format!("{}: no file {}", file.display(), program.display()));
        }
        for (question, expected) in definition.properties {
            tasks.push(Task {
                name: name(directory, &file),
                file: program.clone(),
                text: None,
                question,
                model: "sc",
                expected,
                clang: Vec::new(),
                quiet_lines: Vec::new(),
                executions: None,
            });
        }
    }
    Ok(tasks)
}

#[derive(Default, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The first program. Tasks of several files do not occur among those with threads.
    pub input: Option<String>,
    pub properties: Vec<(Question, Expected)>,
}

/// Reads as much of YAML as these files use: keys with a value in the same line, and lists of them.
pub fn definition(text: &str) -> Definition {
    let mut definition = Definition::default();
    let (mut section, mut question) = ("", None);
    for line in text.lines() {
        let line = line.split_once(" #").map_or(line, |(line, _)| line);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let entry = line.trim().trim_start_matches("- ");
        let (key, value) = entry.split_once(':').map_or((entry, ""), |(key, value)| (key, value.trim()));
        if !line.starts_with([' ', '-']) {
            section = key;
        }
        match (section, key) {
            ("input_files", _) if definition.input.is_none() => {
                let value = if key == "input_files" { value } else { entry };
                let value = value.trim_matches(|c| "\"'[] ".contains(c));
                definition.input = (!value.is_empty()).then(|| value.to_owned());
            }
            ("properties", "property_file") => question = asked(value),
            ("properties", "expected_verdict") => {
                let expected = if value == "true" { Expected::Holds } else { Expected::Violated };
                definition.properties.extend(question.take().map(|question| (question, expected)));
            }
            _ => (),
        }
    }
    definition
}

/// Properties that are not named here, such as termination and coverage, are not ours.
fn asked(property: &str) -> Option<Question> {
    let property = property.trim_matches(['"', '\'']);
    match property.rsplit('/').next().unwrap_or(property) {
        "unreach-call.prp" => Some(Question::Assertions),
        "no-data-race.prp" => Some(Question::Races),
        "valid-memsafety.prp" => Some(Question::Memory),
        _ => None,
    }
}
