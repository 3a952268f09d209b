//! What `fencepost run` found in native runs.

use std::fmt::Write;

use fencepost_story::{FindingKind, plural};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// Something that a native run showed: the later access in front, then those that it is in conflict with, or may miss.
#[derive(Clone, Debug, Serialize)]
pub struct NativeFinding {
    #[serde(serialize_with = "name")]
    pub kind: FindingKind,
    /// Of a robustness violation: which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<&'static str>,
    pub message: String,
    pub accesses: Vec<NativeAccess>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    pub process: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct NativeAccess {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// In the order of creation; the main thread is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    pub operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordering: Option<&'static str>,
    pub atomic: bool,
    pub address: u64,
    pub size: u64,
    /// Innermost first.
    pub stack: Vec<Frame>,
}

/// A call, or a part of one that was inlined.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Frame {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The program or library, and the place in it as addr2line takes it.
    pub module: String,
    pub offset: u64,
}

fn name<S: Serializer>(kind: &FindingKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

impl NativeAccess {
    /// `atomic store of 4 bytes at 0x7f00 (release) by thread 1`.
    pub(crate) fn describe(&self) -> String {
        let atomic = if self.atomic { "atomic " } else { "" };
        let bytes = plural(self.size, "byte", "bytes");
        let mut text = format!("{atomic}{} of {} {bytes} at {:#x}", self.operation, self.size, self.address);
        if let Some(ordering) = self.ordering {
            let _ = write!(text, " ({ordering})");
        }
        match self.thread {
            Some(0) => text.push_str(" by the main thread"),
            Some(thread) => {
                let _ = write!(text, " by thread {thread}");
            }
            None => {}
        }
        text
    }
}

impl NativeFinding {
    /// Two findings are the same if their accesses are in the same places.
    pub fn is_same_as(&self, other: &NativeFinding) -> bool {
        let places = |finding: &NativeFinding| {
            let mut places: Vec<_> = finding.accesses.iter().map(|access| (access.file.clone(), access.line)).collect();
            // Which of two racing accesses comes later is chance.
            if finding.kind == FindingKind::DataRace {
                places.sort();
            }
            places
        };
        self.kind == other.kind && places(self) == places(other)
    }

    /// Whether it says that something is wrong, rather than that something was not looked at.
    pub fn is_violation(&self) -> bool {
        self.kind.property().is_some()
    }

    pub fn headline(&self) -> String {
        format!("{}: {}", self.kind.noun(), self.message)
    }

    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.headline());
        let introduction = match self.kind {
            FindingKind::DataRace => "in conflict with an earlier ",
            FindingKind::Robustness => "although it comes after the ",
            _ => "",
        };
        let shown = if self.is_violation() { self.accesses.len() } else { 1 };
        for (i, access) in self.accesses.iter().take(shown).enumerate() {
            let _ = writeln!(text, "  {}{}", if i == 0 { "" } else { introduction }, access.describe());
            if access.stack.is_empty() {
                text.push_str("    (its place was not kept)\n");
            }
            for (i, frame) in access.stack.iter().enumerate() {
                let _ = writeln!(text, "    {}{}", if i == 0 { "at " } else { "   " }, frame.text());
            }
        }
        if let Some(fix) = &self.fix {
            let _ = writeln!(text, "  fix: {fix}");
        }
        text
    }

    /// One JSON object.
    pub fn json(&self) -> Value {
        json!(self)
    }
}

impl Frame {
    fn text(&self) -> String {
        let function = self.function.as_deref().unwrap_or("?");
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{function} {file}:{line}"),
            _ => format!("{function} ({}+{:#x})", self.module, self.offset),
        }
    }
}
