use std::fmt;

use fencepost_budget::Spent;
use fencepost_program::{Address, Program, Span};

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
    /// Every execution within these bounds was looked at.
    Bounded(String),
}

impl Reason {
    /// Two threads access different parts of a cell at once, of which other accesses are to all of it and atomic.
    pub fn concurrent_parts(program: &Program, span: Span, at: Address) -> Reason {
        let place = program.place(span).map_or(String::new(), |place| format!("{place}: "));
        let name = program.cell_name(at);
        Reason::Other(format!(
            "{place}this access is to a part of `{name}`, concurrently with one by another thread, and there are atomic \
             accesses to all of `{name}`: no memory model defines this"
        ))
    }
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
    /// What it is if some executions were left out when the program was read (`Program::bounds`).
    pub fn within(self, bounds: &[String]) -> Outcome {
        match self {
            Outcome::Holds if !bounds.is_empty() => Outcome::Unknown(Reason::Bounded(crate::list(bounds, "and"))),
            outcome => outcome,
        }
    }

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
        if let Reason::Bounded(text) = self {
            return write!(f, "bounded: {text}");
        }
        f.write_str(match self {
            Reason::Timeout => "timeout",
            Reason::StateLimit => "state limit",
            Reason::ExecutionLimit => "execution limit",
            Reason::MemoryLimit => "memory limit",
            Reason::Interrupted => "interrupted",
            Reason::Unsupported(text) | Reason::NoExecution(text) | Reason::Other(text) | Reason::Bounded(text) => text,
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
