//! A report with its symbols, and its renderings.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use super::raw::{Kind, RawAccess, RawReport};
use super::symbols::{Frame, Symbols};

#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// `robustness`, `data race` or `mixed sizes`.
    pub kind: &'static str,
    /// Of a robustness violation: `stale-read`, `stale-write` or `stale-rmw`.
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
    pub operation: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub ordering: String,
    pub atomic: bool,
    pub address: u64,
    pub size: u64,
    pub stack: Vec<Frame>,
}

impl Side {
    fn new(raw: &RawAccess, stack: Vec<Frame>) -> Side {
        // Atomics of C++ are accessed in its library; the line that matters is the caller's.
        let own = |frame: &&Frame| frame.file.as_ref().is_some_and(|file| !file.starts_with("/usr/"));
        let place = stack.iter().find(own).or_else(|| stack.iter().find(|frame| frame.file.is_some()));
        Side {
            file: place.and_then(|frame| frame.file.clone()),
            line: place.and_then(|frame| frame.line),
            thread: (raw.thread != u32::MAX).then_some(raw.thread),
            operation: raw.operation.clone(),
            ordering: raw.ordering.clone(),
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
        let _ = write!(text, "{} of {} byte{plural} at {:#x}", self.operation, self.size, self.address);
        if !self.ordering.is_empty() {
            let _ = write!(text, " ({})", self.ordering);
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
    pub fn new(raw: &RawReport, symbols: &mut Symbols) -> Finding {
        let sides = raw.accesses.iter().map(|access| Side::new(access, symbols.stack(&access.stack, &raw.modules)));
        let accesses: Vec<Side> = sides.collect();
        let mut fix =
            "let the write happen before this access, by a release after it and an acquire before this one; where \
                       neither thread waits for the other, seq_cst fences or accesses in both"
                .to_owned();
        if accesses.first().is_some_and(|access| access.operation == "load") {
            fix += "; if it is a loop that waits, and may well go round once more, say so with fencepost_wait (fencepost.h)";
        }
        let robust = Some(fix);
        let (kind, message, fix) = match raw.kind {
            Kind::Race => ("data race", "two accesses that nothing orders".to_owned(), None),
            Kind::StaleRead => (
                "robustness",
                "this access may read an older value than any interleaving would show it".to_owned(),
                robust,
            ),
            Kind::StaleWrite => {
                ("robustness", "this write may come before one that is older in any interleaving".to_owned(), robust)
            }
            Kind::StaleRmw => (
                "robustness",
                "this access may replace an older value than any interleaving would show it".to_owned(),
                robust,
            ),
            Kind::MixedSize => (
                "mixed sizes",
                "atomic accesses of different sizes overlap here: they are not checked".to_owned(),
                None,
            ),
        };
        let what = (kind == "robustness").then_some(raw.kind);
        Finding { kind, what, message, accesses, fix, process: raw.process }
    }

    /// Two reports are the same if their accesses are in the same places.
    pub fn same_as(&self, other: &Finding) -> bool {
        let places = |finding: &Finding| {
            let mut places: Vec<_> = finding.accesses.iter().map(|side| (side.file.clone(), side.line)).collect();
            // Which of two racing accesses comes later is chance.
            if finding.kind == "data race" {
                places.sort();
            }
            places
        };
        self.kind == other.kind && places(self) == places(other)
    }

    /// Whether it says that something is wrong, rather than that something was not looked at.
    pub fn is_violation(&self) -> bool {
        self.kind != "mixed sizes"
    }

    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.headline());
        let introductions = match self.kind {
            "data race" => ["", "in conflict with an earlier "],
            "robustness" => ["", "although it comes after the "],
            _ => ["", ""],
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
        let kind = if self.kind == "robustness" { "robustness violation" } else { self.kind };
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
            "ruleId": self.kind,
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

/// All findings as one SARIF 2.1.0 log.
pub fn sarif_log(findings: &[Finding]) -> String {
    let rule = |id: &str, text: &str| json!({ "id": id, "shortDescription": { "text": text } });
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "fencepost",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": [
                    rule("robustness", "The memory model allows a behaviour that no interleaving of the threads has."),
                    rule("data race", "Two threads access memory without order, one writes, and one is not atomic."),
                    rule("mixed sizes", "Atomic accesses of different sizes overlap, and are not checked."),
                ],
            } },
            "results": findings.iter().map(Finding::sarif).collect::<Vec<_>>(),
        }],
    });
    serde_json::to_string_pretty(&log).expect("strings, numbers and lists are always JSON")
}
