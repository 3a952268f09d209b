//! Execution graphs in words.

use fencepost_graph::{EventId, Graph, SC_FENCE_CELL};
use fencepost_program::Program;

use crate::{TraceStep, event_text, source_values};

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
    let number = |id: EventId| event_number(graph, id);
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

/// Numbers from 1 for the events of threads, 0 for initial values.
pub fn event_number(graph: &Graph, id: EventId) -> usize {
    let initial = graph.events().take_while(|(_, event)| event.is_initial()).count();
    (id.index() + 1).saturating_sub(initial)
}

fn thread_name(program: &Program, thread: Option<u32>) -> String {
    thread.map(|t| program.thread_name(t as usize)).unwrap_or_default()
}

/// Columns with two spaces between them, the first one flush right.
pub fn table(rows: &[[String; 5]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second, third, fourth) = (width(0), width(1), width(2), width(3));
    let mut out = String::new();
    for [a, b, c, d, e] in rows {
        let line = format!("  {a:>first$}  {b:<second$}  {c:<third$}  {d:<fourth$}  {e}");
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
