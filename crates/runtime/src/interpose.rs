//! Functions of the C library that order threads, or give memory away. Each does what it always did, and tells the clocks.
//!
//! Under a controlled schedule (see [`crate::schedule`]) one thread runs at a time, so what would block in the system is
//! tried, and the thread waits for its turn until trying succeeds.

pub mod barriers;
pub mod bytes;
pub mod conditions;
pub mod descriptors;
pub mod formats;
pub mod fortified;
pub mod locks;
pub mod memory;
pub mod once;
pub mod process;
pub mod semaphores;
pub mod stdio;
pub mod strings;
pub mod threads;

use crate::thread::Thread;
use crate::{detector, schedule};

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
        detector::acquire(thread, key);
    }
    result
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
