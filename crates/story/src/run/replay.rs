//! The steps behind an execution graph that an engine found without them: the threads run again.

use fencepost_graph::{Event, EventId, EventKind, Graph};
use fencepost_models::Model;
use fencepost_program::{Action, Answer, Machine, Names, Program, ThreadState};

use super::{Run, Step};

/// How many steps a thread may take until it is given up.
const MOST_STEPS: u32 = 100_000;

impl<'p> Run<'p> {
    /// The run of a graph of a program all of whose threads run from the start. Values that threads choose are those
    /// that make them take the steps of the graph.
    pub fn of_graph(program: &'p Program, model: Model, graph: Graph) -> Run<'p> {
        let machine = Machine::new(program);
        let mut threads: Vec<std::vec::IntoIter<Step>> = (0..program.threads.len())
            .map(|thread| {
                let events: Vec<(EventId, &Event)> = graph.thread(thread as u32).collect();
                let mut replay = Replay { machine: &machine, events, steps: Vec::new(), left: MOST_STEPS };
                replay.run(machine.start(thread), 0);
                replay.steps.into_iter()
            })
            .collect();
        let mut steps = Vec::new();
        // In the order of the graph, each step with those before it that have no event.
        for (id, thread) in graph.events().filter_map(|(id, event)| Some((id, event.thread? as usize))) {
            for step in threads.get_mut(thread).into_iter().flatten() {
                steps.push(step);
                if step.event == Some(id) {
                    break;
                }
            }
        }
        Run { names: Names::of(program), model, graph, steps, output: Vec::new() }
    }
}

struct Replay<'r, 'p> {
    machine: &'r Machine<'p>,
    events: Vec<(EventId, &'r Event)>,
    steps: Vec<Step>,
    left: u32,
}

impl Replay<'_, '_> {
    /// Whether the thread comes from a state through all events from the `next` on.
    fn run(&mut self, mut state: ThreadState, mut next: usize) -> bool {
        while let Some(&(id, event)) = self.events.get(next) {
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left;
            let action = self.machine.next(&state);
            let step = Step::new(state.thread() as usize, action, self.machine.span(&state));
            if let Action::Choose { lo, hi } = action {
                let taken = self.steps.len();
                return (lo..=hi).any(|value| {
                    self.steps.truncate(taken);
                    self.steps.push(Step { read: Some(value), ..step });
                    let mut state = state.clone();
                    self.machine.resume(&mut state, Answer::Chose(value), 0);
                    self.run(state, next)
                });
            }
            let Some(answer) = answer(&action, event) else { return false };
            let (read, written) = match event.is_fence() {
                true => (None, None),
                false => (event.label.read, event.label.written),
            };
            self.steps.push(Step { read, written, event: Some(id), ..step });
            self.machine.resume(&mut state, answer, 0);
            next += 1;
        }
        true
    }
}

/// What makes an action the event.
fn answer(action: &Action, event: &Event) -> Option<Answer> {
    let label = event.label;
    if let Action::Fence { order } = *action {
        return (event.is_fence() && order == label.order).then_some(Answer::Done);
    }
    if action.address() != label.address {
        return None;
    }
    match (label.kind, label.read) {
        (EventKind::Write, _) => (action.written(0) == label.written).then_some(Answer::Done),
        (EventKind::Rmw, Some(read)) => (action.written(read) == label.written).then_some(Answer::Updated(read)),
        (EventKind::Read | EventKind::AwaitRead, Some(read)) => Some(Answer::Read(read)),
        _ => None,
    }
}
