//! The report as one JSON object. `docs/reference/json.md` documents every field; keep the two in step.

use fencepost_story::{AccessSite, ConditionAnswer, Estimate, FinalState, Finding, Fix, Outcome, TraceStep};
use serde::Serialize;

use crate::Report;

#[derive(Serialize)]
struct Object<'a> {
    command: &'a str,
    file: &'a str,
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    observational: Option<bool>,
    properties: Vec<&'a str>,
    verdict: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    caveat: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    assumptions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(flatten)]
    exploration: Option<ExplorationObject<'a>>,
    seconds: f64,
    peak_bytes: u64,
    violations: Vec<ViolationObject<'a>>,
}

#[derive(Serialize)]
struct ExplorationObject<'a> {
    executions: ExecutionsObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<EstimateObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<ConditionObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<OutcomeObject<'a>>>,
}

#[derive(Serialize)]
struct ExecutionsObject {
    complete: u64,
    blocked: u64,
    events: u64,
}

#[derive(Serialize)]
struct EstimateObject {
    executions: f64,
    error: f64,
    seconds: f64,
    descents: u32,
}

#[derive(Serialize)]
struct ConditionObject<'a> {
    text: &'a str,
    holds: bool,
    observation: &'static str,
    satisfying: u64,
    others: u64,
}

#[derive(Serialize)]
struct OutcomeObject<'a> {
    state: serde_json::Map<String, serde_json::Value>,
    executions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    satisfies: &'a Option<bool>,
}

#[derive(Serialize)]
struct ViolationObject<'a> {
    kind: &'a str,
    message: &'a str,
    accesses: Vec<AccessObject<'a>>,
    trace: Vec<StepObject<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    output: Vec<PrintedObject<'a>>,
    explanation: &'a [String],
    fix: Vec<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    fixes: Vec<FixObject<'a>>,
    /// Only if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<bool>,
}

#[derive(Serialize)]
struct FixObject<'a> {
    text: &'a str,
    verified: bool,
    remains: &'a Option<String>,
    changes: Vec<ChangeObject<'a>>,
}

#[derive(Serialize)]
struct ChangeObject<'a> {
    operation: &'a str,
    ordering: &'static str,
    function: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
struct AccessObject<'a> {
    role: &'a str,
    thread: &'a str,
    operation: &'a str,
    location: &'a str,
    ordering: Option<&'static str>,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
struct StepObject<'a> {
    thread: &'a str,
    step: &'a str,
    read: Option<i64>,
    written: Option<i64>,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
struct PrintedObject<'a> {
    thread: &'a str,
    text: &'a str,
}

/// All null for what has no place in the source, such as an initial value that is only implied.
#[derive(Default, Serialize)]
struct Place<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    length: Option<u32>,
}

/// One line of JSON, without the end of line.
pub fn json(report: &Report<'_>) -> String {
    let verdict = report.verdict;
    let statistics = &verdict.statistics;
    let object = Object {
        command: report.command,
        file: report.file,
        model: report.model,
        observational: report.executions.is_none().then_some(report.observational),
        properties: report.properties.iter().map(|p| p.name()).collect(),
        verdict: verdict.outcome.name(),
        reason: match &verdict.outcome {
            Outcome::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        },
        caveat: report.caveat(),
        assumptions: report.assumptions,
        states: statistics.states,
        transitions: statistics.transitions,
        depth: statistics.depth,
        exploration: report.executions.map(|executions| ExplorationObject {
            executions: ExecutionsObject {
                complete: executions.complete,
                blocked: executions.blocked,
                events: executions.events,
            },
            estimate: executions.estimate.map(estimate),
            bound: executions.bound,
            condition: executions.condition.as_ref().map(condition),
            outcomes: executions.outcomes.as_ref().map(|states| states.iter().map(outcome).collect()),
        }),
        seconds: statistics.seconds,
        peak_bytes: statistics.peak_bytes,
        violations: verdict.violations.iter().map(|v| violation(report, v)).collect(),
    };
    serde_json::to_string(&object).expect("strings, numbers and lists are always JSON")
}

fn estimate(estimate: Estimate) -> EstimateObject {
    let Estimate { executions, error, seconds, descents } = estimate;
    EstimateObject { executions, error, seconds, descents }
}

fn condition(answer: &ConditionAnswer) -> ConditionObject<'_> {
    ConditionObject {
        text: &answer.text,
        holds: answer.holds,
        observation: answer.observation(),
        satisfying: answer.satisfying,
        others: answer.others,
    }
}

fn outcome(state: &FinalState) -> OutcomeObject<'_> {
    OutcomeObject {
        state: state.values.iter().map(|(name, value)| (name.clone(), (*value).into())).collect(),
        executions: state.executions,
        satisfies: &state.satisfies,
    }
}

fn violation<'a>(report: &Report<'a>, violation: &'a Finding) -> ViolationObject<'a> {
    ViolationObject {
        kind: violation.kind.name(),
        message: &violation.message,
        accesses: violation.accesses.iter().map(|site| access(report, site)).collect(),
        trace: violation.trace.iter().map(|s| step(report, s)).collect(),
        output: violation.output.iter().map(|l| PrintedObject { thread: &l.thread, text: &l.text }).collect(),
        explanation: &violation.explanation,
        fix: violation.fixes.iter().map(Fix::sentence).collect(),
        fixes: violation.fixes.iter().map(|f| fix(report, f)).collect(),
        confirmed: (!violation.confirmed).then_some(false),
    }
}

fn fix<'a>(report: &Report<'a>, fix: &'a Fix) -> FixObject<'a> {
    let changes = fix.changes.iter().map(|change| ChangeObject {
        operation: &change.operation,
        ordering: change.ordering.name(),
        function: &change.function,
        place: place(report, change.span),
    });
    FixObject { text: &fix.text, verified: fix.remains.is_none(), remains: &fix.remains, changes: changes.collect() }
}

fn access<'a>(report: &Report<'a>, site: &'a AccessSite) -> AccessObject<'a> {
    AccessObject {
        role: &site.role,
        thread: &site.thread,
        operation: &site.operation,
        location: &site.location,
        ordering: site.ordering.map(|o| o.name()),
        place: place(report, site.span),
    }
}

fn step<'a>(report: &Report<'a>, step: &'a TraceStep) -> StepObject<'a> {
    StepObject {
        thread: &step.thread,
        step: &step.text,
        read: step.read,
        written: step.written,
        place: place(report, step.span),
    }
}

fn place<'a>(report: &Report<'a>, span: fencepost_program::Span) -> Place<'a> {
    match report.source(span) {
        Some(source) => Place {
            file: Some(&source.name),
            line: Some(span.line),
            column: Some(span.column),
            length: Some(span.length),
        },
        None => Place::default(),
    }
}
