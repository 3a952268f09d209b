//! What would forbid a violation: changes to orderings, or fences, tried out on its run by the definitions.

use fencepost_fixes::{PlacedAccess, everywhere, fewest, plain_sites, singles_and_pairs, stronger_orderings};
use fencepost_graph::{EventId, EventLabel, Graph, Relations, races};
use fencepost_models::Model as Definition;
use fencepost_program::{Action, Change, Label, LabelKind, Ordering, Program, Span};

use crate::explain::{StaleStep, Witness, event_label, missed_write, named_cycle};
use crate::search::Found;

/// Sets of changes each of which forbids the violation in its run. There may be other runs.
pub(super) fn proposals(program: &Program, witness: &Witness, found: Found) -> Vec<Vec<Change>> {
    match found {
        // The run with the changes would not have the same stale reads: what is stale before the last of them, and
        // beyond that, any ordering.
        Found::Stale { thread } | Found::Dependent { thread } if witness.has_stale_reads() => {
            let reads = witness.dependency(thread).reads;
            let mut proposed = reads.last().map_or(Vec::new(), |&read| for_stale(&witness.before(read), thread));
            let places = places(witness, thread, |_| true);
            proposed.extend(stronger_orderings(witness.definition, &places).into_iter().map(|change| vec![change]));
            proposed
        }
        Found::Stale { thread } => for_stale(witness, thread),
        Found::Race { thread, updates } => {
            let wanted = |kind| matches!(kind, LabelKind::Write | LabelKind::Rmw) == updates;
            let label = witness.next[thread].0.labels().find(|label| wanted(label.kind));
            label.map(|label| for_race(program, witness, thread, label)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn for_stale(witness: &Witness, thread: usize) -> Vec<Vec<Change>> {
    let inexact = || Some((witness.graph.clone(), witness.stale_steps(thread).into_iter().next()?));
    let Some((graph, StaleStep { label, predecessor })) = witness.stale_execution(thread).or_else(inexact) else {
        return Vec::new();
    };
    let extended = graph.extended(thread as u32, event_label(label, 0, 0), Some(predecessor));
    let new = EventId(extended.len() as u32 - 1);
    let missed = missed_write(witness, &graph, &extended, predecessor, new);
    let cycle = named_cycle(witness, &extended, new, missed);
    let on_cycle = |event| cycle.iter().any(|&(from, _, to)| from == event || to == event);
    let places = places(witness, thread, on_cycle);
    let mends = |changes: &[Change]| Changed::new(witness, changes).leaves_nothing_stale(thread);
    // Fences: one wherever the cycle goes along a thread.
    let mut fences: Vec<Change> = Vec::new();
    for &(_, relation, to) in &cycle {
        if relation == "po" {
            let step = witness.steps.iter().find(|s| s.event == Some(to) && !s.library);
            let site = step.map_or(witness.next[thread].1, |s| s.span);
            if !fences.contains(&Change::FenceBefore { site }) {
                fences.push(Change::FenceBefore { site });
            }
        }
    }
    let mut changes = stronger_orderings(witness.definition, &places);
    changes.extend(&fences);
    let mut proposed = singles_and_pairs(&changes, places.len(), &mends);
    for all in everywhere(witness.definition, &places).into_iter().chain([fences]) {
        if all.len() > 2 && mends(&all) {
            proposed.push(fewest(all, &mends));
        }
    }
    proposed
}

/// Orderings that put what the step races with before it; or both accesses are made atomic, with all others of their
/// variable.
fn for_race(program: &Program, witness: &Witness, thread: usize, label: Label) -> Vec<Vec<Change>> {
    let places = places(witness, thread, |_| true);
    let mends = |changes: &[Change]| Changed::new(witness, changes).leaves_no_race(thread, label);
    let changes = stronger_orderings(witness.definition, &places);
    let mut proposed = singles_and_pairs(&changes, places.len(), &mends);
    for all in everywhere(witness.definition, &places).into_iter().filter(|all| all.len() > 2 && mends(all)) {
        proposed.push(fewest(all, &mends));
    }
    let mut plain = plain_sites(program, label.at);
    let here = witness.steps.iter().filter(|step| step.action.address() == Some(label.at));
    let here = here.filter(|step| !step.library).map(|step| (step.span, &step.action));
    let next = (witness.next[thread].1, &witness.next[thread].0);
    for (span, action) in here.chain([next]) {
        if action.labels().any(|label| !label.order.is_atomic()) && !plain.contains(&span) {
            plain.push(span);
        }
    }
    let atomic: Vec<Change> = plain.into_iter().map(|site| Change::Order { site, order: Ordering::Relaxed }).collect();
    if mends(&atomic) {
        proposed.push(atomic);
    }
    proposed
}

/// The accesses to change: those of some events, and the one that goes wrong.
fn places(witness: &Witness, thread: usize, wanted: impl Fn(EventId) -> bool) -> Vec<PlacedAccess> {
    let (next, span) = &witness.next[thread];
    let mut places = vec![placed(*span, next)];
    // The code that starts a thread is nowhere.
    for step in witness.steps.iter().filter(|step| !step.library && step.span != Span::default()) {
        if step.event.is_some_and(&wanted) && !places.iter().any(|place| place.site == step.span) {
            places.push(placed(step.span, &step.action));
        }
    }
    places
}

fn placed(site: Span, action: &Action) -> PlacedAccess {
    let label = action.labels().next();
    let (order, kind) = label.map_or((Ordering::SeqCst, LabelKind::Read), |l| (l.order, l.kind));
    let (reads, writes) = (kind != LabelKind::Write, matches!(kind, LabelKind::Write | LabelKind::Rmw));
    PlacedAccess { site, order, reads, writes }
}

/// The run with the changes.
struct Changed<'w, 'p> {
    witness: &'w Witness<'p>,
    changes: &'w [Change],
    graph: Graph,
}

impl<'w, 'p> Changed<'w, 'p> {
    fn new(witness: &'w Witness<'p>, changes: &'w [Change]) -> Changed<'w, 'p> {
        let mut changed = Changed { witness, changes, graph: witness.initial.clone() };
        for step in witness.steps.iter().filter(|s| !s.tainted) {
            let Some(event) = step.event else { continue };
            changed.fence_before(step.thread, step.span);
            let mut label = witness.graph.event(event).label;
            if !step.library && !witness.graph.event(event).is_fence() {
                label.order = changed.order(step.span, label.order, witness.graph.event(event).writes());
            }
            changed.push(step.thread, label);
        }
        changed
    }

    fn push(&mut self, thread: usize, label: EventLabel) {
        let last = label.address.and_then(|at| self.graph.writes(at).last().copied());
        self.graph.push(thread as u32, label, Span::default(), last);
    }

    fn fence_before(&mut self, thread: usize, site: Span) {
        if self.changes.contains(&Change::FenceBefore { site }) {
            self.push(thread, self.witness.definition.sc_fence_label());
        }
    }

    fn order(&self, span: Span, order: Ordering, writes: bool) -> Ordering {
        self.changes.iter().fold(order, |order, change| match *change {
            Change::Order { site, order: new } if site == span && writes => order.join(new),
            Change::Order { site, order: new } if site == span => order.join(new.without_release()),
            _ => order,
        })
    }

    /// Whether the next step of the thread can no longer go stale.
    fn leaves_nothing_stale(mut self, thread: usize) -> bool {
        let definition = self.witness.definition;
        let (action, span) = self.witness.next[thread];
        self.fence_before(thread, span);
        action.labels().all(|mut label| {
            label.order = self.order(span, label.order, matches!(label.kind, LabelKind::Write | LabelKind::Rmw));
            let writes = self.graph.writes(label.at);
            writes[..writes.len() - 1].iter().all(|&predecessor| {
                let value = self.graph.event(predecessor).label.written.unwrap_or_default();
                if !self.witness.takes(thread, label, value) {
                    return true;
                }
                let event = event_label(label, value, action.written(value).unwrap_or(value));
                let extended = self.graph.extended(thread as u32, event, Some(predecessor));
                !definition.consistent(&extended) || Definition::Sc.consistent(&extended)
            })
        })
    }

    /// Whether all that the step conflicts with happens before it.
    fn leaves_no_race(mut self, thread: usize, mut label: Label) -> bool {
        let writes = matches!(label.kind, LabelKind::Write | LabelKind::Rmw);
        label.order = self.order(self.witness.next[thread].1, label.order, writes);
        self.push(thread, event_label(label, 0, 0));
        let hb = self.witness.definition.hb(&Relations::of(&self.graph));
        races(&self.graph, &hb).is_empty()
    }
}
