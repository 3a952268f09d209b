//! Iterations of spin loops.

use super::Steps;
use crate::event::Kind;
use crate::execution::Execution;
use crate::threads::Token;

impl Steps<'_> {
    /// Whether a step has brought its thread back to where it was, and all that the thread did on the way are reads,
    /// fences and RMWs that write what they read: an iteration of a spin loop. An execution without these events, whose
    /// RMWs' readers read what the RMWs have read, is consistent too, as relations only shrink, and its values are the
    /// same. So what comes after more such iterations also comes after fewer, and the thread is cut off.
    pub(super) fn spins(&self, execution: &Execution, thread: usize, now: &Token) -> bool {
        self.iteration(execution, thread, execution.threads[thread].len(), now).is_some()
    }

    /// Where the iteration starts that has brought a thread back to where it was, by its first events and one more.
    pub(crate) fn iteration(&self, execution: &Execution, thread: usize, count: usize, now: &Token) -> Option<usize> {
        let events = &execution.threads[thread][..count];
        let mut before = count;
        loop {
            let token = match (before, &execution.starts[thread]) {
                (0, Some(start)) => &start.token,
                (0, None) => return None,
                (n, _) => &execution.event(events[n - 1]).token,
            };
            if self.threads.is_back_at(now, token) {
                return Some(before);
            }
            if before == 0 {
                return None;
            }
            let last = execution.event(events[before - 1]);
            before -= match last.kind {
                Kind::Read | Kind::AwaitRead | Kind::Fence => 1,
                // The read of the RMW that is about to write.
                Kind::ExclusiveRead if before == events.len() => 1,
                Kind::ExclusiveWrite if execution.event(events[before - 2]).value == last.value => 2,
                _ => return None,
            };
        }
    }
}
