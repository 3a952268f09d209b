//! What programs say themselves, in the words that ThreadSanitizer has for it.

use core::ffi::{c_char, c_int};

use crate::{detector, export, thread};

export! {
    ["__tsan_acquire"] => acquire;
    ["__tsan_release"] => release;
    ["AnnotateHappensBefore"] => happens_before;
    ["AnnotateHappensAfter"] => happens_after;
}

unsafe extern "C" fn acquire(address: usize) {
    if let Some(thread) = thread::enter() {
        detector::acquire(thread, address);
    }
}

unsafe extern "C" fn release(address: usize) {
    if let Some(thread) = thread::enter() {
        detector::release(thread, address);
    }
}

/// With the file and the line of the annotation.
unsafe extern "C" fn happens_before(_: *const c_char, _: c_int, address: usize) {
    unsafe { release(address) };
}

unsafe extern "C" fn happens_after(_: *const c_char, _: c_int, address: usize) {
    unsafe { acquire(address) };
}
