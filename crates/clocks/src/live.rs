use crate::arena::{Arena, List};
use crate::pool::Pool;

/// How many slots are gathered in one pass over all clocks.
const AT_ONCE: usize = 8;

/// Which times of each slot some clock held when this was last computed. A clock takes its times from other clocks or from
/// threads that go on counting, so a time that nobody held then and that was past, nobody will ever hold.
pub(crate) struct Live {
    slots: List<Times>,
    collection: u64,
}

#[derive(Clone, Copy)]
struct Times {
    /// Sorted.
    held: *const u64,
    len: usize,
    /// The last event of the slot's threads then.
    now: u64,
}

impl Live {
    pub(crate) const UNKNOWN: Live = Live { slots: List::EMPTY, collection: 0 };

    /// How often the table was computed.
    pub(crate) fn collection(&self) -> u64 {
        self.collection
    }

    /// Whether a clock may hold a time in `from..to` for the slot.
    pub(crate) fn any_in(&self, slot: u16, from: u64, to: u64) -> bool {
        let Some(times) = self.slots.as_slice().get(slot as usize) else { return true };
        if to > times.now + 1 {
            return true;
        }
        // SAFETY: `held` points to `len` times until the table is computed anew.
        let held = unsafe { core::slice::from_raw_parts(times.held, times.len) };
        let first = held.partition_point(|&t| t < from);
        held.get(first).is_some_and(|&t| t < to)
    }

    /// Computes the table anew, with or without the clocks that are looked up. `now` has the last event of each slot; nobody
    /// may change a clock meanwhile.
    pub(crate) fn compute(&mut self, now: &[u64], looked_up: bool, pool: &Pool) {
        let arena = pool.arena();
        self.free(arena);
        self.collection += 1;
        let mut clocks = 0;
        pool.each(looked_up, |times| clocks += !times.is_empty() as usize);
        let bytes = (clocks * AT_ONCE * size_of::<u64>()).max(1);
        let scratch = arena.allocate(bytes).cast::<u64>();
        for (group, now) in now.chunks(AT_ONCE).enumerate() {
            let mut lens = [0; AT_ONCE];
            pool.each(looked_up, |times| {
                let of_group = times.get(group * AT_ONCE..).unwrap_or(&[]);
                for (i, &time) in of_group.iter().take(AT_ONCE).enumerate().filter(|(_, time)| **time > 0) {
                    // SAFETY: there is room for a time of each clock for each slot of the group.
                    unsafe { scratch.add(i * clocks + lens[i]).write(time) };
                    lens[i] += 1;
                }
            });
            for (i, &now) in now.iter().enumerate() {
                // SAFETY: so many were written above.
                let gathered = unsafe { core::slice::from_raw_parts_mut(scratch.add(i * clocks), lens[i]) };
                gathered.sort_unstable();
                let len = without_duplicates(gathered);
                let held = arena.allocate((len * size_of::<u64>()).max(1)).cast::<u64>();
                // SAFETY: there is room for `len` times.
                unsafe { core::ptr::copy_nonoverlapping(gathered.as_ptr(), held, len) };
                self.slots.push(Times { held, len, now }, arena);
            }
        }
        arena.free(scratch.cast(), bytes);
    }

    fn free(&mut self, arena: &Arena) {
        for times in self.slots.as_slice() {
            arena.free(times.held as *mut u8, (times.len * size_of::<u64>()).max(1));
        }
        self.slots.truncate(0);
    }
}

/// Moves the distinct items of a sorted slice to its front, and returns how many there are.
fn without_duplicates(sorted: &mut [u64]) -> usize {
    let mut len = 0;
    for i in 0..sorted.len() {
        if len == 0 || sorted[len - 1] != sorted[i] {
            sorted[len] = sorted[i];
            len += 1;
        }
    }
    len
}
