//! What engines return, and how it is shown.
//!
//! Engines fill in [`Verdict`], which is plain data with all names already spelled out; nothing here decides anything.
//! A [`Report`] puts a verdict beside its question and the sources, and the functions [`text`], [`json`], [`sarif`],
//! [`dot`], [`svg`] and [`html`] render it.

mod dot;
mod draw;
mod excerpt;
mod html;
mod json;
mod markup;
mod phrase;
mod relation;
mod report;
mod sarif;
mod svg;
mod text;
mod verdict;
mod violation;
mod witness;

pub use dot::dot;
pub use draw::{draw, event_text};
pub use excerpt::{Note, error};
pub use html::html;
pub use json::json;
pub use phrase::{bytes, thousands};
pub use report::{Property, Report};
pub use sarif::sarif;
pub use svg::svg;
pub use text::text;
pub use verdict::{Outcome, Reason, Statistics, Verdict};
pub use violation::{AccessSite, TraceStep, Violation, ViolationKind};
pub use witness::{Edge, Node, WitnessGraph};
