//! Limits of an analysis: time, memory and interrupts.
//!
//! A [`Budget`] is shared by all phases of one analysis, from reading the file to writing the report. Loops ask it
//! whether it is spent, which costs one relaxed load. A thread of its own watches the clock and the size of the
//! process.
//!
//! ```
//! use std::time::Duration;
//!
//! use fencepost_budget::{Budget, Limits, Spent};
//!
//! let budget = Budget::new(Limits { timeout: Some(Duration::from_millis(20)), bytes: None });
//! let mut rounds = 0_u64;
//! while !budget.is_spent() {
//!     rounds += 1;
//! }
//! assert!(rounds > 0);
//! assert_eq!(budget.spent(), Some(Spent::Timeout));
//! ```

mod budget;
mod cgroup;
pub mod memory;
mod process;

pub use budget::{Budget, Limits, Spent};
pub use process::Process;
