//! TSO and PSO: ppo ∪ barriers ∪ rfe ∪ mo ∪ fr has no cycle. `fencepost-models` has the definitions, and says what
//! compilers make of C11 orderings.

use super::cycle::Search;
use super::sc::communicate;
use crate::event::{Event, Id, Kind};
use crate::execution::Execution;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Processor {
    Tso,
    Pso,
}

pub(crate) fn acyclic(execution: &Execution, through: &[Id], processor: Processor, search: &mut Search) -> bool {
    through.iter().all(|&start| {
        search.begin(execution.len());
        follow(execution, start, processor, search);
        while !search.has_reached(start)
            && let Some(id) = search.next()
        {
            follow(execution, id, processor, search);
        }
        !search.has_reached(start)
    })
}

fn follow(execution: &Execution, id: Id, processor: Processor, search: &mut Search) {
    let event = execution.event(id);
    let later = &execution.threads[event.thread][event.index as usize + 1..];
    let accesses = |id: &&Id| is_access(execution.event(**id));
    if is_barrier(event) || event.kind.reads() || event.kind == Kind::ExclusiveWrite {
        // Nothing overtakes a load, nor an SC store.
        later.iter().filter(accesses).for_each(|&id| search.reach(id));
    } else if event.kind.writes() {
        follow_store(execution, later, processor, search);
    }
    communicate(execution, id, search, |reader| reader != event.thread);
}

/// What waits for a store: later stores, on PSO only after a barrier for stores, and all after a full barrier. Stores to the
/// same location follow along mo.
fn follow_store(execution: &Execution, later: &[Id], processor: Processor, search: &mut Search) {
    let mut stores_wait = processor == Processor::Tso;
    for (i, &id) in later.iter().enumerate() {
        let event = execution.event(id);
        if event.kind == Kind::Fence && event.order.is_sc() {
            let after = later[i + 1..].iter().filter(|&&id| is_access(execution.event(id)));
            after.for_each(|&id| search.reach(id));
            return;
        }
        stores_wait |= (event.kind == Kind::Fence || event.kind.writes()) && event.order.is_release();
        if event.kind.writes() && stores_wait {
            search.reach(id);
        }
        // What comes before the end of an SC store comes before all after it.
        if event.kind.writes() && event.order.is_sc() {
            search.reach(id);
            return;
        }
    }
}

fn is_access(event: &Event) -> bool {
    event.kind.reads() || event.kind.writes()
}

/// The end of an SC store is a full barrier.
fn is_barrier(event: &Event) -> bool {
    event.kind.writes() && event.order.is_sc()
}
