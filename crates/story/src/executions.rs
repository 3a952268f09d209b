//! What an exploration of all executions has to tell beside its verdict.

use crate::{plural, thousands};
use fencepost_program::Value;

/// How many executions there are, and how they end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Executions {
    /// In which all threads have ended.
    pub complete: u64,
    /// In which some thread was cut off by an assumption, a wait or a spin loop.
    pub blocked: u64,
    /// How many events were added in all.
    pub events: u64,
    /// The bound on loops, if it cut off some execution.
    pub bound: Option<u32>,
    /// If asked for: what was expected.
    pub estimate: Option<Estimate>,
    /// Of a litmus test.
    pub condition: Option<ConditionAnswer>,
    /// If asked for: the final states, each once.
    pub outcomes: Option<Vec<FinalState>>,
}

/// How many executions there are expected to be, complete or blocked, and how long they take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub executions: f64,
    /// The standard error of `executions`, as a part of it.
    pub error: f64,
    pub seconds: f64,
    /// How many random descents it rests on.
    pub descents: u32,
}

impl Estimate {
    /// `about 525,000 executions (± 3 %) in about 2 s, by 2,000 random descents`.
    pub fn text(&self) -> String {
        let Estimate { executions, error, seconds, descents } = *self;
        let time = match seconds {
            s if s < 0.05 => "no time".to_string(),
            s if s < 10.0 => format!("about {s:.1} s"),
            s if s < 600.0 => format!("about {s:.0} s"),
            s if s < 36_000.0 => format!("about {:.0} min", s / 60.0),
            s => format!("about {} h", thousands((s / 3600.0) as u64)),
        };
        let error = (error * 100.0).ceil();
        let descents = thousands(descents.into());
        format!("about {} executions (± {error:.0} %) in {time}, by {descents} random descents", round(executions))
    }
}

/// Three digits are more than an estimate knows.
fn round(count: f64) -> String {
    let unit = 10f64.powf((count.max(1.0).log10() - 2.0).floor().max(0.0));
    let rounded = (count / unit).round() * unit;
    if rounded < 1e18 { thousands(rounded as u64) } else { format!("{rounded:.0e}") }
}

/// What the executions say about the condition of a litmus test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionAnswer {
    /// As the file has it, such as `exists (0:r0=0)`.
    pub text: String,
    /// How many complete executions satisfy its proposition, and how many do not.
    pub satisfying: u64,
    pub others: u64,
    /// Whether the condition is true of the executions counted.
    pub holds: bool,
}

impl ConditionAnswer {
    /// `never`, `sometimes` or `always`, as herd has it.
    pub fn observation(&self) -> &'static str {
        match (self.satisfying, self.others) {
            (0, _) => "never",
            (_, 0) => "always",
            _ => "sometimes",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalState {
    /// By name, such as `0:r0` or `flag[1]`.
    pub values: Vec<(String, Value)>,
    /// How many complete executions end in it.
    pub executions: u64,
    /// Whether it satisfies the proposition of the condition, if there is one.
    pub satisfies: Option<bool>,
}

impl Executions {
    /// `42 complete executions, 3 blocked (rc11)`.
    pub fn line(&self, model: &str) -> String {
        let executions = plural(self.complete, "execution", "executions");
        format!("{} complete {executions}, {} blocked ({model})", thousands(self.complete), thousands(self.blocked))
    }
}

impl ConditionAnswer {
    /// ``exists (0:r0=0): sometimes, in 1 of 4 executions``.
    pub fn line(&self) -> String {
        let all = self.satisfying + self.others;
        let share = match self.observation() {
            "sometimes" => format!(", in {} of {} executions", thousands(self.satisfying), thousands(all)),
            _ => format!(" in {} {}", thousands(all), plural(all, "execution", "executions")),
        };
        format!("{}: {}{share}", self.text, self.observation())
    }
}
