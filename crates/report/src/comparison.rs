//! The executions of a program under several models, side by side.

use fencepost_story::{Outcome, WitnessGraph, list, plural, thousands};
use serde::Serialize;
use serde_json::{Value, json};

use crate::phrase::unknown;
use crate::text::assuming;

#[derive(Clone, Debug)]
pub struct Comparison {
    /// The input as the user named it.
    pub file: String,
    /// Holds if all models that can be compared allow the same executions.
    pub outcome: Outcome,
    pub models: Vec<ModelCount>,
    pub differences: Vec<Difference>,
    /// What the program is taken to be able to rely on.
    pub assumptions: Vec<String>,
    /// Pairs of models that cannot be compared.
    pub incomparable: Vec<(String, String)>,
}

impl Comparison {
    /// With nothing compared yet.
    pub fn new(file: String, outcome: Outcome) -> Comparison {
        Comparison {
            file,
            outcome,
            models: Vec::new(),
            differences: Vec::new(),
            assumptions: Vec::new(),
            incomparable: Vec::new(),
        }
    }
}

/// How many executions a model allows.
#[derive(Clone, Debug, Serialize)]
pub struct ModelCount {
    pub model: String,
    pub complete: u64,
    pub blocked: u64,
    pub seconds: f64,
    /// The bound on loops, if it cut off some execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
}

/// Complete executions that one model allows and another forbids.
#[derive(Clone, Debug)]
pub struct Difference {
    pub allowed_by: String,
    pub forbidden_by: String,
    pub executions: u64,
    /// Why the one is forbidden that is shown, a line each.
    pub reason: Vec<String>,
    /// One of them: in words, for other programs, and to be drawn.
    pub text: String,
    pub json: Value,
    pub graph: WitnessGraph,
}

impl Comparison {
    /// The verdict in one line.
    pub fn headline(&self) -> String {
        let names: Vec<&str> = self.models.iter().map(|count| count.model.as_str()).collect();
        let models = list(&names, "and");
        let claim = match &self.outcome {
            Outcome::Holds => format!("has the same executions under {models}"),
            Outcome::Violated => format!("does not have the same executions under {models}"),
            Outcome::Unknown(reason) => unknown(reason, "difference"),
        };
        let bound = self.models.iter().filter_map(|count| count.bound).max();
        let bound = match bound.filter(|_| self.outcome == Outcome::Holds) {
            Some(bound) => format!(" up to {bound} {} of each loop", plural(bound.into(), "iteration", "iterations")),
            None => String::new(),
        };
        format!("{}{bound}: {} {claim}", self.outcome.name(), self.file)
    }

    /// For people: verdict, differences, counts.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.headline());
        for difference in &self.differences {
            let Difference { allowed_by, forbidden_by, executions, reason, text, .. } = difference;
            let number = thousands(*executions);
            let noun = plural(*executions, "execution", "executions");
            out.push_str(&format!(
                "\n{number} {noun} allowed by {allowed_by} and forbidden by {forbidden_by}, such as\n"
            ));
            out.push_str(text);
            reason.iter().for_each(|line| out.push_str(&format!("  {line}\n")));
        }
        if !self.differences.is_empty() {
            out.push('\n');
        }
        if !self.assumptions.is_empty() {
            out.push_str(&assuming(&self.assumptions));
        }
        for (a, b) in &self.incomparable {
            out.push_str(&format!("{a} and {b} see SC fences differently: their executions cannot be compared\n"));
        }
        for count in &self.models {
            let noun = plural(count.complete, "execution", "executions");
            let (complete, blocked) = (thousands(count.complete), thousands(count.blocked));
            let (model, seconds) = (&count.model, count.seconds);
            out.push_str(&format!("{complete} complete {noun}, {blocked} blocked ({model}), {seconds:.2} s\n"));
        }
        out
    }

    /// One line of JSON, without the end of line. `docs/reference/json.md` documents every field.
    pub fn json(&self) -> String {
        let difference = |difference: &Difference| {
            json!({
                "allowed_by": difference.allowed_by,
                "forbidden_by": difference.forbidden_by,
                "executions": difference.executions,
                "example": difference.json,
                "reason": difference.reason,
            })
        };
        let mut object = json!({
            "command": "explore",
            "file": self.file,
            "verdict": self.outcome.name(),
            "models": self.models,
            "differences": self.differences.iter().map(difference).collect::<Vec<_>>(),
            "incomparable": self.incomparable,
        });
        if let Outcome::Unknown(reason) = &self.outcome {
            object["reason"] = reason.to_string().into();
        }
        if !self.assumptions.is_empty() {
            object["assumptions"] = self.assumptions.clone().into();
        }
        object.to_string()
    }
}
