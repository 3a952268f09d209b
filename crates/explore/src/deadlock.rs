//! Threads that wait for ever.
//!
//! An execution in which no thread can go on is a deadlock if some thread waits (in a `wait`, for a lock, a semaphore,
//! a barrier, the end of a thread, or in a loop that only reads), and none of them would go on if it waited longer:
//! sooner or later a thread sees the newest write to a location (Lahav, Namakonov, Oberhauser, Podkopaev, Vafeiadis:
//! "Making Weak Memory Models Fair", OOPSLA 2021), so what a thread waits for must be what the newest write does not
//! give. If the value that was read is an older one, the execution in which the thread reads the newest one is another,
//! and decides. A thread that an assumption, a bound on loops or a failure cut off excuses the others, because nothing
//! is known of what it would have done. One that goes round a loop without an exit, and changes nothing there, does not
//! wait. But it does not excuse the others: it will never wake them.

use crate::event::{Ahead, Event, Kind, Part};
use crate::execution::Execution;
use crate::explorer::Explorer;
use crate::reuse::is_given_up;
use fencepost_program::{Action, Value};

/// The threads that have not ended in an execution in which nothing will ever change.
pub(crate) struct Stuck {
    pub threads: Vec<usize>,
    /// One of them waits. Otherwise all of them go round loops without an exit.
    pub waits: bool,
}

/// How a thread goes on for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ForEver {
    Waits,
    /// Goes round a loop without an exit.
    Loops,
}

impl Explorer<'_, '_> {
    /// The threads that wait or go round loops for ever; `None` if some thread may do something else.
    pub(crate) fn stuck(&self, execution: &Execution) -> Option<Stuck> {
        let mut stuck = Stuck { threads: Vec::new(), waits: false };
        for thread in execution.made_threads() {
            let action = self.steps.action(execution, thread);
            if action == Action::End || execution.ahead(thread) == Ahead::TellsEnd {
                continue;
            }
            stuck.waits |= self.for_ever(execution, thread, action)? == ForEver::Waits;
            stuck.threads.push(thread);
        }
        Some(stuck)
    }

    fn for_ever(&self, execution: &Execution, thread: usize, action: Action) -> Option<ForEver> {
        match (execution.last(thread), action) {
            (_, Action::Hangs) => Some(ForEver::Waits),
            (_, Action::Endless) => Some(ForEver::Loops),
            (_, action) if is_given_up(action) => None,
            _ if self.steps.threads.may_time_out(self.steps.token(execution, thread)) => None,
            (_, Action::Failed(_)) => None,
            (Some(last), _) if last.cut_off && !last.refused => {
                let may_end = self.steps.threads.may_end(&last.token);
                let ways = if may_end { ForEver::Waits } else { ForEver::Loops };
                self.spins_for_ever(execution, last).then_some(ways)
            }
            // A thread that waits for a signal or at a barrier has no event for it.
            (_, Action::Wait { at, accept, .. } | Action::Rmw { at, accept, .. }) => {
                (!accept.accepts(self.last_value(execution, at))).then_some(ForEver::Waits)
            }
            _ => None,
        }
    }

    /// Whether the iteration of a spin loop that ends with this event has read the newest values, so that the next one
    /// is the same.
    fn spins_for_ever(&self, execution: &Execution, last: &Event) -> bool {
        let events = &execution.threads[last.thread];
        let Some(mut first) = self.steps.iteration(execution, last.thread, events.len() - 1, &last.token) else {
            return false;
        };
        // An access of several events is a whole one.
        while first > 0 && is_begun(execution.event(events[first - 1])) {
            first -= 1;
        }
        let goes_by_time = |event: &Event| {
            let before = self.steps.token_before(execution, event);
            before.is_some_and(|token| self.steps.threads.may_time_out(token))
        };
        events[first..].iter().map(|&id| execution.event(id)).all(|event| {
            if goes_by_time(event) {
                return false;
            }
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
