//! What one atomic location remembers: its writes in modification order, and which threads have accessed which of them.
//!
//! The location clocks of paper 000 (appendix A) follow from this and from ordinary vector clocks, so that a merge
//! costs as much as there are threads, however many locations there are. For a thread τ and this location x,
//! - T_c(τ)(x) is the newest write that some thread accessed at an epoch that τ knows along hb ([`History::aware`]);
//! - T_SC(τ)(x) is the newest write that τ knows along hbSC ([`History::known_above`]).

use crate::arena::{Arena, List};
use crate::event::Event;
use crate::live::Live;
use crate::location::prefetch;
use crate::pool::Pool;
use crate::vector::Vector;
use crate::view::Known;

/// The slot of the initial value, which every thread knows.
pub(crate) const INITIAL_SLOT: u16 = u16::MAX;

/// Between two writes that some clock can tell apart, this many of the newest other values are remembered.
pub const VALUES_BETWEEN: usize = 16;

/// A location with at least `MANY` writes has room for at least `ROOM` entries.
const MANY: u64 = 256;
const ROOM: usize = 24;

const RMW_FOLLOWS: u64 = 1;
const SC: u64 = 2;
/// Some clock may still know this write and not the next of its thread. The others are kept for their values.
const POINT: u64 = 4;

/// Packed, because a location may have very many.
#[derive(Clone, Copy)]
pub(crate) struct WriteEntry {
    pub(crate) event: Event,
    pub(crate) value: u64,
    /// Its place in modification order, above the flags; the initial value has 0.
    timestamp: u64,
    /// Its place in the code, above the name of its thread.
    origin: u64,
}

const FLAG_BITS: u32 = 8;
const THREAD_BITS: u32 = 24;
const _: () = assert!(size_of::<WriteEntry>() == 32);

impl WriteEntry {
    #[inline]
    pub(crate) fn timestamp(&self) -> u64 {
        self.timestamp >> FLAG_BITS
    }

    pub(crate) fn thread(&self) -> u32 {
        (self.origin & ((1 << THREAD_BITS) - 1)) as u32
    }

    pub(crate) fn place(&self) -> u64 {
        self.origin >> THREAD_BITS
    }

    fn slot(&self) -> u16 {
        self.event.slot()
    }

    fn number(&self) -> u64 {
        self.event.number()
    }

    pub(crate) fn is_followed_by_rmw(&self) -> bool {
        self.timestamp & RMW_FOLLOWS != 0
    }

    fn is_sc(&self) -> bool {
        self.timestamp & SC != 0
    }

    fn is_point(&self) -> bool {
        self.timestamp & POINT != 0
    }
}

/// A thread accessed the write with this timestamp, and no newer one in the same epoch.
#[derive(Clone, Copy)]
struct Awareness {
    epoch: Event,
    timestamp: u64,
    /// The number of the thread's last access of it.
    number: u64,
}

/// A write that is about to be remembered.
pub(crate) struct NewWrite {
    pub(crate) slot: u16,
    pub(crate) thread: u32,
    pub(crate) number: u64,
    pub(crate) value: u64,
    pub(crate) place: u64,
    pub(crate) rmw: bool,
    pub(crate) sc: bool,
}

#[repr(C)]
pub(crate) struct History {
    /// It is here so that most accesses read nothing else, and only add to `older`.
    newest: WriteEntry,
    older: List<WriteEntry>,
    /// The newest of the older writes that is not followed by an RMW has the timestamp before this; 0 if there is none.
    /// Only such writes can be replaced by an RMW or a store that comes too late.
    unfollowed: u64,
    /// By timestamps in ascending order, so that the newest that fits is found from behind.
    awareness: List<Awareness>,
    /// The last access.
    last: Event,
    /// Number of events before it in which the thread only accessed this location, and no other thread did.
    run: u32,
    /// The collection by which it was last pruned, without its upper bits.
    pruned_by: u16,
    /// Some writes are no points any more, and may be redundant.
    has_values: bool,
}

impl History {
    pub(crate) fn new(initial: u64) -> History {
        let newest = WriteEntry { event: Event::new(INITIAL_SLOT, 0), value: initial, timestamp: POINT, origin: 0 };
        let (older, awareness) = (List::EMPTY, List::EMPTY);
        History { newest, older, unfollowed: 0, awareness, last: Event::NONE, run: 0, pruned_by: 0, has_values: false }
    }

    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch(self.older.as_slice().as_ptr_range().end);
        let awareness = self.awareness.as_slice();
        prefetch(awareness.as_ptr());
        prefetch(awareness.as_ptr_range().end);
    }

    #[inline]
    pub(crate) fn newest(&self) -> &WriteEntry {
        &self.newest
    }

    fn newest_first(&self) -> impl Iterator<Item = &WriteEntry> {
        core::iter::once(&self.newest).chain(self.older.as_slice().iter().rev())
    }

    /// Whether an older write with a timestamp of at least `from` may not be followed by an RMW.
    #[inline]
    pub(crate) fn may_be_unfollowed(&self, from: u64) -> bool {
        self.unfollowed > from
    }

    /// The slot of the last access.
    #[inline]
    pub(crate) fn last_slot(&self) -> u16 {
        self.last.slot()
    }

    /// An access. Says whether its thread has done nothing since the last one, which was its own.
    #[inline]
    pub(crate) fn step(&mut self, access: Event) -> bool {
        let continues = self.last == Event::new(access.slot(), access.number() - 1);
        self.run = if continues { self.run.saturating_add(1) } else { 0 };
        self.last = access;
        continues
    }

    /// The number of the first access of which [`History::step`] says so, or of a later one.
    #[inline]
    pub(crate) fn run_start(&self) -> u64 {
        self.last.number() - u64::from(self.run)
    }

    /// T_c(τ)(x), for the clock T_c of the thread in `slot`.
    pub(crate) fn aware(&self, current: &Vector, slot: u16) -> u64 {
        let knows = |a: &&Awareness| a.epoch.slot() == slot || current.get(a.epoch.slot()) >= a.epoch.number();
        self.awareness.as_slice().iter().rev().find(knows).map_or(0, |a| a.timestamp)
    }

    /// The newest write that the thread in `slot` accessed itself, as much as it is aware of at least; and the number
    /// of that access.
    pub(crate) fn accessed(&self, slot: u16) -> (u64, u64) {
        let last = self.awareness.as_slice().iter().rev().find(|a| a.epoch.slot() == slot);
        last.map_or((0, 0), |a| (a.timestamp, a.number))
    }

    /// T_SC(τ)(x), if that is newer than `above`.
    pub(crate) fn known_above(&self, sc: &Vector, above: u64) -> Option<&WriteEntry> {
        let mut newer = self.newest_first().take_while(|w| w.timestamp() > above);
        newer.find(|w| sc.get(w.slot()) >= w.number())
    }

    /// The newest write above `above` that is in `known`: Qf towards a fence, otherwise Qa.
    pub(crate) fn forbidden_above(&self, known: &Known, to_fence: bool, above: u64) -> u64 {
        if known.is_bottom() {
            return above;
        }
        let mut newer = self.newest_first().take_while(|w| w.timestamp() > above);
        let is_known = |w: &&WriteEntry| {
            w.is_sc() && known.knows(w.slot(), w.number()) || known.through_fence(w.slot()) >= w.number()
        };
        let mut newest = newer.find(is_known).map_or(above, |w| w.timestamp());
        if to_fence {
            // No slot is exempt: a fence of the thread itself knows only what was accessed before it.
            let through = |a: &&Awareness| known.through_fence(a.epoch.slot()) >= a.epoch.number();
            let newer = self.awareness.as_slice().iter().rev().take_while(|a| a.timestamp > newest);
            newest = newer.into_iter().find(through).map_or(newest, |a| a.timestamp);
        }
        newest
    }

    /// The newest write with a timestamp in `from..to` that `fits`.
    pub(crate) fn newest_in(&self, from: u64, to: u64, fits: impl Fn(&WriteEntry) -> bool) -> Option<&WriteEntry> {
        let older = self.newest_first().skip_while(|w| w.timestamp() >= to);
        older.take_while(|w| w.timestamp() >= from).find(|w| fits(w))
    }

    /// The thread in `slot` accesses the newest write.
    #[inline]
    pub(crate) fn access(&mut self, slot: u16, number: u64, epoch: u64, arena: &Arena) {
        let (timestamp, epoch) = (self.newest.timestamp(), Event::new(slot, epoch));
        let awareness = self.awareness.as_mut_slice();
        let Some(at) = awareness.iter().rposition(|a| a.epoch.slot() == slot) else {
            return self.awareness.push(Awareness { epoch, timestamp, number }, arena);
        };
        let mine = &mut awareness[at];
        if mine.timestamp == timestamp {
            mine.number = number;
        } else if mine.epoch == epoch {
            (mine.timestamp, mine.number) = (timestamp, number);
            awareness[at..].rotate_left(1);
        } else {
            self.awareness.push(Awareness { epoch, timestamp, number }, arena);
        }
    }

    #[inline]
    pub(crate) fn write(&mut self, new: &NewWrite, arena: &Arena) {
        let timestamp = self.newest.timestamp() + 1;
        if new.rmw {
            self.newest.timestamp |= RMW_FOLLOWS;
        } else {
            self.unfollowed = timestamp;
        }
        self.older.push(self.newest, arena);
        self.newest = WriteEntry {
            event: Event::new(new.slot, new.number),
            value: new.value,
            timestamp: timestamp << FLAG_BITS | POINT | if new.sc { SC } else { 0 },
            origin: new.place << THREAD_BITS | u64::from(new.thread) & ((1 << THREAD_BITS) - 1),
        };
    }

    /// Forgets what the events of a run of `slot` did, except for the values. No thread can know such an event without
    /// knowing the newest write of the run.
    #[inline]
    pub(crate) fn end_run(&mut self, slot: u16) {
        let start = self.run_start();
        for write in self.older.as_mut_slice().iter_mut().rev() {
            // The clocks of psc lag behind: they may know an SC write without the event that follows it.
            if write.slot() != slot || write.number() < start || !write.is_point() || write.is_sc() {
                break;
            }
            write.timestamp &= !POINT;
            self.has_values = true;
        }
        let awareness = self.awareness.as_slice();
        let others = awareness.iter().rev().take_while(|a| a.epoch.slot() == slot && a.epoch.number() >= start).count();
        if others > 1 {
            let keep = awareness.len() - others;
            let last = awareness[awareness.len() - 1];
            self.awareness.truncate(keep + 1);
            self.awareness.as_mut_slice()[keep] = last;
        }
    }

    /// Whether the next access would need more memory.
    #[inline]
    pub(crate) fn is_crowded(&self, writes: bool) -> bool {
        (writes && self.older.is_full() && self.older.capacity() > 0)
            || (self.awareness.is_full() && self.awareness.capacity() > 0)
    }

    /// [`History::prune`], and makes room for about as much again as is left. Returns by how many bytes the history
    /// grew.
    #[cold]
    pub(crate) fn make_room(&mut self, live: &Live, next: &mut Vector, next_sc: &mut Vector, pool: &Pool) -> usize {
        let before = self.bytes();
        if self.pruned_by == live.collection() as u16 {
            self.prune_values();
        } else {
            self.prune(live, next, next_sc, pool);
        }
        let (writes, awareness) = self.room();
        self.older.reserve(pool.arena(), writes);
        self.awareness.reserve(pool.arena(), awareness);
        self.bytes() - before
    }

    /// Gives back memory that pruning has made superfluous.
    pub(crate) fn shrink(&mut self, arena: &Arena) {
        let (writes, awareness) = self.room();
        self.older.shrink(arena, writes);
        self.awareness.shrink(arena, awareness);
    }

    fn room(&self) -> (usize, usize) {
        // Where much is written, pruning should be seldom; elsewhere, memory matters more.
        let busy = self.newest.timestamp() > MANY;
        let more = |len: usize| if busy { (2 * len).max(ROOM) } else { len + len / 2 + 1 };
        (more(self.older.as_slice().len()), more(self.awareness.as_slice().len()))
    }

    /// Forgets what no clock can tell apart. The two clocks are scratch space.
    pub(crate) fn prune(&mut self, live: &Live, next: &mut Vector, next_sc: &mut Vector, pool: &Pool) {
        self.pruned_by = live.collection() as u16;
        self.prune_awareness(live, next, pool);
        self.prune_points(live, next, next_sc, pool);
        self.prune_values();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.older.capacity() * size_of::<WriteEntry>() + self.awareness.capacity() * size_of::<Awareness>()
    }

    fn prune_awareness(&mut self, live: &Live, next: &mut Vector, pool: &Pool) {
        next.clear();
        let awareness = self.awareness.as_mut_slice();
        let mut kept = awareness.len();
        for i in (0..awareness.len()).rev() {
            let a = awareness[i];
            let (slot, epoch) = (a.epoch.slot(), a.epoch.number());
            let later = next.get(slot);
            next.set(slot, epoch, pool);
            if later == 0 || live.any_in(slot, epoch, later) {
                kept -= 1;
                awareness[kept] = a;
            }
        }
        let len = awareness.len();
        awareness.copy_within(kept.., 0);
        self.awareness.truncate(len - kept);
    }

    fn prune_points(&mut self, live: &Live, next: &mut Vector, next_sc: &mut Vector, pool: &Pool) {
        next.clear();
        next_sc.clear();
        let newest_first = core::iter::once(&mut self.newest).chain(self.older.as_mut_slice().iter_mut().rev());
        for write in newest_first.filter(|w| w.slot() != INITIAL_SLOT && w.is_point()) {
            // An SC write counts for psc until a later SC write of its thread is known.
            let (slot, number) = (write.slot(), write.number());
            let later = if write.is_sc() { next_sc.get(slot) } else { next.get(slot) };
            next.set(slot, number, pool);
            if write.is_sc() {
                next_sc.set(slot, number, pool);
            }
            if later != 0 && !live.any_in(slot, number, later) {
                write.timestamp &= !POINT;
                self.has_values = true;
            }
        }
        next.clear();
        next_sc.clear();
    }

    /// Between two points, keeps the newest write of each value, and only the newest [`VALUES_BETWEEN`] of those. A
    /// search asks for the newest fitting write up to a point, so where it ends below need not be a point.
    fn prune_values(&mut self) {
        if !core::mem::take(&mut self.has_values) {
            return;
        }
        let writes = self.older.as_mut_slice();
        let mut kept = writes.len();
        let mut between = kept;
        for i in (0..writes.len()).rev() {
            let write = writes[i];
            let same = |w: &WriteEntry| w.value == write.value && w.is_followed_by_rmw() == write.is_followed_by_rmw();
            let drop = !write.is_point() && {
                let values = &writes[kept..between];
                values.len() >= VALUES_BETWEEN || values.iter().any(same)
            };
            if !drop {
                kept -= 1;
                writes[kept] = write;
            }
            if write.is_point() {
                between = kept;
            }
        }
        let len = writes.len();
        writes.copy_within(kept.., 0);
        self.older.truncate(len - kept);
    }

    pub(crate) fn free(&mut self, arena: &Arena) {
        self.older.free(arena);
        self.awareness.free(arena);
    }
}
