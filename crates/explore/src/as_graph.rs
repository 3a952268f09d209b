use fencepost_graph::{EventId, EventLabel, Graph, SC_FENCE_CELL};
use fencepost_program::{Address, Program};

use crate::event::{INITIAL, Id, Kind};
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
                    let source = match event.source {
                        INITIAL => None,
                        source => numbers[source as usize],
                    };
                    if event.kind.reads() && event.source != INITIAL && source.is_none() {
                        break;
                    }
                    let label = match (event.kind, write) {
                        (kind, _) if !kind.is_in_graph() => None,
                        (Kind::Fence, _) => Some(EventLabel::fence(event.order)),
                        (Kind::Write, _) => {
                            Some(EventLabel::write(event.order, addresses[event.location], event.value))
                        }
                        (Kind::ExclusiveRead, Some(_)) if addresses[event.location] == SC_FENCE_CELL => {
                            Some(EventLabel::sc_fence_rmw())
                        }
                        (Kind::ExclusiveRead, Some(write)) => {
                            Some(EventLabel::rmw(event.order, addresses[event.location], event.value, write.value))
                        }
                        (Kind::AwaitRead, _) => {
                            Some(EventLabel::await_read(event.order, addresses[event.location], event.value))
                        }
                        _ => Some(EventLabel::read(event.order, addresses[event.location], event.value)),
                    };
                    if let Some(label) = label {
                        let predecessor = match (event.kind, label.address) {
                            (_, None) => None,
                            // Right after the nearest earlier write that is there already.
                            (Kind::Write, _) => {
                                let earlier = &self.locations[event.location].writes[..event.position as usize - 1];
                                let there = earlier.iter().rev().find_map(|&w| numbers[w as usize]);
                                Some(there.unwrap_or_else(|| initial(&graph, event.location)))
                            }
                            // An RMW comes right after what it reads.
                            _ => Some(source.unwrap_or_else(|| initial(&graph, event.location))),
                        };
                        let number = graph.push(thread as u32, label, event.span, predecessor);
                        numbers[id as usize] = Some(number);
                        if let Some(write) = write_id {
                            numbers[write as usize] = Some(number);
                        }
                    }
                    taken(id, write_id, numbers[id as usize]);
                    next[thread] += 1 + write.is_some() as usize;
                    added = true;
                }
            }
        }
        graph
    }
}
