//! What `fencepost cc`, the runtime that it links, and the readers of the runtime's reports have in common. Each fact
//! has one form here, so that the sides cannot disagree.
//!
//! - [`options`]: what a program is told through its environment,
//! - [`report`]: what it tells, as lines of JSON,
//! - [`kind`] and [`access`]: the words in a report,
//! - [`mark`]: where the runtime finds the program that renders its reports,
//! - [`HEADER`]: what a program can say in its source.
//!
//! The runtime lives in programs that are not ours, so the crate has no `std`. Only readers need serde (the feature
//! `read`).
//!
//! ```
//! use fencepost_wire::{Options, Schedule};
//!
//! let options = Options { schedule: Schedule::Pct, seed: 7, ..Options::default() };
//! let read = Options::parse(&options.to_string(), |mistake| panic!("{mistake}"));
//! assert_eq!(read, options);
//! ```

#![no_std]

extern crate alloc;

pub mod access;
pub mod kind;
pub mod mark;
pub mod options;
pub mod report;

pub use access::{Access, Operation, Ordering};
pub use kind::Kind;
pub use options::{Model, Options, Schedule};
pub use report::{End, Line, Module, Report, Start};

/// How a program ends that reported something, unless its options say otherwise.
pub const EXIT_STATUS: u8 = 66;

/// The version of [`report::Line`]. A program keeps the runtime that it was linked with, so it may be older or newer
/// than the `fencepost` that reads its reports.
pub const SCHEMA: u32 = 1;

/// The variable with the [`Options`] of a program.
pub const OPTIONS_VARIABLE: &str = "FENCEPOST_OPTIONS";

/// The variable with the path of a file that takes the [lines](report::Line) for `fencepost run`. It is not among the
/// options, which are text: a path may be any bytes.
pub const RAW_VARIABLE: &str = "FENCEPOST_RAW";

/// The argument that makes `fencepost` the renderer of a program's reports.
pub const RENDER_ARGUMENT: &str = "--render";

/// The answer of the renderer to each report.
pub const SHOWN: u8 = b'1';
pub const SUPPRESSED: u8 = b'0';

/// Defined in the preprocessor wherever functions of [`HEADER`] are more than loops: by `fencepost cc`, and by all
/// commands that read C.
pub const MACRO: &str = "__FENCEPOST__";

/// The text of `fencepost.h`.
pub const HEADER: &str = include_str!("../include/fencepost.h");
