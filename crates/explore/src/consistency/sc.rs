//! Sequential consistency: hbSC = po ∪ rf ∪ mo ∪ fr has no cycle (paper 001 Def. 3.7).

use super::cycle::Search;
use crate::event::Id;
use crate::execution::Execution;

pub(crate) fn acyclic(execution: &Execution, through: &[Id], search: &mut Search) -> bool {
    through.iter().all(|&start| {
        search.begin(execution.len());
        follow(execution, start, search);
        while !search.has_reached(start)
            && let Some(id) = search.next()
        {
            follow(execution, id, search);
        }
        !search.has_reached(start)
    })
}

/// The next events along each relation; those after them follow.
fn follow(execution: &Execution, id: Id, search: &mut Search) {
    let event = execution.event(id);
    if let Some(&next) = execution.threads[event.thread].get(event.index as usize + 1) {
        search.reach(next);
    }
    communicate(execution, id, search, |_| true);
}

/// The readers of a write and the next write, or the write after the one that a read reads from.
pub(super) fn communicate(execution: &Execution, id: Id, search: &mut Search, readers: impl Fn(usize) -> bool) {
    let event = execution.event(id);
    if !event.kind.reads() && !event.kind.writes() {
        return;
    }
    let location = &execution.locations[event.location];
    let position = if event.kind.writes() { event.position } else { execution.position(event.source) };
    if let Some(&next) = location.writes.get(position as usize) {
        search.reach(next);
    }
    if event.kind.writes() {
        for &read in &location.reads {
            let read_event = execution.event(read);
            if read_event.source == Some(id) && readers(read_event.thread) {
                search.reach(read);
            }
        }
    }
}
