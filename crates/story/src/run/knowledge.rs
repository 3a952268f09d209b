//! What threads know along a run: their variables, and how much of each location they have seen.

use std::collections::{BTreeMap, HashMap};

use fencepost_graph::{EventId, SC_FENCE_CELL};
use fencepost_models::Orderings;
use fencepost_program::memory::{Region, region};
use fencepost_program::{Action, Address, Answer, Machine, ThreadState, Value, Variables};

use super::{Run, Step};
use crate::TraceStep;

/// Relations grow with the square of the number of events.
const MOST_EVENTS: usize = 2000;

/// Of each location, the place in modification order of the newest write that is known.
type View = BTreeMap<Address, usize>;

impl Run<'_> {
    /// Adds to steps, given with their places in the run, what has become known since the step of their thread before.
    pub(super) fn add_knowledge(&self, trace: &mut [(usize, TraceStep)]) {
        let (variables, views) = (self.variables(), self.views());
        let mut known: HashMap<(usize, &str), Value> = HashMap::new();
        let mut seen: HashMap<(usize, Address), usize> = HashMap::new();
        for (number, told) in trace {
            let step = &self.steps[*number];
            let Variables { values, assigned } = variables.get(number).cloned().unwrap_or_default();
            for (name, value) in values {
                // Variables are 0 at first, which says nothing of those to which nothing was assigned.
                let is_news = match known.insert((step.thread, name), value) {
                    Some(before) => before != value || assigned == Some(name),
                    None => value != 0 || assigned == Some(name),
                };
                if is_news {
                    told.variables.push((name.to_owned(), value));
                }
            }
            let view = step.event.and_then(|event| views.get(&event));
            for (&at, &place) in view.into_iter().flatten() {
                if seen.insert((step.thread, at), place) != Some(place) {
                    told.seen.push((self.names.cell_name(at), self.graph.writes(at)[place].index()));
                }
            }
        }
    }

    /// By step, the variables of its thread after it. The threads run once more. A thread that does not take the steps
    /// of the run, because the engine looked at the program in another way, is given up.
    fn variables(&self) -> HashMap<usize, Variables<'_>> {
        // Registers of C are not the variables of the source: several of these may share one.
        let is_flat = |step: &Step| step.action.address().is_some_and(|at| at.pointer_and_size().is_some());
        if self.steps.iter().any(is_flat) {
            return HashMap::new();
        }
        let program = self.names.program();
        let machine = Machine::new(program);
        let mut threads: HashMap<usize, ThreadState> =
            (0..program.threads.len()).map(|thread| (thread, machine.start(thread))).collect();
        let mut variables = HashMap::new();
        for (number, step) in self.steps.iter().enumerate() {
            let Some(mut state) = threads.remove(&step.thread) else { continue };
            let action = machine.next(&state);
            let child = self.child(number);
            let Some(answer) = answer(&action, step.read, step.written, child).filter(|_| action == step.action) else {
                continue;
            };
            if let (Action::Spawn { func, argument, .. }, Some(child)) = (action, child) {
                threads.insert(child, machine.start_spawned(child as u32, func, argument));
            }
            variables.insert(number, machine.resume_named(&mut state, answer));
            threads.insert(step.thread, state);
        }
        variables
    }

    /// By event, what its thread has seen of each location then: the writes that happen before the event, what was read
    /// before it, and its own. Under models with a happens-before of their own.
    fn views(&self) -> HashMap<EventId, View> {
        let graph = &self.graph;
        if graph.len() > MOST_EVENTS || self.model.descriptor().orderings == Orderings::Processor {
            return HashMap::new();
        }
        let mut place: HashMap<EventId, (Address, usize)> = HashMap::new();
        for (at, writes) in graph.modification_orders() {
            place.extend(writes.iter().enumerate().map(|(i, &write)| (write, (at, i))));
        }
        let mut synchronised: HashMap<EventId, Vec<EventId>> = HashMap::new();
        for (from, relation, to) in self.model.own_relations(graph) {
            if relation == "sw" {
                synchronised.entry(to).or_default().push(from);
            }
        }
        let mut views: HashMap<EventId, View> = HashMap::new();
        let mut last: HashMap<u32, EventId> = HashMap::new();
        // An order along po and reads-from, and so along happens-before.
        for (id, thread) in
            self.steps.iter().filter_map(|step| step.event).filter_map(|id| Some((id, graph.event(id).thread?)))
        {
            let before = last.insert(thread, id);
            let mut view = before.and_then(|before| views.get(&before)).cloned().unwrap_or_default();
            let mut add = |at: Address, place: usize| {
                let known = view.entry(at).or_insert(place);
                *known = (*known).max(place);
            };
            for from in synchronised.get(&id).into_iter().flatten() {
                views.get(from).into_iter().flatten().for_each(|(&at, &place)| add(at, place));
            }
            for write in [id].into_iter().chain(graph.source(id)) {
                if let Some(&(at, place)) = place.get(&write).filter(|(at, _)| is_told(*at)) {
                    add(at, place);
                }
            }
            views.insert(id, view);
        }
        views
    }
}

/// How threads are made, and how a model keeps SC fences apart, is not what a program knows of memory.
fn is_told(at: Address) -> bool {
    let is_signal = || at.pointer_and_size().is_some_and(|(pointer, _)| region(pointer) == Region::Thread);
    at != SC_FENCE_CELL && !is_signal()
}

fn answer(action: &Action, read: Option<Value>, written: Option<Value>, child: Option<usize>) -> Option<Answer> {
    Some(match action {
        Action::Load { .. } | Action::Wait { .. } | Action::HeapSize { .. } => Answer::Read(read?),
        Action::Rmw { .. } => Answer::Updated(read?),
        Action::Cas { .. } if written.is_some() => Answer::Updated(read?),
        Action::Cas { .. } => Answer::Read(read?),
        Action::Choose { .. } => Answer::Chose(read?),
        Action::Spawn { .. } => Answer::Spawned(child? as u32),
        Action::Store { .. } | Action::Fence { .. } | Action::Alloc { .. } | Action::Free { .. } => Answer::Done,
        _ => return None,
    })
}
