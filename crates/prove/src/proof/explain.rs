//! What the proof of a property rests on, as the analysis recorded it.

use crate::search::order::{Cycle, Edge, Reason, path};
use crate::search::record::Left;
use crate::system::seen::{Because, Deduction, Exclusion};
use crate::system::{EventId, System};

pub(crate) struct Explanation {
    /// An index into the properties.
    pub(crate) property: usize,
    pub(crate) grounds: Grounds,
}

pub(crate) enum Grounds {
    /// What holds in every execution decides it.
    Values,
    /// The cases of the search, in the order in which they were left.
    Cases(Vec<Left>),
}

impl Explanation {
    pub(crate) fn by_values(property: usize) -> Explanation {
        Explanation { property, grounds: Grounds::Values }
    }
}

/// The edges of a cycle and those that they follow from, each behind those that it follows from itself.
pub(crate) fn needed(cycle: &Cycle) -> Vec<Edge> {
    let mut found = Vec::new();
    for &edge in &cycle.cycle {
        collect(&cycle.edges, edge, cycle.edges.len(), &mut found);
    }
    found
}

/// Adds an edge after those that it was deduced from. `known` edges were there when it was deduced.
fn collect(edges: &[Edge], edge: Edge, known: usize, found: &mut Vec<Edge>) {
    if found.iter().any(|e| (e.from, e.to) == (edge.from, edge.to)) {
        return;
    }
    let known = edges.iter().position(|e| (e.from, e.to) == (edge.from, edge.to)).unwrap_or(known);
    if let Some((from, to)) = premise(edge) {
        for step in path(&edges[..known], from, to) {
            if step.reason != Reason::StartOrEnd {
                collect(edges, step, known, found);
            }
        }
    }
    found.push(edge);
}

/// The pair of events whose order an edge was deduced from.
pub(crate) fn premise(edge: Edge) -> Option<(usize, usize)> {
    match edge.reason {
        Reason::Overwrites { source } => Some((source, edge.to)),
        Reason::SeenBy { load } => Some((edge.from, load)),
        Reason::BeforeSource { source } => Some((edge.from, source)),
        Reason::ReadBefore { load, .. } => Some((load, edge.to)),
        Reason::StartOrEnd | Reason::ProgramOrder | Reason::Tried | Reason::ReadsFrom => None,
    }
}

/// The cycle that an exclusion is if the load reads the store, if one is in all executions the same. It begins with
/// what overwrites the store, or with the load if that comes first.
pub(crate) fn chain(
    system: &System,
    load: EventId,
    store: EventId,
    exclusion: Exclusion,
    deductions: &[Deduction],
) -> Option<Vec<EventId>> {
    match exclusion {
        Exclusion::InitialValueOverwritten => between(system, deductions, store, load),
        Exclusion::Later => between(system, deductions, load, store),
        Exclusion::Overwritten(by) => between(system, deductions, by, load),
    }
}

/// Events each of which takes effect before the next. Of an initial value, what overwrites it comes first.
fn between(system: &System, deductions: &[Deduction], first: EventId, second: EventId) -> Option<Vec<EventId>> {
    let last = deductions.iter().position(|d| (d.first, d.second) == (first, second))?;
    let (earlier, because) = (&deductions[..last], &deductions[last].because);
    match because {
        Because::ProgramOrder => Some(vec![first, second]),
        Because::Before(event) => Some([between(system, earlier, first, *event)?, vec![second]].concat()),
        Because::OverwrittenBy(event) => Some(vec![*event, second]),
        Because::StoredOnAllPaths => None,
        Because::Read { load, sources } => {
            let [store] = sources[..] else { return None };
            let (e, from) = (&system.events[first], &system.events[store]);
            let overwrites = e.thread().is_none() && e.cell() == from.cell();
            let is_direct = store == first || overwrites;
            let mut events = if is_direct { vec![store] } else { between(system, earlier, first, store)? };
            events.push(*load);
            events.extend((*load != second).then_some(second));
            Some(events)
        }
    }
}
