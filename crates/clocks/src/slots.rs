use core::cell::UnsafeCell;
use core::ptr;

use crate::arena::Arena;
use crate::thread::{MAX_THREADS, Thread, ThreadState};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Running,
    /// It has not been joined yet.
    Ended,
    Free,
}

/// The threads of the run, by slot.
pub(crate) struct Slots {
    threads: [*mut Thread; MAX_THREADS],
    status: [Status; MAX_THREADS],
    used: usize,
}

impl Slots {
    pub(crate) const fn new() -> Slots {
        Slots { threads: [ptr::null_mut(); MAX_THREADS], status: [Status::Free; MAX_THREADS], used: 0 }
    }

    /// A slot for a thread that starts knowing what `parent` knows. A slot can be used again if the parent knows all
    /// events of the threads that had it, along hb and along hbSC: then a thread that knows an
    /// event of the new thread knows them too, and no clock can tell that there were two threads.
    pub(crate) fn take(&mut self, parent: Option<&ThreadState>, arena: &Arena) -> Option<*mut Thread> {
        let free = (0..self.used).find(|&i| {
            self.status[i] == Status::Free && {
                // SAFETY: a used slot has a thread, and no thread runs in it.
                let last = unsafe { (*(*self.threads[i]).state.get()).now };
                parent.is_some_and(|p| p.current.get(i as u16) >= last && p.sc.get(i as u16) >= last)
            }
        });
        let slot = match free {
            Some(slot) => slot,
            None if self.used < MAX_THREADS => {
                let thread = arena.allocate(size_of::<Thread>()).cast::<Thread>();
                // SAFETY: the block is large enough.
                unsafe { thread.write(Thread::new(self.used as u16)) };
                self.threads[self.used] = thread;
                self.used += 1;
                self.used - 1
            }
            None => return None,
        };
        self.status[slot] = Status::Running;
        Some(self.threads[slot])
    }

    pub(crate) fn set(&mut self, slot: u16, status: Status) {
        self.status[slot as usize] = status;
    }

    pub(crate) fn thread(&self, slot: u16) -> Option<&Thread> {
        // SAFETY: a thread stays where it is.
        unsafe { self.threads.get(slot as usize)?.as_ref() }
    }

    pub(crate) fn each(&self, mut visit: impl FnMut(&Thread)) {
        for &thread in &self.threads[..self.used] {
            // SAFETY: used slots have threads, which stay where they are.
            visit(unsafe { &*thread });
        }
    }

    /// Calls `f` with the last event of each slot. No thread may take a step meanwhile.
    pub(crate) fn with_numbers(&self, arena: &Arena, f: impl FnOnce(&[u64])) {
        let bytes = (self.used * size_of::<u64>()).max(1);
        let numbers = arena.allocate(bytes).cast::<u64>();
        let mut slot = 0;
        self.each(|thread| {
            // SAFETY: there is room for a number of each slot.
            unsafe { numbers.add(slot).write((*UnsafeCell::get(&thread.state)).now) };
            slot += 1;
        });
        // SAFETY: `slot` numbers were written.
        f(unsafe { core::slice::from_raw_parts(numbers, slot) });
        arena.free(numbers.cast(), bytes);
    }
}
