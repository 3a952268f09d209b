//! Asks the engines one after the other, until one answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::answer::{Answer, answer};
use super::task::{Question, Task};

pub struct Engines {
    pub program: PathBuf,
    /// For one task, all engines together.
    pub limit: Duration,
}

pub struct Asked {
    pub answer: Answer,
    /// The engine that answered, or the first.
    pub engine: &'static str,
    pub seconds: f64,
}

/// `explore` first: it answers most. `check` keeps the states that it has seen, so it ends where threads loop. `prove`
/// needs no bounds, and knows nothing of races.
const ENGINES: [&str; 3] = ["explore", "check", "prove"];

impl Engines {
    pub fn ask(&self, task: &Task) -> Result<Asked, String> {
        let copy = Copy::of(task)?;
        let file = copy.file.as_deref().unwrap_or(&task.file);
        let engines: Vec<&str> = ENGINES.into_iter().filter(|engine| takes(engine, task)).collect();
        let started = Instant::now();
        let mut first: Option<Asked> = None;
        for (number, &engine) in engines.iter().enumerate() {
            let left = self.limit.saturating_sub(started.elapsed());
            // Half of what is left for each, so that what the first does not need helps the others.
            let share = if number + 1 == engines.len() { left } else { left / 2 };
            if share.is_zero() {
                break;
            }
            let mut answer = self.run(engine, task.question.properties(), task, file, share)?;
            if matches!(&answer, Answer::Open(reason) if reason.contains("a thread fails")) {
                answer = self.run(engine, "races,assertions", task, file, share)?;
            }
            let seconds = started.elapsed().as_secs_f64();
            let answers = answer.verdict().is_some();
            let asked = Asked { answer, engine, seconds };
            if answers {
                return Ok(asked);
            }
            first.get_or_insert(asked);
        }
        let mut first = first.ok_or("no engine takes this question")?;
        first.seconds = started.elapsed().as_secs_f64();
        Ok(first)
    }

    fn run(&self, engine: &str, properties: &str, task: &Task, file: &Path, limit: Duration) -> Result<Answer, String> {
        let mut command = Command::new(&self.program);
        command.args([engine, "--format", "json", "--memory", "4GiB"]);
        command.arg("--timeout").arg(format!("{}ms", limit.as_millis()));
        match engine {
            "explore" => command.args(["--model", task.model, "--properties", properties]),
            // Its assertions, races and deadlocks are those of SC executions, whatever the model.
            "check" => command.args(["--properties", properties]),
            _ => command.args(["--model", task.model]),
        };
        // What other verifiers call an error is `assert` or a function for it; `abort` ends a run.
        command.args(["--abort", "end"]);
        // Their programs take numbers from locals that nothing was assigned to. A proof takes them to be any anyway.
        if engine != "prove" {
            command.args(["--uninitialised", "any"]);
        }
        if engine == "explore" && task.question == Question::Memory {
            command.arg("--leaks");
        }
        command.arg(file);
        if !task.clang.is_empty() {
            command.arg("--").args(&task.clang);
        }
        let ran = command.stdin(Stdio::null()).output();
        let ran = ran.map_err(|e| format!("`{}` could not be started: {e}", self.program.display()))?;
        Ok(answer(task, &String::from_utf8_lossy(&ran.stdout), &String::from_utf8_lossy(&ran.stderr)))
    }
}

fn takes(engine: &str, task: &Task) -> bool {
    match engine {
        "check" => task.model == "sc" && !matches!(task.question, Question::Memory | Question::Condition),
        "prove" => task.question == Question::Assertions && matches!(task.model, "sc" | "tso"),
        _ => true,
    }
}

/// A file with what is checked in place of the task's, removed at the end.
struct Copy {
    file: Option<PathBuf>,
    _directory: Option<tempfile::TempDir>,
}

impl Copy {
    fn of(task: &Task) -> Result<Copy, String> {
        let Some(text) = &task.text else { return Ok(Copy { file: None, _directory: None }) };
        let directory = tempfile::tempdir().map_err(|e| format!("a temporary directory: {e}"))?;
        let name = task.file.file_name().ok_or_else(|| format!("{}: no file", task.file.display()))?;
        let file = directory.path().join(name);
        fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(Copy { file: Some(file), _directory: Some(directory) })
    }
}
