//! Proofs and alarms, for people and for programs.

use anstyle::{AnsiColor, Style};
use fencepost_program::{Source, Span};
use fencepost_story::{
    Outcome, ProofAlarm, ProofAnswer, ProofDecision, ProofRead, ProofResult, ProofVerdict, ReadFrom, Reason, TraceStep,
    plural, thousands,
};
use serde_json::{Value, json};

use crate::excerpt::{self, Note};
use crate::listing::table;
use crate::text::assuming;

/// The verdict of `prove`, beside what was asked and the sources.
#[derive(Clone, Copy, Debug)]
pub struct ProofReport<'a> {
    /// The input as the user named it.
    pub file: &'a str,
    pub model: &'a str,
    pub method: &'a str,
    pub domain: &'a str,
    pub verdict: &'a ProofVerdict,
    /// What the answer assumes about the program's environment, such as that `malloc` succeeds.
    pub assumptions: &'a [String],
    pub sources: &'a [Source],
    pub seconds: f64,
    pub peak_bytes: u64,
}

const NEVER_REACHED: &str = "proved, never reached";

/// `assert(b == 5) may fail with b = 0`.
pub(crate) fn message(answer: &ProofAnswer, alarm: &ProofAlarm) -> String {
    let may = match alarm.decision {
        Some(ProofDecision::Real(_)) => "fails",
        Some(ProofDecision::Bogus) => "does not fail, but is not proved",
        _ => "may fail",
    };
    let values: Vec<String> =
        alarm.values.iter().map(|(name, lo, hi)| format!("{name} = {}", range(*lo, *hi))).collect();
    let with = if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
    format!("{} {may}{with}", answer.text)
}

impl ProofReport<'_> {
    fn count(&self, result: ProofResult) -> usize {
        self.verdict.assertions.iter().filter(|a| a.result() == result).count()
    }

    /// The verdict in one line.
    pub fn headline(&self) -> String {
        let total = self.verdict.assertions.len();
        // Perhaps they were compiled away: the reader should see that this says nothing.
        if total == 0 && self.verdict.outcome == Outcome::Holds {
            return format!(
                "holds: {} has no assertion, so there was nothing to prove under {}",
                self.file, self.model
            );
        }
        let noun = plural(total as u64, "assertion", "assertions");
        let proved = self.count(ProofResult::Proved);
        let mut parts = vec![format!("{proved} of {total} {noun} of {} proved under {}", self.file, self.model)];
        for (result, one, many) in [
            (ProofResult::Bogus, "bogus alarm", "bogus alarms"),
            (ProofResult::Real, "real alarm", "real alarms"),
            (ProofResult::Alarm, "alarm", "alarms"),
        ] {
            let n = self.count(result);
            if n > 0 {
                parts.push(format!("{n} {}", plural(n as u64, one, many)));
            }
        }
        let unreached = self.verdict.assertions.iter().filter(|a| !a.reached).count();
        if unreached > 0 {
            parts.push(format!(
                "{} never reached",
                if unreached == total { "all".into() } else { unreached.to_string() }
            ));
        }
        if let Outcome::Unknown(
            reason @ (Reason::Timeout | Reason::MemoryLimit | Reason::Interrupted | Reason::NoExecution(_)),
        ) = &self.verdict.outcome
        {
            parts.push(reason.to_string());
        }
        format!("{}: {}", self.verdict.outcome.name(), parts.join(", "))
    }

    pub fn text(&self, coloured: bool) -> String {
        let paint = |style: Style, text: &str| {
            if coloured { format!("{style}{text}{style:#}") } else { text.to_owned() }
        };
        let colour = match self.verdict.outcome {
            Outcome::Holds => AnsiColor::Green,
            Outcome::Violated => AnsiColor::Red,
            Outcome::Unknown(_) => AnsiColor::Yellow,
        };
        let mut out = paint(colour.on_default().bold(), &self.headline());
        out.push('\n');
        if let Some(warning) = self.verdict.warning {
            out.push_str(&format!("warning: {warning}\n"));
        }
        if self.verdict.outcome != Outcome::Violated && !self.assumptions.is_empty() {
            out.push_str(&assuming(self.assumptions));
        }
        out.push('\n');
        let width =
            if self.verdict.assertions.iter().all(|a| a.reached) { "proved".len() } else { NEVER_REACHED.len() };
        for (number, answer) in self.verdict.assertions.iter().enumerate() {
            let result = answer.result();
            let style = match result {
                ProofResult::Proved | ProofResult::Bogus => AnsiColor::Green,
                ProofResult::Real => AnsiColor::Red,
                ProofResult::Alarm => AnsiColor::Yellow,
            };
            let result = if answer.reached { result.name() } else { NEVER_REACHED };
            let result = paint(style.on_default().bold(), &format!("{result:<width$}"));
            let place = if answer.span.line == 0 { "at the end".into() } else { format!("line {}", answer.span.line) };
            let cases = thousands(answer.cases);
            let noun = plural(answer.cases, "case", "cases");
            out.push_str(&format!("{:>3}  {result}  {place:<10}  {}  ({cases} {noun})\n", number + 1, answer.text));
        }
        for (number, answer) in self.verdict.assertions.iter().enumerate() {
            if let Some(alarm) = &answer.alarm {
                out.push_str(&self.alarm_text(number + 1, answer, alarm, coloured));
            }
        }
        let cases = format!("{} {}", thousands(self.verdict.cases), plural(self.verdict.cases, "case", "cases"));
        let cost = format!("{cases}, {:.2} s ({}, {})", self.seconds, self.method, self.domain);
        out.push_str(&format!("\n{}\n", paint(Style::new().dimmed(), &cost)));
        self.verdict.explanation.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        out
    }

    fn alarm_text(&self, number: usize, answer: &ProofAnswer, alarm: &ProofAlarm, coloured: bool) -> String {
        let mut out = String::new();
        let message = format!("{number}: {}", message(answer, alarm));
        let mut notes = Vec::new();
        if answer.span.line != 0 {
            let text = alarm.thread.as_deref().unwrap_or_default().to_owned();
            notes.push(Note { span: answer.span, text, primary: true });
        }
        for read in &alarm.reads {
            if let Some(text) = read_text(read) {
                notes.push(Note { span: read.span, text, primary: false });
            }
        }
        out.push_str(&format!("\n{}\n", excerpt::error(self.sources, &message, &notes, coloured)));
        if alarm.limit {
            out.push_str(
                "The search was ended by --max-cases, --timeout, --memory or Ctrl-C; more cases might prove it.\n",
            );
        }
        match &alarm.decision {
            Some(ProofDecision::Undecided(why)) => out.push_str(&format!("Not confirmed: {why}.\n")),
            Some(ProofDecision::Bogus) => {
                out.push_str("No execution that the model allows fails: the alarm is bogus.\n")
            }
            Some(ProofDecision::Real(trace)) => {
                out.push_str("Executions that the model allows fail, such as\n");
                let place = |span: Span| if span.line == 0 { String::new() } else { format!("line {}", span.line) };
                let row = |(i, step): (usize, &TraceStep)| {
                    [(i + 1).to_string(), step.thread.clone(), step.text.clone(), step.values(), place(step.span)]
                };
                out.push_str(&table(&trace.iter().enumerate().map(row).collect::<Vec<_>>()));
            }
            None => {}
        }
        out
    }

    /// One line of JSON, without the end of line. `docs/reference/json.md` documents every field.
    pub fn json(&self) -> String {
        let file = |span: Span| self.sources.get(span.file.0 as usize).filter(|_| span.line != 0).map(|s| &s.name);
        let line = |span: Span| Some(span.line).filter(|&line| line != 0);
        let read = |read: &ProofRead| {
            json!({
                "thread": read.thread,
                "file": file(read.span),
                "line": line(read.span),
                "location": read.location,
                "from": match &read.source {
                    ReadFrom::NotExecuted => json!("not executed"),
                    ReadFrom::InitialValue => json!("initial value"),
                    ReadFrom::Store { thread, span } => {
                        json!({ "thread": thread, "file": file(*span), "line": line(*span) })
                    }
                },
                "value": read.value.map(|(lo, hi)| json!([lo, hi])),
            })
        };
        let step = |step: &TraceStep| {
            json!({
                "thread": step.thread,
                "step": step.text,
                "read": step.read,
                "written": step.written,
                "file": file(step.span),
                "line": line(step.span),
            })
        };
        let answer = |answer: &ProofAnswer| {
            let mut object = json!({
                "kind": answer.kind,
                "file": file(answer.span),
                "line": line(answer.span),
                "column": Some(answer.span.column).filter(|_| answer.span.line != 0),
                "text": answer.text,
                "result": answer.result().name(),
                "reached": answer.reached,
                "cases": answer.cases,
            });
            if let Some(alarm) = &answer.alarm {
                let values = alarm.values.iter().map(|(name, lo, hi)| (name.clone(), json!([lo, hi])));
                object["thread"] = json!(alarm.thread);
                object["values"] = Value::Object(values.collect());
                object["combination"] = alarm.reads.iter().map(read).collect();
                object["limit"] = alarm.limit.into();
                if let Some(ProofDecision::Real(trace)) = &alarm.decision {
                    object["execution"] = trace.iter().map(step).collect();
                }
            }
            object
        };
        let mut object = json!({
            "command": "prove",
            "file": self.file,
            "model": self.model,
            "method": self.method,
            "domain": self.domain,
            "verdict": self.verdict.outcome.name(),
            "assertions": self.verdict.assertions.iter().map(answer).collect::<Vec<_>>(),
            "cases": self.verdict.cases,
            "seconds": self.seconds,
            "peak_bytes": self.peak_bytes,
            "violations": [],
        });
        if let Outcome::Unknown(reason) = &self.verdict.outcome {
            object["reason"] = reason.to_string().into();
        }
        if let Some(warning) = self.verdict.warning {
            object["caveat"] = warning.into();
        }
        if !self.assumptions.is_empty() {
            object["assumptions"] = self.assumptions.into();
        }
        object.to_string()
    }
}

/// What a load reads, for a note beside it; nothing if it is not executed.
pub(crate) fn read_text(read: &ProofRead) -> Option<String> {
    let who = read.thread.as_ref().map_or(String::new(), |thread| format!("{thread}: "));
    let value = read.value.map_or(String::new(), |(lo, hi)| format!(" {}", range(lo, hi)));
    let what = read.location.as_deref().unwrap_or("the cell");
    Some(match (&read.source, read.thread.is_some()) {
        (ReadFrom::NotExecuted, _) => return None,
        (ReadFrom::InitialValue, true) => format!("{who}reads the initial value{value}"),
        (ReadFrom::Store { thread, span }, true) => format!("{who}reads{value} from {thread}, line {}", span.line),
        (ReadFrom::InitialValue, false) => format!("{what} keeps its initial value{value}"),
        (ReadFrom::Store { thread, span }, false) => {
            format!("{what} ends as{value}, stored by {thread} in line {}", span.line)
        }
    })
}

fn range(lo: i64, hi: i64) -> String {
    match (lo, hi) {
        (i64::MIN, i64::MAX) => "any value".into(),
        (i64::MIN, hi) => format!("at most {hi}"),
        (lo, i64::MAX) => format!("at least {lo}"),
        (lo, hi) if lo == hi => lo.to_string(),
        (lo, hi) => format!("{lo}..{hi}"),
    }
}
