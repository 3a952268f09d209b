//! Execution graphs as JSON, and runs as tables.

use fencepost_graph::{EventId, SC_FENCE_CELL};
use fencepost_story::{Run, TraceStep, event_number, table};
use serde_json::{Value, json};

use crate::Report;

/// An execution graph for other programs. Events are numbered from 1; 0 stands for the initial value.
pub fn graph_json(run: &Run) -> Value {
    let Run { graph, names, .. } = run;
    let number = |id: EventId| event_number(graph, id);
    let cell = |address| names.cell_name(address);
    let events: Vec<Value> = graph
        .events()
        .filter(|(_, event)| !event.is_initial())
        .map(|(id, event)| {
            let location = event.label.address.filter(|_| !event.is_fence());
            json!({
                "event": number(id),
                "thread": event.thread.map(|thread| names.thread_name(thread as usize)).unwrap_or_default(),
                "step": run.event_text(id),
                "location": location.map(cell),
                "ordering": event.label.order.name(),
                "read": event.label.read.filter(|_| !event.is_fence()),
                "written": event.label.written.filter(|_| !event.is_fence()),
                "reads_from": graph.source(id).filter(|_| !event.is_fence()).map(number),
                "line": (event.span.line > 0).then_some(event.span.line),
            })
        })
        .collect();
    let orders: serde_json::Map<String, Value> = graph
        .modification_orders()
        .filter(|(address, _)| *address != SC_FENCE_CELL)
        .map(|(address, writes)| (cell(address), writes[1..].iter().map(|&write| number(write)).collect()))
        .collect();
    json!({ "events": events, "modification_orders": orders })
}

/// A run as a table: number, thread, step, values, place.
pub(crate) fn run(report: &Report<'_>, steps: &[TraceStep]) -> String {
    let row = |(i, step): (usize, &TraceStep)| {
        [(i + 1).to_string(), step.thread.clone(), step.text.clone(), step.values(), report.place(step.span)]
    };
    table(&steps.iter().enumerate().map(row).collect::<Vec<_>>())
}
