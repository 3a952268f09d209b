use fencepost_clocks::{Clocks, Sync, Thread as Clock};

use super::Detector;
use crate::table::Object;
use crate::thread::Thread;
use crate::{complain, sys};

impl Detector {
    fn object(&'static self, key: usize) -> Object {
        self.table.object(key, || self.clocks.sync()).unwrap_or_else(|| {
            complain!("there are too many synchronisation objects at once");
            sys::exit_now(2)
        })
    }

    #[inline]
    fn with(&'static self, thread: &mut Thread, key: usize, change: fn(&Clocks, &Clock, &Sync)) {
        let _inside = thread.enter_runtime();
        change(&self.clocks, thread.clock.clock, self.object(key).sync);
    }

    /// The thread learns what was released to the object at this address.
    pub(crate) fn acquire(&'static self, thread: &mut Thread, key: usize) {
        self.with(thread, key, Clocks::acquire);
    }

    /// A thread that acquires from the object later knows what this thread knows now.
    pub(crate) fn release(&'static self, thread: &mut Thread, key: usize) {
        self.with(thread, key, Clocks::release);
    }

    /// The object is destroyed, or initialised again.
    pub(crate) fn forget_sync(&self, key: usize) {
        self.table.forget(key, 1, &self.clocks);
    }

    /// Notes whether a read-write lock is held for writing, and returns what it was before.
    pub(crate) fn hold_for_writing(&'static self, key: usize, writing: bool) -> bool {
        self.object(key).hold_for_writing(writing)
    }
}
