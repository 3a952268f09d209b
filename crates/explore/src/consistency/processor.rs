//! Models of processors: ppo ∪ membars ∪ rfe ∪ mo ∪ fr has no cycle. `fencepost-models` has the definitions.

use fencepost_models::{Access, Ppo};
use fencepost_program::{Address, Membar};

use super::cycle::Search;
use super::sc::communicate;
use crate::event::{Event, Id, Kind};
use crate::execution::Execution;

pub(crate) fn acyclic(execution: &Execution, through: &[Id], ppo: Ppo, search: &mut Search) -> bool {
    through.iter().all(|&start| {
        search.begin(execution.len());
        follow(execution, start, ppo, search);
        while !search.has_reached(start)
            && let Some(id) = search.next()
        {
            follow(execution, id, ppo, search);
        }
        !search.has_reached(start)
    })
}

fn follow(execution: &Execution, id: Id, ppo: Ppo, search: &mut Search) {
    let event = execution.event(id);
    follow_program_order(execution, event, ppo, search);
    communicate(execution, id, search, |reader| reader != event.thread);
}

/// What waits for an access: what the processor keeps behind it, and what the membars between them do.
fn follow_program_order(execution: &Execution, event: &Event, ppo: Ppo, search: &mut Search) {
    let Some(first) = access(event) else { return };
    let kind = (first.reads, first.writes);
    let mut between = membars(event).1;
    for &id in &execution.threads[event.thread][event.index as usize + 1..] {
        let event = execution.event(id);
        let (before, after) = membars(event);
        between = between | before;
        if let Some(second) = access(event)
            && (ppo(first, second) || between.orders(kind, (second.reads, second.writes)))
        {
            search.reach(id);
        }
        between = between | after;
    }
}

/// A fence is no access. The write of an RMW stands for the whole of it: nothing overtakes its read.
fn access(event: &Event) -> Option<Access> {
    if event.kind == Kind::Fence {
        return None;
    }
    let reads = event.kind.reads() || event.kind == Kind::ExclusiveWrite;
    let cell = (event.kind.reads() || event.kind.writes()).then_some(Address(event.location as u64))?;
    Some(Access { reads, writes: event.kind.writes(), cell: Some(cell) })
}

fn membars(event: &Event) -> (Membar, Membar) {
    match event.kind {
        Kind::Fence => (event.order.membar(), Membar::NONE),
        kind => event.order.membars(kind.reads(), kind.writes()),
    }
}
