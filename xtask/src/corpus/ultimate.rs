//! Ultimate's tests: a line `//#Safe` or `//#Unsafe` says what is expected. Those under `races` ask for races.

use std::path::Path;

use super::task::{Expected, Question, Task};
use super::{files, name, text};

pub fn tasks(directory: &Path) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for file in files(directory, ".c")? {
        let Some(expected) = expected(&text(&file)?) else { continue };
        let name = name(directory, &file);
        let races = name.split('/').any(|part| part == "races");
        let question = if races { Question::Races } else { Question::Assertions };
        tasks.push(Task {
            name,
            file,
            text: None,
            question,
            model: "sc",
            expected,
            clang: Vec::new(),
            quiet_lines: Vec::new(),
            executions: None,
        });
    }
    Ok(tasks)
}

pub fn expected(text: &str) -> Option<Expected> {
    text.lines().find_map(|line| match line.trim().strip_prefix("//#")?.split_whitespace().next()? {
        "Safe" => Some(Expected::Holds),
        "Unsafe" => Some(Expected::Violated),
        _ => None,
    })
}
