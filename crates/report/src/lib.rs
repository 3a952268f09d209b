//! What engines return, and how it is shown.
//!
//! Engines fill in [`Verdict`], which is plain data with all names already spelled out; nothing here decides anything.
//! A [`Report`] puts a verdict beside its question and the sources, and the functions [`text`], [`json`], [`dot`], [`svg`]
//! and [`html`] and a [`SarifLog`] render it.

mod comparison;
mod cut_off;
mod dot;
mod draw;
mod edits;
mod excerpt;
mod executions;
mod html;
mod json;
mod listing;
mod markup;
mod phrase;
mod printed;
mod proof;
mod relation;
mod report;
pub mod sarif;
mod svg;
mod text;
mod verdict;
mod violation;
mod witness;

pub use comparison::{Comparison, Difference, ModelCount};
pub use cut_off::CutOff;
pub use dot::dot;
pub use draw::{draw, event_text};
pub use excerpt::{Note, error};
pub use executions::{ConditionAnswer, Estimate, Executions, FinalState};
pub use html::{html, html_of_graph};
pub use json::json;
pub use listing::{graph_json, graph_text, trace_of};
pub use phrase::{bytes, thousands};
pub use printed::PrintedLines;
pub use proof::{ProofAlarm, ProofAnswer, ProofDecision, ProofRead, ProofReport, ReadFrom};
pub use report::{Property, Report};
pub use sarif::SarifLog;
pub use svg::svg;
pub use text::{source_values, text};
pub use verdict::{Outcome, Reason, Statistics, Verdict};
pub use violation::{AccessSite, Fix, FixChange, PrintedLine, TraceStep, Violation, ViolationKind};
pub use witness::{Edge, Node, WitnessGraph};
