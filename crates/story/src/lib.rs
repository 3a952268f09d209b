//! What engines return, and the words for it.
//!
//! An engine returns a [`Verdict`] with its [`Finding`]s. All kinds of findings and the properties that they break are
//! one table ([`FindingKind`]). An engine hands over the [`Run`] that it found, with the facts that only it knows, and
//! [`Run::race`] and similar methods tell the finding. Nothing here decides anything, and nothing is rendered: that is
//! what the crate `report` does.
//!
//! ```
//! use fencepost_story::{FindingKind, Property, thousands};
//!
//! let races = FindingKind::ALL.iter().filter(|kind| kind.property() == Some(Property::Races));
//! assert!(races.map(|kind| kind.name()).any(|name| name == "data-race"));
//! assert_eq!(thousands(1_234_567), "1,234,567");
//! ```

mod action;
mod comparison;
mod cut_off;
mod draw;
mod executions;
mod finding;
mod kind;
mod listing;
mod objection;
mod printed;
mod proof;
mod run;
mod values;
mod verdict;
mod witness;
mod words;

pub use action::{action_text, operation};
pub use comparison::{Comparison, Difference, ModelCount};
pub use cut_off::CutOff;
pub use executions::{ConditionAnswer, Estimate, Executions, FinalState};
pub use finding::{AccessSite, Finding, Fix, FixChange, PrintedLine, TraceStep};
pub use kind::{Claim, FindingKind, KindRow, Properties, Property};
pub use listing::{ListedEvent, ListedOrder, Listing};
pub use objection::objection_text;
pub use printed::PrintedLines;
pub use proof::{ProofAlarm, ProofAnswer, ProofDecision, ProofRead, ProofResult, ProofVerdict, ReadFrom};
pub use run::{
    Dependent, LifetimeEnd, MemoryError, Refuted, Run, Stale, StaleDependency, StaleRead, Step, refuted_condition,
    satisfied_condition,
};
pub use values::source_values;
pub use verdict::{Outcome, Reason, Statistics, Verdict};
pub use witness::{CycleEdge, Edge, Folded, Node, NodeKind, WitnessGraph};
pub use words::{bytes, list, plural, thousands};
