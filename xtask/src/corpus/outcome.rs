//! A task with what came out of it.

use serde_json::{Value, json};

use super::answer::Answer;
use super::engines::{Asked, Engines};
use super::task::{Expected, Task};

pub struct Row {
    pub task: Task,
    pub asked: Asked,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Agreed,
    /// The answer is not what is expected.
    Disagreed,
    Refused,
    Open,
}

impl Row {
    pub fn new(task: Task, engines: &Engines) -> Row {
        let failed = |message| Asked { answer: Answer::Open(message), engine: "none", seconds: 0.0 };
        let asked = engines.ask(&task).unwrap_or_else(failed);
        Row { task, asked }
    }

    pub fn outcome(&self) -> Outcome {
        let quiet = |lines: &[u64]| lines.iter().any(|line| self.task.quiet_lines.contains(line));
        match &self.asked.answer {
            Answer::Violated { lines, .. } if quiet(lines) => Outcome::Disagreed,
            // What is said about some lines says nothing about others.
            Answer::Violated { .. } if self.task.expected == Expected::Holds && !self.task.quiet_lines.is_empty() => {
                Outcome::Open
            }
            Answer::Refused(_) => Outcome::Refused,
            Answer::Open(_) => Outcome::Open,
            answer if answer.verdict() == Some(self.task.expected) => Outcome::Agreed,
            _ => Outcome::Disagreed,
        }
    }

    /// What was said, in a few words.
    pub fn said(&self) -> String {
        match &self.asked.answer {
            Answer::Holds { .. } => "holds".into(),
            Answer::Violated { message, .. } => format!("violated: {message}"),
            Answer::Refused(reason) => format!("refused: {reason}"),
            Answer::Open(reason) => format!("no answer: {reason}"),
        }
    }

    pub fn executions(&self) -> Option<u64> {
        match self.asked.answer {
            Answer::Holds { executions } => executions,
            _ => None,
        }
    }

    pub fn line(&self) -> String {
        let (task, asked) = (&self.task, &self.asked);
        let (question, expected) = (task.question.name(), task.expected.name());
        let outcome = format!("{:?}", self.outcome()).to_lowercase();
        let (engine, seconds, said) = (asked.engine, asked.seconds, self.said());
        format!(
            "{outcome} {} {question} {} expected {expected}: {said} ({engine}, {seconds:.1} s)",
            task.name, task.model
        )
    }

    pub fn json(&self) -> Value {
        json!({
            "task": self.task.name,
            "question": self.task.question.name(),
            "model": self.task.model,
            "expected": self.task.expected.name(),
            "outcome": format!("{:?}", self.outcome()).to_lowercase(),
            "said": self.said(),
            "engine": self.asked.engine,
            "seconds": self.asked.seconds,
            "executions": self.executions(),
            "expected_executions": self.task.executions,
        })
    }
}
