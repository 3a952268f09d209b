//! When a new write may be what an earlier read should have read (TruSt §3).

use crate::event::{Event, Id};
use crate::execution::Execution;

/// The execution without what a revisit of `read` by `write` takes back, and the read's number in it. `None` if what
/// goes was not added in the way that is taken to be the first: then another execution leads to the same one.
pub(crate) fn take_back(execution: &Execution, read: Id, write: &Event) -> Option<(Execution, Id)> {
    if execution.in_prefix(read, write) {
        return None;
    }
    let goes = |id: Id| id > read && !execution.in_prefix(id, write);
    let mut taken = Id::range(read.index()..execution.len()).filter(|&id| id == read || goes(id));
    if !taken.all(|id| is_maximal(execution, id, write)) {
        return None;
    }
    let deleted: Vec<bool> = Id::range(0..execution.len()).map(goes).collect();
    let (rest, numbers) = execution.without(&deleted);
    Some((rest, numbers[read.index()]?))
}

/// Whether an event was added in the way that is taken to be the first: nothing before it reads from it, and it reads
/// from, or is, the newest write. "Before" is what was added up to it, or is before the new write along po and rf.
fn is_maximal(execution: &Execution, id: Id, write: &Event) -> bool {
    let event = execution.event(id);
    let before = |other: Id| other <= id || execution.in_prefix(other, write);
    if !event.first_choice {
        return false;
    }
    let newest = match event.kind {
        kind if !kind.is_access() => return true,
        kind if kind.reads() => event.source,
        _ => Some(id),
    };
    let location = &execution.locations[event.location];
    if event.kind.writes() && location.reads.iter().any(|&r| execution.event(r).source == Some(id) && before(r)) {
        return false;
    }
    let newer = &location.writes[execution.position(newest) as usize..];
    !newer.iter().any(|&w| before(w))
}
