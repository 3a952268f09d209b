//! The sentences of a verdict.

use crate::{ConditionAnswer, Executions, Outcome, Property, Reason, Report, Statistics, ViolationKind};

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
        [(Property::Races, "data race"), (Property::Assertions, "failing assertion"), (Property::Deadlocks, "deadlock")]
            .into_iter()
            .filter(|(property, _)| self.properties.contains(property))
            .map(|(_, name)| name)
            .collect()
    }

    fn robust(&self) -> String {
        let adverb = if self.observational { "observationally " } else { "" };
        format!("{adverb}robust under {}", self.model)
    }

    fn violated(&self) -> String {
        let mut claims: Vec<String> = Vec::new();
        for violation in &self.verdict.violations {
            let claim = match violation.kind {
                // Only observational robustness has false alarms (paper 001 Ex. 4.19).
                ViolationKind::Robustness | ViolationKind::StaleDependency if !violation.confirmed => {
                    format!("may not be {}", self.robust())
                }
                ViolationKind::DataRace if !violation.confirmed => "may have a data race".into(),
                ViolationKind::UseAfterFree if !violation.confirmed => "may use memory after it was freed".into(),
                ViolationKind::Robustness | ViolationKind::StaleDependency => format!("is not {}", self.robust()),
                ViolationKind::DataRace => "has a data race".into(),
                ViolationKind::Condition => format!("does not satisfy its condition under {}", self.model),
                ViolationKind::Assertion => "has a failing assertion".into(),
                ViolationKind::Deadlock => "can deadlock".into(),
                ViolationKind::OutOfBounds => "has an index out of bounds".into(),
                ViolationKind::UseAfterFree => "uses memory after it was freed".into(),
                ViolationKind::InvalidFree => "frees memory wrongly".into(),
                ViolationKind::UninitialisedRead => "reads uninitialised memory".into(),
                ViolationKind::Leak => "leaks memory".into(),
                ViolationKind::DivisionByZero => "divides by zero".into(),
                ViolationKind::DivisionOverflow => "divides the smallest integer by -1".into(),
                ViolationKind::ConstantWrite => "writes to constant memory".into(),
                ViolationKind::Misuse => "uses the C library wrongly".into(),
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
            Outcome::Violated => self.verdict.violations.iter().all(|v| v.kind == ViolationKind::Condition),
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

    /// What the verdict does not say; `None` if nothing is left open.
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

/// Why there is no answer, and that `what` was not found.
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
        Reason::NoExecution(text) | Reason::Other(text) => format!("could not be decided: {text}"),
    };
    format!("{stopped}; no {what} was found so far")
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

pub(crate) fn plural<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

impl Statistics {
    /// `1,204 states, 3,331 transitions, depth 31, 0.02 s, 4.1 MiB`.
    pub fn line(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.states.map(|n| format!("{} {}", thousands(n), plural(n, "state", "states"))));
        parts.extend(self.transitions.map(|n| format!("{} {}", thousands(n), plural(n, "transition", "transitions"))));
        parts.extend(self.depth.map(|n| format!("depth {n}")));
        parts.push(format!("{:.2} s", self.seconds));
        parts.push(bytes(self.peak_bytes));
        parts.join(", ")
    }
}

/// `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `512 B`, `4.1 MiB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if number < 1024 {
        return format!("{number} B");
    }
    let mut scaled = number as f64 / 1024.0;
    let mut unit = 0;
    while scaled >= 1024.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    format!("{scaled:.1} {}", UNITS[unit])
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn list(items: &[impl AsRef<str>], conjunction: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [init @ .., last] => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{} {conjunction} {}", init.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_thousands() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn bytes_are_shown_in_the_largest_binary_unit() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1024), "1.0 KiB");
        assert_eq!(bytes(5 << 30), "5.0 GiB");
        assert_eq!(bytes(u64::MAX), "16.0 EiB");
    }

    #[test]
    fn figures_that_an_engine_lacks_are_left_out() {
        let statistics = Statistics { states: Some(1), seconds: 0.5, peak_bytes: 2048, ..Statistics::default() };
        assert_eq!(statistics.line(), "1 state, 0.50 s, 2.0 KiB");
    }

    #[test]
    fn lists_end_in_their_conjunction() {
        assert_eq!(list(&["a"], "or"), "a");
        assert_eq!(list(&["a", "b", "c"], "or"), "a, b or c");
    }
}
