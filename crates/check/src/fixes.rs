//! What would forbid the stale step: changes to orderings, or fences, tried out on the witness by the definitions.

use fencepost_graph::{EventId, EventLabel, Graph, Relations, races};
use fencepost_models::Model as Definition;
use fencepost_program::{Action, Label, LabelKind, Ordering, Span};

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

/// Sentences, the least intrusive change first. Each change forbids the stale step in this run; there may be other runs.
pub(crate) fn for_stale(witness: &Witness, thread: usize, cycle: &[(EventId, &'static str, EventId)]) -> Vec<String> {
    let on_cycle = |event| cycle.iter().any(|&(from, _, to)| from == event || to == event);
    let places = places(witness, thread, on_cycle);
    let mends = |changes: &[Change]| Changed::new(witness, changes).leaves_nothing_stale(thread);
    let mut fixes: Vec<String> = stronger_orderings(witness, &places, mends).into_iter().collect();
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
    if mends(&fences) {
        for fence in fences.clone() {
            let fewer: Vec<Change> = fences.iter().copied().filter(|&f| f != fence).collect();
            if mends(&fewer) {
                fences = fewer;
            }
        }
        fixes.push(sentence(&places, &fences));
    }
    fixes
}

/// Orderings that would put what the step of a thread races with before it.
pub(crate) fn for_race(witness: &Witness, thread: usize, label: Label) -> Vec<String> {
    let places = places(witness, thread, |_| true);
    let mends = |changes: &[Change]| Changed::new(witness, changes).leaves_no_race(thread, label);
    stronger_orderings(witness, &places, mends).into_iter().collect()
}

/// The accesses to change: those of some events, and the one that goes wrong.
fn places(witness: &Witness, thread: usize, wanted: impl Fn(EventId) -> bool) -> Vec<(Span, Action)> {
    let mut places: Vec<(Span, Action)> = vec![(witness.next[thread].1, witness.next[thread].0)];
    for step in witness.steps.iter().filter(|step| !step.library) {
        if step.event.is_some_and(&wanted) && !places.iter().any(|(span, _)| *span == step.span) {
            places.push((step.span, step.action));
        }
    }
    places
}

/// One stronger ordering, or two, that mend the run.
fn stronger_orderings(
    witness: &Witness,
    places: &[(Span, Action)],
    mends: impl Fn(&[Change]) -> bool,
) -> Option<String> {
    let stronger: Vec<Change> = places
        .iter()
        .flat_map(|&(span, action)| stronger(witness.definition, &action).map(move |o| Change::Strengthen(span, o)))
        .collect();
    let single = stronger.iter().map(|&change| vec![change]);
    let pairs = stronger.iter().enumerate().flat_map(|(i, &a)| stronger[i + 1..].iter().map(move |&b| vec![a, b]));
    let pairs = pairs.filter(|p| place(p[0]) != place(p[1]));
    let pairs = pairs.take(if places.len() <= PAIRS_LIMIT { usize::MAX } else { 0 });
    single.chain(pairs).find(|changes| mends(changes)).map(|changes| sentence(places, &changes))
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

    fn fence_before(&mut self, thread: usize, span: Span) {
        if self.changes.contains(&Change::FenceBefore(span)) {
            self.push(thread, self.witness.definition.sc_fence_label());
        }
    }

    fn order(&self, span: Span, order: Ordering, writes: bool) -> Ordering {
        self.changes.iter().fold(order, |order, change| match *change {
            Change::Strengthen(s, new) if s == span && writes => new,
            Change::Strengthen(s, new) if s == span => new.without_release(),
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
    fn leaves_no_race(mut self, thread: usize, label: Label) -> bool {
        self.push(thread, event_label(label, 0, 0));
        let hb = self.witness.definition.hb(&Relations::of(&self.graph));
        races(&self.graph, &hb).is_empty()
    }
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
