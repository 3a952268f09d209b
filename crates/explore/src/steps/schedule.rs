//! Which thread goes on.

use fencepost_program::Action;

use super::Steps;
use crate::event::{Ahead, Kind, ended_thread, signal};
use crate::execution::Execution;
use crate::locations::Locations;

impl Steps<'_> {
    /// The first thread that does not read next, or else the first one that can go on: a read that comes after the
    /// writes need not be revisited by them. But the write of an RMW follows its read at once, and the end of a thread
    /// is told only to the thread that joins it, or to those that have looked for it without waiting.
    pub(crate) fn schedule(&self, execution: &Execution, locations: &Locations) -> Option<usize> {
        let (mut reads, mut others) = (None, None);
        for thread in 0..execution.starts.len() {
            if execution.last(thread).is_some_and(|event| event.kind == Kind::ExclusiveRead) {
                return Some(thread);
            }
            match execution.ahead(thread) {
                Ahead::TellsEnd if self.is_looked_for(execution, thread, locations) => others = others.or(Some(thread)),
                Ahead::Nothing | Ahead::TellsEnd => {}
                Ahead::Signal(signal) if !execution.has_signal(signal) => {
                    let ended = ended_thread(signal)
                        .filter(|&t| t < execution.starts.len() && execution.ahead(t) == Ahead::TellsEnd);
                    others = others.or(ended);
                }
                Ahead::Leave if !self.may_leave(execution, thread, locations) => {}
                Ahead::Read => reads = reads.or(Some(thread)),
                Ahead::Leave | Ahead::Signal(_) | Ahead::Other => others = others.or(Some(thread)),
            }
        }
        others.or(reads)
    }

    /// Whether a thread has read, without waiting, whether this one has ended (`pthread_tryjoin_np`).
    fn is_looked_for(&self, execution: &Execution, thread: usize, locations: &Locations) -> bool {
        let Action::Store { at, .. } = self.action(execution, thread) else { return false };
        let location = locations.find(at).and_then(|location| execution.locations.get(location));
        location.is_some_and(|location| !location.reads.is_empty())
    }

    /// Whether all have come to the barrier at which a thread waits.
    fn may_leave(&self, execution: &Execution, thread: usize, locations: &Locations) -> bool {
        let Action::Wait { at, accept, .. } = self.action(execution, thread) else { return false };
        let location = locations.find(at).and_then(|location| execution.locations.get(location));
        let newest = location.and_then(|l| l.writes.last());
        accept.accepts(newest.map_or_else(|| self.initial_value(at), |&write| execution.event(write).value))
    }
}

/// Of what kind an action is.
pub(crate) fn ahead(action: &Action) -> Ahead {
    match *action {
        Action::Store { at, .. } if signal(at).and_then(ended_thread).is_some() => Ahead::TellsEnd,
        Action::Blocked | Action::Hangs | Action::Endless | Action::Failed(_) | Action::End => Ahead::Nothing,
        Action::Wait { at, .. } => signal(at).map_or(Ahead::Read, Ahead::Signal),
        Action::Load { .. } | Action::Rmw { .. } | Action::Cas { .. } => Ahead::Read,
        Action::Store { .. }
        | Action::Fence { .. }
        | Action::Choose { .. }
        | Action::Spawn { .. }
        | Action::Alloc { .. }
        | Action::Free { .. }
        | Action::HeapSize { .. } => Ahead::Other,
    }
}
