use fencepost_program::{Failure, Ordering, Span, Value};

use crate::WitnessGraph;

/// One way in which a program breaks the property, with the evidence for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    pub kind: ViolationKind,
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
    /// Whether an execution that the model allows is known to show it. Only the observational form of robustness has others.
    pub confirmed: bool,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ViolationKind {
    /// A step that the weak model allows and SC does not.
    Robustness,
    /// Under observational robustness: something depends on a value that SC would not have read (paper 001 §5).
    StaleDependency,
    DataRace,
    Assertion,
    Deadlock,
    /// Outside an array, or where no memory is.
    OutOfBounds,
    /// An access to memory that does not happen before its `free`.
    UseAfterFree,
    /// Something is freed that is no object on the heap, or not any more.
    InvalidFree,
    /// A read of memory to which nothing was written.
    UninitialisedRead,
    /// Memory on the heap that nobody can free any more.
    Leak,
    DivisionByZero,
    /// A quotient that no integer of its size is.
    DivisionOverflow,
    /// A write to a string literal or another constant.
    ConstantWrite,
    /// Wrong use of a lock, a barrier or a condition variable.
    Misuse,
    /// The final states do not satisfy the condition of a litmus test.
    Condition,
}

impl ViolationKind {
    /// What it is when a thread fails.
    pub fn of_failure(failure: Failure) -> ViolationKind {
        match failure {
            Failure::OutOfBounds { .. } | Failure::InvalidAccess { .. } | Failure::MisalignedAccess { .. } => {
                ViolationKind::OutOfBounds
            }
            Failure::DivisionByZero => ViolationKind::DivisionByZero,
            Failure::DivisionOverflow => ViolationKind::DivisionOverflow,
            Failure::ConstantWrite { .. } => ViolationKind::ConstantWrite,
            Failure::Unassigned => ViolationKind::UninitialisedRead,
            Failure::Misuse(_) => ViolationKind::Misuse,
            Failure::InvalidFree { .. } => ViolationKind::InvalidFree,
            _ => ViolationKind::Assertion,
        }
    }

    pub const ALL: [ViolationKind; 15] = [
        ViolationKind::Robustness,
        ViolationKind::StaleDependency,
        ViolationKind::DataRace,
        ViolationKind::Assertion,
        ViolationKind::Deadlock,
        ViolationKind::OutOfBounds,
        ViolationKind::UseAfterFree,
        ViolationKind::InvalidFree,
        ViolationKind::UninitialisedRead,
        ViolationKind::Leak,
        ViolationKind::DivisionByZero,
        ViolationKind::Condition,
        ViolationKind::Misuse,
        ViolationKind::DivisionOverflow,
        ViolationKind::ConstantWrite,
    ];

    /// The name in JSON and SARIF. Stable.
    pub fn name(self) -> &'static str {
        match self {
            ViolationKind::Robustness => "robustness",
            ViolationKind::StaleDependency => "stale-dependency",
            ViolationKind::DataRace => "data-race",
            ViolationKind::Assertion => "assertion",
            ViolationKind::Deadlock => "deadlock",
            ViolationKind::OutOfBounds => "out-of-bounds",
            ViolationKind::UseAfterFree => "use-after-free",
            ViolationKind::InvalidFree => "invalid-free",
            ViolationKind::UninitialisedRead => "uninitialised-read",
            ViolationKind::Leak => "leak",
            ViolationKind::DivisionByZero => "division-by-zero",
            ViolationKind::DivisionOverflow => "division-overflow",
            ViolationKind::ConstantWrite => "constant-write",
            ViolationKind::Misuse => "misuse",
            ViolationKind::Condition => "condition",
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

/// One step of a run. Steps come in an order that goes along program order and reads-from; of `check`, the run is
/// sequentially consistent, but for the stale reads of observational robustness, whose values say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    pub thread: String,
    /// The step as the source language writes it, such as `turn.store(0, rel)`.
    pub text: String,
    /// The value that the step read or chose.
    pub read: Option<Value>,
    pub written: Option<Value>,
    /// The values as the source writes them, if not as these numbers: `reads NULL`.
    pub values: Option<String>,
    pub span: Span,
}
