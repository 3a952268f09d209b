//! What would forbid the stale step: changes to orderings, or fences, tried out on the witness by the definitions.

use fencepost_graph::{EventId, Graph};
use fencepost_models::Model as Definition;
use fencepost_program::{Action, LabelKind, Ordering, Span};

use crate::witness::{Witness, event_label};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Every access at this place gets this ordering.
    Strengthen(Span, Ordering),
    /// An SC fence stands before this place.
    FenceBefore(Span),
}

/// Above this many accesses on the cycle, pairs of orderings are not tried.
const PAIRS_LIMIT: usize = 12;

/// Sentences, the least intrusive change first. Each change forbids the step in this run; there may be other runs.
pub(crate) fn fixes(witness: &Witness, thread: usize, cycle: &[(EventId, &'static str, EventId)]) -> Vec<String> {
    let mut places: Vec<(Span, Action)> = vec![(witness.next[thread].1, witness.next[thread].0)];
    for step in &witness.steps {
        let on_cycle = cycle.iter().any(|&(from, _, to)| Some(from) == step.event || Some(to) == step.event);
        if on_cycle && !places.iter().any(|(span, _)| *span == step.span) {
            places.push((step.span, step.action));
        }
    }
    let mut fixes = Vec::new();
    let stronger: Vec<Change> = places
        .iter()
        .flat_map(|&(span, action)| stronger(witness.definition, &action).map(move |o| Change::Strengthen(span, o)))
        .collect();
    let single = stronger.iter().map(|&change| vec![change]);
    let pairs = stronger.iter().enumerate().flat_map(|(i, &a)| stronger[i + 1..].iter().map(move |&b| vec![a, b]));
    let pairs =
        pairs.filter(|p| place(p[0]) != place(p[1])).take(if places.len() <= PAIRS_LIMIT { usize::MAX } else { 0 });
    let mut candidates = single.chain(pairs);
    fixes.extend(candidates.find(|changes| forbids(witness, thread, changes)).map(|c| sentence(&places, &c)));
    // Fences: one wherever the cycle goes along a thread, then as few of them as suffice.
    let mut fences: Vec<Change> = Vec::new();
    for &(_, relation, to) in cycle {
        if relation == "po" {
            let step = witness.steps.iter().find(|s| s.event == Some(to));
            let fence = Change::FenceBefore(step.map_or(witness.next[thread].1, |s| s.span));
            if !fences.contains(&fence) {
                fences.push(fence);
            }
        }
    }
    if forbids(witness, thread, &fences) {
        for fence in fences.clone() {
            let fewer: Vec<Change> = fences.iter().copied().filter(|&f| f != fence).collect();
            if forbids(witness, thread, &fewer) {
                fences = fewer;
            }
        }
        fixes.push(sentence(&places, &fences));
    }
    fixes
}

fn place(change: Change) -> Span {
    match change {
        Change::Strengthen(span, _) | Change::FenceBefore(span) => span,
    }
}

/// The orderings above that of an access, weakest first. RA takes no notice of orderings, RC20 has no SC accesses.
fn stronger(definition: Definition, action: &Action) -> impl Iterator<Item = Ordering> + use<> {
    let label = action.labels().next();
    let (order, kind) = label.map_or((Ordering::SeqCst, LabelKind::Read), |l| (l.order, l.kind));
    let candidates: &'static [Ordering] = match kind {
        LabelKind::Read | LabelKind::AwaitRead => &[Ordering::Acquire, Ordering::SeqCst],
        LabelKind::Write => &[Ordering::Release, Ordering::SeqCst],
        LabelKind::Rmw => &[Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst],
    };
    let above = move |new: Ordering| {
        order.is_atomic()
            && new != order
            && !order.is_sc()
            && (new.is_acquire() || !order.is_acquire())
            && (new.is_release() || !order.is_release())
    };
    candidates.iter().copied().filter(move |&new| {
        definition != Definition::Ra && above(new) && (definition == Definition::Rc11 || !new.is_sc())
    })
}

/// Whether the run with the changes leaves no stale step to the thread.
fn forbids(witness: &Witness, thread: usize, changes: &[Change]) -> bool {
    let order_at = |span: Span, order: Ordering, writes: bool| {
        changes.iter().fold(order, |order, change| match *change {
            Change::Strengthen(s, new) if s == span && writes => new,
            Change::Strengthen(s, new) if s == span => new.without_release(),
            _ => order,
        })
    };
    let fence_at = |span: Span| changes.contains(&Change::FenceBefore(span));
    let mut graph = Graph::initial_of(witness.program, witness.definition.sc_fence_is_rmw());
    let push = |graph: &mut Graph, thread: usize, label: fencepost_graph::EventLabel| {
        let last = label.address.and_then(|at| graph.writes(at).last().copied());
        graph.push(thread as u32, label, Span::default(), last);
    };
    for step in witness.steps.iter().filter(|s| !s.tainted) {
        let Some(event) = step.event else { continue };
        if fence_at(step.span) {
            push(&mut graph, step.thread, witness.definition.sc_fence_label());
        }
        let mut label = witness.graph.event(event).label;
        if !witness.graph.event(event).is_fence() {
            label.order = order_at(step.span, label.order, witness.graph.event(event).writes());
        }
        push(&mut graph, step.thread, label);
    }
    let (action, span) = witness.next[thread];
    if fence_at(span) {
        push(&mut graph, thread, witness.definition.sc_fence_label());
    }
    action.labels().all(|mut label| {
        label.order = order_at(span, label.order, matches!(label.kind, LabelKind::Write | LabelKind::Rmw));
        let writes = graph.writes(label.at);
        writes[..writes.len() - 1].iter().all(|&predecessor| {
            let value = graph.event(predecessor).label.written.unwrap_or_default();
            if !label.accept.accepts(value) {
                return true;
            }
            let event = event_label(label, value, action.written(value).unwrap_or(value));
            let extended = graph.extended(thread as u32, event, Some(predecessor));
            !witness.definition.consistent(&extended) || Definition::Sc.consistent(&extended)
        })
    })
}

fn sentence(places: &[(Span, Action)], changes: &[Change]) -> String {
    let text = |change: &Change| match *change {
        Change::Strengthen(span, order) => {
            let action = places.iter().find(|(s, _)| *s == span).map(|(_, action)| action);
            let what = action.map_or("access", |a| match a {
                Action::Load { .. } | Action::Wait { .. } => "load",
                Action::Store { .. } => "store",
                _ => "update",
            });
            format!("give the {what} on line {} the ordering `{order}`", span.line)
        }
        Change::FenceBefore(span) => format!("put `fence(sc)` before line {}", span.line),
    };
    changes.iter().map(text).collect::<Vec<_>>().join(", and ")
}
