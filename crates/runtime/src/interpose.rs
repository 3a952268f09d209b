//! Functions of the C library that order threads, or give memory away. Each does what it always did, and tells the
//! clocks.
//!
//! Under a controlled schedule (see [`crate::schedule`]) one thread runs at a time, so what would block in the system
//! is tried, and the thread waits for its turn until trying succeeds.

pub(crate) mod barriers;
pub(crate) mod bytes;
mod conditions;
pub(crate) mod descriptors;
mod formats;
mod fortified;
mod locks;
mod memory;
mod once;
mod process;
mod semaphores;
mod stdio;
mod strings;
mod threads;

use crate::thread::Thread;
use crate::{runtime, schedule};

/// Tries until it does not answer `busy`, and lets others run meanwhile. `key` is what they wake when they let go.
fn try_in_turn(thread: &mut Thread, key: usize, timed: bool, busy: i32, mut attempt: impl FnMut() -> i32) -> i32 {
    schedule::point(thread);
    loop {
        let result = attempt();
        if result != busy {
            return result;
        }
        if !schedule::block(thread, key, timed) {
            return libc::ETIMEDOUT;
        }
    }
}

/// After an operation that succeeded, the thread knows what was released there.
fn acquired(thread: &mut Thread, key: usize, result: i32) -> i32 {
    if result == 0 || result == libc::EOWNERDEAD {
        thread.detector.acquire(thread, key);
    }
    result
}

/// The object at this address is destroyed, or initialised again.
fn forget_sync(key: usize) {
    if let Some(detector) = runtime::detector() {
        detector.forget_sync(key);
    }
}

/// How the C11 functions say what the POSIX ones said.
fn c11_status(status: i32) -> i32 {
    const SUCCESS: i32 = 0;
    const BUSY: i32 = 1;
    const ERROR: i32 = 2;
    const NO_MEMORY: i32 = 3;
    const TIMED_OUT: i32 = 4;
    match status {
        0 => SUCCESS,
        libc::EBUSY => BUSY,
        libc::ENOMEM => NO_MEMORY,
        libc::ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}
