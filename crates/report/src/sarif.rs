//! Reports as one SARIF 2.1.0 log, for code scanning services.
//!
//! Written with `serde_json` alone: of the standard's hundreds of types we need a dozen, and the crate that has them
//! all builds a schema compiler first.

use std::collections::BTreeMap;

use fencepost_program::{Source, Span};
use fencepost_story::{
    AccessSite, Finding, FindingKind, Fix, Outcome, ProofAlarm, ProofAnswer, ProofDecision, TraceStep,
};
use serde_json::{Value, json};

use crate::edits::{Edit, edits};
use crate::proof::{message, read_text};
use crate::{NativeFinding, ProofReport, Report};

/// One log with one run over all files.
#[derive(Clone, Debug, Default)]
pub struct SarifLog {
    results: Vec<Value>,
    notifications: Vec<Value>,
    assumptions: Vec<Value>,
}

impl SarifLog {
    pub fn add(&mut self, report: &Report<'_>) {
        self.undecided(&report.verdict.outcome, report.headline());
        self.assume(report.file, report.assumptions);
        self.results.extend(report.verdict.violations.iter().map(|v| result(report, v)));
    }

    /// Alarms are warnings until they are confirmed; those that turned out to be bogus are left out. What is never
    /// reached is information.
    pub fn add_proof(&mut self, report: &ProofReport<'_>) {
        self.undecided(&report.verdict.outcome, report.headline());
        self.assume(report.file, report.assumptions);
        let alarms = report.verdict.assertions.iter().filter_map(|a| a.alarm.as_ref().map(|alarm| (a, alarm)));
        let alarms = alarms.filter(|(_, alarm)| !matches!(alarm.decision, Some(ProofDecision::Bogus)));
        self.results.extend(alarms.map(|(answer, alarm)| alarm_result(report, answer, alarm)));
        let unreached = report.verdict.assertions.iter().filter(|answer| !answer.reached);
        self.results.extend(unreached.map(|answer| unreached_result(report, answer)));
    }

    pub fn add_native(&mut self, finding: &NativeFinding) {
        let mut places = finding.accesses.iter().map(|access| {
            let at = json!({
                "artifactLocation": { "uri": access.file.as_deref().unwrap_or("unknown") },
                "region": { "startLine": access.line.unwrap_or(1).max(1) },
            });
            location(at, access.describe())
        });
        self.results.push(json!({
            "ruleId": finding.kind.name(),
            "ruleIndex": rule_index(finding.kind.name()),
            "level": if finding.is_violation() { "error" } else { "note" },
            "message": { "text": finding.headline() },
            "locations": places.next().into_iter().collect::<Vec<_>>(),
            "relatedLocations": places.collect::<Vec<_>>(),
        }));
    }

    /// An input that could not be analysed at all.
    pub fn fail(&mut self, message: &str) {
        self.notifications.push(json!({ "level": "error", "message": { "text": message } }));
    }

    fn assume(&mut self, file: &str, assumptions: &[String]) {
        if !assumptions.is_empty() {
            self.assumptions.push(json!({ "file": file, "assumptions": assumptions }));
        }
    }

    fn undecided(&mut self, outcome: &Outcome, headline: String) {
        if matches!(outcome, Outcome::Unknown(_)) {
            self.notifications.push(json!({ "level": "warning", "message": { "text": headline } }));
        }
    }

    pub fn text(&self) -> String {
        let mut more = json!({
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": self.notifications.is_empty(),
                "toolExecutionNotifications": self.notifications,
            }],
        });
        if !self.assumptions.is_empty() {
            more["properties"] = json!({ "assumptions": self.assumptions });
        }
        log(self.results.clone(), more)
    }
}

/// A log with one run of Fencepost. `more` has the properties of the run besides its rules and results.
fn log(results: Vec<Value>, more: Value) -> String {
    let rules = FindingKind::ALL
        .iter()
        .map(|kind| json!({ "id": kind.name(), "shortDescription": { "text": kind.row().rule } }));
    let mut run = more;
    run["tool"] = json!({ "driver": {
        "name": "fencepost",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules.collect::<Vec<_>>(),
    } });
    run["results"] = results.into();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    });
    serde_json::to_string_pretty(&log).expect("strings, numbers and lists are always JSON")
}

fn rule_index(kind: &str) -> Option<usize> {
    FindingKind::ALL.iter().position(|k| k.name() == kind)
}

fn result(report: &Report<'_>, violation: &Finding) -> Value {
    let mut message = vec![format!("{} ({})", violation.message, report.model)];
    message.extend(violation.explanation.iter().cloned());
    message.extend(violation.fixes.iter().map(|fix| format!("Fix: {}", fix.sentence())));
    let mut places = violation.accesses.iter().filter_map(|site| access(report.sources, site));
    let mut result = json!({
        "ruleId": violation.kind.name(),
        "ruleIndex": rule_index(violation.kind.name()),
        "level": "error",
        "message": { "text": message.join("\n") },
        "locations": places.next().into_iter().collect::<Vec<_>>(),
        "relatedLocations": places.collect::<Vec<_>>(),
    });
    if !violation.trace.is_empty() {
        result["codeFlows"] = json!([code_flow(report.sources, &violation.trace)]);
    }
    let fixes: Vec<Value> = violation.fixes.iter().filter_map(|fix| fix_object(report.sources, fix)).collect();
    if !fixes.is_empty() {
        result["fixes"] = fixes.into();
    }
    result
}

/// A fix that replaces words of the source. Others are in the message.
fn fix_object(sources: &[Source], fix: &Fix) -> Option<Value> {
    let mut files: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
    for Edit { file, line, columns, text } in edits(sources, fix)? {
        files.entry(file.0).or_default().push(json!({
            "deletedRegion": {
                "startLine": line,
                "startColumn": columns.start,
                "endLine": line,
                "endColumn": columns.end,
            },
            "insertedContent": { "text": text },
        }));
    }
    let changes = files.into_iter().map(|(file, replacements)| {
        json!({ "artifactLocation": { "uri": uri(&sources[file as usize].name) }, "replacements": replacements })
    });
    Some(json!({ "description": { "text": fix.text }, "artifactChanges": changes.collect::<Vec<_>>() }))
}

fn alarm_result(report: &ProofReport<'_>, answer: &ProofAnswer, alarm: &ProofAlarm) -> Value {
    let text = format!("{} ({})", message(answer, alarm), report.model);
    let thread = alarm.thread.clone().unwrap_or_default();
    let place = physical(report.sources, answer.span).map(|at| location(at, thread));
    let reads =
        alarm.reads.iter().filter_map(|read| Some(location(physical(report.sources, read.span)?, read_text(read)?)));
    let mut result = json!({
        "ruleId": answer.kind,
        "ruleIndex": rule_index(answer.kind),
        "level": "warning",
        "message": { "text": text },
        "locations": place.into_iter().collect::<Vec<_>>(),
        "relatedLocations": reads.collect::<Vec<_>>(),
    });
    if let Some(ProofDecision::Real(trace)) = &alarm.decision {
        result["level"] = json!("error");
        result["codeFlows"] = json!([code_flow(report.sources, trace)]);
    }
    result
}

fn unreached_result(report: &ProofReport<'_>, answer: &ProofAnswer) -> Value {
    let place = physical(report.sources, answer.span).map(|at| location(at, String::new()));
    json!({
        "ruleId": answer.kind,
        "ruleIndex": rule_index(answer.kind),
        "kind": "informational",
        "level": "none",
        "message": { "text": format!("{} is never reached ({})", answer.text, report.model) },
        "locations": place.into_iter().collect::<Vec<_>>(),
    })
}

fn access(sources: &[Source], site: &AccessSite) -> Option<Value> {
    Some(location(physical(sources, site.span)?, format!("{}: {}", site.thread, site.role)))
}

/// One thread flow a thread; `executionOrder` says how they interleave.
fn code_flow(sources: &[Source], trace: &[TraceStep]) -> Value {
    let mut threads: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (order, step) in trace.iter().enumerate() {
        let values = step.values();
        let text = if values.is_empty() { step.text.clone() } else { format!("{} ({values})", step.text) };
        let at = match physical(sources, step.span) {
            Some(physical) => location(physical, text),
            None => json!({ "message": { "text": text } }),
        };
        threads.entry(&step.thread).or_default().push(json!({ "executionOrder": order + 1, "location": at }));
    }
    let flows: Vec<Value> =
        threads.into_iter().map(|(thread, locations)| json!({ "id": thread, "locations": locations })).collect();
    json!({ "threadFlows": flows })
}

fn location(physical: Value, text: String) -> Value {
    json!({ "physicalLocation": physical, "message": { "text": text } })
}

fn physical(sources: &[Source], span: Span) -> Option<Value> {
    let source = sources.get(span.file.0 as usize).filter(|_| span.line != 0)?;
    let column = span.column.max(1);
    Some(json!({
        "artifactLocation": { "uri": uri(&source.name) },
        "region": { "startLine": span.line, "startColumn": column, "endColumn": column.saturating_add(span.length) },
    }))
}

/// A relative path as a relative reference, an absolute one as a `file` URI (RFC 3986, RFC 8089).
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("programs/a b.fp"), "programs/a%20b.fp");
        assert_eq!(uri("/tmp/é.fp"), "file:///tmp/%C3%A9.fp");
        assert_eq!(uri("c:x.fp"), "c%3Ax.fp");
    }
}
