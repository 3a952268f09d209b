//! Execution graphs in words and as JSON.

use fencepost_graph::{EventId, Graph, SC_FENCE_CELL};
use fencepost_program::Program;
use serde_json::{Value, json};

use crate::draw::event_text;
use crate::text::{source_values, table};
use crate::{Report, TraceStep};

/// The events of a graph in an order that goes along program order and reads-from.
pub fn trace_of(program: &Program, graph: &Graph) -> Vec<TraceStep> {
    let events = graph.events().filter(|(_, event)| !event.is_initial());
    let step = |(_, event): (EventId, &fencepost_graph::Event)| {
        // An SC fence that is kept as an RMW reads nothing that the program knows of.
        let read = event.label.read.filter(|_| !event.is_fence());
        let written = event.label.written.filter(|_| !event.is_fence());
        TraceStep {
            thread: thread_name(program, event.thread),
            text: event_text(program, &event.label),
            read,
            written,
            values: source_values(program, event.label.address, read, written),
            span: event.span,
        }
    };
    events.map(step).collect()
}

/// One line an event, with the event that it reads from, then the orders of writes that are not obvious.
pub fn graph_text(program: &Program, graph: &Graph) -> String {
    let number = |id: EventId| number(graph, id);
    let rows: Vec<[String; 5]> = trace_of(program, graph)
        .iter()
        .zip(graph.events().filter(|(_, event)| !event.is_initial()))
        .map(|(step, (id, event))| {
            let source = match graph.source(id).filter(|_| !event.is_fence()) {
                Some(source) if graph.event(source).is_initial() => "from the initial value".to_owned(),
                Some(source) => format!("from {}", number(source)),
                None => String::new(),
            };
            [number(id).to_string(), step.thread.clone(), step.text.clone(), step.values(), source]
        })
        .collect();
    let mut out = table(&rows);
    for (address, writes) in graph.modification_orders().filter(|(_, writes)| writes.len() > 2) {
        let name = if address == SC_FENCE_CELL { "SC fences".to_owned() } else { program.cell_name(address) };
        let order: Vec<String> = writes[1..].iter().map(|&write| number(write).to_string()).collect();
        out.push_str(&format!("  order of {name}: {}\n", order.join(", ")));
    }
    out
}

/// The same facts for other programs. Events are numbered from 1; 0 stands for the initial value.
pub fn graph_json(program: &Program, graph: &Graph) -> Value {
    let number = |id: EventId| number(graph, id);
    let cell = |address| program.cell_name(address);
    let events: Vec<Value> = graph
        .events()
        .filter(|(_, event)| !event.is_initial())
        .map(|(id, event)| {
            let location = event.label.address.filter(|_| !event.is_fence());
            json!({
                "event": number(id),
                "thread": thread_name(program, event.thread),
                "step": event_text(program, &event.label),
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

/// Numbers from 1 for the events of threads, 0 for initial values.
fn number(graph: &Graph, id: EventId) -> usize {
    let initial = graph.events().take_while(|(_, event)| event.is_initial()).count();
    (id.index() + 1).saturating_sub(initial)
}

fn thread_name(program: &Program, thread: Option<u32>) -> String {
    thread.map(|t| program.thread_name(t as usize)).unwrap_or_default()
}

/// A run as a table: number, thread, step, values, place.
pub(crate) fn run(report: &Report<'_>, steps: &[TraceStep]) -> String {
    let row = |(i, step): (usize, &TraceStep)| {
        [(i + 1).to_string(), step.thread.clone(), step.text.clone(), step.values(), report.place(step.span)]
    };
    table(&steps.iter().enumerate().map(row).collect::<Vec<_>>())
}
