//! Cells that are only written under one lock: what a thread reads in a section is what it last read or wrote there,
//! and what other sections leave behind.
//!
//! Suppose that all writes to a cell are made under one lock, and that the lock keeps its sections in order. A section
//! that came before another has its stores take effect before those of the other; one that comes after has no part in
//! what the other reads. So no other thread writes the cell between two accesses of one section, and of a section that
//! is over only the last store to the cell can be read. A store outside of all sections is fine too, if it is made once
//! and has certainly taken effect (`seen`).
//!
//! An additional register of the thread remembers the value of such a cell. That makes relations of it: two loads are
//! equal, whatever their value is. (Miné, VMCAI 2014, has lock invariants for this; the paper's analysis has locks as
//! fences only, 002 §4.3.)

use fencepost_models::Access;
use fencepost_program::{Address, Inst, Reg, RegisterKind, Ty};

use crate::domains::Domain;
use crate::system::locks::Lock;
use crate::system::seen::{Seen, WhyDropped};
use crate::system::{At, EventId, Facts, System, Writes};
use crate::threads::code::Remembered;
use fencepost_program::code::BitSet;

/// A cell whose writers all hold the lock, except for some.
struct Guarded<'l> {
    cell: Address,
    lock: &'l Lock,
    /// Made once each, without the lock.
    outside: Vec<EventId>,
}

impl System<'_> {
    /// Finds the loads that read what their thread last read or wrote, gives them registers for that, and leaves out
    /// what is not read from other sections. Whether anything was found.
    pub(crate) fn remember_guarded_cells<D: Domain>(&mut self, facts: &Facts<D>) -> bool {
        let locks: Vec<Lock> = self.locks(facts).into_iter().filter(|lock| self.keeps_order(lock)).collect();
        let guarded = self.guarded(facts, &locks);
        if guarded.is_empty() {
            return false;
        }
        if !self.has_room_for_seen() {
            return false;
        }
        let seen = self.seen(facts);
        let mut found = false;
        for load in 0..self.events.len() {
            if self.budget.is_spent() {
                break;
            }
            let At::Node { thread, node } = self.events[load].at else { continue };
            let is_plain = matches!(self.inst(load), Some(Inst::Load { .. }));
            let Some(cell) = self.events[load].cell().filter(|_| is_plain) else { continue };
            let guards = |g: &&Guarded| g.cell == cell && g.lock.is_held(facts, thread, node);
            let guards: Vec<&Guarded> = guarded.iter().filter(guards).collect();
            let last =
                guards.iter().find_map(|g| Some((g.lock.cell, self.last_accesses(facts, g, &seen, thread, node)?)));
            let why_dropped = |store: EventId| {
                let own = |&a: &EventId| a == store || self.events[a].sources.contains(&store);
                if let Some((lock, last)) = &last
                    && !last.iter().any(own)
                {
                    return Some(WhyDropped::Remembered { lock: *lock, last: last.clone() });
                }
                let overwritten = guards.iter().find(|g| !self.may_be_left_behind(facts, g, thread, store));
                overwritten.map(|g| WhyDropped::NotLeftBehind { lock: g.lock.cell })
            };
            let left_out = self.without_sources(load, why_dropped);
            found |= self.leave_out(left_out) || last.is_some();
            if let Some((_, last)) = &last {
                self.remember(thread, cell, last, node);
            }
        }
        if found {
            self.find_readers();
        }
        found
    }

    /// Whether what is done under a lock is done after it is taken and before it is released.
    fn keeps_order(&self, lock: &Lock) -> bool {
        let load = Access { reads: true, writes: false, cell: None };
        let store = Access { reads: false, writes: true, cell: None };
        let update = Access { reads: true, writes: true, cell: None };
        [load, store].into_iter().all(|access| {
            lock.takings.iter().all(|&e| self.model.no_reorder(update, access, self.membars(e, Some(true)).1))
                && lock.releases.iter().all(|&e| self.model.no_reorder(access, store, self.membars(e, None).0))
        })
    }

    fn guarded<'l, D: Domain>(&self, facts: &Facts<D>, locks: &'l [Lock]) -> Vec<Guarded<'l>> {
        let mut cells: Vec<Address> = self.events.iter().filter(|e| e.reads).filter_map(|e| e.cell()).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut found = Vec::new();
        for &cell in &cells {
            if self.budget.is_spent() {
                break;
            }
            let writes = |id: &EventId| {
                let e = &self.events[*id];
                let covers = e.cells.0 <= cell && cell <= e.cells.1;
                covers && e.writes != Writes::Never && e.at != At::Start && facts.values[*id].is_some()
            };
            let writers: Vec<EventId> = (0..self.events.len()).filter(writes).collect();
            for lock in locks.iter().filter(|l| l.cell != cell) {
                let held = |id: EventId| match self.events[id].at {
                    At::Node { thread, node } => lock.is_held(facts, thread, node),
                    At::Start | At::End => false,
                };
                let (inside, outside): (Vec<EventId>, Vec<EventId>) = writers.iter().partition(|&&w| held(w));
                if !inside.is_empty() && outside.iter().all(|&w| self.events[w].once) {
                    found.push(Guarded { cell, lock, outside });
                }
            }
        }
        found
    }

    /// The accesses to the cell that come last before a node, if there is one on every path and in the same section.
    fn last_accesses<D: Domain>(
        &self,
        facts: &Facts<D>,
        guarded: &Guarded,
        seen: &Seen,
        thread: usize,
        node: usize,
    ) -> Option<Vec<EventId>> {
        let (code, states) = (&self.codes[thread], &facts.states[thread]);
        let mut looked_at = BitSet::new(code.nodes.len());
        let mut found = Vec::new();
        let mut work = vec![node];
        while let Some(at) = work.pop() {
            if at == 0 {
                return None;
            }
            for &before in &self.flows[thread].predecessors[at] {
                let before = before as usize;
                let next = &code.nodes[before].next;
                let follows = (0..next.len()).any(|i| next[i] as usize == at && states.taken[before] >> i & 1 == 1);
                if !follows || states.before[before].is_none() || looked_at.contains(before) {
                    continue;
                }
                looked_at.insert(before);
                if let Some(event) = self.event_at[thread][before] {
                    let e = &self.events[event];
                    let concerns = (e.reads || e.writes != Writes::Never)
                        && e.cells.0 <= guarded.cell
                        && guarded.cell <= e.cells.1;
                    let plain = matches!(self.inst(event), Some(Inst::Load { .. } | Inst::Store { .. }));
                    if guarded.lock.takings.contains(&event) || guarded.lock.releases.contains(&event) {
                        return None;
                    }
                    if concerns && plain && e.cell() == Some(guarded.cell) {
                        if !guarded.outside.iter().all(|&w| seen.has(event, w)) {
                            return None;
                        }
                        found.push(event);
                        continue;
                    }
                    if concerns && e.writes != Writes::Never {
                        return None;
                    }
                }
                work.push(before);
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// Whether the value of a store may be there when its section ends; or it is not of a section of another thread.
    fn may_be_left_behind<D: Domain>(
        &self,
        facts: &Facts<D>,
        guarded: &Guarded,
        reader: usize,
        store: EventId,
    ) -> bool {
        let At::Node { thread, node } = self.events[store].at else { return true };
        if thread == reader || !guarded.lock.is_held(facts, thread, node) {
            return true;
        }
        let (code, states) = (&self.codes[thread], &facts.states[thread]);
        let mut looked_at = BitSet::new(code.nodes.len());
        let mut work = vec![node];
        while let Some(at) = work.pop() {
            for (i, &next) in code.nodes[at].next.iter().enumerate() {
                let next = next as usize;
                if states.taken[at] >> i & 1 == 0 || looked_at.contains(next) {
                    continue;
                }
                looked_at.insert(next);
                if let Some(event) = self.event_at[thread][next] {
                    let e = &self.events[event];
                    if guarded.lock.releases.contains(&event) {
                        return true;
                    }
                    if e.writes == Writes::Always && e.cell() == Some(guarded.cell) {
                        continue;
                    }
                }
                work.push(next);
            }
        }
        false
    }

    /// Gives the thread a register for the cell, that those accesses set and the load reads.
    fn remember(&mut self, thread: usize, cell: Address, set_by: &[EventId], read_by: usize) {
        let ty = self.program.locate(cell).map_or(Ty::Int, |(object, _)| object.ty);
        let nodes: Vec<usize> = set_by
            .iter()
            .filter_map(|&event| match self.events[event].at {
                At::Node { node, .. } => Some(node),
                At::Start | At::End => None,
            })
            .collect();
        let code = &mut self.codes[thread];
        code.remembered.resize(code.nodes.len(), None);
        let known = code.remembered_cells.iter().find(|(c, _)| *c == cell).map(|&(_, register)| register);
        let register = known.unwrap_or_else(|| {
            let register = Reg(code.types.len() as u32);
            code.types.push(ty);
            code.kinds.push(RegisterKind::Temporary);
            code.remembered_cells.push((cell, register));
            register
        });
        for node in nodes {
            code.remembered[node].get_or_insert(Remembered { register, is_read_back: false });
        }
        code.remembered[read_by] = Some(Remembered { register, is_read_back: true });
    }
}
