//! The sentences of a verdict.

use fencepost_story::{Claim, Executions, FindingKind, Outcome, Property, Reason, list, plural};

use crate::Report;

impl Report<'_> {
    /// The verdict in one line: its word, the input, and what is so.
    pub fn headline(&self) -> String {
        let claim = match &self.verdict.outcome {
            Outcome::Holds => match self.executions {
                Some(executions) => self.holding_in_all(executions),
                None => self.holding(),
            },
            Outcome::Violated => self.violated(),
            Outcome::Unknown(reason) => unknown(reason, "violation"),
        };
        let bound = match self.executions.and_then(|executions| executions.bound) {
            Some(bound) if self.verdict.outcome == Outcome::Holds => {
                format!(" up to {bound} {} of each loop", plural(bound.into(), "iteration", "iterations"))
            }
            _ => String::new(),
        };
        format!("{}{bound}: {} {claim}", self.verdict.outcome.name(), self.file)
    }

    fn holding(&self) -> String {
        let absent = self.absent();
        let robust = self.properties.contains(&Property::Robustness).then(|| self.robust());
        match (robust, absent.is_empty()) {
            (Some(robust), true) => format!("is {robust}"),
            (Some(robust), false) => format!("is {robust} and has no {}", list(&absent, "or")),
            (None, _) => format!("has no {} in sequentially consistent executions", list(&absent, "or")),
        }
    }

    /// Of an exploration, which covers the executions of the model itself.
    fn holding_in_all(&self, executions: &Executions) -> String {
        let mut claims: Vec<String> = Vec::new();
        claims.extend(executions.condition.as_ref().map(|_| "satisfies its condition".into()));
        let absent = self.absent();
        claims.extend((!absent.is_empty()).then(|| format!("has no {}", list(&absent, "or"))));
        format!("{} under {}", list(&claims, "and"), self.model)
    }

    /// What was looked for and not found.
    fn absent(&self) -> Vec<&'static str> {
        let asked = Property::ALL.into_iter().filter(|property| self.properties.contains(property));
        asked.filter_map(Property::absent).collect()
    }

    fn robust(&self) -> String {
        let adverb = if self.observational { "observationally " } else { "" };
        format!("{adverb}robust under {}", self.model)
    }

    fn violated(&self) -> String {
        let mut claims: Vec<String> = Vec::new();
        for violation in &self.verdict.violations {
            let claim = match violation.kind.row().claim {
                // Only observational robustness has false alarms (paper 001 Ex. 4.19).
                Claim::NotRobust if !violation.confirmed => format!("may not be {}", self.robust()),
                Claim::NotRobust => format!("is not {}", self.robust()),
                Claim::NotSatisfied => format!("does not satisfy its condition under {}", self.model),
                Claim::Plain { certain, uncertain } => (if violation.confirmed { certain } else { uncertain }).into(),
            };
            if !claims.contains(&claim) {
                claims.push(claim);
            }
        }
        list(&claims, "and")
    }

    /// Behind what is not known for all executions: a limit, or a violation that ended the search.
    pub(crate) fn so_far(&self) -> &'static str {
        let all_seen = match self.verdict.outcome {
            Outcome::Holds => true,
            Outcome::Violated => self.verdict.violations.iter().all(|v| v.kind == FindingKind::Condition),
            Outcome::Unknown(_) => false,
        };
        if all_seen { "" } else { " so far" }
    }

    /// What the answer cost.
    pub(crate) fn cost(&self) -> String {
        match self.executions {
            Some(executions) => format!("{}, {:.2} s", executions.line(self.model), self.verdict.statistics.seconds),
            None => self.verdict.statistics.line(),
        }
    }

    /// What the verdict leaves open, if anything.
    pub fn caveat(&self) -> Option<&'static str> {
        match self.verdict.outcome {
            Outcome::Holds if self.executions.is_none() && !self.properties.contains(&Property::Robustness) => Some(
                "Robustness was not checked, so weak executions were not visited. What holds here may fail in them.",
            ),
            Outcome::Holds if !self.properties.contains(&Property::Races) => {
                Some("Data races were not checked. A program with a data race has undefined behaviour.")
            }
            Outcome::Violated if self.verdict.violations.iter().any(|violation| !violation.confirmed) => Some(
                "This may be a false alarm: no execution that the model allows was found. (With --observational, \
                 `holds` is always certain.)",
            ),
            _ => None,
        }
    }
}

/// Says why there is no answer, and that no `what` was found.
pub(crate) fn unknown(reason: &Reason, what: &str) -> String {
    let stopped = match reason {
        Reason::Timeout => "was not searched completely: the time limit was reached (--timeout)".into(),
        Reason::StateLimit => "was not searched completely: the state limit was reached (--max-states)".into(),
        Reason::ExecutionLimit => {
            "was not searched completely: the limit of executions was reached (--max-executions)".into()
        }
        Reason::MemoryLimit => "was not searched completely: the memory limit was reached (--memory)".into(),
        Reason::Interrupted => "was not searched completely: the search was interrupted".into(),
        Reason::Unsupported(text) => format!("cannot be analysed: {text}"),
        Reason::Bounded(text) => format!("was searched only for executions in which {text} (--nondet LO..HI)"),
        Reason::NoExecution(text) | Reason::Other(text) => format!("could not be decided: {text}"),
    };
    format!("{stopped}; no {what} was found so far")
}
