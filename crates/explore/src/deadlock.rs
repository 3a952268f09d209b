//! Threads that wait for ever.
//!
//! An execution in which no thread can go on is a deadlock if some thread waits (in a `wait`, for a lock, a semaphore, a barrier,
//! the end of a thread, or in a loop that only reads), and none of them would go on if it waited longer: sooner or later a thread
//! sees the newest write to a location (Lahav, Namakonov, Oberhauser, Podkopaev, Vafeiadis: "Making Weak Memory Models Fair",
//! OOPSLA 2021), so what a thread waits for must be what the newest write does not give. If the value that was read is an older one,
//! the execution in which the thread reads the newest one is another, and decides. A thread that an assumption, a bound on loops or
//! a failure cut off excuses the others, because nothing is known of what it would have done.

use crate::event::{Ahead, Event, Kind, Part};
use crate::execution::Execution;
use crate::explorer::Explorer;
use crate::reuse::is_given_up;
use fencepost_program::{Action, Value};

impl Explorer<'_, '_> {
    /// The threads that wait for ever in an execution in which no thread can go on; none if it is no deadlock.
    pub(crate) fn deadlock(&self, execution: &Execution) -> Vec<usize> {
        let mut waiting = Vec::new();
        for thread in execution.made_threads() {
            match self.steps.action(execution, thread) {
                Action::End => {}
                _ if execution.ahead(thread) == Ahead::TellsEnd => {}
                action if self.waits_for_ever(execution, thread, action) => waiting.push(thread),
                _ => return Vec::new(),
            }
        }
        waiting
    }

    fn waits_for_ever(&self, execution: &Execution, thread: usize, action: Action) -> bool {
        if action == Action::Hangs {
            return true;
        }
        match (execution.last(thread), action) {
            (_, action) if is_given_up(action) => false,
            (_, Action::Failed(_)) => false,
            (Some(last), _) if last.cut_off && !last.refused => self.spins_for_ever(execution, last),
            // A thread that waits for a signal or at a barrier has no event for it.
            (_, Action::Wait { at, accept, .. } | Action::Rmw { at, accept, .. }) => {
                !accept.accepts(self.last_value(execution, at))
            }
            _ => false,
        }
    }

    /// Whether the iteration of a spin loop that ends with this event has read the newest values, so that the next one is the same.
    fn spins_for_ever(&self, execution: &Execution, last: &Event) -> bool {
        if !self.steps.machine.may_end(&last.state) {
            return false;
        }
        let events = &execution.threads[last.thread];
        let Some(mut first) = self.steps.iteration(execution, last.thread, events.len() - 1, &last.state) else {
            return false;
        };
        // An access of several events is a whole one.
        while first > 0 && is_begun(execution.event(events[first - 1])) {
            first -= 1;
        }
        events[first..].iter().map(|&id| execution.event(id)).all(|event| {
            // A weak CAS does not fail for ever for no reason.
            let spurious = event.kind == Kind::AwaitRead && !event.first_choice;
            !spurious && (!event.kind.reads() || event.value == self.newest(execution, event))
        })
    }

    /// The last value of the location of an access.
    fn newest(&self, execution: &Execution, event: &Event) -> Value {
        self.last_value(execution, self.locations.addresses()[event.location])
    }
}

/// Whether the thread has not gone on yet after an event.
fn is_begun(event: &Event) -> bool {
    event.kind == Kind::ExclusiveRead || matches!(event.part, Part::Before(_))
}
