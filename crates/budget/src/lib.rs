//! What an analysis may take: time, memory, and the patience of the user.
//!
//! A [`Budget`] is shared by all phases of one analysis, from reading the file to writing the report. Loops ask it
//! whether it is spent, which costs one relaxed load. A thread of its own watches the clock and the size of the
//! process.

mod budget;
mod cgroup;
pub mod memory;
mod process;

pub use budget::{Budget, Limits, Spent};
pub use process::Process;
