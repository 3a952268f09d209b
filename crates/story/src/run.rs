//! A run of a program as an engine found it. All that is told of it comes from here.

mod findings;
mod interleaving;
mod knowledge;
mod memory;
mod replay;
mod stale;

pub use findings::{Refuted, refuted_condition, satisfied_condition};
pub use memory::{LifetimeEnd, MemoryError};
pub use stale::{Dependent, Stale, StaleDependency, StaleRead};

use fencepost_graph::{EventId, Graph, Step as CycleStep};
use fencepost_models::Model;
use fencepost_program::memory::{Region, ThreadSignal, joined_thread, region, thread_signal};
use fencepost_program::{Action, Address, Names, Span, Value};

use crate::values::as_number;
use crate::{
    AccessSite, Finding, FindingKind, PrintedLine, TraceStep, WitnessGraph, action_text, operation, source_values,
};

/// An execution graph with the steps that made it.
#[derive(Clone, Debug)]
pub struct Run<'p> {
    pub names: Names<'p>,
    pub model: Model,
    pub graph: Graph,
    /// In an order that goes along program order and reads-from.
    pub steps: Vec<Step>,
    /// What threads printed, if that was asked for.
    pub output: Vec<PrintedLine>,
}

/// A step of a thread: one that it took, or the one that it takes next.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub thread: usize,
    pub action: Action,
    pub span: Span,
    /// The value that the step read or chose.
    pub read: Option<Value>,
    pub written: Option<Value>,
    /// Its event in the graph, if it has one.
    pub event: Option<EventId>,
    /// The step is in the code of a library, which its users do not change.
    pub library: bool,
    /// The step is in code from a header of the system.
    pub header: bool,
    /// A read from an older write than the last one before it in this order of steps.
    pub stale: bool,
}

impl Step {
    /// A step that touches no memory, or is still to be taken.
    pub fn new(thread: usize, action: Action, span: Span) -> Step {
        let (read, written, event) = (None, None, None);
        Step { thread, action, span, read, written, event, library: false, header: false, stale: false }
    }

    /// The pointer that an access, an allocation or a `free` is about.
    pub fn pointer(&self) -> Option<u64> {
        match self.action {
            Action::Free { pointer } | Action::Alloc { pointer, .. } => Some(pointer),
            _ => self.action.address()?.pointer_and_size().map(|(pointer, _)| pointer),
        }
    }
}

/// Whether the step waits for the end of a thread.
fn joins(step: &Step) -> bool {
    matches!(step.action, Action::Wait { .. }) && step.pointer().and_then(joined_thread).is_some()
}

impl Run<'_> {
    /// The steps that a report shows.
    pub fn trace(&self) -> Vec<TraceStep> {
        self.trace_with(&[])
    }

    /// The steps that a report shows, and those of some events whatever they are.
    fn trace_with(&self, events: &[EventId]) -> Vec<TraceStep> {
        let is_wanted = |i: &usize| {
            let step = &self.steps[*i];
            step.event.is_some_and(|event| events.contains(&event)) || self.shows(step)
        };
        let order = self.interleaving().unwrap_or_else(|| (0..self.steps.len()).collect());
        let mut trace: Vec<(usize, TraceStep)> =
            order.into_iter().filter(is_wanted).map(|i| (i, self.trace_step(i))).collect();
        self.add_knowledge(&mut trace);
        trace.into_iter().map(|(_, step)| step).collect()
    }

    /// The thread that a step creates: the one whose start its thread tells next.
    fn created(&self, number: usize) -> Option<String> {
        Some(self.names.thread_name(self.child(number)?))
    }

    fn child(&self, number: usize) -> Option<usize> {
        let spawn = &self.steps[number];
        if !matches!(spawn.action, Action::Spawn { .. }) {
            return None;
        }
        let mut later = self.steps[number + 1..].iter().filter(|step| step.thread == spawn.thread);
        later.find_map(|step| match thread_signal(step.action.address()?) {
            Some(ThreadSignal::Started(thread)) => Some(thread as usize),
            _ => None,
        })
    }

    /// A thread's start and end cells are how threads are made, not what a program does. Nor does a reader want to see
    /// what a library keeps in its locks beside the lock, or the C++ library in objects that the source has no name
    /// for.
    pub(crate) fn shows(&self, step: &Step) -> bool {
        let action = &step.action;
        let pointer = action.address().and_then(Address::pointer_and_size).map(|(pointer, _)| pointer);
        let unnamed = step.header && pointer.is_some_and(|pointer| !self.names.has_name(pointer));
        if (step.library || unnamed) && action.labels().any(|label| !label.order.is_atomic()) {
            return false;
        }
        // How the library finds memory to use again.
        if step.library && matches!(action, Action::HeapSize { .. } | Action::Choose { .. }) {
            return false;
        }
        let Some(pointer) = pointer else { return true };
        if step.library && self.names.is_section_lock(pointer) {
            return false;
        }
        match region(pointer) {
            Region::Freed => false,
            Region::Thread => joins(step),
            _ => true,
        }
    }

    fn trace_step(&self, number: usize) -> TraceStep {
        let step = &self.steps[number];
        // What a join reads is not a value of the program.
        let (read, written) = if joins(step) { (None, None) } else { (step.read, step.written) };
        let mut values = source_values(&self.names, step.action.address(), read, written);
        if step.stale {
            let plain = || format!("reads {}", step.read.unwrap_or_default());
            values = Some(format!("{}, stale", values.unwrap_or_else(plain)));
        }
        TraceStep {
            thread: self.names.thread_name(step.thread),
            text: self.text(step),
            read: as_number(step.action.address(), read),
            written: as_number(step.action.address(), written),
            values,
            creates: self.created(number),
            span: step.span,
            event: step.event.map(EventId::index),
            variables: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// `x.store(1, rel)`.
    pub fn text(&self, step: &Step) -> String {
        action_text(&self.names, &step.action)
    }

    /// `` `x.store(1, rel)` of worker``.
    pub(crate) fn name(&self, step: &Step) -> String {
        format!("`{}` of {}", self.text(step), self.names.thread_name(step.thread))
    }

    /// The step of an event, unless the event is an initial write.
    pub fn step_of(&self, event: EventId) -> Option<&Step> {
        self.steps.iter().find(|step| step.event == Some(event))
    }

    /// The name of the event's step, or "the initial value of x".
    pub(crate) fn event_name(&self, event: EventId) -> String {
        self.step_of(event).map_or_else(|| self.initial_name(event), |step| self.name(step))
    }

    /// What an event did: `x.store(1, rel)`.
    pub fn event_text(&self, event: EventId) -> String {
        self.step_of(event).map_or_else(|| self.initial_name(event), |step| self.text(step))
    }

    pub(crate) fn initial_name(&self, event: EventId) -> String {
        let cell = self.graph.event(event).label.address.map(|at| self.names.cell_name(at));
        format!("the initial value of {}", cell.unwrap_or_default())
    }

    pub(crate) fn site(&self, step: &Step, role: &str) -> AccessSite {
        let location = match (step.action.address(), step.pointer()) {
            (Some(at), _) => self.names.cell_name(at),
            (None, Some(pointer)) => self.names.pointer_name(pointer),
            (None, None) => String::new(),
        };
        let label = || step.action.labels().next().map(|label| label.order);
        AccessSite {
            role: role.into(),
            thread: self.names.thread_name(step.thread),
            operation: operation(&step.action).into(),
            location,
            ordering: step.event.map(|event| self.graph.event(event).label.order).or_else(label),
            span: step.span,
        }
    }

    pub(crate) fn event_site(&self, event: EventId, role: &str) -> AccessSite {
        if let Some(step) = self.step_of(event) {
            return self.site(step, role);
        }
        let event = self.graph.event(event);
        AccessSite {
            role: role.into(),
            thread: String::new(),
            operation: "initial value".into(),
            location: event.label.address.map(|at| self.names.cell_name(at)).unwrap_or_default(),
            ordering: None,
            span: event.span,
        }
    }

    /// A finding with what every one has: the trace, the output, and a drawing in which the events of `highlighted` and
    /// the steps of `cycle` stand out.
    pub(crate) fn finding(
        &self,
        kind: FindingKind,
        message: String,
        highlighted: &[EventId],
        cycle: &[CycleStep],
    ) -> Finding {
        Finding {
            trace: self.trace_with(highlighted),
            output: self.output.clone(),
            graph: Some(self.drawing(highlighted, cycle)),
            interleaved: self.interleaving().is_some(),
            ..Finding::new(kind, message)
        }
    }

    /// A drawing under a title, in which the steps of `cycle` stand out.
    pub fn titled_drawing(&self, title: String, cycle: &[CycleStep]) -> WitnessGraph {
        let drawing = self.draw(title, &[], cycle);
        if cycle.is_empty() { drawing } else { drawing.folded() }
    }

    /// A drawing with the model's own relations.
    pub fn drawing(&self, highlighted: &[EventId], cycle: &[CycleStep]) -> WitnessGraph {
        let title = format!("an execution that {} allows", self.model_name());
        self.draw(title, highlighted, cycle).with(self.model.own_relations(&self.graph)).folded()
    }

    /// Why the execution is not an interleaving, if it is none.
    pub(crate) fn sc_cycle(&self) -> Vec<CycleStep> {
        // To look for a cycle takes longer than to see that there is none.
        if Model::Sc.consistent(&self.graph) {
            return Vec::new();
        }
        Model::Sc.objection(&self.graph).map(|objection| objection.cycle).unwrap_or_default()
    }

    /// As the papers write it.
    pub(crate) fn model_name(&self) -> String {
        self.model.name().to_uppercase()
    }

    /// Whether weak memory has anything to do with the run, in one sentence.
    pub(crate) fn against_sc(&self) -> String {
        let sentence = if Model::Sc.consistent(&self.graph) {
            "The execution is sequentially consistent, so orderings are not the reason."
        } else {
            "The execution is not sequentially consistent: no interleaving of the threads does this."
        };
        sentence.to_owned()
    }

    /// Which objects are in memory that was freed before, in one sentence.
    pub(crate) fn reused_memory(&self) -> Option<String> {
        let mut known: Vec<u64> = Vec::new();
        let mut reused: Vec<String> = Vec::new();
        for step in self.steps.iter().filter(|step| matches!(step.action, Action::Alloc { .. })) {
            let Some(start) = step.pointer() else { continue };
            if known.contains(&start) {
                let name = self.names.pointer_name(start);
                // The object without a field.
                let name = format!("`{}`", name.split("->").next().unwrap_or(&name));
                if !reused.contains(&name) {
                    reused.push(name);
                }
            }
            known.push(start);
        }
        (!reused.is_empty()).then(|| {
            let names = reused.join(", ");
            format!("`malloc` returned memory that had been freed before: {names}. `--no-reuse` forbids that.")
        })
    }
}
