use std::fmt;

use fencepost_budget::Spent;

use crate::Finding;

/// The answer of an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub outcome: Outcome,
    /// The evidence. Empty unless the outcome is [`Outcome::Violated`].
    pub violations: Vec<Finding>,
    pub statistics: Statistics,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every execution that the question is about was covered.
    Holds,
    Violated,
    /// Some executions were not looked at, and none of the others is a violation.
    Unknown(Reason),
}

/// Why an engine stopped before it knew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Timeout,
    StateLimit,
    ExecutionLimit,
    MemoryLimit,
    Interrupted,
    /// A place in the source, and what it has that we do not support.
    Unsupported(String),
    /// No execution completes, and why: what is said of all executions says nothing.
    NoExecution(String),
    Other(String),
}

impl From<Spent> for Reason {
    fn from(spent: Spent) -> Reason {
        match spent {
            Spent::Timeout => Reason::Timeout,
            Spent::Memory => Reason::MemoryLimit,
            Spent::Interrupted => Reason::Interrupted,
        }
    }
}

impl Outcome {
    /// The word for it in JSON and at the start of a text report.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::Violated => "violated",
            Outcome::Unknown(_) => "unknown",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Timeout => "timeout",
            Reason::StateLimit => "state limit",
            Reason::ExecutionLimit => "execution limit",
            Reason::MemoryLimit => "memory limit",
            Reason::Interrupted => "interrupted",
            Reason::Unsupported(text) | Reason::NoExecution(text) | Reason::Other(text) => text,
        })
    }
}

/// The cost of an answer. Figures that an engine does not have are `None`, and are not shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    pub states: Option<u64>,
    pub transitions: Option<u64>,
    /// The number of steps of the longest run looked at.
    pub depth: Option<u32>,
    pub seconds: f64,
    pub peak_bytes: u64,
}
