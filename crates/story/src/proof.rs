//! What a prover returns: for each property of a program, that it holds, or an alarm.

use fencepost_program::Span;

use crate::{Outcome, TraceStep};

/// The answer of a prover.
#[derive(Clone, Debug)]
pub struct ProofVerdict {
    pub outcome: Outcome,
    /// What the answers do not say.
    pub warning: Option<&'static str>,
    /// In source order.
    pub assertions: Vec<ProofAnswer>,
    /// Cases looked at.
    pub cases: u64,
    /// Why the answer that was asked about holds, or which cases are excluded; a line each.
    pub explanation: Vec<String>,
}

/// One property.
#[derive(Clone, Debug)]
pub struct ProofAnswer {
    /// `assertion`, `out-of-bounds`, `division-by-zero`, `division-overflow` or `condition`.
    pub kind: &'static str,
    /// Line 0 for a condition on final states.
    pub span: Span,
    /// As the source has it.
    pub text: String,
    /// Not if no execution gets there.
    pub reached: bool,
    pub cases: u64,
    /// `None` if it is proved.
    pub alarm: Option<ProofAlarm>,
}

/// A case in which a property may fail.
#[derive(Clone, Debug)]
pub struct ProofAlarm {
    pub thread: Option<String>,
    /// Names, and the least and greatest of their values.
    pub values: Vec<(String, i64, i64)>,
    pub reads: Vec<ProofRead>,
    /// The search ended because there were too many cases.
    pub limit: bool,
    /// What became of the alarm when executions were looked at.
    pub decision: Option<ProofDecision>,
}

#[derive(Clone, Debug)]
pub enum ProofDecision {
    /// An execution that fails: in an order that goes along program order and reads-from where there is one, else
    /// thread by thread.
    Real(Vec<TraceStep>),
    Bogus,
    Undecided(String),
}

/// A load and what it reads.
#[derive(Clone, Debug)]
pub struct ProofRead {
    pub thread: Option<String>,
    pub span: Span,
    pub location: Option<String>,
    pub source: ReadFrom,
    pub value: Option<(i64, i64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadFrom {
    NotExecuted,
    InitialValue,
    Store { thread: String, span: Span },
}

impl ProofVerdict {
    /// The answer of a prover that has not found any.
    pub fn unknown(outcome: Outcome, cases: u64) -> ProofVerdict {
        ProofVerdict { outcome, warning: None, assertions: Vec::new(), cases, explanation: Vec::new() }
    }
}

/// What became of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofResult {
    Proved,
    /// It may fail, as far as is known.
    Alarm,
    /// It fails.
    Real,
    /// It is not proved, but no execution fails.
    Bogus,
}

impl ProofResult {
    pub fn name(self) -> &'static str {
        match self {
            ProofResult::Proved => "proved",
            ProofResult::Alarm => "alarm",
            ProofResult::Real => "real",
            ProofResult::Bogus => "bogus",
        }
    }
}

impl ProofAnswer {
    pub fn result(&self) -> ProofResult {
        match self.alarm.as_ref().map(|alarm| &alarm.decision) {
            None => ProofResult::Proved,
            Some(None | Some(ProofDecision::Undecided(_))) => ProofResult::Alarm,
            Some(Some(ProofDecision::Real(_))) => ProofResult::Real,
            Some(Some(ProofDecision::Bogus)) => ProofResult::Bogus,
        }
    }
}
