//! A step that depends on a stale value, in words.

use fencepost_program::{ArithmeticOp, Inst, Program};
use fencepost_story::{AccessSite, Finding, FindingKind, action_text, operation};

use super::{drawing, event_site, event_text, named_cycle, run, violation, why_not_sc};
use crate::weak::{Dependency, Dependent};
use crate::witness::Witness;

pub(super) fn dependent(witness: &Witness, thread: usize) -> Finding {
    let program = witness.program;
    let dependency = witness.dependency(thread);
    let execution = witness.dependent_execution(thread, &dependency.reads);
    let model = witness.definition.name().to_uppercase();
    let name = program.thread_name(thread);
    let (graph, read, missed) = match &execution {
        Some((graph, (step, missed))) => (graph, Some(*step), Some(*missed)),
        None => (&witness.graph, dependency.reads.last().copied(), None),
    };
    let Some((step, event, at)) =
        read.and_then(|i| Some((i, witness.steps[i].event?, witness.steps[i].action.address()?)))
    else {
        return without_a_read(witness, &name, dependency);
    };
    let before = witness.before(step);
    // Without an execution, what the monitors take the read to be able to read.
    let source = match missed {
        Some(_) => graph.source(event),
        None => before.stale_steps(thread).first().map(|stale| stale.predecessor),
    };
    let missed = missed.or_else(|| before.graph.writes(at).last().copied());
    let value = source.and_then(|write| witness.graph.event(write).label.written).unwrap_or_default();
    let value = program.value_text(at, value);
    let text = action_text(program, &witness.steps[step].action);
    let lost = missed.map_or("a later write".to_owned(), |write| event_text(witness, write));
    let what = dependent_text(program, &dependency);
    let mut violation = violation(
        FindingKind::StaleDependency,
        format!("{what} of {name} depends on `{text}`, which may read the stale value {value}, missing {lost}"),
    );
    violation.confirmed = execution.is_some();
    violation.accesses.push(event_site(witness, event, &format!("may read the stale value {value}")));
    violation.accesses.push(depending(&name, &dependency));
    violation.accesses.extend(missed.map(|write| event_site(witness, write, "may be missed")));
    let written = source.filter(|&write| witness.graph.event(write).thread.is_some());
    violation.accesses.extend(written.map(|write| event_site(witness, write, "may be read instead")));
    if let (Some(missed), true) = (missed, execution.is_some()) {
        let cycle = named_cycle(witness, graph, event, missed);
        violation.explanation = why_not_sc(witness, graph, &cycle, event, &text);
        violation.explanation.push(format!(
            "{model} allows it. A stale value may be read as long as nothing depends on it (observational robustness), but \
             {what} does."
        ));
        violation.graph = Some(drawing(witness, graph, &[event, missed], &cycle));
    } else {
        violation.explanation.push(format!(
            "A stale value may be read as long as nothing depends on it (observational robustness), but {what} does. No \
             execution of {model} was found in which the read is stale and everything else is as in this run, so this \
             may be a false alarm. Each step below reads the last value."
        ));
    }
    violation.trace = run(witness, graph);
    violation
}

fn depending(name: &str, dependency: &Dependency) -> AccessSite {
    AccessSite {
        role: "depends on it".into(),
        thread: name.to_owned(),
        operation: match &dependency.dependent {
            Dependent::Step(action) => operation(action),
            Dependent::Instruction(inst) => dependent_instruction(inst).1,
        }
        .into(),
        location: String::new(),
        ordering: None,
        span: dependency.span,
    }
}

fn dependent_text(program: &Program, dependency: &Dependency) -> String {
    match &dependency.dependent {
        Dependent::Step(action) => format!("`{}`", action_text(program, action)),
        Dependent::Instruction(inst) => dependent_instruction(inst).0.to_owned(),
    }
}

/// The read is not known. That would be an error of ours; say what is known.
fn without_a_read(witness: &Witness, name: &str, dependency: Dependency) -> Finding {
    let what = dependent_text(witness.program, &dependency);
    debug_assert!(false, "no stale read that {what} of {name} depends on");
    let message = format!("{what} of {name} depends on a value that may be stale");
    let mut violation = violation(FindingKind::StaleDependency, message);
    violation.confirmed = false;
    violation.accesses.push(depending(name, &dependency));
    violation.trace = run(witness, &witness.graph);
    violation
}

/// An instruction that does not access shared memory: a noun for it, and its operation.
fn dependent_instruction(inst: &Inst) -> (&'static str, &'static str) {
    use ArithmeticOp::*;
    match inst {
        Inst::Assert { .. } => ("the assertion", "assert"),
        Inst::Assume { .. } => ("the assumption", "assume"),
        Inst::Branch { .. } | Inst::Switch { .. } => ("the branch", "branch"),
        Inst::Arithmetic { op: URem | SRem | WrappingRem, .. } => ("the remainder", "%"),
        Inst::Arithmetic { op: Shl | LShr | AShr, .. } => ("the shift", "shift"),
        Inst::Arithmetic { .. } => ("the division", "/"),
        Inst::CallPointer { .. } => ("the call through a pointer", "call"),
        Inst::Print { .. } => ("the output", "print"),
        Inst::ExitProgram { .. } | Inst::Return { .. } => ("the exit status", "exit"),
        Inst::Spawn { .. } => ("the new thread", "spawn"),
        Inst::Alloc { .. } => ("the allocation", "malloc"),
        Inst::Free { .. } | Inst::HeapSize { .. } => ("the `free` or `realloc`", "free"),
        _ => ("the access", "access"),
    }
}
