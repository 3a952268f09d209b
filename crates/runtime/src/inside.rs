//! Whether a thread is inside the runtime. A signal handler may interrupt it there, with locks held and things half
//! done: what the handler does then is performed, but not followed.

use core::cell::Cell;
use core::ptr::NonNull;

/// How many guards of a thread there are.
#[derive(Default)]
pub(crate) struct Depth(Cell<u32>);

impl Depth {
    #[inline(always)]
    pub(crate) fn get(&self) -> u32 {
        self.0.get()
    }

    /// For a record that another thread gets, and for a thread that has forked, whose guards are forgotten.
    pub(crate) fn set(&self, depth: u32) {
        self.0.set(depth);
    }

    /// # Safety
    /// The depth is not freed or moved before the guard: it is in the record of a thread, which stays.
    #[inline(always)]
    pub(crate) unsafe fn enter(&self) -> Inside {
        self.0.set(self.0.get() + 1);
        Inside(NonNull::from(self))
    }
}

/// The thread is inside until this is dropped.
pub(crate) struct Inside(NonNull<Depth>);

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the record is still there, as the caller of `enter` promised, and only its thread uses it.
        let depth = unsafe { &self.0.as_ref().0 };
        depth.set(depth.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves_early(depth: &Depth, early: bool) -> u32 {
        // SAFETY: the guard ends with this function.
        let _inside = unsafe { depth.enter() };
        if early {
            return depth.get();
        }
        // SAFETY: as above.
        let _further = unsafe { depth.enter() };
        depth.get()
    }

    #[test]
    fn every_way_out_restores_the_depth() {
        let depth = Depth::default();
        assert_eq!((leaves_early(&depth, true), depth.get()), (1, 0));
        assert_eq!((leaves_early(&depth, false), depth.get()), (2, 0));
    }

    #[test]
    fn guards_may_end_in_any_order() {
        let depth = Depth::default();
        // SAFETY: the guards end before the depth.
        let (first, second) = unsafe { (depth.enter(), depth.enter()) };
        drop(first);
        assert_eq!(depth.get(), 1);
        drop(second);
        assert_eq!(depth.get(), 0);
    }
}
