//! A violation in words: what happens, which accesses matter, why SC forbids it.

mod dependent;
mod memory;

use fencepost_graph::{EventId, EventKind, Graph, Relations, path, races};
use fencepost_program::memory::{Region, joined_thread, region};
use fencepost_program::{Action, Address, Failure, LabelKind, Program, Waiting};
use fencepost_story::{
    AccessSite, Finding, FindingKind, TraceStep, WitnessGraph, action_text, draw, operation, source_values,
};

use crate::search::Found;
use crate::witness::{RunStep, StaleStep, Witness, event_label};

pub(crate) fn explain(witness: &Witness, found: Found) -> Finding {
    let mut violation = match found {
        Found::Stale { thread } => stale(witness, thread),
        Found::Dependent { thread } => dependent::dependent(witness, thread),
        Found::Race { thread, updates } => race(witness, thread, updates),
        Found::Memory { thread, fault } => memory::memory(witness, thread, fault),
        Found::Failed { thread } => failed(witness, thread),
        Found::Deadlock => deadlock(witness),
        Found::Unknown { .. } => unreachable!("an unknown is not explained"),
    };
    if violation.trace.is_empty() {
        violation.trace = run(witness, &witness.graph);
    }
    violation.output = witness.printed.clone();
    if violation.graph.is_none() {
        violation.graph = Some(drawing(witness, &witness.graph, &[], &[]));
    }
    violation
}

/// The run, with what its stale reads read in a graph.
fn run(witness: &Witness, graph: &Graph) -> Vec<TraceStep> {
    let shown = witness.steps.iter().filter(|s| is_shown(witness.program, s));
    shown.map(|s| trace_step(witness, graph, s)).collect()
}

fn drawing(
    witness: &Witness,
    graph: &Graph,
    highlighted: &[EventId],
    cycle: &[(EventId, &'static str, EventId)],
) -> WitnessGraph {
    let title = format!("an execution that {} allows", witness.definition.name().to_uppercase());
    draw(witness.program, title, graph, highlighted, cycle)
}

fn violation(kind: FindingKind, message: String) -> Finding {
    Finding {
        kind,
        message,
        accesses: Vec::new(),
        trace: Vec::new(),
        output: Vec::new(),
        explanation: Vec::new(),
        fixes: Vec::new(),
        graph: None,
        confirmed: true,
    }
}

/// How a thread learns that it may start, and tells that it has ended, is how threads are made, not what a program
/// does; nor is what a library keeps in its locks beside the lock, or the C++ library in objects that the source has no
/// name for.
fn is_shown(program: &Program, step: &RunStep) -> bool {
    let action = &step.action;
    let pointer = action.address().and_then(Address::pointer_and_size).map(|(pointer, _)| pointer);
    let unnamed = step.header && pointer.is_some_and(|pointer| !program.has_name(pointer));
    if (step.library || unnamed) && action.labels().any(|label| !label.order.is_atomic()) {
        return false;
    }
    // How the library finds memory to use again.
    if step.library && matches!(action, Action::HeapSize { .. } | Action::Choose { .. }) {
        return false;
    }
    if pointer.is_some_and(|pointer| region(pointer) == Region::Freed) {
        return false;
    }
    !pointer.is_some_and(|pointer| region(pointer) == Region::Thread)
        || matches!(action, Action::Wait { .. }) && pointer.is_some_and(|p| joined_thread(p).is_some())
}

fn trace_step(witness: &Witness, graph: &Graph, step: &RunStep) -> TraceStep {
    let stale = step.event.filter(|&event| step.tainted && graph.source(event) != witness.graph.source(event));
    let read = stale.map_or(step.read, |event| graph.event(event).label.read);
    let mut values = source_values(witness.program, step.action.address(), read, step.written);
    if stale.is_some() {
        let plain = || format!("reads {}", read.unwrap_or_default());
        values = Some(format!("{}, stale", values.unwrap_or_else(plain)));
    }
    TraceStep {
        thread: witness.program.thread_name(step.thread),
        text: action_text(witness.program, &step.action),
        read,
        written: step.written,
        values,
        span: step.span,
    }
}

fn stale(witness: &Witness, thread: usize) -> Finding {
    let program = witness.program;
    let (action, span) = witness.next[thread];
    let text = action_text(program, &action);
    let name = program.thread_name(thread);
    let execution = witness.stale_execution(thread);
    let confirmed = execution.is_some();
    // What the monitors take to be stale is not exact where reads were taken as stale before.
    let inexact = || Some((witness.graph.clone(), witness.stale_steps(thread).into_iter().next()?));
    let found = execution.or_else(|| if witness.observational { inexact() } else { None });
    let Some((graph, StaleStep { label, predecessor })) = found else {
        // The monitors and the definitions disagree; say so rather than pretend.
        debug_assert!(false, "no stale step by definition: {text} of {name}");
        let mut violation = violation(FindingKind::Robustness, format!("`{text}` of {name} may go stale"));
        violation.explanation.push("The definition does not confirm this: please report it as a bug.".to_string());
        return violation;
    };
    let value = graph.event(predecessor).label.written.unwrap_or_default();
    let written = action.written(value).unwrap_or(value);
    let mut extended = graph.extended(thread as u32, event_label(label, value, written), Some(predecessor));
    let new = EventId(extended.len() as u32 - 1);
    (extended.event_mut(new).span, extended.event_mut(new).used) = (span, true);
    let missed_write = missed_write(witness, &graph, &extended, predecessor, new);
    let missed = event_text(witness, missed_write);
    let source = event_text(witness, predecessor);
    let nothing =
        label.kind == LabelKind::Read && witness.unwritten[thread] && graph.event(predecessor).thread.is_none();
    let message = match label.kind {
        LabelKind::Read if nothing => {
            format!("`{text}` of {name} may read uninitialised memory, missing {missed}")
        }
        LabelKind::Read | LabelKind::AwaitRead => {
            format!("`{text}` of {name} may read {}, missing {missed}", program.value_text(label.at, value))
        }
        LabelKind::Write => format!("`{text}` of {name} may come before {missed}, right after {source}"),
        LabelKind::Rmw => {
            format!("`{text}` of {name} may update {}, missing {missed}", program.value_text(label.at, value))
        }
    };
    let mut violation = violation(FindingKind::Robustness, message);
    violation.confirmed = confirmed;
    violation.accesses = vec![
        AccessSite {
            role: "may go stale".into(),
            thread: name.clone(),
            operation: operation(&action).into(),
            location: program.cell_name(label.at),
            ordering: Some(label.order),
            span,
        },
        event_site(witness, missed_write, "may be missed"),
    ];
    let cycle = named_cycle(witness, &extended, new, missed_write);
    violation.explanation = why_not_sc(witness, &extended, &cycle, new, &text);
    let model = witness.definition.name().to_uppercase();
    violation.explanation.push(if confirmed {
        format!("Under {model} nothing makes {name} aware of {missed} along happens-before, so the step is allowed.")
    } else {
        format!(
            "No execution of {model} was found in which the step is stale and everything else is as in this run, so \
             this may be a false alarm. Each step below reads the last value."
        )
    });
    violation.trace = run(witness, &graph);
    if confirmed {
        violation.graph = Some(drawing(witness, &extended, &[new, missed_write], &cycle));
    }
    violation
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
pub(crate) fn named_cycle(
    witness: &Witness,
    graph: &Graph,
    new: EventId,
    missed: EventId,
) -> Vec<(EventId, &'static str, EventId)> {
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

fn why_not_sc(
    witness: &Witness,
    graph: &Graph,
    cycle: &[(EventId, &'static str, EventId)],
    new: EventId,
    text: &str,
) -> Vec<String> {
    let name = |event: EventId| {
        if event == new {
            return format!("the stale `{text}`");
        }
        event_name(witness, graph, event)
    };
    let mut words = Vec::new();
    for &(from, relation, to) in cycle {
        words.push(match relation {
            "po" => format!("{} is before {} in its thread", name(from), name(to)),
            "rf" => format!("{} is read by {}", name(from), name(to)),
            "mo" => format!("{} is overwritten by {}", name(from), name(to)),
            _ => format!("{} reads what {} overwrites", name(from), name(to)),
        });
    }
    let mut explanation = vec![
        "Sequential consistency forbids it, because the step would have to come both after and before the write it \
         misses:"
            .to_string(),
    ];
    explanation.extend(words.into_iter().map(|word| format!("- {word}")));
    explanation
}

fn race(witness: &Witness, thread: usize, updates: bool) -> Finding {
    let program = witness.program;
    let (action, span) = witness.next[thread];
    let name = program.thread_name(thread);
    let text = action_text(program, &action);
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
        let (a, b) = races(&graph, &hb).into_iter().find(|&(a, b)| a == new || b == new)?;
        witness.definition.consistent(&graph).then_some((graph, if a == new { b } else { a }))
    };
    let execution = witness.execution(thread, |_| false, racing);
    let (graph, other, confirmed) = match execution {
        Some((_, (graph, other))) => (graph, Some(other), true),
        None => (with_next(&witness.graph).0, None, !witness.has_stale_reads()),
    };
    let new = EventId(graph.len() as u32 - 1);
    let location = program.cell_name(label.at);
    let races = if confirmed { "races" } else { "may race" };
    let mut violation = violation(
        FindingKind::DataRace,
        match other {
            Some(other) => format!("`{text}` of {name} {races} with {}", event_name(witness, &graph, other)),
            None => format!("`{text}` of {name} {races} with an earlier access to {location}"),
        },
    );
    violation.confirmed = confirmed;
    violation.accesses.push(AccessSite {
        role: races.into(),
        thread: name,
        operation: operation(&action).into(),
        location,
        ordering: Some(label.order),
        span,
    });
    if let Some(other) = other {
        violation.accesses.push(event_site(witness, other, "with this one"));
    }
    violation.explanation.push(if confirmed {
        "Both access the location, one of them writes, one of them is not atomic, and neither happens before the other: \
         this is undefined behaviour."
            .to_string()
    } else {
        format!(
            "A stale read does not synchronise, so nothing orders the two accesses in this run. No execution of {} was \
             found in which they race, so this may be a false alarm. Each step below reads the last value.",
            witness.definition.name().to_uppercase()
        )
    });
    violation.trace = run(witness, &graph);
    violation.graph =
        Some(drawing(witness, &graph, &[Some(new), other].into_iter().flatten().collect::<Vec<_>>(), &[]));
    violation
}

fn failed(witness: &Witness, thread: usize) -> Finding {
    let program = witness.program;
    let (action, span) = witness.next[thread];
    let name = program.thread_name(thread);
    let (kind, message) = match action {
        Action::Failed(failure) if failure != Failure::Assertion => {
            (FindingKind::of_failure(failure), format!("{name} {}", failure.text(program)))
        }
        _ => (FindingKind::Assertion, format!("an assertion of {name} fails")),
    };
    let mut violation = violation(kind, message);
    violation.accesses.push(AccessSite {
        role: "fails".into(),
        thread: name,
        operation: "assert".into(),
        location: String::new(),
        ordering: None,
        span,
    });
    violation
        .explanation
        .push("It fails in a sequentially consistent run, so orderings are not the reason.".to_string());
    violation
}

fn deadlock(witness: &Witness) -> Finding {
    let program = witness.program;
    let stuck =
        witness.next.iter().zip(&witness.waiting).enumerate().filter(|(_, ((action, _), _))| *action != Action::End);
    let message = Waiting::message(stuck.clone().map(|(_, (_, waiting))| waiting));
    let mut violation = violation(FindingKind::Deadlock, message.to_owned());
    for (thread, ((action, span), waiting)) in stuck {
        let name = program.thread_name(thread);
        let wrote = |step: &&RunStep| step.written.is_some() && step.action.address() == waiting.at;
        let last = witness.steps.iter().rev().find(wrote).filter(|_| waiting.is_lock && waiting.at.is_some());
        let holder = match last {
            Some(step) if step.thread == thread => ", which it holds itself".to_owned(),
            Some(step) => format!(", which {} holds", program.thread_name(step.thread)),
            None => String::new(),
        };
        violation.explanation.push(format!("{name} {}{holder}.", waiting.text));
        violation.accesses.push(AccessSite {
            role: waiting.role().into(),
            thread: name,
            operation: waiting.operation.into(),
            location: waiting.at.map(|at| program.cell_name(at)).unwrap_or_default(),
            ordering: action.labels().next().map(|l| l.order),
            span: *span,
        });
    }
    violation
}

fn event_site(witness: &Witness, event: EventId, role: &str) -> AccessSite {
    let e = witness.graph.event(event);
    let step = witness.steps.iter().find(|s| s.event == Some(event));
    AccessSite {
        role: role.into(),
        thread: e.thread.map_or(String::new(), |t| witness.program.thread_name(t as usize)),
        operation: step.map_or("initial value", |s| operation(&s.action)).into(),
        location: e.label.address.map(|at| witness.program.cell_name(at)).unwrap_or_default(),
        ordering: step.map(|_| e.label.order),
        span: e.span,
    }
}

/// `x.store(1, rel)` of worker[0], or the initial value of x.
fn event_text(witness: &Witness, event: EventId) -> String {
    event_name(witness, &witness.graph, event)
}

fn event_name(witness: &Witness, graph: &Graph, event: EventId) -> String {
    let e = graph.event(event);
    let Some(thread) = e.thread else {
        let cell = e.label.address.map(|at| witness.program.cell_name(at)).unwrap_or_default();
        return format!("the initial value of {cell}");
    };
    let text = match witness.steps.iter().find(|s| s.event == Some(event)) {
        Some(step) => action_text(witness.program, &step.action),
        None => match e.label.kind {
            EventKind::Fence => "a fence".to_string(),
            _ => "an access".to_string(),
        },
    };
    format!("`{text}` of {}", witness.program.thread_name(thread as usize))
}
