//! An execution that goes wrong, in words and as a drawing.

use fencepost_fixes::Wrong;
use fencepost_graph::{EventId, Graph, Relations, races};
use fencepost_models::Model;
use fencepost_program::{Failure, Program, Waiting};
use fencepost_story::{AccessSite, Finding, FindingKind, draw, event_text, trace_of};

use crate::event::{Id, Kind};
use crate::execution::Execution;
use crate::explorer::Explorer;
use crate::heap::HeapError;
use crate::output::printed;

/// A violation, and the execution that shows it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub violation: Finding,
    pub graph: Graph,
    pub wrong: Wrong,
}

/// The program with names for the threads and objects of an execution.
fn named(explorer: &Explorer, graph: &Graph) -> Program {
    let mut program = explorer.steps.named_program();
    program.name_objects(graph.events().filter_map(|(_, event)| Some((event.label.address?, event.span))));
    program
}

pub(crate) fn failed(explorer: &Explorer, execution: &Execution, thread: usize, failure: Failure) -> Found {
    let graph = explorer.graph(execution);
    let program = &named(explorer, &graph);
    let name = program.thread_name(thread);
    let message = match failure {
        Failure::Assertion => format!("an assertion of {name} fails"),
        _ => format!("{name} {}", failure.text(program)),
    };
    let site = AccessSite {
        role: "fails".into(),
        thread: name,
        operation: "assert".into(),
        location: String::new(),
        ordering: None,
        span: explorer.steps.span(execution, thread),
    };
    let kind = FindingKind::of_failure(failure);
    let violation = violation(explorer, execution, &graph, kind, message, vec![site], against_sc(&graph), &[]);
    Found { violation, graph, wrong: Wrong::Allowed }
}

/// Threads that wait for ever: what each of them waits for, and which thread holds it.
pub(crate) fn deadlock(explorer: &Explorer, execution: &Execution, stuck: &[usize]) -> Found {
    let execution = &execution.without_refused();
    let graph = explorer.graph(execution);
    let program = &named(explorer, &graph);
    let (mut sites, mut reasons) = (Vec::new(), Vec::new());
    let waiting = |&thread: &usize| explorer.steps.waiting(program, execution, thread);
    let waiting: Vec<Waiting> = stuck.iter().map(waiting).collect();
    let message = Waiting::message(&waiting).to_owned();
    for (&thread, waiting) in stuck.iter().zip(waiting) {
        let action = explorer.steps.action(execution, thread);
        let role = waiting.role().into();
        let Waiting { operation, at, text, is_lock, .. } = waiting;
        let name = program.thread_name(thread);
        let newest = at.filter(|_| is_lock).and_then(|at| explorer.last_write(execution, at));
        let holder = newest.map(|write| match write.thread == thread {
            true => ", which it holds itself".to_owned(),
            false => format!(", which {} holds", program.thread_name(write.thread)),
        });
        reasons.push(format!("{name} {text}{}.", holder.unwrap_or_default()));
        sites.push(AccessSite {
            role,
            thread: name,
            operation: operation.into(),
            location: at.map(|at| program.cell_name(at)).unwrap_or_default(),
            ordering: action.labels().next().map(|label| label.order),
            span: explorer.steps.span(execution, thread),
        });
    }
    let kind = FindingKind::Deadlock;
    let mut violation = violation(explorer, execution, &graph, kind, message, sites, against_sc(&graph), &[]);
    violation.explanation.splice(0..0, reasons);
    Found { violation, graph, wrong: Wrong::Allowed }
}

/// Whether weak memory has anything to do with an execution, in one sentence.
pub fn against_sc(graph: &Graph) -> &'static str {
    if Model::Sc.consistent(graph) {
        "The execution is sequentially consistent, so orderings are not the reason."
    } else {
        "The execution is not sequentially consistent: no interleaving of the threads does this."
    }
}

pub(crate) fn race(explorer: &Explorer, execution: &Execution, first: Id, second: Id) -> Found {
    let graph = explorer.graph(execution);
    let program = &named(explorer, &graph);
    let hb = explorer.steps.model.hb(&Relations::of(&graph));
    // The same two accesses in the graph, where events have other numbers.
    let is = |id: EventId, event: Id| {
        let (a, b) = (graph.event(id), execution.event(event));
        a.thread == Some(b.thread as u32) && a.span == b.span
    };
    let found = races(&graph, &hb);
    let pair = found.iter().find(|&&(a, b)| is(a, first) && is(b, second) || is(a, second) && is(b, first));
    let accesses: Vec<EventId> = pair.or(found.first()).map(|&(a, b)| vec![b, a]).unwrap_or_default();
    let sites: Vec<AccessSite> = accesses
        .iter()
        .zip(["races", "with this one"])
        .map(|(&id, role)| {
            let event = graph.event(id);
            AccessSite {
                role: role.into(),
                thread: event.thread.map(|t| program.thread_name(t as usize)).unwrap_or_default(),
                operation: if event.writes() { "store" } else { "load" }.into(),
                location: event.label.address.map(|at| program.cell_name(at)).unwrap_or_default(),
                ordering: Some(event.label.order),
                span: event.span,
            }
        })
        .collect();
    let texts: Vec<String> = accesses
        .iter()
        .zip(&sites)
        .map(|(&id, site)| format!("`{}` of {}", event_text(program, &graph.event(id).label), site.thread))
        .collect();
    let message = texts.join(" races with ");
    let explanation = "Both access the location, one of them writes, one of them is not atomic, and neither happens \
                       before the other: this is undefined behaviour.";
    let kind = FindingKind::DataRace;
    let violation = violation(explorer, execution, &graph, kind, message, sites, explanation, &accesses);
    let wrong = match accesses[..] {
        [first, second] => Wrong::Race(first, second),
        _ => Wrong::Unordered,
    };
    Found { violation, graph, wrong }
}

/// Misuse of the heap: the event to look at first, then the others that have a part in it.
pub(crate) fn heap_error(explorer: &Explorer, execution: &Execution, error: HeapError) -> Found {
    let graph = explorer.graph(execution);
    let program = &named(explorer, &graph);
    let name = |id: Id| program.thread_name(execution.event(id).thread);
    let pointer = |id: Id| {
        let event = execution.event(id);
        let at = explorer.locations.addresses().get(event.location).and_then(|at| at.pointer_and_size());
        if event.kind.is_access() { at.map_or(0, |(pointer, _)| pointer) } else { event.value as u64 }
    };
    let orders = "Time does not order the two. The allocation must happen before the use, along program order and \
                  synchronisation.";
    let (kind, message, mut roles, explanation) = match error {
        HeapError::UseAfterFree { access, free } => {
            let (message, why) = if execution.happens_before(free, access) {
                (format!("{} accesses memory that was freed", name(access)), "The `free` happens before the access.")
            } else {
                (
                    format!("{} accesses memory that {} may have freed", name(access), name(free)),
                    "The access and the `free` are concurrent: nothing orders the access before the `free`.",
                )
            };
            (FindingKind::UseAfterFree, message, vec![(access, "accesses it"), (free, "frees it")], why)
        }
        HeapError::OutOfBounds { access } => {
            let object = execution.heap.nearest(pointer(access));
            let message = match object {
                Some(object) => {
                    let (offset, size) = (pointer(access) - object.start, object.size);
                    format!("{} accesses offset {offset} of an object of {size} bytes", name(access))
                }
                None => format!("{} accesses memory that was not allocated", name(access)),
            };
            let mut roles = vec![(access, "accesses memory outside it")];
            roles.extend(object.map(|object| (object.life.alloc, "allocates")));
            (FindingKind::OutOfBounds, message, roles, "No object on the heap contains all of these bytes.")
        }
        HeapError::NotAllocated { user, alloc } => {
            let message = format!("{} uses memory that {} may not have allocated yet", name(user), name(alloc));
            (FindingKind::UseAfterFree, message, vec![(user, "uses it"), (alloc, "allocates it")], orders)
        }
        HeapError::DoubleFree { first, second } => {
            let message = format!("{} frees memory that {} frees too", name(second), name(first));
            let roles = vec![(second, "frees it"), (first, "frees it too")];
            (FindingKind::InvalidFree, message, roles, "An object on the heap can be freed once.")
        }
        HeapError::NoObject { free } => {
            let message =
                format!("{} frees {}, where no object starts", name(free), program.pointer_name(pointer(free)));
            let why = "Only pointers from `malloc` and similar functions can be freed.";
            (FindingKind::InvalidFree, message, vec![(free, "frees it")], why)
        }
        HeapError::Returned { access, owner } => {
            let owner = program.thread_name(owner);
            let message =
                format!("{} accesses a local variable of {owner} whose lifetime may have ended", name(access));
            let why = "Nothing orders the access before the return of the variable's function.";
            (FindingKind::UseAfterFree, message, vec![(access, "accesses it")], why)
        }
        HeapError::Leak { alloc } => {
            let size = execution.heap.object_at(pointer(alloc)).map_or(0, |object| object.size);
            let message = format!("{} leaks {size} bytes", name(alloc));
            let why = "At the end they are not freed, and nothing reachable from a global variable points to them.";
            (FindingKind::Leak, message, vec![(alloc, "allocates them")], why)
        }
        HeapError::Uninitialised { read } => {
            let message = format!("{} reads uninitialised memory", name(read));
            let why = "No write to this memory happens before the read, so the read may see none.";
            (FindingKind::UninitialisedRead, message, vec![(read, "reads it")], why)
        }
    };
    if let HeapError::UseAfterFree { access: id, .. }
    | HeapError::DoubleFree { second: id, .. }
    | HeapError::Uninitialised { read: id } = error
        && let Some(object) = execution.heap.nearest(pointer(id))
    {
        roles.push((object.life_of(execution, id).unwrap_or(&object.life).alloc, "allocates it"));
    }
    let sites = roles.iter().map(|&(id, role)| {
        let event = execution.event(id);
        let access = event.kind.is_access();
        AccessSite {
            role: role.into(),
            thread: name(id),
            operation: match event.kind {
                Kind::Alloc => "malloc",
                Kind::Free => "free",
                kind if kind.writes() => "store",
                _ => "load",
            }
            .into(),
            location: program.pointer_name(pointer(id)),
            ordering: access.then_some(event.order),
            span: event.span,
        }
    });
    let sites = sites.collect();
    let is = |event: EventId, id: Id| {
        let (a, b) = (graph.event(event), execution.event(id));
        b.kind.is_access() && a.thread == Some(b.thread as u32) && a.span == b.span
    };
    let ids = graph.events().map(|(event, _)| event);
    let highlighted: Vec<EventId> = ids.filter(|&event| roles.iter().any(|&(id, _)| is(event, id))).collect();
    let violation = violation(explorer, execution, &graph, kind, message, sites, explanation, &highlighted);
    // These are matters of happens-before, the others of values.
    let wrong = match error {
        HeapError::OutOfBounds { .. } | HeapError::NoObject { .. } | HeapError::Leak { .. } => Wrong::Allowed,
        _ => Wrong::Unordered,
    };
    Found { violation, graph, wrong }
}

/// Which objects are in memory that was freed before.
fn reused(execution: &Execution, program: &Program) -> Option<String> {
    let names: Vec<String> =
        execution.heap.reused().map(|start| format!("`{}`", object_name(program, start))).collect();
    (!names.is_empty()).then(|| {
        format!("`malloc` returned memory that had been freed before: {}. `--no-reuse` forbids that.", names.join(", "))
    })
}

/// An object by its name without a field.
fn object_name(program: &Program, start: u64) -> String {
    let name = program.pointer_name(start);
    name.split("->").next().unwrap_or(&name).to_owned()
}

#[expect(clippy::too_many_arguments, reason = "they are the parts of what it returns")]
fn violation(
    explorer: &Explorer,
    execution: &Execution,
    graph: &Graph,
    kind: FindingKind,
    message: String,
    accesses: Vec<AccessSite>,
    explanation: &str,
    highlighted: &[EventId],
) -> Finding {
    let program = &named(explorer, graph);
    let model = explorer.steps.model;
    let title = format!("an execution that {} allows", model.name().to_uppercase());
    Finding {
        kind,
        message,
        accesses,
        trace: trace_of(program, graph),
        output: printed(explorer.steps, execution, |t| program.thread_name(t)),
        explanation: std::iter::once(explanation.to_string()).chain(reused(execution, program)).collect(),
        fixes: Vec::new(),
        graph: Some(draw(program, title, graph, highlighted, &[]).with(model.own_relations(graph))),
        confirmed: true,
    }
}
