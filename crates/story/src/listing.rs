//! Execution graphs in words.

use fencepost_graph::{EventId, Graph, SC_FENCE_CELL};

use crate::Run;
use crate::values::access_values;

/// One line per event, with the event that it reads from, then the orders of writes that are not obvious.
pub fn graph_text(run: &Run) -> String {
    let Run { graph, names, .. } = run;
    let number = |id: EventId| event_number(graph, id);
    let rows: Vec<[String; 5]> = graph
        .events()
        .filter_map(|(id, event)| {
            let thread = event.thread?;
            // An SC fence that is kept as an RMW reads nothing that the program knows of.
            let (read, written, source) = match event.is_fence() {
                true => (None, None, None),
                false => (event.label.read, event.label.written, graph.source(id)),
            };
            let source = match source {
                Some(source) if graph.event(source).is_initial() => "from the initial value".to_owned(),
                Some(source) => format!("from {}", number(source)),
                None => String::new(),
            };
            let values = access_values(names, event.label.address, read, written);
            let thread = names.thread_name(thread as usize);
            Some([number(id).to_string(), thread, run.event_text(id), values, source])
        })
        .collect();
    let mut out = table(&rows);
    for (address, writes) in graph.modification_orders().filter(|(_, writes)| writes.len() > 2) {
        let name = if address == SC_FENCE_CELL { "SC fences".to_owned() } else { names.cell_name(address) };
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
