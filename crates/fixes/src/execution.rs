//! What would forbid an execution that goes wrong: changes tried out on its graph by the model's definition.

use fencepost_graph::{Event, EventId, EventLabel, Graph, Relations, SC_FENCE_CELL, races};
use fencepost_models::Model;
use fencepost_program::{Change, Ordering, Program, Span};

use crate::sites::{changeable, plain_sites};
use crate::{Assignment, PlacedAccess, everywhere, fewest, singles_and_pairs, stronger_orderings};

/// With more SC fences than this, all their orders are too many to try.
const FENCES: usize = 5;

/// What is wrong with an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The model allows it.
    Allowed,
    /// These two accesses race.
    Race(EventId, EventId),
    /// Something that is not in the graph does not happen before something else.
    Unordered,
}

/// Sets of changes each of which forbids the execution, or what is wrong with it. There may be other executions.
/// `Unordered` has changes that may do so.
pub fn proposals(program: &Program, model: Model, graph: &Graph, wrong: Wrong) -> Vec<Assignment> {
    let changeable = changeable(program);
    let trial = Trial { model, graph, wrong, changeable: &changeable };
    match wrong {
        Wrong::Allowed => trial.for_weak_execution(),
        Wrong::Race(first, _) => trial.for_race(program, first),
        Wrong::Unordered => {
            let all = everywhere(model, &trial.places(|_| true));
            all.into_iter().filter(|changes| !changes.is_empty()).collect()
        }
    }
}

struct Trial<'a> {
    model: Model,
    graph: &'a Graph,
    wrong: Wrong,
    changeable: &'a [Span],
}

impl Trial<'_> {
    fn for_weak_execution(&self) -> Vec<Assignment> {
        let Some(objection) = Model::Sc.objection(self.graph) else { return Vec::new() };
        let on_cycle = |event| objection.cycle.iter().any(|&(from, _, to)| from == event || to == event);
        let mends = |changes: &[Change]| self.mends(changes);
        // Fences: one wherever the cycle goes along a thread.
        let mut fences: Vec<Change> = Vec::new();
        for (_, _, to) in objection.cycle.iter().filter(|(_, relation, _)| *relation == "po") {
            let change = Change::FenceBefore { site: self.graph.event(*to).span };
            if self.changeable.contains(&change.site()) && !fences.contains(&change) {
                fences.push(change);
            }
        }
        let mut proposed = Vec::new();
        let (near, all) = (self.places(on_cycle), self.places(|_| true));
        // What is on the cycle is often enough.
        for places in [near, all] {
            let mut changes = stronger_orderings(self.model, &places);
            changes.extend(&fences);
            proposed.extend(singles_and_pairs(&changes, places.len(), &mends));
            for all in everywhere(self.model, &places).into_iter().chain([fences.clone()]) {
                if all.len() > 2 && mends(&all) {
                    proposed.push(fewest(all, &mends));
                }
            }
            if !proposed.is_empty() {
                break;
            }
        }
        proposed
    }

    /// Orderings that put one of two accesses before the other; or both are made atomic, with all others of their
    /// variable.
    fn for_race(&self, program: &Program, first: EventId) -> Vec<Assignment> {
        let places = self.places(|_| true);
        let mends = |changes: &[Change]| self.mends(changes);
        let mut proposed = singles_and_pairs(&stronger_orderings(self.model, &places), places.len(), &mends);
        if proposed.is_empty() {
            // Perhaps it takes a weak execution to race.
            proposed.extend(self.for_weak_execution());
        }
        for all in everywhere(self.model, &places).into_iter().filter(|all| all.len() > 2 && mends(all)) {
            proposed.push(fewest(all, &mends));
        }
        let Some(at) = self.graph.event(first).label.address else { return proposed };
        let mut plain = plain_sites(program, at);
        for (_, event) in self.graph.events().filter(|(_, event)| event.label.address == Some(at)) {
            if !event.is_initial() && !event.is_atomic() && !plain.contains(&event.span) {
                plain.push(event.span);
            }
        }
        let atomic: Assignment =
            plain.into_iter().map(|site| Change::Order { site, order: Ordering::Relaxed }).collect();
        if atomic.iter().all(|change| self.changeable.contains(&change.site())) && mends(&atomic) {
            proposed.push(atomic);
        }
        proposed
    }

    /// The accesses of some events that can be changed.
    fn places(&self, wanted: impl Fn(EventId) -> bool) -> Vec<PlacedAccess> {
        let mut places: Vec<PlacedAccess> = Vec::new();
        for (id, event) in self.graph.events().filter(|(_, event)| !event.is_initial() && !event.is_fence()) {
            let site = event.span;
            if wanted(id) && self.changeable.contains(&site) && !places.iter().any(|place| place.site == site) {
                let (reads, writes) = (event.reads(), event.writes());
                places.push(PlacedAccess { site, order: event.label.order, reads, writes });
            }
        }
        places
    }

    /// Whether the model forbids the execution with the changes, or it is no longer wrong.
    fn mends(&self, changes: &[Change]) -> bool {
        let fences: usize = self.graph.events().map(|(_, event)| usize::from(self.is_sc_fence(&event.label))).sum();
        let fenced = |span: Span| changes.contains(&Change::FenceBefore { site: span });
        let new = self.graph.events().filter(|(_, event)| !event.is_initial() && fenced(event.span)).count();
        if self.model.sc_fence_is_rmw() && fences + new > FENCES {
            // An engine checks the changed program anyway.
            return true;
        }
        let initial = self.graph.events().filter(|(_, event)| event.is_initial());
        let initial = initial.filter_map(|(_, event)| Some((event.label.address?, event.label.written?)));
        let graph = Graph::initial(initial);
        let mut names: Vec<Option<EventId>> = vec![None; self.graph.len()];
        for (id, _) in self.graph.events().filter(|(_, event)| event.is_initial()) {
            names[id.index()] = Some(id);
        }
        let first = graph.len();
        !self.goes_wrong(changes, graph, names, first, false)
    }

    fn is_sc_fence(&self, label: &EventLabel) -> bool {
        label.address == Some(SC_FENCE_CELL)
    }

    /// Whether the rest of the execution, from an event on, can be added so that it goes wrong. SC fences that are RMWs
    /// may come in any order. `fenced`: the fence before the next event is there.
    fn goes_wrong(
        &self,
        changes: &[Change],
        mut graph: Graph,
        mut names: Vec<Option<EventId>>,
        next: usize,
        mut fenced: bool,
    ) -> bool {
        for index in next..self.graph.len() {
            let id = EventId(index as u32);
            let event = self.graph.event(id);
            let thread = event.thread.unwrap_or_default();
            let wants_fence = changes.contains(&Change::FenceBefore { site: event.span });
            let is_fence = self.is_sc_fence(&event.label);
            if is_fence || wants_fence && !std::mem::replace(&mut fenced, false) {
                let label = self.model.sc_fence_label();
                if label.address.is_none() {
                    graph.push(thread, label, event.span, None);
                } else {
                    let next = if is_fence { index + 1 } else { index };
                    let any = |predecessor: EventId| {
                        let graph = with_fence(&graph, thread, label, event.span, predecessor);
                        self.model.consistent(&graph) && self.goes_wrong(changes, graph, names.clone(), next, !is_fence)
                    };
                    return graph.writes(SC_FENCE_CELL).iter().any(|&predecessor| any(predecessor));
                }
            }
            let mut label = event.label;
            if !event.is_fence() && self.changeable.contains(&event.span) {
                label.order = changed(changes, event);
            }
            let predecessor = match label.address {
                None => None,
                Some(_) if event.reads() => self.graph.source(id).and_then(|source| names[source.index()]),
                // Right after the nearest earlier write that is there already.
                Some(at) => {
                    let writes = self.graph.writes(at).iter().rev();
                    let mut earlier = writes.skip_while(|&&write| write != id).skip(1);
                    earlier.find_map(|write| names[write.index()])
                }
            };
            names[index] = Some(graph.push(thread, label, event.span, predecessor));
        }
        self.model.consistent(&graph) && self.is_wrong(&graph, &names)
    }

    fn is_wrong(&self, graph: &Graph, names: &[Option<EventId>]) -> bool {
        let Wrong::Race(first, second) = self.wrong else { return true };
        let [first, second] = [first, second].map(|id| names[id.index()]);
        let hb = self.model.hb(&Relations::of(graph));
        races(graph, &hb).iter().any(|&(a, b)| [(first, second), (second, first)].contains(&(Some(a), Some(b))))
    }
}

/// The ordering of an access with the changes, as far as it can have it.
fn changed(changes: &[Change], event: &Event) -> Ordering {
    changes.iter().fold(event.label.order, |order, change| match *change {
        Change::Order { site, order: new } if site == event.span => order.join(match (event.reads(), event.writes()) {
            (_, false) => new.without_release(),
            (false, true) => new.without_acquire(),
            (true, true) => new,
        }),
        _ => order,
    })
}

/// The graph with one more SC fence, right after another one in their order.
fn with_fence(graph: &Graph, thread: u32, label: EventLabel, span: Span, predecessor: EventId) -> Graph {
    let mut graph = graph.clone();
    let fence = graph.push(thread, label, span, Some(predecessor));
    let writes = graph.writes(SC_FENCE_CELL);
    let follower = writes.iter().position(|&write| write == fence).and_then(|at| writes.get(at + 1).copied());
    if let Some(follower) = follower {
        graph.set_source(follower, fence);
    }
    graph
}
