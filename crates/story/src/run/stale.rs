//! Violations of robustness in words: a step that goes stale, or one that depends on a stale value.

use fencepost_graph::{EventId, EventKind, Step as CycleStep};
use fencepost_program::{Action, ArithmeticOp, Inst, Span};

use super::{Run, Step};
use crate::draw::cycle_sentence;
use crate::{AccessSite, Finding, FindingKind, action_text, operation};

/// A step that the model allows and SC does not. It is the last event of the graph of the run, but not among the steps.
#[derive(Clone, Copy, Debug)]
pub struct Stale<'r> {
    pub step: &'r Step,
    /// The event of the step.
    pub event: EventId,
    /// The write that it reads from or comes right after.
    pub predecessor: EventId,
    /// A later write that it misses.
    pub missed: EventId,
    /// From the step to the write that it misses and back, along po, rf, mo and fr.
    pub cycle: &'r [CycleStep],
    /// Nothing was written yet to what it reads.
    pub reads_nothing: bool,
    /// The model is known to allow the graph.
    pub confirmed: bool,
}

/// Something depends on a value that SC would not have read.
#[derive(Clone, Copy, Debug)]
pub struct StaleDependency<'r> {
    pub thread: usize,
    pub dependent: Dependent<'r>,
    pub span: Span,
    /// The read that may be stale, unless it is not known.
    pub read: Option<StaleRead<'r>>,
}

#[derive(Clone, Copy, Debug)]
pub struct StaleRead<'r> {
    pub step: &'r Step,
    pub event: EventId,
    /// The write that it may read.
    pub source: Option<EventId>,
    /// A later write that it misses.
    pub missed: Option<EventId>,
    /// If the model is known to allow the graph: from the read to the write that it misses and back.
    pub cycle: Option<&'r [CycleStep]>,
}

/// What depends on stale values.
#[derive(Clone, Copy, Debug)]
pub enum Dependent<'p> {
    /// The next step of the thread.
    Step(Action),
    /// An instruction that does not access shared memory.
    Instruction(&'p Inst),
}

impl Run<'_> {
    pub fn stale(&self, stale: Stale) -> Finding {
        let Stale { step, event, predecessor, missed, cycle, reads_nothing, confirmed } = stale;
        let label = self.graph.event(event).label;
        let value = self.graph.event(predecessor).label.written.unwrap_or_default();
        let value = label.address.map(|at| self.names.value_text(at, value)).unwrap_or_default();
        let (subject, lost) = (self.name(step), self.event_name(missed));
        let message = match label.kind {
            EventKind::Read if reads_nothing => format!("{subject} may read uninitialised memory, missing {lost}"),
            EventKind::Write => {
                format!("{subject} may come before {lost}, right after {}", self.event_name(predecessor))
            }
            EventKind::Rmw => format!("{subject} may update {value}, missing {lost}"),
            _ => format!("{subject} may read {value}, missing {lost}"),
        };
        let (model, name) = (self.model_name(), self.names.thread_name(step.thread));
        let mut explanation = self.why_not_sc(cycle, event, &self.text(step));
        explanation.push(if confirmed {
            format!("Under {model} nothing makes {name} aware of {lost} along happens-before, so the step is allowed.")
        } else {
            format!(
                "No execution of {model} was found in which the step is stale and everything else is as in this run, \
                 so this may be a false alarm. Each step below reads the last value."
            )
        });
        let mut finding = self.finding(FindingKind::Robustness, message, &[event, missed], cycle);
        finding.tell_of(event, &self.text(step), &explanation);
        Finding {
            accesses: vec![self.site(step, "may go stale"), self.event_site(missed, "may be missed")],
            explanation,
            confirmed,
            ..finding
        }
    }

    pub fn stale_dependency(&self, found: StaleDependency) -> Finding {
        let StaleDependency { thread, dependent, read, .. } = found;
        let (what, name) = (self.dependent_text(dependent), self.names.thread_name(thread));
        let depending = self.depending(&found);
        let Some(StaleRead { step, event, source, missed, cycle }) = read else {
            let message = format!("{what} of {name} depends on a value that may be stale");
            let finding = self.finding(FindingKind::StaleDependency, message, &[], &[]);
            return Finding { accesses: vec![depending], confirmed: false, ..finding };
        };
        let text = self.text(step);
        let value = source.and_then(|write| self.graph.event(write).label.written).unwrap_or_default();
        let value = step.action.address().map(|at| self.names.value_text(at, value)).unwrap_or_default();
        let lost = missed.map_or("a later write".to_owned(), |write| self.event_name(write));
        let message =
            format!("{what} of {name} depends on `{text}`, which may read the stale value {value}, missing {lost}");
        let mut accesses = vec![self.site(step, &format!("may read the stale value {value}")), depending];
        accesses.extend(missed.map(|write| self.event_site(write, "may be missed")));
        let written = source.filter(|&write| self.graph.event(write).thread.is_some());
        accesses.extend(written.map(|write| self.event_site(write, "may be read instead")));
        let model = self.model_name();
        let allowed = "A stale value may be read as long as nothing depends on it (observational robustness)";
        let mut explanation = cycle.map_or(Vec::new(), |cycle| self.why_not_sc(cycle, event, &text));
        explanation.push(match cycle {
            Some(_) => format!("{model} allows it. {allowed}, but {what} does."),
            None => format!(
                "{allowed}, but {what} does. No execution of {model} was found in which the read is stale and \
                 everything else is as in this run, so this may be a false alarm. Each step below reads the last value."
            ),
        });
        let highlighted: Vec<EventId> = cycle.and(missed).into_iter().flat_map(|missed| [event, missed]).collect();
        let mut finding = self.finding(FindingKind::StaleDependency, message, &highlighted, cycle.unwrap_or_default());
        finding.tell_of(event, &text, &explanation);
        Finding { accesses, explanation, confirmed: cycle.is_some(), ..finding }
    }

    fn depending(&self, found: &StaleDependency) -> AccessSite {
        AccessSite {
            role: "depends on it".into(),
            thread: self.names.thread_name(found.thread),
            operation: match &found.dependent {
                Dependent::Step(action) => operation(action),
                Dependent::Instruction(inst) => dependent_instruction(inst).1,
            }
            .into(),
            location: String::new(),
            ordering: None,
            span: found.span,
        }
    }

    fn dependent_text(&self, dependent: Dependent) -> String {
        match dependent {
            Dependent::Step(action) => format!("`{}`", action_text(&self.names, &action)),
            Dependent::Instruction(inst) => dependent_instruction(inst).0.to_owned(),
        }
    }

    /// Why SC forbids a stale step, by its cycle.
    fn why_not_sc(&self, cycle: &[CycleStep], stale: EventId, text: &str) -> Vec<String> {
        let name = |event: EventId| {
            if event == stale { format!("the stale `{text}`") } else { self.event_name(event) }
        };
        let step =
            |&(from, relation, to): &CycleStep| format!("- {}", cycle_sentence(relation, &name(from), &name(to)));
        let introduction = "Sequential consistency forbids it, because the step would have to come both after and \
                            before the write it misses:";
        std::iter::once(introduction.to_owned()).chain(cycle.iter().map(step)).collect()
    }
}

impl Finding {
    /// A step that goes wrong is an event of the graph, and may be none of the run's steps.
    pub(super) fn tell_of(&mut self, stale: EventId, text: &str, explanation: &[String]) {
        let Some(graph) = &mut self.graph else { return };
        for node in graph.nodes.iter_mut().filter(|node| node.id == stale.index()) {
            node.text = text.to_owned();
        }
        let told = explanation.iter().filter_map(|line| line.strip_prefix("- "));
        for (edge, told) in graph.cycle.iter_mut().zip(told) {
            edge.sentence = told.to_owned();
        }
    }
}

/// A noun for an instruction that does not access shared memory, and its operation.
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
