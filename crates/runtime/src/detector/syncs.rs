use super::detector;
use crate::thread::Thread;

/// The thread learns what was released to the object at this address.
pub fn acquire(thread: &mut Thread, key: usize) {
    let detector = detector();
    thread.inside += 1;
    let sync = detector.table.lock(key).object(key, || detector.clocks.sync()).sync;
    detector.clocks.acquire(thread.clock.clock, sync);
    thread.inside -= 1;
}

/// Whoever acquires from the object later knows what the thread knows now.
pub fn release(thread: &mut Thread, key: usize) {
    let detector = detector();
    thread.inside += 1;
    let sync = detector.table.lock(key).object(key, || detector.clocks.sync()).sync;
    detector.clocks.release(thread.clock.clock, sync);
    thread.inside -= 1;
}

/// The object is destroyed, or initialised again.
pub fn forget_sync(key: usize) {
    if crate::runtime::is_ready() {
        detector().table.lock(key).forget(key, &detector().clocks);
    }
}

/// Notes whether a read-write lock is held for writing, and returns what it was before.
pub fn hold_for_writing(key: usize, writing: bool) -> bool {
    let detector = detector();
    core::mem::replace(&mut detector.table.lock(key).object(key, || detector.clocks.sync()).writing, writing)
}
