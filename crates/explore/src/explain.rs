//! An execution that goes wrong, in words and as a drawing.

use fencepost_graph::{EventId, Graph, Relations, races};
use fencepost_models::Model;
use fencepost_program::Failure;
use fencepost_report::{AccessSite, Violation, ViolationKind, draw, event_text, trace_of};

use crate::execution::{Execution, Id};
use crate::explorer::Explorer;

pub(crate) fn failed(explorer: &Explorer, execution: &Execution, thread: usize, failure: Failure) -> Violation {
    let program = &explorer.steps.named_program();
    let name = program.thread_name(thread);
    let (kind, message) = match failure {
        Failure::OutOfBounds { index, length } => {
            (ViolationKind::OutOfBounds, format!("{name} uses index {index} of an array of {length}"))
        }
        Failure::DivisionByZero => (ViolationKind::DivisionByZero, format!("{name} divides by zero")),
        Failure::Assertion => (ViolationKind::Assertion, format!("an assertion of {name} fails")),
        Failure::InvalidAccess { .. } | Failure::MisalignedAccess { .. } => {
            (ViolationKind::OutOfBounds, format!("{name} {}", failure.text(program)))
        }
        _ => (ViolationKind::Assertion, format!("{name} {}", failure.text(program))),
    };
    let site = AccessSite {
        role: "fails".into(),
        thread: name,
        operation: "assert".into(),
        location: String::new(),
        ordering: None,
        span: explorer.steps.machine.span(explorer.steps.state(execution, thread)),
    };
    let graph = explorer.graph(execution);
    violation(explorer, &graph, kind, message, vec![site], against_sc(&graph), &[])
}

/// Whether weak memory has anything to do with an execution, in one sentence.
pub fn against_sc(graph: &Graph) -> &'static str {
    if Model::Sc.consistent(graph) {
        "The execution is sequentially consistent, so orderings are not the reason."
    } else {
        "The execution is not sequentially consistent: no interleaving of the threads does this."
    }
}

pub(crate) fn race(explorer: &Explorer, execution: &Execution, first: Id, second: Id) -> Violation {
    let program = &explorer.steps.named_program();
    let graph = explorer.graph(execution);
    let hb = explorer.steps.model.hb(&Relations::of(&graph));
    // The same two accesses in the graph, where events have other numbers.
    let is = |id: EventId, event: Id| {
        let (a, b) = (graph.event(id), execution.event(event));
        a.thread == Some(b.thread as u32) && a.span == b.span
    };
    let found = races(&graph, &hb);
    let pair = found.iter().find(|&&(a, b)| is(a, first) && is(b, second) || is(a, second) && is(b, first));
    let accesses: Vec<EventId> = pair.or(found.first()).map(|&(a, b)| vec![b, a]).unwrap_or_default();
    let sites: Vec<AccessSite> = accesses
        .iter()
        .zip(["races", "with this one"])
        .map(|(&id, role)| {
            let event = graph.event(id);
            AccessSite {
                role: role.into(),
                thread: event.thread.map(|t| program.thread_name(t as usize)).unwrap_or_default(),
                operation: if event.writes() { "store" } else { "load" }.into(),
                location: event.label.address.map(|at| program.cell_name(at)).unwrap_or_default(),
                ordering: Some(event.label.order),
                span: event.span,
            }
        })
        .collect();
    let texts: Vec<String> = accesses
        .iter()
        .zip(&sites)
        .map(|(&id, site)| format!("`{}` of {}", event_text(program, &graph.event(id).label), site.thread))
        .collect();
    let message = texts.join(" races with ");
    let explanation = "Both access the location, one of them writes, one of them is not atomic, and neither happens \
                       before the other: this is undefined behaviour.";
    violation(explorer, &graph, ViolationKind::DataRace, message, sites, explanation, &accesses)
}

fn violation(
    explorer: &Explorer,
    graph: &Graph,
    kind: ViolationKind,
    message: String,
    accesses: Vec<AccessSite>,
    explanation: &str,
    highlighted: &[EventId],
) -> Violation {
    let program = &explorer.steps.named_program();
    let model = explorer.steps.model;
    let title = format!("an execution that {} allows", model.name().to_uppercase());
    Violation {
        kind,
        message,
        accesses,
        trace: trace_of(program, graph),
        explanation: vec![explanation.to_string()],
        fixes: Vec::new(),
        graph: Some(draw(program, title, graph, highlighted, &[]).with(model.own_relations(graph))),
    }
}
