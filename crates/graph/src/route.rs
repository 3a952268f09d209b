//! Paths and cycles through named relations, for explanations.

use std::collections::VecDeque;

use crate::{EventId, Relation};

/// One edge of a path: from, the name of the relation, to.
pub type Step = (EventId, &'static str, EventId);

/// A shortest nonempty path from `from` to `to`, which may be the same event. Where several relations have an edge, the
/// first one is named.
pub fn path(relations: &[(&'static str, &Relation)], from: EventId, to: EventId) -> Option<Vec<Step>> {
    let events = relations.first()?.1.events();
    let mut reached_by: Vec<Option<Step>> = vec![None; events];
    let mut queue = VecDeque::from([from]);
    while let Some(a) = queue.pop_front() {
        for (name, relation) in relations {
            for b in relation.successors(a) {
                if reached_by[b.index()].is_none() {
                    reached_by[b.index()] = Some((a, name, b));
                    queue.push_back(b);
                }
            }
        }
        if reached_by[to.index()].is_some() {
            break;
        }
    }
    let mut steps = vec![reached_by[to.index()]?];
    while steps[steps.len() - 1].0 != from {
        steps.push(reached_by[steps[steps.len() - 1].0.index()]?);
    }
    steps.reverse();
    Some(steps)
}

/// A shortest cycle through the union of the relations.
pub fn cycle(relations: &[(&'static str, &Relation)]) -> Option<Vec<Step>> {
    let events = relations.first()?.1.events();
    (0..events as u32).filter_map(|e| path(relations, EventId(e), EventId(e))).min_by_key(Vec::len)
}
