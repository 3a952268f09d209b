use fencepost_graph::{EventId, EventLabel, Graph, SC_FENCE_CELL};
use fencepost_program::{Address, Program};

use crate::event::{Event, Id, Kind};
use crate::execution::Execution;

impl Execution {
    /// The execution as the definitions see it. An RMW is one event; one whose write is still to come is a read.
    pub(crate) fn graph(&self, program: &Program, addresses: &[Address], sc_fence_cell: bool) -> Graph {
        self.graph_in_order(program, addresses, sc_fence_cell, |_, _, _| {})
    }

    /// Calls `taken` with each event in an order along po and rf: its number; if it is the read of an RMW, that of its
    /// write; and its number in the graph, if it is there.
    pub(crate) fn graph_in_order(
        &self,
        program: &Program,
        addresses: &[Address],
        sc_fence_cell: bool,
        mut taken: impl FnMut(Id, Option<Id>, Option<EventId>),
    ) -> Graph {
        let cells = program.cells().chain(addresses.iter().copied().filter(|at| at.pointer_and_size().is_some()));
        let cells = cells.map(|at| (at, program.initial_value(at)));
        let mut graph = Graph::initial(cells.chain(sc_fence_cell.then_some((SC_FENCE_CELL, 0))));
        let mut numbers = vec![None; self.events.len()];
        let initial = |graph: &Graph, location: usize| graph.writes(addresses[location])[0];
        // A read may have an earlier number than the write it reads from: go along po and rf.
        let mut next = vec![0; self.threads.len()];
        let mut added = true;
        while added {
            added = false;
            for (thread, events) in self.threads.iter().enumerate() {
                while let Some(&id) = events.get(next[thread]) {
                    let event = self.event(id);
                    let rmw = event.kind == Kind::ExclusiveRead;
                    let write_id = events.get(next[thread] + 1).copied().filter(|_| rmw);
                    let write = write_id.map(|write| self.event(write));
                    let source = event.source.and_then(|source| numbers[source.index()]);
                    if event.kind.reads() && event.source.is_some() && source.is_none() {
                        break;
                    }
                    let label = label(event, write, addresses);
                    if let Some(label) = label {
                        let predecessor = match (event.kind, label.address) {
                            (_, None) => None,
                            // Right after the nearest earlier write that is there already.
                            (Kind::Write, _) => {
                                let earlier = &self.locations[event.location].writes[..event.position as usize - 1];
                                let there = earlier.iter().rev().find_map(|&w| numbers[w.index()]);
                                Some(there.unwrap_or_else(|| initial(&graph, event.location)))
                            }
                            // An RMW comes right after what it reads.
                            _ => Some(source.unwrap_or_else(|| initial(&graph, event.location))),
                        };
                        let number = graph.push(thread as u32, label, event.span, predecessor);
                        numbers[id.index()] = Some(number);
                        if let Some(write) = write_id {
                            numbers[write.index()] = Some(number);
                        }
                    }
                    taken(id, write_id, numbers[id.index()]);
                    next[thread] += 1 + write.is_some() as usize;
                    added = true;
                }
            }
        }
        graph
    }
}

/// An event as the definitions see it, if they do. `write` is the write of the RMW that a read is a part of.
fn label(event: &Event, write: Option<&Event>, addresses: &[Address]) -> Option<EventLabel> {
    if !event.kind.is_in_graph() {
        return None;
    }
    if event.kind == Kind::Fence {
        return Some(EventLabel::fence(event.order));
    }
    let (at, order, value) = (addresses[event.location], event.order, event.value);
    Some(match (event.kind, write) {
        (Kind::Write, _) => EventLabel::write(order, at, value),
        (Kind::ExclusiveRead, Some(_)) if at == SC_FENCE_CELL => EventLabel::sc_fence_rmw(),
        (Kind::ExclusiveRead, Some(write)) => EventLabel::rmw(order, at, value, write.value),
        (Kind::AwaitRead, _) => EventLabel::await_read(order, at, value),
        _ => EventLabel::read(order, at, value),
    })
}
