//! Whether a thread waits for ever, as long as no other thread writes.

use crate::hot::{HotStates, Kind};
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
pub(crate) fn stuck(layout: &Layout, states: &HotStates, state: &[u64], thread: usize) -> Stuck {
    let mut local = layout.local[thread].get(state);
    let mut seen: Vec<u32> = Vec::new();
    loop {
        if seen.contains(&local) {
            let hot = &states.threads[thread][local as usize];
            return match seen[0] == local {
                true if hot.may_end => Stuck::ForEver,
                true => Stuck::Endless,
                false => Stuck::No,
            };
        }
        let hot = &states.threads[thread][local as usize];
        let old = match hot.location {
            u32::MAX => 0,
            location => layout.memory[location as usize].get(state),
        };
        let value = match hot.kind {
            Kind::Stopped if hot.blocking || !seen.is_empty() => return Stuck::No,
            Kind::Stopped => return Stuck::Gone,
            Kind::Hangs if seen.is_empty() => return Stuck::ForEver,
            Kind::Endless if seen.is_empty() => return Stuck::Endless,
            Kind::Access if hot.guard.pass(states, state).is_ok() => old,
            Kind::Fence => 0,
            Kind::Write if hot.fence => 0,
            _ => return Stuck::No,
        };
        let next = match hot.successors.of(&states.successors).get(value as usize) {
            None => return Stuck::Miss { local, value },
            Some(next) if next.read == UNKNOWN => return Stuck::Miss { local, value },
            Some(next) => next,
        };
        seen.push(local);
        local = match (next.read, next.update) {
            (DISABLED, DISABLED) if seen.len() == 1 => return Stuck::ForEver,
            (DISABLED, DISABLED) => return Stuck::No,
            (read, DISABLED) => read,
            (DISABLED, update) if next.written == old => update,
            _ => return Stuck::No,
        };
    }
}
