//! Threads that another thread lets start: what they may still read of what came before, and what may read from them.
//!
//! Rule (1) of paper 002 §4.4 orders a thread's creation before its first operation. In a combination that follows from
//! what is read; here it is used for all executions at once, so that it also holds for loads in loops, which are not
//! decided.

use fencepost_models::Access;
use fencepost_program::{Comparison, Inst, Operand};

use crate::system::{At, Event, EventId, System, Writes};
use fencepost_program::code::BitSet;

/// Everything that a thread does follows a wait for what one instruction of another thread stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The node that waits.
    pub(crate) wait: usize,
    /// The thread and the node that store.
    pub(crate) by: usize,
    pub(crate) store: usize,
}

impl System<'_> {
    pub(crate) fn find_starts(&mut self) {
        self.starts = (0..self.codes.len()).map(|thread| self.find_start(thread)).collect();
    }

    fn find_start(&self, thread: usize) -> Option<Start> {
        self.event_at[thread].iter().flatten().find_map(|&wait| {
            let At::Node { node, .. } = self.events[wait].at else { return None };
            let Some(Inst::Wait { comparison: Comparison::Eq, value: Operand::Const(value), .. }) = self.inst(wait)
            else {
                return None;
            };
            let cell = self.events[wait].cell()?;
            if self.initial(cell).is_none_or(|initial| initial.contains(*value)) || !self.comes_first(thread, node) {
                return None;
            }
            let mut stores = self
                .events
                .iter()
                .enumerate()
                .filter(|(_, e)| e.at != At::Start && e.writes != Writes::Never && e.overlaps(&self.events[wait]));
            let (store, event) = stores.next()?;
            let At::Node { thread: by, node: at } = event.at else { return None };
            let plain = matches!(self.inst(store), Some(Inst::Store { .. })) && event.cell() == Some(cell);
            let only = plain && by != thread && stores.next().is_none();
            (only && self.is_ordered(store, wait)).then_some(Start { wait: node, by, store: at })
        })
    }

    /// Whether nothing else of the thread can be executed before the node is.
    fn comes_first(&self, thread: usize, node: usize) -> bool {
        let mut seen = BitSet::new(self.codes[thread].nodes.len());
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            if at == node || seen.contains(at) {
                continue;
            }
            seen.insert(at);
            if self.event_at[thread][at].is_some() {
                return false;
            }
            work.extend(self.codes[thread].nodes[at].next.iter().map(|&next| next as usize));
        }
        true
    }

    /// Whether what is before the store stays before it, and what is after the wait stays after it.
    fn is_ordered(&self, store: EventId, wait: EventId) -> bool {
        let (before, after) = (self.membars(store, None).0, self.membars(wait, None).1);
        let load = Access { reads: true, writes: false, cell: None };
        let other = Access { reads: false, writes: true, cell: None };
        [load, other]
            .into_iter()
            .all(|access| self.model.no_reorder(access, other, before) && self.model.no_reorder(load, access, after))
    }

    /// The threads that this one has to wait for, with the node of each that lets it or its forerunner start.
    fn forerunners(&self, thread: usize) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        let mut at = thread;
        while let Some(start) = self.starts[at]
            && !found.iter().any(|&(by, _)| by == start.by)
        {
            found.push((start.by, start.store));
            at = start.by;
        }
        found
    }

    /// The stores of its own thread and of those that came before it, and the initial values, that reach a load along
    /// some path without being overwritten on it. Coherence holds in all models, so no other of them can be read.
    pub(crate) fn earlier_stores(&self, load: EventId) -> Vec<EventId> {
        let event = &self.events[load];
        let mut found = Vec::new();
        let mut from_start = true;
        if let At::Node { thread, node } = event.at {
            let mut seen: Vec<BitSet> = self.codes.iter().map(|code| BitSet::new(code.nodes.len())).collect();
            // The nodes that are done with when one begins; what a thread that waits does before its wait is nothing.
            let mut work = vec![(thread, node)];
            from_start = self.starts[thread].is_some_and(|start| start.wait == node);
            while let Some((thread, begins)) = work.pop() {
                from_start |= begins == 0 && self.starts[thread].is_none();
                for &before in &self.flows[thread].predecessors[begins] {
                    let before = before as usize;
                    if seen[thread].contains(before) {
                        continue;
                    }
                    seen[thread].insert(before);
                    if let Some(store) = self.event_at[thread][before]
                        && self.events[store].writes != Writes::Never
                        && self.events[store].overlaps(event)
                    {
                        found.push(store);
                        if overwrites(&self.events[store], event) {
                            continue;
                        }
                    }
                    work.push((thread, before));
                    if let Some(start) = self.starts[thread].filter(|start| start.wait == before) {
                        work.push((start.by, start.store));
                    }
                }
            }
        }
        if from_start {
            let starts = self.events.iter().enumerate().filter(|(_, e)| e.at == At::Start && e.overlaps(event));
            found.extend(starts.map(|(id, _)| id));
        }
        found
    }

    /// Whether a load may read a store of another thread that is not among [`System::earlier_stores`].
    pub(crate) fn may_be_later(&self, load: EventId, store: EventId) -> bool {
        let (At::Node { thread, node }, At::Node { thread: other, node: at }) =
            (self.events[load].at, self.events[store].at)
        else {
            return true;
        };
        // What a forerunner does only before it lets the thread start is overwritten, or among the earlier stores.
        let is_over = self
            .forerunners(thread)
            .iter()
            .any(|&(by, start)| by == other && start != at && !self.flows[by].reaches(start, at));
        // What a follower does comes after everything before its start.
        let is_to_come =
            self.forerunners(other).iter().any(|&(by, start)| by == thread && !self.flows[by].reaches(start, node));
        !is_over && !is_to_come
    }
}

fn overwrites(store: &Event, load: &Event) -> bool {
    store.writes == Writes::Always && store.cell().is_some() && store.cell() == load.cell()
}
