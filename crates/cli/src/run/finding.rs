//! A report with its symbols, and its renderings.

use std::fmt::Write;

use fencepost_report::sarif;
use fencepost_wire::{Access, Kind, Operation, Ordering, Property, Report};
use serde::Serialize;
use serde_json::{Value, json};

use super::symbols::{Frame, Symbols};

#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub kind: Property,
    /// Of a robustness violation: which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<Kind>,
    pub message: String,
    /// The later access; and the one that it is in conflict with, or may miss.
    pub accesses: Vec<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    pub process: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct Side {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// In the order of creation; the main thread is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<u32>,
    pub operation: Operation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordering: Option<Ordering>,
    pub atomic: bool,
    pub address: u64,
    pub size: u64,
    pub stack: Vec<Frame>,
}

impl Side {
    fn new(raw: &Access, stack: Vec<Frame>) -> Side {
        // Atomics of C++ are accessed in its library; the line that matters is the caller's.
        let own = |frame: &&Frame| frame.file.as_ref().is_some_and(|file| !file.starts_with("/usr/"));
        let place = stack.iter().find(own).or_else(|| stack.iter().find(|frame| frame.file.is_some()));
        Side {
            file: place.and_then(|frame| frame.file.clone()),
            line: place.and_then(|frame| frame.line),
            thread: raw.thread,
            operation: raw.operation,
            ordering: raw.ordering,
            atomic: raw.atomic,
            address: raw.address,
            size: raw.size,
            stack,
        }
    }

    /// `atomic store of 4 bytes (release) by thread 1`.
    fn describe(&self) -> String {
        let mut text = String::new();
        if self.atomic {
            text.push_str("atomic ");
        }
        let plural = if self.size == 1 { "" } else { "s" };
        let _ = write!(text, "{} of {} byte{plural} at {:#x}", self.operation.name(), self.size, self.address);
        if let Some(ordering) = self.ordering {
            let _ = write!(text, " ({})", ordering.name());
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

impl Finding {
    pub fn new(raw: &Report, symbols: &mut Symbols) -> Finding {
        let sides = raw.accesses.iter().map(|access| Side::new(access, symbols.stack(&access.stack, &raw.modules)));
        let accesses: Vec<Side> = sides.collect();
        let message = match raw.kind {
            Kind::Race => "two accesses that nothing orders",
            Kind::StaleRead => "this access may read an older value than in any interleaving",
            Kind::StaleWrite => "this write may be ordered before a write that precedes it in every interleaving",
            Kind::StaleRmw => "this access may replace an older value than in any interleaving",
            Kind::MixedSize => "atomic accesses of different sizes overlap here: they are not checked",
        };
        let kind = raw.kind.property();
        let is_robustness = kind == Property::Robustness;
        let fix = is_robustness.then(|| fix(accesses[0].operation));
        let what = is_robustness.then_some(raw.kind);
        Finding { kind, what, message: message.to_owned(), accesses, fix, process: raw.process }
    }

    /// Two reports are the same if their accesses are in the same places.
    pub fn same_as(&self, other: &Finding) -> bool {
        let places = |finding: &Finding| {
            let mut places: Vec<_> = finding.accesses.iter().map(|side| (side.file.clone(), side.line)).collect();
            // Which of two racing accesses comes later is chance.
            if finding.kind == Property::DataRace {
                places.sort();
            }
            places
        };
        self.kind == other.kind && places(self) == places(other)
    }

    /// Whether it says that something is wrong, rather than that something was not looked at.
    pub fn is_violation(&self) -> bool {
        self.kind.is_violation()
    }

    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.headline());
        let introductions = match self.kind {
            Property::DataRace => ["", "in conflict with an earlier "],
            Property::Robustness => ["", "although it comes after the "],
            Property::MixedSizes => ["", ""],
        };
        let sides = if self.is_violation() { &self.accesses[..] } else { &self.accesses[..1] };
        for (side, introduction) in sides.iter().zip(introductions) {
            let _ = writeln!(text, "  {introduction}{}", side.describe());
            if side.stack.is_empty() {
                text.push_str("    (its place was not kept)\n");
            }
            for (i, frame) in side.stack.iter().enumerate() {
                let _ = writeln!(text, "    {}{}", if i == 0 { "at " } else { "   " }, frame_text(frame));
            }
        }
        if let Some(fix) = &self.fix {
            let _ = writeln!(text, "  fix: {fix}");
        }
        text
    }

    pub fn headline(&self) -> String {
        let kind = if self.kind == Property::Robustness { "robustness violation" } else { self.kind.name() };
        format!("{kind}: {}", self.message)
    }

    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("strings, numbers and lists are always JSON")
    }

    fn sarif(&self) -> Value {
        let location = |side: &Side| {
            json!({
                "physicalLocation": {
                    "artifactLocation": { "uri": side.file.clone().unwrap_or_else(|| "unknown".into()) },
                    "region": { "startLine": side.line.unwrap_or(1).max(1) },
                },
                "message": { "text": side.describe() },
            })
        };
        json!({
            "ruleId": self.kind.name(),
            "level": if self.is_violation() { "error" } else { "note" },
            "message": { "text": self.headline() },
            "locations": [location(&self.accesses[0])],
            "relatedLocations": [location(&self.accesses[1])],
        })
    }
}

fn frame_text(frame: &Frame) -> String {
    let function = frame.function.as_deref().unwrap_or("?");
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{function} {file}:{line}"),
        _ => format!("{function} ({}+{:#x})", frame.module, frame.offset),
    }
}

/// What would forbid a robustness violation.
fn fix(operation: Operation) -> String {
    let mut fix =
        "make the write happen before this access (a release after the write, an acquire before the access); if \
                   neither thread waits for the other, use seq_cst accesses or fences in both"
            .to_owned();
    if operation == Operation::Load {
        fix += "; if this is a loop that only waits, use fencepost_wait (fencepost.h)";
    }
    fix
}

/// All findings as one SARIF log.
pub fn sarif_log(findings: &[Finding]) -> String {
    let rule = |property: Property| {
        let text = match property {
            Property::Robustness => "The memory model allows a behaviour that no interleaving of the threads has.",
            Property::DataRace => {
                "Two threads access memory without order, at least one writes, and at least one access is not atomic."
            }
            Property::MixedSizes => "Atomic accesses of different sizes overlap, and are not checked.",
        };
        sarif::rule(property.name(), text)
    };
    sarif::log(Property::ALL.map(rule).to_vec(), findings.iter().map(Finding::sarif).collect(), json!({}))
}
