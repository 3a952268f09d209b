//! Whether a thread waits for ever, as long as no other thread writes.

use crate::compiled::{CompiledSteps, Kind};
use crate::layout::Layout;
use crate::lts::{DISABLED, UNKNOWN};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// It has ended, or was not made yet.
    Gone,
    /// It waits, or is in a loop that only reads, passes fences and writes what is there.
    ForEver,
    /// The same, but its code has no end: it does not wait.
    Endless,
    /// It can do something else. A thread on its way to such a loop is not in it yet: a later state is.
    No,
    /// Its step from this local state with this value is not known yet.
    Miss { local: u32, value: u32 },
}

/// Lets the thread alone run on from a state. Nothing is to change but its local state.
pub(crate) fn stuck(layout: &Layout, states: &CompiledSteps, state: &[u64], thread: usize) -> Stuck {
    let start = layout.local[thread].get(state);
    // Some local state on the way, to notice a loop that does not lead back to the start (Brent).
    let (mut local, mut passed, mut steps) = (start, start, 0_usize);
    loop {
        if steps > 0 && local == start {
            return if states.threads[thread][start as usize].may_end { Stuck::ForEver } else { Stuck::Endless };
        }
        if steps > 0 && local == passed {
            return Stuck::No;
        }
        if steps.is_power_of_two() {
            passed = local;
        }
        let compiled = &states.threads[thread][local as usize];
        let old = match compiled.location {
            u32::MAX => 0,
            location => layout.memory[location as usize].get(state),
        };
        let value = match compiled.kind {
            Kind::Stopped if compiled.blocking || steps > 0 => return Stuck::No,
            Kind::Stopped => return Stuck::Gone,
            Kind::Hangs if steps == 0 => return Stuck::ForEver,
            Kind::Endless if steps == 0 => return Stuck::Endless,
            Kind::Access if compiled.guard.pass(&states.guards, state).is_ok() => old,
            Kind::Fence => 0,
            Kind::Write if compiled.fence => 0,
            _ => return Stuck::No,
        };
        let next = match compiled.successors.of(&states.successors).get(value as usize) {
            None => return Stuck::Miss { local, value },
            Some(next) if next.read == UNKNOWN => return Stuck::Miss { local, value },
            Some(next) => next,
        };
        steps += 1;
        local = match (next.read, next.update) {
            (DISABLED, DISABLED) if steps == 1 => return Stuck::ForEver,
            (DISABLED, DISABLED) => return Stuck::No,
            (read, DISABLED) => read,
            (DISABLED, update) if next.written == old => update,
            _ => return Stuck::No,
        };
    }
}
