//! The calls that a thread is in, as `__tsan_func_entry` and `__tsan_func_exit` tell them.

use crate::places::{Cache, Place};
use crate::sys;

#[derive(Clone, Copy)]
struct Frame {
    /// Where the function returns to.
    counter: usize,
    /// The stack pointer at its start: a frame at or below that of a newer call was left by longjmp.
    stack: usize,
    /// The place of `counter`, if this frame is one of the first `known`.
    place: Place,
}

const DEEPEST: usize = 1 << 16;

pub struct Frames {
    frames: *mut Frame,
    depth: usize,
    /// How many frames have their place. It is asked for only where something is remembered.
    known: usize,
    cache: *mut Cache,
}

impl Frames {
    /// Room for a thread's frames, which takes up nothing until it is used. None if there is none.
    pub fn new() -> Option<Frames> {
        let frames = sys::map(DEEPEST * size_of::<Frame>())?.cast();
        Some(Frames { frames, depth: 0, known: 0, cache: sys::map(size_of::<Cache>())?.cast() })
    }

    /// For a new thread in the same room.
    pub fn clear(&mut self) {
        self.depth = 0;
        self.known = 0;
    }

    #[inline(always)]
    pub fn enter(&mut self, counter: usize, stack: usize) {
        // SAFETY: `depth` stays below DEEPEST.
        unsafe {
            while self.depth > 0 && (*self.frames.add(self.depth - 1)).stack <= stack {
                self.depth -= 1;
            }
            self.known = self.known.min(self.depth);
            if self.depth < DEEPEST - 1 {
                let frame = self.frames.add(self.depth);
                (*frame).counter = counter;
                (*frame).stack = stack;
                self.depth += 1;
            }
        }
    }

    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.known = self.known.min(self.depth);
    }

    /// The place of an access in the innermost function.
    #[inline]
    pub fn place(&mut self, counter: usize) -> Place {
        // SAFETY: frames below `depth` were written; the cache is this thread's own, and zero is a valid one.
        unsafe {
            let mut parent = if self.known == 0 { 0 } else { (*self.frames.add(self.known - 1)).place };
            while self.known < self.depth {
                let frame = self.frames.add(self.known);
                parent = (*self.cache).child(parent, (*frame).counter);
                (*frame).place = parent;
                self.known += 1;
            }
            (*self.cache).child(parent, counter)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places;

    fn stack(frames: &mut Frames, counter: usize) -> Vec<usize> {
        places::counters(frames.place(counter)).collect()
    }

    #[test]
    fn frames_follow_calls_returns_and_jumps() {
        places::initialise();
        let mut frames = Frames::new().unwrap();
        frames.enter(10, 900);
        frames.enter(20, 800);
        assert_eq!(stack(&mut frames, 1), [1, 20, 10]);
        frames.enter(30, 700);
        assert_eq!(stack(&mut frames, 2), [2, 30, 20, 10]);
        frames.leave();
        frames.enter(40, 700);
        assert_eq!(stack(&mut frames, 2), [2, 40, 20, 10]);
        frames.enter(50, 850); // longjmp left the frames at 800 and 700
        assert_eq!(stack(&mut frames, 3), [3, 50, 10]);
        frames.leave();
        frames.leave();
        frames.leave();
        assert_eq!(stack(&mut frames, 4), [4]);
    }
}
