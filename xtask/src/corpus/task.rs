//! What a benchmark asks, and what its authors expect.

use std::path::PathBuf;

pub struct Task {
    /// The file as a table names it. A file can ask several questions.
    pub name: String,
    pub file: PathBuf,
    /// What is checked in place of the file's text, with the same lines.
    pub text: Option<String>,
    pub question: Question,
    /// The model as `explore` and `prove` name it.
    pub model: &'static str,
    pub expected: Expected,
    /// For clang.
    pub clang: Vec<String>,
    /// Lines where nothing may be reported, whatever else is expected.
    pub quiet_lines: Vec<u64>,
    /// How many complete executions the authors' tool reports.
    pub executions: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Can an assertion fail?
    Assertions,
    /// Can two accesses race?
    Races,
    /// Can memory be used wrongly or lost?
    Memory,
    /// Can threads wait for ever?
    Deadlocks,
    /// The condition of a litmus test.
    Condition,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    Holds,
    Violated,
}

impl Question {
    pub fn name(self) -> &'static str {
        match self {
            Question::Assertions => "assertions",
            Question::Races => "races",
            Question::Memory => "memory",
            Question::Deadlocks => "deadlocks",
            Question::Condition => "condition",
        }
    }

    /// What `--properties` calls it. Memory errors belong to `assertions`.
    pub fn properties(self) -> &'static str {
        match self {
            Question::Races => "races",
            Question::Deadlocks => "deadlocks",
            _ => "assertions",
        }
    }

    /// Whether a finding of this kind answers the question. Another finding ends the search without an answer.
    pub fn is_about(self, kind: &str) -> bool {
        const MEMORY: [&str; 5] = ["out-of-bounds", "use-after-free", "invalid-free", "constant-write", "leak"];
        match self {
            Question::Assertions => kind == "assertion",
            Question::Races => kind == "data-race",
            Question::Memory => MEMORY.contains(&kind),
            Question::Deadlocks => kind == "deadlock",
            Question::Condition => kind == "condition",
        }
    }
}

impl Expected {
    pub fn name(self) -> &'static str {
        match self {
            Expected::Holds => "holds",
            Expected::Violated => "violated",
        }
    }
}
