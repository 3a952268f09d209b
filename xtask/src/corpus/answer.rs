//! What a run of `fencepost` says about a question.

use serde_json::Value;

use super::task::{Expected, Question, Task};

#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// No violation, without a bound.
    Holds { executions: Option<u64> },
    /// A violation of what was asked, with the lines involved.
    Violated { lines: Vec<u64>, message: String },
    /// The program uses something that is not supported.
    Refused(String),
    /// A limit, a bound, or a finding that was not asked for.
    Open(String),
}

impl Answer {
    pub fn verdict(&self) -> Option<Expected> {
        match self {
            Answer::Holds { .. } => Some(Expected::Holds),
            Answer::Violated { .. } => Some(Expected::Violated),
            Answer::Refused(_) | Answer::Open(_) => None,
        }
    }
}

pub fn answer(task: &Task, output: &str, errors: &str) -> Answer {
    let Some(report) = output.lines().find_map(|line| serde_json::from_str::<Value>(line).ok()) else {
        return without_report(errors);
    };
    let text = |field: &str| report[field].as_str().unwrap_or_default();
    if report["condition"].is_object() && task.question == Question::Condition && text("verdict") != "unknown" {
        return of_condition(&report);
    }
    match text("verdict") {
        "holds" if report["bound"].is_null() && !is_bounded(text("caveat")) => {
            Answer::Holds { executions: report["executions"]["complete"].as_u64() }
        }
        "holds" => Answer::Open(format!("up to a bound: {}", text("caveat"))),
        "violated" => of_violation(task, &report["violations"][0], text("caveat")),
        _ if text("reason").contains("not supported") => Answer::Refused(text("reason").to_owned()),
        _ => Answer::Open(text("reason").to_owned()),
    }
}

/// Whether the values that were tried are only some.
fn is_bounded(caveat: &str) -> bool {
    caveat.contains("nondet")
}

fn of_condition(report: &Value) -> Answer {
    if report["condition"]["holds"] == true {
        Answer::Holds { executions: report["executions"]["complete"].as_u64() }
    } else {
        Answer::Violated { lines: Vec::new(), message: "the condition does not hold".into() }
    }
}

fn of_violation(task: &Task, violation: &Value, caveat: &str) -> Answer {
    let text = |field: &str| violation[field].as_str().unwrap_or_default();
    let accesses = violation["accesses"].as_array().map(Vec::as_slice).unwrap_or_default();
    let lines: Vec<u64> = accesses.iter().filter_map(|access| access["line"].as_u64()).collect();
    let message = format!("{}, line {lines:?}", text("message"));
    if task.question.is_about(text("kind")) && violation["confirmed"] != false {
        return Answer::Violated { lines, message };
    }
    Answer::Open(format!("found instead: {} ({message}) {caveat}", text("kind")).trim_end().to_owned())
}

/// A file that cannot be read, or a run that was ended.
fn without_report(errors: &str) -> Answer {
    // What clang says of a file comes after our own message.
    let of_clang = errors.lines().find_map(|line| Some(line.split_once(" error: ")?.1));
    let of_ours = errors.lines().find(|line| line.contains("error")).or(errors.lines().next());
    let message = of_clang.or(of_ours);
    match message {
        Some(message) if message.contains("timeout") => Answer::Open("timeout".into()),
        Some(message) => Answer::Refused(message.trim().to_owned()),
        None => Answer::Open("no report".into()),
    }
}
