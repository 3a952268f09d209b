//! A violation: what the narrator is told of its run.

mod memory;
mod weak;
mod witness;

use fencepost_graph::{EventId, Graph, Relations, Step as CycleStep, path, races};
use fencepost_program::{Action, Failure, LabelKind};
use fencepost_story::{Finding, FindingKind, Reason, Stale, StaleDependency, StaleRead};

use crate::search::Found;
pub(crate) use witness::{StaleStep, Witness, event_label, why_unknown};

pub(crate) fn explain(witness: &Witness, found: Found) -> Finding {
    match found {
        Found::Stale { thread } => stale(witness, thread),
        Found::Dependent { thread } => dependent(witness, thread),
        Found::Race { thread, updates } => race(witness, thread, updates),
        Found::Memory { thread, fault } => memory::memory(witness, thread, fault),
        Found::Failed { thread } => failed(witness, thread),
        Found::Deadlock => deadlock(witness),
        Found::Unknown { .. } => unreachable!("an unknown is not explained"),
    }
}

fn stale(witness: &Witness, thread: usize) -> Finding {
    let step = witness.next_step(thread, None);
    let execution = witness.stale_execution(thread);
    let confirmed = execution.is_some();
    // What the monitors take to be stale is not exact where reads were taken as stale before.
    let inexact = || Some((witness.graph.clone(), witness.stale_steps(thread).into_iter().next()?));
    let found = execution.or_else(|| if witness.observational { inexact() } else { None });
    let Some((graph, StaleStep { label, predecessor })) = found else {
        // The monitors and the definitions disagree; say so rather than pretend.
        let run = witness.run(witness.graph.clone());
        let (text, name) = (run.text(&step), run.names.thread_name(thread));
        debug_assert!(false, "no stale step by definition: {text} of {name}");
        return Finding {
            trace: run.trace(),
            explanation: vec!["The definition does not confirm this: please report it as a bug.".to_owned()],
            graph: Some(run.drawing(&[], &[])),
            ..Finding::new(FindingKind::Robustness, format!("`{text}` of {name} may go stale"))
        };
    };
    let value = graph.event(predecessor).label.written.unwrap_or_default();
    let written = step.action.written(value).unwrap_or(value);
    let mut extended = graph.extended(thread as u32, event_label(label, value, written), Some(predecessor));
    let event = EventId(extended.len() as u32 - 1);
    (extended.event_mut(event).span, extended.event_mut(event).used) = (step.span, true);
    let missed = missed_write(witness, &graph, &extended, predecessor, event);
    let cycle = &named_cycle(witness, &extended, event, missed);
    let nothing_written = witness.unwritten[thread] && graph.event(predecessor).thread.is_none();
    let reads_nothing = label.kind == LabelKind::Read && nothing_written;
    let step = &witness.next_step(thread, Some(event));
    let told = Stale { step, event, predecessor, missed, cycle, reads_nothing, confirmed };
    let finding = witness.run(extended).stale(told);
    match confirmed {
        true => finding,
        false => Finding { graph: Some(witness.run(witness.graph.clone()).drawing(&[], &[])), ..finding },
    }
}

/// A write after the stale predecessor that the step should follow, the last one if there are several.
pub(crate) fn missed_write(
    witness: &Witness,
    graph: &Graph,
    extended: &Graph,
    predecessor: EventId,
    new: EventId,
) -> EventId {
    let writes = graph.writes(graph.event(predecessor).label.address.expect("a write has a location"));
    let position = writes.iter().position(|&w| w == predecessor).map_or(0, |i| i + 1);
    let relations = Relations::of(extended);
    let order = if witness.observational { relations.hb_sc_dp() } else { relations.hb_sc() };
    let ordered = writes[position..].iter().rev().copied().find(|&write| order.contains(write, new));
    ordered.unwrap_or_else(|| *writes.last().expect("a stale location was written"))
}

/// A cycle of po, rf, mo and fr through a stale step, with the write in it that it misses. Of reads that nothing
/// depends on, fr counts only where there is no cycle without.
pub(crate) fn named_cycle(witness: &Witness, graph: &Graph, new: EventId, missed: EventId) -> Vec<CycleStep> {
    let relations = Relations::of(graph);
    let fr_dp = relations.fr_dp();
    let frs = if witness.observational { vec![&fr_dp, &relations.fr] } else { vec![&relations.fr] };
    let cycle = |fr| {
        let named = [("po", &relations.po), ("rf", &relations.rf), ("mo", &relations.mo), ("fr", fr)];
        let mut cycle = path(&named, missed, new)?;
        cycle.extend(path(&named, new, missed)?);
        Some(cycle)
    };
    frs.into_iter().find_map(cycle).unwrap_or_default()
}

fn dependent(witness: &Witness, thread: usize) -> Finding {
    let dependency = witness.dependency(thread);
    let execution = witness.dependent_execution(thread, &dependency.reads);
    let confirmed = execution.is_some();
    let (graph, read, missed) = match execution {
        Some((graph, (step, missed))) => (graph, Some(step), Some(missed)),
        None => (witness.graph.clone(), dependency.reads.last().copied(), None),
    };
    let read = read.and_then(|step| {
        let event = witness.steps[step].event?;
        let at = witness.steps[step].action.address()?;
        let before = witness.before(step);
        // Without an execution, what the monitors take the read to be able to read.
        let source = match missed {
            Some(_) => graph.source(event),
            None => before.stale_steps(thread).first().map(|stale| stale.predecessor),
        };
        let missed = missed.or_else(|| before.graph.writes(at).last().copied());
        Some((step, event, source, missed))
    });
    debug_assert!(read.is_some(), "a step depends on stale reads that are not known");
    let cycle = read.and_then(|(_, event, _, missed)| Some(named_cycle(witness, &graph, event, missed?)));
    let cycle = cycle.as_deref().filter(|_| confirmed);
    let read = read.map(|(step, event, source, missed)| {
        let step = &witness.steps[step].step;
        StaleRead { step, event, source, missed, cycle }
    });
    let told = StaleDependency { thread, dependent: dependency.dependent, span: dependency.span, read };
    witness.run(graph).stale_dependency(told)
}

fn race(witness: &Witness, thread: usize, updates: bool) -> Finding {
    let Racing { graph, other, confirmed } = racing(witness, thread, updates);
    let new = EventId(graph.len() as u32 - 1);
    witness.run(graph).race(&witness.next_step(thread, Some(new)), other, confirmed)
}

/// Why what was found is no answer: of two concurrent accesses to parts of a cell, it must be certain that they share
/// bytes. If races are not checked, nothing is known of what follows.
pub(crate) fn is_undefined(witness: &Witness, found: Found, races_are_checked: bool) -> Option<Reason> {
    let Found::Race { thread, updates } = found else { return None };
    let this = witness.next_pieces[thread]?;
    let racing = racing(witness, thread, updates);
    let that = || racing.other.and_then(|other| witness.piece(other));
    if races_are_checked && (!witness.compiled.lts.is_wide(this.cell) || that().is_some_and(|that| this.overlaps(that)))
    {
        return None;
    }
    let span = match racing.other {
        Some(other) if !this.role.is_widened() => racing.graph.event(other).span,
        _ => witness.next[thread].1,
    };
    Some(Reason::concurrent_parts(witness.names.program(), span, this.cell))
}

/// An execution in which the next step of a thread races with another access.
struct Racing {
    /// With the step as the last event.
    graph: Graph,
    other: Option<EventId>,
    confirmed: bool,
}

fn racing(witness: &Witness, thread: usize, updates: bool) -> Racing {
    let (action, span) = witness.next[thread];
    let wanted = |kind| matches!(kind, LabelKind::Write | LabelKind::Rmw) == updates;
    let label = action.labels().find(|l| wanted(l.kind)).expect("a race is between accesses");
    let with_next = |graph: &Graph| {
        let last = graph.writes(label.at).last().copied();
        let value = last.and_then(|w| graph.event(w).label.written).unwrap_or_default();
        let event = event_label(label, value, action.written(value).unwrap_or(value));
        let mut graph = graph.extended(thread as u32, event, last);
        let new = EventId(graph.len() as u32 - 1);
        graph.event_mut(new).span = span;
        (graph, new)
    };
    let racing = |graph: &Graph| {
        let (graph, new) = with_next(graph);
        let hb = witness.definition.hb(&Relations::of(&graph));
        let others = races(&graph, &hb).into_iter().filter(|&(a, b)| a == new || b == new);
        let others = others.map(|(a, b)| if a == new { b } else { a });
        // One that shares bytes with the step, if the accesses are to parts of the cell.
        let shares =
            |other: EventId| witness.next_pieces[thread].zip(witness.piece(other)).is_some_and(|(a, b)| a.overlaps(b));
        let other = others.min_by_key(|&other| !shares(other))?;
        witness.definition.consistent(&graph).then_some((graph, other))
    };
    let execution = witness.execution(thread, |_| false, racing);
    let (graph, other, confirmed) = match execution {
        Some((_, (graph, other))) => (graph, Some(other), true),
        None => (with_next(&witness.graph).0, None, !witness.has_stale_reads()),
    };
    Racing { graph, other, confirmed }
}

fn failed(witness: &Witness, thread: usize) -> Finding {
    let step = witness.next_step(thread, None);
    let failure = match step.action {
        Action::Failed(failure) => failure,
        _ => Failure::Assertion,
    };
    witness.run(witness.graph.clone()).failed(&step, failure)
}

fn deadlock(witness: &Witness) -> Finding {
    let waiting = witness.waiting.iter().cloned().enumerate();
    let stuck = waiting.filter(|&(thread, _)| witness.next[thread].0 != Action::End);
    let stuck: Vec<_> = stuck.map(|(thread, waiting)| (witness.next_step(thread, None), waiting)).collect();
    witness.run(witness.graph.clone()).deadlock(&stuck)
}
