//! Waiters of condition variables that wake up by themselves.
//!
//! A waiter may do so at any time, and look at its condition again and again: executions without end. But if two rounds
//! in a row bring it back to its wait in the state in which it was, one of them can go. A round takes the mutex, leaves
//! the set of waiting threads, looks, goes back into the set and gives up the mutex. Without the first round the waiter
//! just waits on, and others find the mutex free as they did; only a signal that found no waiter, because it was
//! looking, would find it now. If there is such a signal in the first round, let it wake the waiter, which then takes
//! the mutex only for the second round. So the waiter is not offered to wake up by itself twice for nothing.

use fencepost_program::Service;
use hashbrown::HashMap;

use super::Steps;
use crate::event::{Event, Kind};
use crate::execution::Execution;

impl Steps<'_> {
    /// Whether the thread is at the choice to wake up by itself, did so the last time, came back in the same state, and
    /// left behind what it found. That depends on nothing but its own events, whatever is explored first.
    pub(crate) fn woke_for_nothing(&self, execution: &Execution, thread: usize) -> bool {
        let now = self.token(execution, thread);
        if self.threads.service(now) != Some(Service::Condition) {
            return false;
        }
        // By location: what the round leaves there, and what it found.
        let mut left: HashMap<usize, (i64, Option<i64>)> = HashMap::new();
        for &id in execution.threads[thread].iter().rev() {
            let event = execution.event(id);
            let Some(before) = self.token_before(execution, event) else { return false };
            let service = self.threads.service(before);
            match event.kind {
                // The result of a wait with a time limit is chosen afresh, however the thread woke up.
                Kind::Choice if service == Some(Service::TimeLimit) => {}
                Kind::Choice if service != Some(Service::Condition) || event.value == 0 => return false,
                Kind::Choice if self.threads.is_back_at(now, before) => {
                    return left.values().all(|&(last, found)| found == Some(last));
                }
                Kind::Choice | Kind::Fence => {}
                Kind::Read | Kind::AwaitRead | Kind::ExclusiveRead => {
                    left.entry(event.location).and_modify(|(_, found)| *found = Some(event.value));
                }
                Kind::Write | Kind::ExclusiveWrite if service.is_some() => note_write(&mut left, event),
                _ => return false,
            }
        }
        false
    }
}

/// Events come last first.
fn note_write(left: &mut HashMap<usize, (i64, Option<i64>)>, event: &Event) {
    left.entry(event.location).or_insert((event.value, None)).1 = None;
}
