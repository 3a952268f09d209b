//! Execution graphs as text and JSON, and runs as tables.

use fencepost_story::{Listing, TraceStep};
use serde_json::{Value, json};

use crate::Report;

/// An execution graph for people: one line per event, with the event that it reads from, then the orders of writes that
/// are not obvious.
pub fn listing_text(listing: &Listing) -> String {
    let rows: Vec<[String; 5]> = listing
        .events
        .iter()
        .enumerate()
        .map(|(i, event)| {
            let source = match event.source {
                Some(0) => "from the initial value".to_owned(),
                Some(number) => format!("from {number}"),
                None => String::new(),
            };
            [(i + 1).to_string(), event.thread.clone(), event.step.clone(), event.values.clone(), source]
        })
        .collect();
    let mut out = table(&rows);
    for order in listing.orders.iter().filter(|order| order.writes.len() > 1) {
        let name = order.location.as_deref().unwrap_or("SC fences");
        let writes: Vec<String> = order.writes.iter().map(usize::to_string).collect();
        out.push_str(&format!("  order of {name}: {}\n", writes.join(", ")));
    }
    out
}

/// An execution graph for other programs. Events are numbered from 1; 0 stands for the initial value.
pub fn listing_json(listing: &Listing) -> Value {
    let events = listing.events.iter().enumerate().map(|(i, event)| {
        json!({
            "event": i + 1,
            "thread": event.thread,
            "step": event.step,
            "location": event.location,
            "ordering": event.ordering.name(),
            "read": event.read,
            "written": event.written,
            "reads_from": event.source,
            "line": (event.span.line > 0).then_some(event.span.line),
        })
    });
    let orders = listing.orders.iter().filter_map(|order| Some((order.location.clone()?, json!(order.writes))));
    json!({ "events": events.collect::<Vec<_>>(), "modification_orders": orders.collect::<serde_json::Map<_, _>>() })
}

/// A run as a table: number, thread, step, values, place.
pub(crate) fn run(report: &Report<'_>, steps: &[TraceStep]) -> String {
    let row = |(i, step): (usize, &TraceStep)| {
        [(i + 1).to_string(), step.thread.clone(), step.text.clone(), step.values(), report.place(step.span)]
    };
    table(&steps.iter().enumerate().map(row).collect::<Vec<_>>())
}

/// Columns with two spaces between them, the first one flush right.
pub(crate) fn table(rows: &[[String; 5]]) -> String {
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
