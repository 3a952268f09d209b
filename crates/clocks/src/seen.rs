//! Loads that change nothing. A thread that reads x again, and in the meantime has learnt nothing and done nothing but
//! read, while no thread wrote x, is where it was: the first of the two loads stands for both.
//!
//! Let r1 be the access of x that was recorded, and r2 the later load. They read the same write, or r1 made it. In
//! between, the thread has only read, and has learnt nothing along hb or hbSC, so what it knows of writes is the same.
//! - r2 cannot be stale: the thread has accessed the newest write itself.
//! - A thread that overwrites x learns along hbSC what the thread knew at r1, which is what it knows of writes at r2.
//! - A release after r2 is also after r1, at the same epoch, and publishes the same awareness of x.
//! - What r2 acquires, r1 has acquired, or there was nothing new to acquire.
//!
//! psc tells SC events apart by more than this, so nothing is left out where it plays a part.

use core::sync::atomic::Ordering;

use crate::location::Location;
use crate::order::Order;
use crate::thread::Thread;

/// What a thread has seen of a location by an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The location's stamp after the access; 0 if it must not stand for another.
    stamp: u64,
    /// The thread's state of knowledge after the access, and in the lowest bit whether it knows all that a load can
    /// acquire.
    version: u64,
}

impl Seen {
    #[inline]
    pub(crate) fn new(stamp: u64, version: u64, acquired: bool) -> Seen {
        Seen { stamp, version: version << 1 | u64::from(acquired) }
    }
}

impl Location {
    /// Whether a load would change nothing. Ask before and after the load, without a lock: if both answers are yes, the
    /// load read what the thread had seen before, and need not be recorded.
    #[inline]
    pub fn is_unchanged(&self, thread: &Thread, seen: &Seen, order: Order) -> bool {
        seen.version >> 1 == thread.version.load(Ordering::Relaxed)
            && !order.is_sc()
            && (seen.version & 1 != 0 || order == Order::Relaxed)
            && !self.lock.is_held()
            && seen.stamp == self.stamp.load(Ordering::Acquire)
    }
}
