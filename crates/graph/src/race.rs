use crate::{Event, EventId, Graph, Relation};

/// Same location, and at least one writes (paper 001 Def. 6.1).
pub fn conflicting(a: &Event, b: &Event) -> bool {
    a.label.address.is_some() && a.label.address == b.label.address && (a.writes() || b.writes())
}

/// The races in which an access that is not atomic takes part (paper 001 Def. 6.1): conflicting events of which hb
/// orders neither before the other. `hb` is the happens-before of the model in question. The papers keep atomic and
/// nonatomic locations apart; here one location may have accesses of both kinds.
pub fn races(graph: &Graph, hb: &Relation) -> Vec<(EventId, EventId)> {
    let ordered = |a, b| hb.contains(a, b) || hb.contains(b, a);
    let mut found = Vec::new();
    for (b, second) in graph.events() {
        for (a, first) in graph.events().take(b.index()) {
            let one_is_nonatomic = !first.is_atomic() || !second.is_atomic();
            if one_is_nonatomic && conflicting(first, second) && !ordered(a, b) {
                found.push((a, b));
            }
        }
    }
    found
}
