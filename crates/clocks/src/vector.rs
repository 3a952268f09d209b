//! Vector clocks, indexed by thread slots.

use core::ptr;

use crate::event::Event;
use crate::pool::{Block, Pool};

/// For each slot, the number of the last event of its thread that is known; 0 if none is.
///
/// A clock without memory is ⊥. Copies of the handle share its memory, which goes back to the pool by [`Vector::free`]
/// only.
#[derive(Clone, Copy)]
pub(crate) struct Vector(*mut Block);

impl Vector {
    pub(crate) const BOTTOM: Vector = Vector(ptr::null_mut());

    #[inline]
    pub(crate) fn times(&self) -> &[u64] {
        if self.0.is_null() {
            return &[];
        }
        // SAFETY: `len` times are initialised.
        unsafe { core::slice::from_raw_parts(Block::times(self.0), (*self.0).len as usize) }
    }

    fn times_mut(&mut self) -> &mut [u64] {
        if self.0.is_null() {
            return &mut [];
        }
        // SAFETY: `len` times are initialised.
        unsafe { core::slice::from_raw_parts_mut(Block::times(self.0), (*self.0).len as usize) }
    }

    #[inline]
    pub(crate) fn get(&self, slot: u16) -> u64 {
        self.times().get(slot as usize).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn is_bottom(&self) -> bool {
        self.times().is_empty()
    }

    /// Room for `len` times, the new ones at 0.
    #[inline]
    fn extend(&mut self, len: usize, pool: &Pool) {
        let old = self.times().len();
        if len > old {
            self.reserve(len, pool);
            // SAFETY: there is room.
            unsafe {
                ptr::write_bytes(Block::times(self.0).add(old), 0, len - old);
                (*self.0).len = len as u32;
            }
        }
    }

    #[inline]
    fn reserve(&mut self, len: usize, pool: &Pool) {
        // SAFETY: a clock owns its block.
        if self.0.is_null() || unsafe { (*self.0).capacity as usize } < len {
            self.grow(len, pool);
        }
    }

    #[cold]
    fn grow(&mut self, len: usize, pool: &Pool) {
        let larger = pool.allocate(len);
        let times = self.times();
        // SAFETY: the new block has room for more times than the old one.
        unsafe {
            copy_times(Block::times(larger), times);
            (*larger).len = times.len() as u32;
        }
        self.free(pool);
        self.0 = larger;
    }

    #[inline]
    pub(crate) fn set(&mut self, slot: u16, time: u64, pool: &Pool) {
        self.extend(slot as usize + 1, pool);
        self.times_mut()[slot as usize] = time;
    }

    /// Learns all that `other` knows, and says whether anything was new.
    pub(crate) fn join(&mut self, other: &Vector, pool: &Pool) -> bool {
        let other = other.times();
        self.extend(other.len(), pool);
        let mut new = 0;
        for (mine, &theirs) in self.times_mut().iter_mut().zip(other) {
            new |= theirs.saturating_sub(*mine);
            *mine = theirs.max(*mine);
        }
        new != 0
    }

    pub(crate) fn copy(&mut self, other: &Vector, pool: &Pool) {
        self.clear();
        let times = other.times();
        if times.is_empty() {
            return;
        }
        self.reserve(times.len(), pool);
        // SAFETY: there is room, and the clocks have blocks of their own.
        unsafe {
            copy_times(Block::times(self.0), times);
            (*self.0).len = times.len() as u32;
        }
    }

    pub(crate) fn clear(&mut self) {
        if !self.0.is_null() {
            // SAFETY: a clock owns its block.
            unsafe { (*self.0).len = 0 };
        }
    }

    pub(crate) fn free(&mut self, pool: &Pool) {
        if !self.0.is_null() {
            pool.free(self.0);
            self.0 = ptr::null_mut();
        }
    }
}

/// Copies a few times. The C library's `memcpy` is the program's, which is followed: to call it would cost more than to
/// copy.
///
/// # Safety
/// There is room for as many times at `to`, in another clock.
#[inline(always)]
pub(crate) unsafe fn copy_times(to: *mut u64, from: &[u64]) {
    for (i, time) in from.iter().enumerate() {
        // SAFETY: as the caller says. Volatile, so that it is not made a call after all.
        unsafe { to.add(i).write_volatile(*time) };
    }
}

/// What a thread knows, as it is about to be published: the clock, whose it is, the number of its last event, and the
/// number of the event at which it last learnt something of others.
pub(crate) struct Published<'a> {
    pub(crate) clock: &'a Vector,
    pub(crate) slot: u16,
    pub(crate) number: u64,
    pub(crate) learnt_at: u64,
}

/// A clock that threads publish into, which remembers whose clock it is: then one comparison tells whether another
/// thread knows all of it (as the epochs of FastTrack do).
pub(crate) struct Stamped {
    clock: Vector,
    /// The event that published it; none if there were several, or it is ⊥.
    event: Event,
    learnt_at: u64,
}

impl Stamped {
    pub(crate) const BOTTOM: Stamped = Stamped { clock: Vector::BOTTOM, event: Event::NONE, learnt_at: 0 };

    /// No clock at all, but it may have memory for one.
    pub(crate) const OUTDATED: Stamped = Stamped { learnt_at: u64::MAX, ..Stamped::BOTTOM };

    #[inline]
    pub(crate) fn is_outdated(&self) -> bool {
        self.learnt_at == u64::MAX
    }

    #[inline]
    pub(crate) fn outdate(&mut self) {
        *self = Stamped { clock: self.clock, ..Stamped::OUTDATED };
    }

    #[inline]
    pub(crate) fn clock(&self) -> &Vector {
        &self.clock
    }

    #[inline]
    pub(crate) fn is_bottom(&self) -> bool {
        self.clock.is_bottom()
    }

    /// Whether the clock is known to hold nothing that `clock` does not.
    #[inline]
    pub(crate) fn is_known_to(&self, clock: &Vector) -> bool {
        self.is_bottom() || clock.get(self.event.slot()) >= self.event.number()
    }

    /// Becomes what is published.
    #[inline]
    pub(crate) fn assign(&mut self, from: &Published, pool: &Pool) {
        if self.event.slot() == from.slot && self.learnt_at == from.learnt_at && !self.is_bottom() {
            // The same thread, which has learnt nothing since: only its own time has changed.
            self.clock.set(from.slot, from.number, pool);
        } else {
            self.clock.copy(from.clock, pool);
        }
        (self.event, self.learnt_at) = (Event::new(from.slot, from.number), from.learnt_at);
    }

    /// Learns what is published, without forgetting.
    #[inline]
    pub(crate) fn add(&mut self, from: &Published, pool: &Pool) {
        if self.is_known_to(from.clock) {
            self.assign(from, pool);
        } else {
            self.clock.join(from.clock, pool);
            self.event = Event::NONE;
        }
    }

    pub(crate) fn add_stamped(&mut self, other: &Stamped, pool: &Pool) {
        if other.is_bottom() {
            return;
        }
        if self.is_bottom() {
            return self.copy(other, pool);
        }
        self.clock.join(&other.clock, pool);
        self.event = Event::NONE;
    }

    pub(crate) fn copy(&mut self, other: &Stamped, pool: &Pool) {
        self.clock.copy(&other.clock, pool);
        (self.event, self.learnt_at) = (other.event, other.learnt_at);
    }

    pub(crate) fn clear(&mut self) {
        self.clock.clear();
        self.event = Event::NONE;
    }

    pub(crate) fn free(&mut self, pool: &Pool) {
        self.clock.free(pool);
        *self = Stamped::BOTTOM;
    }
}
