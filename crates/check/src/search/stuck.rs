//! Whether a thread waits for ever, as long as no other thread writes.

use crate::compiled::{CompiledSteps, Kind};
use crate::index::{Index, LocalId, ValueId};
use crate::layout::Layout;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// It has ended, or was not created yet.
    Gone,
    /// It waits, or is in a loop that only reads, passes fences and writes what is there.
    ForEver,
    /// It is in such a loop, but its code has no end: it does not wait.
    Endless,
    /// It can do something else. A thread on its way to such a loop is not in it yet: a later state is.
    No,
    /// Its step from this local state with this value is not known yet.
    Miss { local: LocalId, value: ValueId },
}

/// Follows the steps of the thread alone, as long as they change nothing but its local state.
pub(crate) fn stuck(layout: &Layout, compiled: &CompiledSteps, state: &[u64], thread: usize) -> Stuck {
    let start = layout.local[thread].get(state);
    // Some local state on the way, to notice a loop that does not lead back to the start (Brent).
    let (mut local, mut passed, mut steps) = (start, start, 0_usize);
    loop {
        if steps > 0 && local == start {
            return if compiled.threads[thread][start].may_end { Stuck::ForEver } else { Stuck::Endless };
        }
        if steps > 0 && local == passed {
            return Stuck::No;
        }
        if steps.is_power_of_two() {
            passed = local;
        }
        let step = &compiled.threads[thread][local];
        if step.may_give_up {
            return Stuck::No;
        }
        let old = step.location.get().map_or(ValueId::FIRST, |location| layout.memory[location].get(state));
        let value = match step.kind {
            Kind::Stopped if step.blocking || steps > 0 => return Stuck::No,
            Kind::Stopped => return Stuck::Gone,
            Kind::Hangs if steps == 0 => return Stuck::ForEver,
            Kind::Endless if steps == 0 => return Stuck::Endless,
            Kind::Access if step.guard.pass(&compiled.guards, state).is_ok() => old,
            Kind::Fence => ValueId::FIRST,
            Kind::Write if step.fence => ValueId::FIRST,
            _ => return Stuck::No,
        };
        let Some(next) = compiled.successors(step, value) else { return Stuck::Miss { local, value } };
        steps += 1;
        local = match (next.read.state(), next.update.state()) {
            (None, None) if steps == 1 => return Stuck::ForEver,
            (None, None) => return Stuck::No,
            (Some(read), None) => read,
            (None, Some(update)) if next.written() == old => update,
            _ => return Stuck::No,
        };
    }
}
