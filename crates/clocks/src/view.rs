//! Sets of SC events that psc orders before something, shared between whoever knows the same.

use core::ptr;
use core::sync::atomic::{Ordering, fence};

use crate::event::Event;
use crate::pool::{Block, Pool};
use crate::vector::{Vector, copy_times};

/// The writes before which an access must not come: the SC events known, and what the fences among them knew along
/// happens-before. Both are clocks, in one block; without a block, the view is ⊥.
///
/// A view is closed: if it knows an SC event, it knows all that this event knows. So the second clock follows from the first,
/// one comparison tells whether the knowledge of one event is known already, and what is known need not be joined.
///
/// A block with more than one holder does not change. Holders are counted: they are made by [`Known::assign`] only, and end
/// with [`Known::free`]. The handle can be copied so that lists can move it.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    block: *mut Block,
    /// The event that it is Q of, if it is that of one event. It is here so that others need not look at the block.
    event: Event,
}

impl Known {
    pub(crate) const BOTTOM: Known = Known { block: ptr::null_mut(), event: Event::NONE };

    #[inline]
    pub(crate) fn is_bottom(&self) -> bool {
        self.block.is_null()
    }

    #[inline]
    fn len(&self) -> usize {
        // SAFETY: a view that is not ⊥ holds on to its block.
        if self.block.is_null() { 0 } else { unsafe { (*self.block).len as usize } }
    }

    #[inline]
    fn sc_events(&self) -> &[u64] {
        if self.block.is_null() {
            return &[];
        }
        // SAFETY: `len` times are initialised, in both halves.
        unsafe { core::slice::from_raw_parts(Block::times(self.block), self.len()) }
    }

    #[inline]
    fn through_fences(&self) -> &[u64] {
        if self.block.is_null() {
            return &[];
        }
        // SAFETY: as above.
        unsafe { core::slice::from_raw_parts(Block::second_half(self.block), self.len()) }
    }

    /// The last SC event of a slot that is known.
    #[inline]
    pub(crate) fn sc_event(&self, slot: u16) -> u64 {
        self.sc_events().get(slot as usize).copied().unwrap_or(0)
    }

    /// The last event of a slot that a fence knew.
    #[inline]
    pub(crate) fn through_fence(&self, slot: u16) -> u64 {
        self.through_fences().get(slot as usize).copied().unwrap_or(0)
    }

    /// Whether it knows an SC event, and so all that the event knows.
    #[inline]
    pub(crate) fn knows(&self, slot: u16, number: u64) -> bool {
        self.sc_event(slot) >= number
    }

    /// Whether it is Q of an event that the other knows.
    #[inline]
    fn is_of_event_known_to(&self, other: &Known) -> bool {
        other.knows(self.event.slot(), self.event.number())
    }

    /// Learns all that `other` knows, and says whether anything was new.
    #[inline]
    pub(crate) fn join(&mut self, other: &Known, pool: &Pool) -> bool {
        if ptr::eq(self.block, other.block) || other.is_bottom() {
            return false;
        }
        if self.is_bottom() {
            self.assign(other, pool);
            return true;
        }
        if other.is_of_event_known_to(self) {
            return false;
        }
        self.join_unknown(other, pool)
    }

    #[inline(never)]
    fn join_unknown(&mut self, other: &Known, pool: &Pool) -> bool {
        if self.is_of_event_known_to(other) {
            self.assign(other, pool);
            return true;
        }
        let exceeds = |a: &Known, b: &Known| {
            a.sc_events().iter().enumerate().any(|(slot, &number)| number > b.sc_event(slot as u16))
        };
        if !exceeds(other, self) {
            return false;
        }
        if !exceeds(self, other) {
            self.assign(other, pool);
            return true;
        }
        self.make_own(other.len(), pool);
        // SAFETY: nobody else holds the block, which has room for the times of both.
        unsafe {
            self.event = Event::NONE;
            join_times(Block::times(self.block), other.sc_events());
            join_times(Block::second_half(self.block), other.through_fences());
        }
        true
    }

    /// Becomes what the SC event with this number knows, after what led to it was joined: itself, and for a fence also what
    /// happens before it.
    pub(crate) fn becomes_event(&mut self, slot: u16, number: u64, before_fence: Option<&Vector>, pool: &Pool) {
        let happens_before = before_fence.map_or(&[][..], Vector::times);
        self.make_own(happens_before.len().max(slot as usize + 1), pool);
        // SAFETY: nobody else holds the block, which has room.
        unsafe {
            self.event = Event::new(slot, number);
            Block::times(self.block).add(slot as usize).write(number);
            join_times(Block::second_half(self.block), happens_before);
        }
    }

    /// A block of its own with at least `len` slots.
    fn make_own(&mut self, len: usize, pool: &Pool) {
        let old = self.len();
        let len = len.max(old);
        // SAFETY: a view that is not ⊥ holds on to its block; a new block has room for two halves.
        unsafe {
            let is_own = !self.block.is_null() && (*self.block).holders.load(Ordering::Acquire) == 1;
            if !is_own || Block::half(self.block) < len {
                let block = pool.allocate(len * 2);
                (*block).is_pair = true;
                (*block).holders.store(1, Ordering::Relaxed);
                copy_times(Block::times(block), self.sc_events());
                copy_times(Block::second_half(block), self.through_fences());
                self.free(pool);
                self.block = block;
            }
            for slot in old..len {
                Block::times(self.block).add(slot).write(0);
                Block::second_half(self.block).add(slot).write(0);
            }
            (*self.block).len = len as u32;
        }
    }

    /// Becomes the same as `other`.
    #[inline]
    pub(crate) fn assign(&mut self, other: &Known, pool: &Pool) {
        if ptr::eq(self.block, other.block) {
            return;
        }
        if !other.is_bottom() {
            // SAFETY: `other` holds on to its block.
            unsafe { (*other.block).holders.fetch_add(1, Ordering::Relaxed) };
        }
        self.free(pool);
        *self = *other;
    }

    /// Whether it keeps alive what it knows: see [`crate::live`].
    pub(crate) fn set_looked_up(&self, looked_up: bool) {
        if !self.block.is_null() {
            // SAFETY: only a collection comes here, while nobody else does anything.
            unsafe { (*self.block).looked_up = looked_up };
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        2 * size_of_val(self.sc_events())
    }

    #[inline]
    pub(crate) fn free(&mut self, pool: &Pool) {
        let block = core::mem::replace(self, Known::BOTTOM).block;
        if block.is_null() {
            return;
        }
        // SAFETY: the view held on to the block until now.
        unsafe {
            if (*block).holders.load(Ordering::Acquire) != 1 {
                if (*block).holders.fetch_sub(1, Ordering::Release) != 1 {
                    return;
                }
                fence(Ordering::Acquire);
            }
            pool.free(block);
        }
    }
}

/// # Safety
/// There are as many times at `mine`.
unsafe fn join_times(mine: *mut u64, theirs: &[u64]) {
    for (slot, &time) in theirs.iter().enumerate() {
        // SAFETY: as the caller says.
        unsafe {
            let mine = mine.add(slot);
            mine.write(time.max(mine.read()));
        }
    }
}
