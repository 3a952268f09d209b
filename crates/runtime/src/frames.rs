//! The calls that a thread is in, as `__tsan_func_entry` and `__tsan_func_exit` tell them.

use crate::places::{Cache, Place, Places, UNKNOWN};
use crate::sys;

#[derive(Clone, Copy)]
struct Frame {
    /// Where the function returns to.
    counter: usize,
    /// The stack pointer at its start: a frame at or below that of a newer call was left by longjmp.
    stack: usize,
    /// The place of `counter`, or unknown. It is asked for only where something is remembered.
    place: Place,
}

const DEEPEST: usize = 1 << 16;

pub(crate) struct Frames {
    frames: *mut Frame,
    depth: usize,
    cache: *mut Cache,
}

impl Frames {
    /// Room for a thread's frames, which takes up nothing until it is used. None if there is none.
    pub(crate) fn new() -> Option<Frames> {
        let frames = sys::map(DEEPEST * size_of::<Frame>())?.cast();
        Some(Frames { frames, depth: 0, cache: sys::map(size_of::<Cache>())?.cast() })
    }

    /// For a new thread in the same room.
    pub(crate) fn clear(&mut self) {
        self.depth = 0;
    }

    /// Whether the innermost frame was left by longjmp, and a function begins at this stack pointer.
    #[inline(always)]
    pub(crate) fn was_left(&self, stack: usize) -> bool {
        // SAFETY: frames below `depth` were written.
        self.depth > 0 && unsafe { (*self.frames.add(self.depth - 1)).stack <= stack }
    }

    #[inline(always)]
    pub(crate) fn enter(&mut self, counter: usize, stack: usize) {
        if self.depth < DEEPEST - 1 {
            // SAFETY: there is room.
            unsafe { self.frames.add(self.depth).write(Frame { counter, stack, place: UNKNOWN }) };
            self.depth += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// The place of the call of the innermost function.
    #[inline(always)]
    fn calls(&mut self, places: &Places) -> Place {
        // SAFETY: frames below `depth` were written.
        let known = if self.depth > 0 { unsafe { (*self.frames.add(self.depth - 1)).place } } else { UNKNOWN };
        if known != UNKNOWN { known } else { self.calls_but(places, 0) }
    }

    /// The place of the call of the innermost function but some.
    #[inline(never)]
    pub(crate) fn calls_but(&mut self, places: &Places, inner: usize) -> Place {
        let depth = self.depth.saturating_sub(inner);
        // SAFETY: frames below `depth` were written; the cache is this thread's own, and zero is a valid one.
        unsafe {
            let mut known = depth;
            while known > 0 && (*self.frames.add(known - 1)).place == UNKNOWN {
                known -= 1;
            }
            let mut place = if known == 0 { UNKNOWN } else { (*self.frames.add(known - 1)).place };
            for i in known..depth {
                let frame = self.frames.add(i);
                place = (*self.cache).child(places, place, (*frame).counter);
                (*frame).place = place;
            }
            place
        }
    }

    /// Where the innermost functions return to, from without.
    pub(crate) fn innermost(&self, count: usize) -> impl Iterator<Item = usize> {
        let frames = self.frames;
        // SAFETY: frames below `depth` were written.
        (self.depth.saturating_sub(count)..self.depth).map(move |i| unsafe { (*frames.add(i)).counter })
    }

    /// The place of an access in the innermost function.
    #[inline]
    pub(crate) fn place(&mut self, places: &Places, counter: usize) -> Place {
        let calls = self.calls(places);
        // SAFETY: as above.
        unsafe { (*self.cache).child(places, calls, counter) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_follow_calls_returns_and_jumps() {
        let places = Places::new().unwrap();
        let stack =
            |frames: &mut Frames, counter| -> Vec<usize> { places.counters(frames.place(&places, counter)).collect() };
        let mut frames = Frames::new().unwrap();
        frames.enter(10, 900);
        frames.enter(20, 800);
        assert_eq!(stack(&mut frames, 1), [1, 20, 10]);
        frames.enter(30, 700);
        assert_eq!(stack(&mut frames, 2), [2, 30, 20, 10]);
        frames.leave();
        frames.enter(40, 700);
        assert_eq!(stack(&mut frames, 2), [2, 40, 20, 10]);
        while frames.was_left(850) {
            frames.leave(); // longjmp left the frames at 800 and 700
        }
        frames.enter(50, 850);
        assert_eq!(stack(&mut frames, 3), [3, 50, 10]);
        frames.leave();
        frames.leave();
        frames.leave();
        assert_eq!(stack(&mut frames, 4), [4]);
    }
}
