//! RC11's partial SC order has no cycle (Lahav et al., PLDI 2017, §4.2): psc_base ∪ psc_F, from SC event to SC event.
//!
//! The parts of an RMW are two events here, both SC if it is: whatever leaves its read leaves its write too.

use super::cycle::Search;
use crate::event::{Event, Id, Kind};
use crate::execution::Execution;

/// The last event of its thread has no hb out of it. So a new cycle starts at a new SC event, or at an SC fence that
/// happens before a new one; and then also at the last such fence of its thread.
pub(crate) fn acyclic(execution: &Execution, through: &[Id], search: &mut Search) -> bool {
    let order = PartialOrder::of(execution);
    through.iter().all(|&added| {
        let event = execution.event(added);
        let fences = (0..execution.threads.len()).filter_map(|thread| {
            let known = &execution.threads[thread][..event.views.current.get(thread) as usize];
            known.iter().rev().copied().find(|&id| id != added && is_sc_fence(execution.event(id)))
        });
        let itself = Some(added).filter(|_| event.order.is_sc());
        itself.into_iter().chain(fences).all(|start| order.is_acyclic_from(start, search))
    })
}

struct PartialOrder<'e> {
    execution: &'e Execution,
    sc_fences: Vec<Id>,
}

impl<'e> PartialOrder<'e> {
    fn of(execution: &'e Execution) -> PartialOrder<'e> {
        let ids = Id::range(0..execution.len());
        PartialOrder { execution, sc_fences: ids.filter(|&id| is_sc_fence(execution.event(id))).collect() }
    }

    fn is_acyclic_from(&self, start: Id, search: &mut Search) -> bool {
        search.begin(self.execution.len());
        self.follow(start, search);
        while !search.has_reached(start)
            && let Some(id) = search.next()
        {
            self.follow(id, search);
        }
        !search.has_reached(start)
    }

    /// All that is right after an SC event.
    fn follow(&self, from: Id, search: &mut Search) {
        if !is_sc_fence(self.execution.event(from)) {
            self.follow_scb(from, search);
            return;
        }
        self.follow_scb(from, search);
        for id in Id::range(0..self.execution.len()) {
            if !self.execution.happens_before(from, id) {
                continue;
            }
            if is_sc_fence(self.execution.event(id)) {
                search.reach(id);
            }
            self.follow_scb(id, search);
            self.follow_eco(id, search);
        }
    }

    /// `scb ; ([Esc] ∪ hb? ; [Fsc])`.
    fn follow_scb(&self, from: Id, search: &mut Search) {
        let after = self.first_elsewhere(from);
        for to in Id::range(0..self.execution.len()) {
            if !self.scb(from, to, after) {
                continue;
            }
            if self.execution.event(to).order.is_sc() {
                search.reach(to);
            }
            self.reach_fences_after(to, search);
        }
    }

    /// `eco ; hb ; [Fsc]`. What ends in a write is in scb.
    fn follow_eco(&self, from: Id, search: &mut Search) {
        let event = self.execution.event(from);
        if self.sc_fences.is_empty() || !event.kind.reads() && !event.kind.writes() {
            return;
        }
        let at = self.place(event);
        for &read in &self.execution.locations[event.location].reads {
            let place = self.place(self.execution.event(read));
            if at < place || at == place && event.kind.writes() {
                self.reach_fences_after(read, search);
            }
        }
    }

    fn reach_fences_after(&self, id: Id, search: &mut Search) {
        for &fence in &self.sc_fences {
            if self.execution.happens_before(id, fence) {
                search.reach(fence);
            }
        }
    }

    /// scb = `po ∪ po≠loc ; hb ; po≠loc ∪ hb|loc ∪ mo ∪ fr`. `after` is the first event po≠loc after `from`: hb from
    /// any such one is hb from it.
    fn scb(&self, from: Id, to: Id, after: Option<Id>) -> bool {
        let (a, b) = (self.execution.event(from), self.execution.event(to));
        if from == to || !a.kind.is_in_graph() || !b.kind.is_in_graph() {
            return false;
        }
        if a.thread == b.thread && a.index < b.index {
            return true;
        }
        if same_location(a, b) {
            let older = b.kind.writes() && self.place(a) < self.place(b);
            if older || self.execution.happens_before(from, to) {
                return true;
            }
        }
        let Some(after) = after else { return false };
        self.last_elsewhere(to).is_some_and(|before| self.execution.happens_before(after, before))
    }

    fn first_elsewhere(&self, id: Id) -> Option<Id> {
        let event = self.execution.event(id);
        let later = &self.execution.threads[event.thread][event.index as usize + 1..];
        later.iter().copied().find(|&other| self.is_elsewhere(other, event))
    }

    fn last_elsewhere(&self, id: Id) -> Option<Id> {
        let event = self.execution.event(id);
        let earlier = &self.execution.threads[event.thread][..event.index as usize];
        earlier.iter().rev().copied().find(|&other| self.is_elsewhere(other, event))
    }

    fn is_elsewhere(&self, id: Id, event: &Event) -> bool {
        let other = self.execution.event(id);
        other.kind.is_in_graph() && !same_location(other, event)
    }

    /// The place in modification order of an access, or of what it reads from.
    fn place(&self, event: &Event) -> u32 {
        if event.kind.writes() { event.position } else { self.execution.position(event.source) }
    }
}

fn is_sc_fence(event: &Event) -> bool {
    event.kind == Kind::Fence && event.order.is_sc()
}

fn same_location(a: &Event, b: &Event) -> bool {
    let is_access = |e: &Event| e.kind.reads() || e.kind.writes();
    is_access(a) && is_access(b) && a.location == b.location
}
