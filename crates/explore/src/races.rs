use crate::event::Id;
use crate::execution::Execution;

/// An access that conflicts with another, one of them not atomic, and neither happens before the other.
pub(crate) fn races_with(execution: &Execution, added: Id) -> Option<Id> {
    let event = execution.event(added);
    if !event.kind.reads() && !event.kind.writes() {
        return None;
    }
    let location = &execution.locations[event.location];
    let reads = location.reads.iter().filter(|_| event.kind.writes());
    reads.chain(&location.writes).copied().find(|&other| {
        let first = execution.event(other);
        first.thread != event.thread
            && (!first.order.is_atomic() || !event.order.is_atomic())
            && event.views.current.get(first.thread) <= first.index
            && first.views.current.get(event.thread) <= event.index
    })
}
