//! Random graphs of programs whose threads create and join each other.

use fastrand::Rng;
use fencepost_graph::{EventId, EventLabel, Graph};
use fencepost_models::Model;
use fencepost_program::Ordering::{Acquire, Relaxed, Release, SeqCst};
use fencepost_program::memory::{end_cell, start_cell, thread_signal};
use fencepost_program::{Address, Span};

use crate::support::{Mix, predecessors};

fn started(thread: u32) -> Address {
    Address::of_memory(start_cell(thread), 8)
}

fn ended(thread: u32) -> Address {
    Address::of_memory(end_cell(thread), 8)
}

/// A graph in the making. Thread 0 is there from the start.
struct Family {
    graph: Graph,
    created: u32,
    running: Vec<u32>,
    /// Threads that have not been joined yet, with the writes that tell their ends.
    to_join: Vec<(u32, EventId)>,
}

impl Family {
    fn new(mix: Mix) -> Family {
        let cells = (0..mix.locations).map(Address);
        let cells = cells.chain((0..mix.threads).flat_map(|thread| [started(thread), ended(thread)]));
        let graph = Graph::initial(cells.map(|at| (at, 0)));
        Family { graph, created: 1, running: vec![0], to_join: Vec::new() }
    }

    fn push(&mut self, thread: u32, label: EventLabel, predecessor: EventId) -> EventId {
        self.graph.push(thread, label, Span::default(), Some(predecessor))
    }

    fn create(&mut self, parent: u32) {
        let child = self.created;
        self.created += 1;
        let initial = self.graph.writes(started(child))[0];
        let creation = self.push(parent, EventLabel::write(Release, started(child), 1), initial);
        self.push(child, EventLabel::await_read(Acquire, started(child), 1), creation);
        self.running.push(child);
    }

    fn end(&mut self, thread: u32) {
        let initial = self.graph.writes(ended(thread))[0];
        let end = self.push(thread, EventLabel::write(Release, ended(thread), 1), initial);
        self.running.retain(|&t| t != thread);
        self.to_join.push((thread, end));
    }

    fn join(&mut self, thread: u32, (joined, end): (u32, EventId)) {
        self.push(thread, EventLabel::await_read(Acquire, ended(joined), 1), end);
    }
}

/// A graph that is coherent and atomic, as [`random_graph`](crate::support::random_graph) makes them, with threads that
/// create and join each other at random. Thread 0 rather begins with initialising.
pub fn random_family(rng: &mut Rng, mix: Mix) -> Graph {
    let mut family = Family::new(mix);
    for at in (0..mix.locations).map(Address) {
        if rng.u32(..100) < 60 {
            continue;
        }
        let order = if rng.u32(..100) < mix.sc { SeqCst } else { Relaxed };
        let initial = family.graph.writes(at)[0];
        family.push(0, EventLabel::write(order, at, 0), initial);
    }
    for _ in 0..mix.events {
        let thread = family.running[rng.usize(..family.running.len())];
        match rng.u32(..100) {
            0..50 if family.created < mix.threads => family.create(thread),
            50..58 if thread != 0 => family.end(thread),
            58..80 if !family.to_join.is_empty() => {
                let joined = family.to_join.swap_remove(rng.usize(..family.to_join.len()));
                family.join(thread, joined);
            }
            _ => {
                let label = mix.label(rng, &family.graph, thread);
                let graph = &mut family.graph;
                let Some(at) = label.address else {
                    graph.push(thread, label, Span::default(), None);
                    continue;
                };
                for predecessor in predecessors(rng, graph, at) {
                    graph.push(thread, label, Span::default(), Some(predecessor));
                    if Model::Rc20.consistent(graph) {
                        break;
                    }
                    graph.pop();
                }
            }
        }
    }
    family.graph
}

/// The graph with other locations in place of start and end cells: its threads only synchronise.
pub fn without_creation_and_join(graph: &Graph) -> Graph {
    let renamed =
        |at: Address| if thread_signal(at).is_some() { Address(at.pointer_and_size().unwrap().0) } else { at };
    let initial = graph.events().filter(|(_, event)| event.is_initial());
    let mut copy = Graph::initial(initial.filter_map(|(_, e)| Some((renamed(e.label.address?), e.label.written?))));
    for (id, event) in graph.events() {
        let Some(thread) = event.thread else { continue };
        let predecessor = event.label.address.map(|at| match graph.source(id) {
            Some(source) => source,
            None => *graph.writes(at).iter().rfind(|&&w| w < id && is_before(graph.writes(at), w, id)).unwrap(),
        });
        copy.push(
            thread,
            EventLabel { address: event.label.address.map(renamed), ..event.label },
            event.span,
            predecessor,
        );
    }
    copy
}

fn is_before(writes: &[EventId], a: EventId, b: EventId) -> bool {
    let place = |write| writes.iter().position(|&w| w == write);
    place(a) < place(b)
}
