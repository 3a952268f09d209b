use crate::arena::{Arena, List};
use crate::pool::Pool;

/// The most slots that are gathered in one pass over all clocks. There are fewer if scratch space is short.
const AT_ONCE: usize = 8;
const SCRATCH: usize = 2 << 20;
const TIMES_OF_SLOT: usize = 1 << 14;

/// Which times of each slot some clock held when this was last computed. A clock takes its times from other clocks or
/// from threads that go on counting, so a past time that no clock held then will never be held.
pub(crate) struct Live {
    slots: List<Times>,
    collection: u32,
}

#[derive(Clone, Copy)]
struct Times {
    /// Sorted, each without its lowest `shift` bits: where there are very many, some are taken for the same. Then a
    /// little more is kept than need be.
    held: *const u64,
    len: u32,
    shift: u32,
    /// The last event of the slot's threads then.
    now: u64,
}

impl Live {
    pub(crate) const UNKNOWN: Live = Live { slots: List::EMPTY, collection: 0 };

    /// How often the table was computed.
    pub(crate) fn collection(&self) -> u32 {
        self.collection
    }

    /// Whether a clock may hold a time in `from..to` for the slot.
    pub(crate) fn any_in(&self, slot: u16, from: u64, to: u64) -> bool {
        let Some(times) = self.slots.as_slice().get(slot as usize) else { return true };
        if to > times.now + 1 {
            return true;
        }
        // SAFETY: `held` points to `len` times until the table is computed again.
        let held = unsafe { core::slice::from_raw_parts(times.held, times.len as usize) };
        any_in(held, times.shift, from, to)
    }

    /// Computes the table again, from all clocks or from all but the views that are not kept. `now` has the last event
    /// of each slot. No clock may change meanwhile.
    pub(crate) fn compute(&mut self, now: &[u64], kept_only: bool, pool: &Pool) {
        let arena = pool.arena();
        self.free(arena);
        self.collection = self.collection.wrapping_add(1);
        let mut clocks = 0;
        pool.each(kept_only, |times| clocks += !times.is_empty() as usize);
        let of_slot = clocks * size_of::<u64>();
        let at_once = (SCRATCH / of_slot.max(1)).clamp(1, AT_ONCE);
        let bytes = (of_slot * at_once).max(1);
        let scratch = arena.allocate(bytes).cast::<u64>();
        for (group, now) in now.chunks(at_once).enumerate() {
            let mut lens = [0; AT_ONCE];
            pool.each(kept_only, |times| {
                let of_group = times.get(group * at_once..).unwrap_or(&[]);
                for (i, &time) in of_group.iter().take(at_once).enumerate().filter(|(_, time)| **time > 0) {
                    // SAFETY: there is room for a time of each clock for each slot of the group.
                    unsafe { scratch.add(i * clocks + lens[i]).write(time) };
                    lens[i] += 1;
                }
            });
            for (i, &now) in now.iter().enumerate() {
                // SAFETY: the loop above has written `lens[i]` times.
                let gathered = unsafe { core::slice::from_raw_parts_mut(scratch.add(i * clocks), lens[i]) };
                gathered.sort_unstable();
                let (len, shift) = shorten(gathered, TIMES_OF_SLOT);
                let held = arena.allocate((len * size_of::<u64>()).max(1)).cast::<u64>();
                // SAFETY: there is room for `len` times.
                unsafe { core::ptr::copy_nonoverlapping(gathered.as_ptr(), held, len) };
                self.slots.push(Times { held, len: len as u32, shift, now }, arena);
            }
        }
        arena.free(scratch.cast(), bytes);
    }

    fn free(&mut self, arena: &Arena) {
        for times in self.slots.as_slice() {
            arena.free(times.held as *mut u8, (times.len as usize * size_of::<u64>()).max(1));
        }
        self.slots.truncate(0);
    }
}

/// Whether there may be a time in `from..to`, which is not empty.
fn any_in(held: &[u64], shift: u32, from: u64, to: u64) -> bool {
    let (first, last) = (from >> shift, (to - 1) >> shift);
    // Most often, everybody has gone on since then.
    if held.first().is_none_or(|&oldest| oldest > last) || held.last().is_none_or(|&newest| newest < first) {
        return false;
    }
    held[held.partition_point(|&time| time < first)] <= last
}

/// Moves the distinct times of a sorted slice to its front. If there are more than `most`, drops as many of their
/// lowest bits as it takes to have fewer. Returns how many times are left, and how many bits were dropped.
fn shorten(sorted: &mut [u64], most: usize) -> (usize, u32) {
    let (mut len, mut shift) = (without_duplicates(sorted), 0);
    while len > most {
        shift += 1;
        sorted[..len].iter_mut().for_each(|time| *time >>= 1);
        len = without_duplicates(&mut sorted[..len]);
    }
    (len, shift)
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

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use fastrand::Rng;
    use std::vec::Vec;

    #[test]
    fn a_shortened_table_misses_no_time_and_a_whole_one_invents_none() {
        let mut random = Rng::with_seed(11);
        for _ in 0..2_000 {
            let mut times: Vec<u64> = (0..random.usize(..60)).map(|_| random.u64(1..200)).collect();
            times.sort_unstable();
            let mut held = times.clone();
            let most = random.usize(1..40);
            let (len, shift) = shorten(&mut held, most);
            assert!(len <= most);
            for _ in 0..20 {
                let from = random.u64(1..200);
                let to = from + random.u64(1..20);
                let is_held = times.iter().any(|time| (from..to).contains(time));
                let may_be_held = any_in(&held[..len], shift, from, to);
                assert!(may_be_held || !is_held, "{times:?} {most} {from}..{to}");
                assert!(shift > 0 || may_be_held == is_held, "{times:?} {from}..{to}");
            }
        }
    }
}
