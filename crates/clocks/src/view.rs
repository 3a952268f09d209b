//! Sets of SC events that psc orders before something. Threads and locations that know the same share a set.

use core::ptr;

use crate::event::Event;
use crate::pool::{Block, Mark, Pool};
use crate::vector::{Vector, copy_times};

/// The writes before which an access must not come: the SC events known, and what the fences among them knew along
/// happens-before. Both are clocks, in one block; without a block, the view is ⊥.
///
/// A view is closed: if it knows an SC event, it knows all that this event knows. So the second clock follows from the
/// first, one comparison tells whether the knowledge of one event is known already, and what is known need not be
/// joined.
///
/// A block does not change once it is made ([`Draft`]), so copies of a view share it. A collection
/// finds the blocks that no view has any more; counting references would cost more than anything else here.
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
        // SAFETY: the block of a view stays while there is the view.
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
            *self = *other;
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
            *self = *other;
            return true;
        }
        let exceeds = |a: &Known, b: &Known| {
            a.sc_events().iter().enumerate().any(|(slot, &number)| number > b.sc_event(slot as u16))
        };
        if !exceeds(other, self) {
            return false;
        }
        if !exceeds(self, other) {
            *self = *other;
            return true;
        }
        let mut draft = Draft::new(self, other.len(), pool);
        draft.learn(other, pool);
        *self = draft.0;
        true
    }

    /// Whether it keeps alive what it knows, or is looked up only: see [`crate::live`].
    pub(crate) fn mark(&self, mark: Mark) {
        if !self.block.is_null() {
            // SAFETY: only a collection comes here, and it has stopped all other threads.
            unsafe { (*self.block).mark = (*self.block).mark.max(mark) };
        }
    }
}

/// What can learn a view.
pub(crate) trait Learn {
    fn view(&self) -> &Known;
    fn learn(&mut self, other: &Known, pool: &Pool);
}

impl Learn for Known {
    fn view(&self) -> &Known {
        self
    }

    fn learn(&mut self, other: &Known, pool: &Pool) {
        self.join(other, pool);
    }
}

/// A view that is not shared yet.
pub(crate) struct Draft(Known);

impl Draft {
    /// Starts with a copy of a view, with room for at least `len` slots.
    pub(crate) fn new(from: &Known, len: usize, pool: &Pool) -> Draft {
        let len = len.max(from.len());
        let block = pool.allocate_view(len);
        // SAFETY: the block is new, and has room for two halves.
        unsafe {
            let (sc_events, through_fences) = (Block::times(block), Block::second_half(block));
            copy_times(sc_events, from.sc_events());
            copy_times(through_fences, from.through_fences());
            for slot in from.len()..len {
                sc_events.add(slot).write(0);
                through_fences.add(slot).write(0);
            }
            (*block).len = len as u32;
        }
        Draft(Known { block, event: Event::NONE })
    }

    /// What the SC event with this number knows, after what led to it was learnt: itself, and for a fence also what
    /// happens before it. There must be room for the slot and for the clock.
    pub(crate) fn into_event(mut self, event: Event, before_fence: Option<&Vector>) -> Known {
        debug_assert!(self.0.len() > event.slot() as usize);
        // SAFETY: the block is not shared, and has room.
        unsafe {
            Block::times(self.0.block).add(event.slot() as usize).write(event.number());
            join_times(Block::second_half(self.0.block), before_fence.map_or(&[], Vector::times));
        }
        self.0.event = event;
        self.0
    }
}

impl Learn for Draft {
    #[inline]
    fn view(&self) -> &Known {
        &self.0
    }

    #[inline]
    fn learn(&mut self, other: &Known, pool: &Pool) {
        if other.is_bottom() || other.is_of_event_known_to(&self.0) {
            return;
        }
        if other.len() > self.0.len() {
            *self = Draft::new(&self.0, other.len(), pool);
        }
        // SAFETY: the block is not shared, and has room.
        unsafe {
            join_times(Block::times(self.0.block), other.sc_events());
            join_times(Block::second_half(self.0.block), other.through_fences());
        }
    }
}

/// # Safety
/// There are as many times at `mine`.
#[inline]
unsafe fn join_times(mine: *mut u64, theirs: &[u64]) {
    for (slot, &time) in theirs.iter().enumerate() {
        // SAFETY: as the caller says.
        unsafe {
            let mine = mine.add(slot);
            mine.write(time.max(mine.read()));
        }
    }
}
