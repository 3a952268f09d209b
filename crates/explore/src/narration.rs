//! An execution as a run that can be told: its graph, and the steps with their actions.

use fencepost_graph::EventId;
use fencepost_program::{Action, Answer, Inst};
use fencepost_story::{PrintedLine, PrintedLines, Run, Step};

use crate::event::{Event, Id, Kind, Part};
use crate::execution::Execution;
use crate::explorer::Explorer;
use crate::steps::Steps;

/// A run, and which of its steps each event of the execution is. It is made only when something is told, because the
/// exploration itself needs no steps: an event knows what its thread wants to do next, so its own action is with the
/// event before it.
pub(crate) struct Narration<'p> {
    pub run: Run<'p>,
    /// By event, its place among the steps. The two events of an RMW are one step.
    places: Vec<usize>,
    /// The events in the order of the steps.
    order: Vec<Id>,
}

impl<'p> Narration<'p> {
    pub(crate) fn new(explorer: &Explorer<'_, 'p>, execution: &Execution) -> Narration<'p> {
        let Steps { program, model, .. } = *explorer.steps;
        let (mut steps, mut order) = (Vec::new(), Vec::new());
        let mut places = vec![usize::MAX; execution.len()];
        let addresses = explorer.locations.addresses();
        let fences = model.sc_fence_is_rmw();
        let graph = execution.graph_in_order(program, addresses, fences, |id, write, event| {
            for id in std::iter::once(id).chain(write) {
                places[id.index()] = steps.len();
                order.push(id);
            }
            steps.push(step(explorer, execution, id, write, event));
        });
        let mut names = explorer.steps.names();
        names.name_objects(graph.events().filter_map(|(_, event)| Some((event.label.address?, event.span))));
        Narration { run: Run { names, model, graph, steps, output: Vec::new() }, places, order }
    }

    /// With what the threads printed.
    pub(crate) fn with_output(mut self, steps: &Steps, execution: &Execution) -> Narration<'p> {
        self.run.output = printed(steps, execution, &self.order, |thread| self.run.names.thread_name(thread));
        self
    }

    /// The step that an event is, or is a part of.
    pub(crate) fn step(&self, id: Id) -> &Step {
        &self.run.steps[self.places[id.index()]]
    }
}

/// The step that a thread takes next.
pub(crate) fn next_step(steps: &Steps, execution: &Execution, thread: usize) -> Step {
    Step::new(thread, steps.action(execution, thread), steps.span(execution, thread))
}

/// An event as a step; of an RMW, its read, and its write if it has come.
fn step(explorer: &Explorer, execution: &Execution, id: Id, write: Option<Id>, number: Option<EventId>) -> Step {
    let steps = explorer.steps;
    let event = execution.event(id);
    let (token, &action) = steps.before(execution, event).expect("the thread was made before its events");
    let is_fence = matches!(action, Action::Fence { .. });
    let written = match event.kind {
        Kind::Write => Some(event.value),
        _ => write.map(|write| execution.event(write).value),
    };
    let reads = event.kind.reads() || event.kind == Kind::Choice;
    Step {
        read: (reads && !is_fence).then_some(event.value),
        written: written.filter(|_| !is_fence),
        event: number,
        library: steps.threads.is_in_library(token),
        header: steps.threads.is_in_header(token),
        ..Step::new(event.thread, divided(explorer, action, event), event.span)
    }
}

/// The part of an access that an event is.
fn divided(explorer: &Explorer, action: Action, event: &Event) -> Action {
    let at = || explorer.locations.addresses()[event.location];
    match (event.part, action) {
        (Part::Whole, action) => action,
        (_, Action::Load { order, .. }) => Action::Load { at: at(), order },
        // What surrounds the bytes that are stored.
        (_, Action::Store { order, .. }) if event.kind.reads() => Action::Load { at: at(), order },
        (_, Action::Store { order, .. }) => Action::Store { at: at(), value: event.value, order },
        (_, action) => action,
    }
}

/// What threads have printed in an execution: they run once more.
fn printed(steps: &Steps, execution: &Execution, order: &[Id], name: impl Fn(usize) -> String) -> Vec<PrintedLine> {
    let prints = |inst: &Inst| matches!(inst, Inst::Print { shown: true, .. });
    if !steps.program.functions.iter().any(|function| function.code.iter().any(prints)) {
        return Vec::new();
    }
    let mut lines = PrintedLines::new(name);
    let mut printed: Vec<_> = (0..execution.threads.len()).map(|t| replayed(steps, execution, t).into_iter()).collect();
    let mut print = |thread: usize| lines.add(thread, &printed[thread].next().unwrap_or_default());
    (0..steps.start.len()).for_each(&mut print);
    for event in order.iter().map(|&id| execution.event(id)) {
        if event.answer.is_some() {
            print(event.thread);
        }
        if event.child.is_some() {
            print(event.value as usize);
        }
    }
    lines.finish()
}

/// What a thread prints before its first step, and after each of its events that lets it go on.
fn replayed(steps: &Steps, execution: &Execution, thread: usize) -> Vec<String> {
    let Some(start) = &execution.starts[thread] else { return Vec::new() };
    let answers = execution.threads[thread].iter().filter_map(|&id| execution.event(id).answer);
    steps.threads.replay(start.origin, &answers.collect::<Vec<Answer>>())
}
