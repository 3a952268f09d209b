//! How verdicts are shown.
//!
//! Engines return a [`Verdict`](fencepost_story::Verdict), plain data with all names spelled out. Nothing here decides
//! anything.
//! A [`Report`] puts a verdict beside its question and the sources, and the functions [`text`], [`json`], [`dot`],
//! [`svg`] and [`html`] and a [`SarifLog`] render it.
//!
//! ```
//! use fencepost_report::{Report, json, text};
//! use fencepost_story::{Outcome, Property, Statistics, Verdict};
//!
//! let verdict = Verdict { outcome: Outcome::Holds, violations: Vec::new(), statistics: Statistics::default() };
//! let report = Report {
//!     command: "check",
//!     file: "lock.fp",
//!     model: "rc11",
//!     observational: false,
//!     properties: &[Property::Races],
//!     assumptions: &[],
//!     sources: &[],
//!     verdict: &verdict,
//!     executions: None,
//!     example: None,
//! };
//! assert!(text(&report, false).starts_with("holds: lock.fp has no data race"));
//! assert!(json(&report).starts_with('{'));
//! ```

mod comparison;
mod dot;
mod edits;
mod excerpt;
mod graphs;
mod html;
mod json;
mod listing;
mod markup;
mod native;
mod page;
mod phrase;
mod proof;
mod relation;
mod report;
mod sarif;
mod shown;
mod svg;
mod text;
mod witness;

pub use comparison::ComparisonReport;
pub use dot::dot;
pub use excerpt::{Note, error};
pub use graphs::{GraphWriter, GraphsFormat};
pub use html::html;
pub use json::json;
pub use listing::{listing_json, listing_text};
pub use native::{Frame, NativeAccess, NativeFinding};
pub use proof::ProofReport;
pub use report::Report;
pub use sarif::SarifLog;
pub use svg::svg;
pub use text::text;
pub use witness::{NO_DATA_RACE, UNREACHABLE, Violation, Witness, WitnessFormat, specification};
