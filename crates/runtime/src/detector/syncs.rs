use fencepost_clocks::{Clocks, Sync, Thread as Clock};

use super::detector;
use crate::thread::Thread;
use crate::{complain, sys};

fn object(key: usize) -> crate::table::Object {
    let detector = detector();
    detector.table.object(key, || detector.clocks.sync()).unwrap_or_else(|| {
        complain!("there are too many synchronisation objects at once");
        sys::exit_now(2)
    })
}

#[inline]
fn with(thread: &mut Thread, key: usize, change: fn(&Clocks, &Clock, &Sync)) {
    thread.inside += 1;
    change(&detector().clocks, thread.clock.clock, object(key).sync);
    thread.inside -= 1;
}

/// The thread learns what was released to the object at this address.
pub fn acquire(thread: &mut Thread, key: usize) {
    with(thread, key, Clocks::acquire);
}

/// Whoever acquires from the object later knows what the thread knows now.
pub fn release(thread: &mut Thread, key: usize) {
    with(thread, key, Clocks::release);
}

/// The object is destroyed, or initialised again.
pub fn forget_sync(key: usize) {
    if crate::runtime::is_ready() {
        detector().table.forget(key, 1, &detector().clocks);
    }
}

/// Notes whether a read-write lock is held for writing, and returns what it was before.
pub fn hold_for_writing(key: usize, writing: bool) -> bool {
    object(key).hold_for_writing(writing)
}
