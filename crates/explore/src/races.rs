use fencepost_program::{Address, Role};

use crate::event::{Event, Id};
use crate::execution::Execution;
use crate::steps::Steps;

/// An earlier access that conflicts with one, one of them not atomic, and neither happens before the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub other: Id,
    /// One of them is to a part of the cell only, and was widened.
    pub widened: bool,
    /// They are to different bytes, and conflict only because they were widened.
    pub disjoint: bool,
}

pub(crate) fn race_with(steps: &Steps, execution: &Execution, addresses: &[Address], added: Id) -> Option<Race> {
    let event = execution.event(added);
    if !event.kind.reads() && !event.kind.writes() {
        return None;
    }
    let location = &execution.locations[event.location];
    let reads = location.reads.iter().filter(|_| event.kind.writes());
    let mut others = reads.chain(&location.writes).copied().filter(|&other| {
        let first = execution.event(other);
        first.thread != event.thread
            && (!first.order.is_atomic() || !event.order.is_atomic())
            && event.views.current.get(first.thread) <= first.index
            && first.views.current.get(event.thread) <= event.index
    });
    if !steps.division.is_wide(addresses[event.location]) {
        return others.next().map(|other| Race { other, widened: false, disjoint: false });
    }
    let piece = |event: &Event| steps.piece(execution, addresses, event);
    let this = piece(event);
    let races = others.filter_map(|other| {
        let that = piece(execution.event(other));
        // What is fetched is no read of the program. The store that follows at once races in its stead.
        if [this.role, that.role].contains(&Role::Fetch) && this.overlaps(that) {
            return None;
        }
        let widened = this.role.is_widened() || that.role.is_widened();
        Some(Race { other, widened, disjoint: !this.overlaps(that) })
    });
    // One that is a race in any case is the better answer.
    races.min_by_key(|race| race.disjoint)
}
