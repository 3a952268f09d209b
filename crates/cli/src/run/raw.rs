//! What the runtime writes: one line of JSON for each report, with program counters instead of symbols. It is no interface:
//! the runtime and this binary come together.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Race,
    StaleRead,
    StaleWrite,
    StaleRmw,
    MixedSize,
}

#[derive(Debug, Deserialize)]
pub struct RawAccess {
    /// `u32::MAX` if it is not known.
    pub thread: u32,
    pub operation: String,
    pub atomic: bool,
    pub ordering: String,
    pub address: u64,
    pub size: u64,
    /// Return addresses, innermost first.
    pub stack: Vec<u64>,
}

/// Path, first and last address, and offset in the file, of code that is mapped.
#[derive(Debug, Deserialize)]
pub struct Module(pub String, pub u64, pub u64, pub u64);

#[derive(Debug, Deserialize)]
pub struct RawReport {
    pub kind: Kind,
    pub process: u32,
    /// The later access, and the one that it is in conflict with, or may miss.
    pub accesses: [RawAccess; 2],
    pub modules: Vec<Module>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct End {
    /// Places where a controlled schedule could have switched.
    pub steps: u64,
    /// The same for the same schedule.
    pub schedule: u64,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Line {
    Report(Box<RawReport>),
    /// The process that started; a program that says nothing was not instrumented.
    Start {
        #[serde(rename = "start")]
        _process: u32,
    },
    End {
        end: End,
    },
}
