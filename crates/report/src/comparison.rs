//! The executions of a program under several models, side by side.

use fencepost_program::Source;
use fencepost_story::{Comparison, Difference, ModelCount, Outcome, list, plural, thousands};
use serde_json::json;

use crate::markup::escape;
use crate::page::{PageData, document};
use crate::phrase::unknown;
use crate::text::assuming;
use crate::{listing_json, listing_text};

/// A comparison, ready to be shown.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonReport<'a> {
    /// The input as the user named it.
    pub file: &'a str,
    /// What the answer assumes about the program's environment, such as that `malloc` succeeds.
    pub assumptions: &'a [String],
    /// What spans refer to.
    pub sources: &'a [Source],
    pub comparison: &'a Comparison,
}

impl ComparisonReport<'_> {
    /// The verdict in one line.
    pub fn headline(&self) -> String {
        let names: Vec<&str> = self.comparison.models.iter().map(|count| count.model.as_str()).collect();
        let models = list(&names, "and");
        let claim = match &self.comparison.outcome {
            Outcome::Holds => format!("has the same executions under {models}"),
            Outcome::Violated => format!("does not have the same executions under {models}"),
            Outcome::Unknown(reason) => unknown(reason, "difference"),
        };
        let bound = self.comparison.models.iter().filter_map(|count| count.bound).max();
        let bound = match bound.filter(|_| self.comparison.outcome == Outcome::Holds) {
            Some(bound) => format!(" up to {bound} {} of each loop", plural(bound.into(), "iteration", "iterations")),
            None => String::new(),
        };
        format!("{}{bound}: {} {claim}", self.comparison.outcome.name(), self.file)
    }

    /// A complete HTML document that shows an execution for each difference.
    pub fn html(&self) -> String {
        let plain = format!("<pre>{}</pre>\n", escape(&self.text()));
        let data = PageData::of_comparison(self);
        document(&data.headline, &plain, &serde_json::to_string(&data).expect("the data has nothing that JSON has not"))
    }

    /// The difference in one sentence without a full stop.
    pub(crate) fn sentence(difference: &Difference) -> String {
        let Difference { allowed_by, forbidden_by, executions, .. } = difference;
        let (number, noun) = (thousands(*executions), plural(*executions, "execution", "executions"));
        format!("{number} {noun} allowed by {allowed_by} and forbidden by {forbidden_by}")
    }

    /// What the answer cost, model by model.
    pub(crate) fn counts(&self) -> Vec<String> {
        let line = |count: &ModelCount| {
            let noun = plural(count.complete, "execution", "executions");
            let (complete, blocked) = (thousands(count.complete), thousands(count.blocked));
            let (model, seconds) = (&count.model, count.seconds);
            format!("{complete} complete {noun}, {blocked} blocked ({model}), {seconds:.2} s")
        };
        self.comparison.models.iter().map(line).collect()
    }

    /// For people: verdict, differences, counts.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.headline());
        for difference in &self.comparison.differences {
            let Difference { reason, example, .. } = difference;
            out.push_str(&format!("\n{}, such as\n", ComparisonReport::sentence(difference)));
            out.push_str(&listing_text(example));
            reason.iter().for_each(|line| out.push_str(&format!("  {line}\n")));
        }
        if !self.comparison.differences.is_empty() {
            out.push('\n');
        }
        if !self.assumptions.is_empty() {
            out.push_str(&assuming(self.assumptions));
        }
        for (a, b) in &self.comparison.incomparable {
            out.push_str(&format!("{a} and {b} see SC fences differently: their executions cannot be compared\n"));
        }
        self.counts().iter().for_each(|line| out.push_str(&format!("{line}\n")));
        out
    }

    /// One line of JSON, without the end of line. `docs/reference/json.md` documents every field.
    pub fn json(&self) -> String {
        let difference = |difference: &Difference| {
            json!({
                "allowed_by": difference.allowed_by,
                "forbidden_by": difference.forbidden_by,
                "executions": difference.executions,
                "example": listing_json(&difference.example),
                "reason": difference.reason,
            })
        };
        let count = |count: &ModelCount| {
            let ModelCount { model, complete, blocked, seconds, bound } = count;
            let mut object = json!({ "model": model, "complete": complete, "blocked": blocked, "seconds": seconds });
            if let Some(bound) = bound {
                object["bound"] = json!(bound);
            }
            object
        };
        let mut object = json!({
            "command": "explore",
            "file": self.file,
            "verdict": self.comparison.outcome.name(),
            "models": self.comparison.models.iter().map(count).collect::<Vec<_>>(),
            "differences": self.comparison.differences.iter().map(difference).collect::<Vec<_>>(),
            "incomparable": self.comparison.incomparable,
        });
        if let Outcome::Unknown(reason) = &self.comparison.outcome {
            object["reason"] = reason.to_string().into();
        }
        if !self.assumptions.is_empty() {
            object["assumptions"] = self.assumptions.into();
        }
        object.to_string()
    }
}
