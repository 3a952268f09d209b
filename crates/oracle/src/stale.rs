use fencepost_graph::{EventId, EventKind, EventLabel, Graph};
use fencepost_models::Model;
use fencepost_program::Label;

/// The writes that a step could take as its predecessor under the model although SC forbids it: what makes a
/// non-robustness witness (paper 003 Thm. 5.1, paper 001 Def. 4.5), in the form "the extended graph is consistent in
/// the model but not in SC". `graph` is SC-consistent.
pub fn stale_predecessors(graph: &Graph, thread: u32, label: Label, model: Model) -> Vec<EventId> {
    let kind = EventKind::from(label.kind);
    graph
        .writes(label.at)
        .iter()
        .copied()
        .filter(|&write| {
            let value = graph.event(write).label.written.unwrap_or(0);
            let event = EventLabel {
                kind,
                address: Some(label.at),
                order: label.order,
                read: (kind != EventKind::Write).then_some(value),
                written: matches!(kind, EventKind::Write | EventKind::Rmw).then_some(0),
            };
            let extended = graph.extended(thread, event, Some(write));
            label.accept.accepts(value) && model.consistent(&extended) && !Model::Sc.consistent(&extended)
        })
        .collect()
}
