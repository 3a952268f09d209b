use fencepost_program::{Ordering, Span, Value};

use crate::{FindingKind, WitnessGraph};

/// One way in which a program breaks the property, with the evidence for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub kind: FindingKind,
    /// One sentence without a full stop, such as "`x.load(rlx)` may read 0 although 1 overwrote it".
    pub message: String,
    /// The accesses that matter, the one to look at first in front.
    pub accesses: Vec<AccessSite>,
    /// A run that leads to the violation, the shortest one that is known.
    pub trace: Vec<TraceStep>,
    /// What the program printed on the way, if that was asked for.
    pub output: Vec<PrintedLine>,
    /// Why this is a violation; one paragraph each.
    pub explanation: Vec<String>,
    /// Ways to repair it, the cheapest first.
    pub fixes: Vec<Fix>,
    pub graph: Option<WitnessGraph>,
    /// Whether an execution that the model allows is known to show it. Only the observational form of robustness has
    /// others.
    pub confirmed: bool,
    /// The trace is an interleaving of the threads: what sequentially consistent memory does.
    pub interleaved: bool,
}

impl Finding {
    /// A finding without evidence.
    pub fn new(kind: FindingKind, message: String) -> Finding {
        Finding {
            kind,
            message,
            accesses: Vec::new(),
            trace: Vec::new(),
            output: Vec::new(),
            explanation: Vec::new(),
            fixes: Vec::new(),
            graph: None,
            confirmed: true,
            interleaved: false,
        }
    }
}

/// Changes of a program that together repair a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The changes in words, without a full stop.
    pub text: String,
    pub changes: Vec<FixChange>,
    /// `None`: with the changes the property was checked, and holds. Else what may still go wrong, in words.
    pub remains: Option<String>,
}

/// One change of a fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixChange {
    /// Of the access that changes, or before which a fence is put.
    pub span: Span,
    pub function: String,
    /// Such as `load`; `fence` for a fence that is put there.
    pub operation: String,
    pub ordering: Ordering,
    /// The access was a plain one.
    pub makes_atomic: bool,
}

impl Fix {
    /// The changes, and what they leave.
    pub fn sentence(&self) -> String {
        match &self.remains {
            Some(remains) => format!("{}; this {remains}", self.text),
            None => self.text.clone(),
        }
    }
}

/// A line that a thread printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedLine {
    pub thread: String,
    pub text: String,
}

/// An access in the source that a violation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessSite {
    /// What the access has to do with the violation, such as "may go stale" or "may be missed".
    pub role: String,
    pub thread: String,
    /// `load`, `store`, `fetch_add`, `cas`, `wait`, `fence`, or "initial value".
    pub operation: String,
    /// `x` or `flag[1]`; empty for a fence.
    pub location: String,
    pub ordering: Option<Ordering>,
    pub span: Span,
}

/// One step of a run. Steps come in an order that goes along program order and reads-from, and are an interleaving if
/// the execution has one; of `check`, the run is sequentially consistent, but for the stale reads of observational
/// robustness, whose values say so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceStep {
    pub thread: String,
    /// The step as the source language writes it, such as `turn.store(0, rel)`.
    pub text: String,
    /// The value that the step read or chose.
    pub read: Option<Value>,
    pub written: Option<Value>,
    /// The values as the source writes them, if not as these numbers: `reads NULL`.
    pub values: Option<String>,
    /// The name of the thread that the step creates.
    pub creates: Option<String>,
    pub span: Span,
    /// Its node in the graph.
    pub event: Option<usize>,
    /// The variables of the thread that have another value than after the step of the thread before, as far as they are
    /// known.
    pub variables: Vec<(String, Value)>,
    /// What the thread has seen more of than after its step before: of a location, the newest write that happens before
    /// this step or that it reads, by its node. Empty under models in which threads have no views of their own.
    pub seen: Vec<(String, usize)>,
}
