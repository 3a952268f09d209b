//! What an event is before and aware of, from its thread's last event and from what it reads.

use fencepost_graph::SC_FENCE_CELL;
use fencepost_program::Ordering;

use super::{Step, Steps};
use crate::clock::Clock;
use crate::event::{Event, Kind, Views};
use crate::execution::Execution;

impl Steps<'_> {
    /// The events before the step along po and rf, and the views after it.
    pub(crate) fn views(&self, execution: &Execution, step: &Step, count: u32) -> (Clock, Views) {
        let last = execution.last(step.thread);
        let (mut prefix, mut views) = last.map(|e| (e.prefix.clone(), e.views.clone())).unwrap_or_default();
        let orderings = self.model.orderings();
        let order = orderings.of_access(step.order);
        let is_fence = step.kind == Kind::Fence || step.kind.is_access() && step.at == SC_FENCE_CELL;
        let fence = orderings.of_fence(if is_fence { step.order } else { Ordering::NonAtomic });
        let Views { current, acquire, release, written } = &mut views;
        prefix.set(step.thread, count);
        current.set(step.thread, count);
        acquire.set(step.thread, count);
        if let Some(source) = step.source.filter(|_| step.kind.reads()) {
            let source = execution.event(source);
            prefix.join(&source.prefix);
            acquire.join(&source.views.written);
            if order.acquire {
                current.join(&source.views.written);
            }
        }
        if fence.acquire {
            current.join(acquire);
        }
        if step.kind.writes() {
            written.clone_from(if order.release { current } else { release });
            if let Some(first) = self.start_of_release_sequence(execution, step) {
                written.join(&first.views.current);
            }
            if let (Kind::ExclusiveWrite, Some(read)) = (step.kind, last)
                && let Some(source) = read.source
            {
                written.join(&execution.event(source).views.written);
            }
        }
        if fence.release {
            release.clone_from(current);
        }
        (prefix, views)
    }

    /// The thread's last release of the location, if its own later writes continue release sequences.
    fn start_of_release_sequence<'e>(&self, execution: &'e Execution, step: &Step) -> Option<&'e Event> {
        if !self.model.happens_before().own_writes_continue_release_sequences() || !step.order.is_atomic() {
            return None;
        }
        let events = execution.threads[step.thread].iter().rev().map(|&id| execution.event(id));
        let mut writes = events.filter(|event| event.kind.writes() && event.location == step.location);
        writes.find(|event| event.order.is_release())
    }
}
