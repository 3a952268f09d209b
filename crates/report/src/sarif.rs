//! Reports as one SARIF 2.1.0 log, for code scanning services.
//!
//! Written with `serde_json` alone: of the standard's hundreds of types we need a dozen, and the crate that has them all
//! builds a schema compiler first.

use std::collections::BTreeMap;

use fencepost_program::Span;
use serde_json::{Value, json};

use crate::{AccessSite, Outcome, Report, TraceStep, Violation, ViolationKind};

/// One log with one run over all reports. `failures` are inputs that could not be analysed at all.
pub fn sarif(reports: &[Report<'_>], failures: &[String]) -> String {
    let unknown = reports.iter().filter(|r| matches!(r.verdict.outcome, Outcome::Unknown(_)));
    let notifications: Vec<Value> = unknown
        .map(|r| json!({ "level": "warning", "message": { "text": r.headline() } }))
        .chain(failures.iter().map(|text| json!({ "level": "error", "message": { "text": text } })))
        .collect();
    let results: Vec<Value> = reports.iter().flat_map(|r| r.verdict.violations.iter().map(|v| result(r, v))).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "fencepost",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": ViolationKind::ALL.map(rule),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).expect("strings, numbers and lists are always JSON")
}

fn rule(kind: ViolationKind) -> Value {
    let text = match kind {
        ViolationKind::Robustness => {
            "The memory model allows a behaviour that no interleaving of the threads has: an ordering is too weak."
        }
        ViolationKind::StaleDependency => {
            "The program depends on a value that no interleaving of the threads would have read."
        }
        ViolationKind::DataRace => "Two threads access a location without order, one writes, and one is not atomic.",
        ViolationKind::Assertion => "An assertion fails.",
        ViolationKind::Deadlock => "Threads wait for what no thread will do.",
        ViolationKind::OutOfBounds => "An index lies outside its array.",
        ViolationKind::UseAfterFree => "Memory is accessed that was freed, or may have been.",
        ViolationKind::InvalidFree => "Something is freed that is no object on the heap, or was freed before.",
        ViolationKind::UninitialisedRead => "Memory is read to which nothing was written.",
        ViolationKind::Leak => "Memory on the heap is never freed, and no pointer to it is left.",
        ViolationKind::DivisionByZero => "Something is divided by zero.",
        ViolationKind::Condition => "The condition of a litmus test is not true of its final states.",
    };
    json!({ "id": kind.name(), "shortDescription": { "text": text } })
}

fn result(report: &Report<'_>, violation: &Violation) -> Value {
    let index = ViolationKind::ALL.iter().position(|&kind| kind == violation.kind);
    let mut message = vec![format!("{} ({})", violation.message, report.model)];
    message.extend(violation.explanation.iter().cloned());
    message.extend(violation.fixes.iter().map(|fix| format!("Fix: {fix}")));
    let mut places = violation.accesses.iter().filter_map(|site| access(report, site));
    let mut result = json!({
        "ruleId": violation.kind.name(),
        "ruleIndex": index,
        "level": "error",
        "message": { "text": message.join("\n") },
        "locations": places.next().into_iter().collect::<Vec<_>>(),
        "relatedLocations": places.collect::<Vec<_>>(),
    });
    if !violation.trace.is_empty() {
        result["codeFlows"] = json!([code_flow(report, &violation.trace)]);
    }
    result
}

fn access(report: &Report<'_>, site: &AccessSite) -> Option<Value> {
    Some(location(physical(report, site.span)?, format!("{}: {}", site.thread, site.role)))
}

/// One thread flow a thread; `executionOrder` says how they interleave.
fn code_flow(report: &Report<'_>, trace: &[TraceStep]) -> Value {
    let mut threads: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (order, step) in trace.iter().enumerate() {
        let values = step.values();
        let text = if values.is_empty() { step.text.clone() } else { format!("{} ({values})", step.text) };
        let at = match physical(report, step.span) {
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

fn physical(report: &Report<'_>, span: Span) -> Option<Value> {
    let source = report.source(span)?;
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
