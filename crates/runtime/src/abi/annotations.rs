//! What programs say themselves, in the words that ThreadSanitizer has for it, and in those of `fencepost.h`.

use core::ffi::{c_char, c_int};

use crate::{export, thread};

export! {
    ["__tsan_acquire"] => acquire;
    ["__tsan_release"] => release;
    ["AnnotateHappensBefore"] => happens_before;
    ["AnnotateHappensAfter"] => happens_after;
    ["fencepost_assume"] => assume;
    ["fencepost_choose"] => choose;
}

/// A real run cannot be taken back, so it ends.
unsafe extern "C" fn assume(condition: c_int) {
    if condition == 0 {
        // SAFETY: the program's own handlers run, as if it had called it.
        unsafe { libc::exit(0) };
    }
}

unsafe extern "C" fn choose(low: c_int, high: c_int) -> c_int {
    // SAFETY: takes no arguments, and locks what it changes.
    low.wrapping_add(unsafe { libc::rand() } % (high.wrapping_sub(low).wrapping_add(1)).max(1))
}

unsafe extern "C" fn acquire(address: usize) {
    if let Some(thread) = thread::enter() {
        thread.detector.acquire(thread, address);
    }
}

unsafe extern "C" fn release(address: usize) {
    if let Some(thread) = thread::enter() {
        thread.detector.release(thread, address);
    }
}

/// With the file and the line of the annotation.
unsafe extern "C" fn happens_before(_: *const c_char, _: c_int, address: usize) {
    // SAFETY: the same function under another name.
    unsafe { release(address) };
}

unsafe extern "C" fn happens_after(_: *const c_char, _: c_int, address: usize) {
    // SAFETY: the same function under another name.
    unsafe { acquire(address) };
}
