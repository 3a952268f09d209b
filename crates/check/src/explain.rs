//! A violation in words: what happens, which accesses matter, why SC forbids it.

mod memory;

use fencepost_graph::{EventId, EventKind, Graph, Relations, path, races};
use fencepost_program::memory::{Region, joined_thread, region};
use fencepost_program::{
    Accept, Action, Address, CasKind, Comparison, Failure, LabelKind, Ordering, Program, Update, UpdateOp, Value,
};
use fencepost_report::{AccessSite, TraceStep, Violation, ViolationKind, WitnessGraph, draw, source_values};

use crate::expand::Found;
use crate::fixes;
use crate::witness::{RunStep, StaleStep, Witness, event_label};

pub(crate) fn explain(witness: &Witness, found: Found) -> Violation {
    let mut violation = match found {
        Found::Stale { thread } => stale(witness, thread),
        Found::Dependent { thread } => dependent(witness, thread),
        Found::Race { thread, updates } => race(witness, thread, updates),
        Found::Memory { thread, fault } => memory::memory(witness, thread, fault),
        Found::Failed { thread } => failed(witness, thread),
        Found::Deadlock => deadlock(witness),
        Found::Unknown { .. } => unreachable!("an unknown is not explained"),
    };
    violation.trace =
        witness.steps.iter().filter(|s| is_shown(witness.program, s)).map(|s| trace_step(witness, s)).collect();
    violation.output = witness.printed.clone();
    if violation.graph.is_none() {
        violation.graph = Some(drawing(witness, &witness.graph, &[], &[]));
    }
    violation
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

fn violation(kind: ViolationKind, message: String) -> Violation {
    Violation {
        kind,
        message,
        accesses: Vec::new(),
        trace: Vec::new(),
        output: Vec::new(),
        explanation: Vec::new(),
        fixes: Vec::new(),
        graph: None,
    }
}

/// How a thread learns that it may start, and tells that it has ended, is how threads are made, not what a program does; nor
/// is what a library keeps in its locks beside the lock, or the C++ library in objects that the source has no name for.
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
    !pointer.is_some_and(|pointer| region(pointer) == Region::Thread)
        || matches!(action, Action::Wait { .. }) && pointer.is_some_and(|p| joined_thread(p).is_some())
}

fn trace_step(witness: &Witness, step: &RunStep) -> TraceStep {
    let mut text = action_text(witness.program, &step.action);
    if let Action::Alloc { pointer: new, .. } = step.action {
        let mut before = witness.steps.iter().take_while(|other| !std::ptr::eq(*other, step));
        if before.any(|other| matches!(other.action, Action::Alloc { pointer, .. } if pointer == new)) {
            text += " in memory that was freed";
        }
    }
    TraceStep {
        thread: thread_name(witness.program, step.thread),
        text,
        read: step.read,
        written: step.written,
        values: source_values(witness.program, step.action.address(), step.read, step.written),
        span: step.span,
    }
}

fn stale(witness: &Witness, thread: usize) -> Violation {
    let program = witness.program;
    let (action, span) = witness.next[thread];
    let text = action_text(program, &action);
    let name = thread_name(program, thread);
    let Some(step) = witness.stale_steps(thread).into_iter().next() else {
        // The monitors and the definitions disagree; say so rather than pretend.
        debug_assert!(false, "no stale step by definition: {text} of {name}");
        let mut violation = violation(ViolationKind::Robustness, format!("`{text}` of {name} may go stale"));
        violation.explanation.push("The definition does not confirm this: please report it as a bug.".to_string());
        return violation;
    };
    let StaleStep { label, predecessor } = step;
    let last = *witness.graph.writes(label.at).last().expect("a stale location was written");
    let value = witness.graph.event(predecessor).label.written.unwrap_or_default();
    let missed = event_text(witness, last);
    let source = event_text(witness, predecessor);
    let message = match label.kind {
        LabelKind::Read | LabelKind::AwaitRead => {
            format!("`{text}` of {name} may read {}, missing {missed}", program.value_text(label.at, value))
        }
        LabelKind::Write => format!("`{text}` of {name} may come before {missed}, right after {source}"),
        LabelKind::Rmw => {
            format!("`{text}` of {name} may update {}, missing {missed}", program.value_text(label.at, value))
        }
    };
    let mut violation = violation(ViolationKind::Robustness, message);
    violation.accesses = vec![
        AccessSite {
            role: "may go stale".into(),
            thread: name.clone(),
            operation: operation(&action).into(),
            location: program.cell_name(label.at),
            ordering: Some(label.order),
            span,
        },
        event_site(witness, last, "may be missed"),
    ];
    let written = action.written(value).unwrap_or(value);
    let mut extended = witness.graph.extended(thread as u32, event_label(label, value, written), Some(predecessor));
    let new = EventId(extended.len() as u32 - 1);
    extended.event_mut(new).span = span;
    let cycle = sc_cycle(&extended, new, last);
    violation.explanation = why_not_sc(witness, &extended, &cycle, new, &text);
    violation.explanation.push(format!(
        "Under {} nothing makes {name} aware of {missed} along happens-before, so the step is allowed.",
        witness.definition.name().to_uppercase()
    ));
    violation.fixes = fixes::for_stale(witness, thread, &cycle);
    violation.graph = Some(drawing(witness, &extended, &[new, last], &cycle));
    violation
}

/// A cycle of po, rf, mo and fr through the new event, with the missed write in it.
fn sc_cycle(graph: &Graph, new: EventId, last: EventId) -> Vec<(EventId, &'static str, EventId)> {
    let relations = Relations::of(graph);
    let named = [("po", &relations.po), ("rf", &relations.rf), ("mo", &relations.mo), ("fr", &relations.fr)];
    let mut cycle = path(&named, last, new).unwrap_or_default();
    cycle.extend(path(&named, new, last).unwrap_or_default());
    cycle
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

fn dependent(witness: &Witness, thread: usize) -> Violation {
    let program = witness.program;
    let (action, span) = witness.next[thread];
    let name = thread_name(program, thread);
    let what = match action {
        Action::Failed(_) | Action::End | Action::Blocked => "a branch or an assertion".to_string(),
        _ => format!("`{}`", action_text(program, &action)),
    };
    let mut violation = violation(
        ViolationKind::StaleDependency,
        format!("{name} depends on a value that may be stale, at or before {what}"),
    );
    let tainted = witness.steps.iter().rfind(|s| s.thread == thread && s.tainted);
    if let Some((read, at)) = tainted.and_then(|s| s.event.zip(s.action.address())) {
        violation.accesses.push(event_site(witness, read, "may be stale"));
        let last = witness.graph.writes(at).last().expect("a location that is read was written");
        violation.accesses.push(event_site(witness, *last, "may be missed"));
    }
    violation.accesses.push(AccessSite {
        role: "depends on it".into(),
        thread: name,
        operation: operation(&action).into(),
        location: action.address().map(|at| program.cell_name(at)).unwrap_or_default(),
        ordering: None,
        span,
    });
    violation.explanation.push(
        "A stale value may be read as long as nothing depends on it; here a later step does (observational robustness)."
            .to_string(),
    );
    violation
}

fn race(witness: &Witness, thread: usize, updates: bool) -> Violation {
    let program = witness.program;
    let (action, span) = witness.next[thread];
    let name = thread_name(program, thread);
    let text = action_text(program, &action);
    let wanted = |kind| matches!(kind, LabelKind::Write | LabelKind::Rmw) == updates;
    let label = action.labels().find(|l| wanted(l.kind)).expect("a race is between accesses");
    let last = witness.graph.writes(label.at).last().copied();
    let value = last.and_then(|w| witness.graph.event(w).label.written).unwrap_or_default();
    let event = event_label(label, value, action.written(value).unwrap_or(value));
    let mut graph = witness.graph.extended(thread as u32, event, last);
    let new = EventId(graph.len() as u32 - 1);
    graph.event_mut(new).span = span;
    let hb = witness.definition.hb(&Relations::of(&graph));
    let other = races(&graph, &hb).into_iter().find(|&(a, b)| a == new || b == new);
    let other = other.map(|(a, b)| if a == new { b } else { a });
    let location = program.cell_name(label.at);
    let mut violation = violation(
        ViolationKind::DataRace,
        match other {
            Some(other) => format!("`{text}` of {name} races with {}", event_name(witness, &graph, other)),
            None => format!("`{text}` of {name} races with an earlier access to {location}"),
        },
    );
    violation.accesses.push(AccessSite {
        role: "races".into(),
        thread: name,
        operation: operation(&action).into(),
        location,
        ordering: Some(label.order),
        span,
    });
    if let Some(other) = other {
        violation.accesses.push(event_site(witness, other, "with this one"));
    }
    violation.explanation.push(
        "Both access the location, one of them writes, one of them is not atomic, and neither happens before the other: \
         this is undefined behaviour."
            .to_string(),
    );
    violation.fixes = fixes::for_race(witness, thread, label);
    violation.graph =
        Some(drawing(witness, &graph, &[Some(new), other].into_iter().flatten().collect::<Vec<_>>(), &[]));
    violation
}

fn failed(witness: &Witness, thread: usize) -> Violation {
    let program = witness.program;
    let (action, span) = witness.next[thread];
    let name = thread_name(program, thread);
    let (kind, message) = match action {
        Action::Failed(failure) if failure != Failure::Assertion => {
            (ViolationKind::of_failure(failure), format!("{name} {}", failure.text(program)))
        }
        _ => (ViolationKind::Assertion, format!("an assertion of {name} fails")),
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

fn deadlock(witness: &Witness) -> Violation {
    let program = witness.program;
    let mut violation = violation(
        ViolationKind::Deadlock,
        "every thread that has not ended waits, and nothing can wake it".to_string(),
    );
    for (thread, (action, span)) in witness.next.iter().enumerate() {
        if let (Action::Wait { .. } | Action::Rmw { .. }, Some(at)) = (action, action.address()) {
            violation.accesses.push(AccessSite {
                role: "waits".into(),
                thread: thread_name(program, thread),
                operation: operation(action).into(),
                location: program.cell_name(at),
                ordering: action.labels().next().map(|l| l.order),
                span: *span,
            });
        }
    }
    violation
}

fn event_site(witness: &Witness, event: EventId, role: &str) -> AccessSite {
    let e = witness.graph.event(event);
    let step = witness.steps.iter().find(|s| s.event == Some(event));
    AccessSite {
        role: role.into(),
        thread: e.thread.map_or(String::new(), |t| thread_name(witness.program, t as usize)),
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
    format!("`{text}` of {}", thread_name(witness.program, thread as usize))
}

pub(crate) fn thread_name(program: &Program, thread: usize) -> String {
    program.thread_name(thread)
}

fn operation(action: &Action) -> &'static str {
    match action {
        Action::Load { .. } => "load",
        Action::Wait { .. } => "wait",
        Action::Store { .. } => "store",
        Action::Rmw { accept: Accept::Exactly(_), update: Update { op: UpdateOp::Exchange, .. }, .. } => "bcas",
        Action::Rmw { update, .. } => update_name(update.op),
        Action::Cas { kind: CasKind::Strong, .. } => "cas",
        Action::Cas { kind: CasKind::Weak, .. } => "cas_weak",
        Action::Fence { .. } => "fence",
        Action::Choose { .. } => "choose",
        Action::Spawn { .. } => "spawn",
        Action::Alloc { .. } => "malloc",
        Action::Free { .. } => "free",
        Action::HeapSize { .. } => "realloc",
        Action::Failed(_) => "assert",
        Action::Blocked => "assume",
        Action::End => "end",
    }
}

fn update_name(op: UpdateOp) -> &'static str {
    match op {
        UpdateOp::Exchange => "exchange",
        UpdateOp::Add => "fetch_add",
        UpdateOp::Sub => "fetch_sub",
        UpdateOp::And => "fetch_and",
        UpdateOp::Or => "fetch_or",
        UpdateOp::Xor => "fetch_xor",
        UpdateOp::Nand => "fetch_nand",
        UpdateOp::Min => "fetch_min",
        UpdateOp::Max => "fetch_max",
        UpdateOp::UMin => "fetch_umin",
        UpdateOp::UMax => "fetch_umax",
    }
}

/// The action as `.fp` writes it.
pub(crate) fn action_text(program: &Program, action: &Action) -> String {
    let cell = |at| program.cell_name(at);
    let call = |at, name: &str, operands: &[Value], orders: &[Ordering]| {
        let operands = operands.iter().map(|&value| program.value_text(at, value));
        let arguments: Vec<String> = operands.chain(orders.iter().map(Ordering::to_string)).collect();
        format!("{}.{name}({})", cell(at), arguments.join(", "))
    };
    match *action {
        Action::Load { at, order } => call(at, "load", &[], &[order]),
        Action::Store { at, value, order } => call(at, "store", &[value], &[order]),
        Action::Rmw {
            at,
            accept: Accept::Exactly(v),
            update: Update { op: UpdateOp::Exchange, operand, .. },
            order,
        } => call(at, "bcas", &[v, operand], &[order]),
        Action::Rmw { at, accept, update, order } => {
            let call = call(at, update_name(update.op), &[update.operand], &[order]);
            match accept.condition() {
                Some((comparison, v)) => {
                    format!("{call} when {} {}", comparison.sign(), program.value_text(at, v))
                }
                None => call,
            }
        }
        Action::Cas { at, expected, desired, success, failure, .. } => {
            call(at, operation(action), &[expected, desired], &[success, failure])
        }
        Action::Wait { at, accept, order } => {
            let joined = at.pointer_and_size().and_then(|(pointer, _)| joined_thread(pointer));
            if let Some(thread) = joined {
                return format!("join({})", thread_name(program, thread as usize));
            }
            let (comparison, value) = accept.condition().unwrap_or((Comparison::Ge, Value::MIN));
            format!("wait({} {} {}, {order})", cell(at), comparison.sign(), program.value_text(at, value))
        }
        Action::Fence { order } => format!("fence({order})"),
        Action::Choose { lo, hi } => format!("choose({lo}..{hi})"),
        Action::Spawn { func, .. } => format!("spawn({})", program.function(func).name),
        Action::Alloc { size, .. } => format!("malloc({size})"),
        Action::Free { pointer } => format!("free({})", program.pointer_name(pointer)),
        Action::HeapSize { pointer } => format!("realloc({})", program.pointer_name(pointer)),
        Action::Failed(_) => "assert".to_string(),
        Action::Blocked => "assume".to_string(),
        Action::End => "end".to_string(),
    }
}
