//! Functions that touch many bytes at once. gcc leaves calls to them as they are; clang has names of its own.
//!
//! The compiler makes calls to them from this library too, so they do nothing that would call them again.

use core::arch::asm;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::real::Real;
use crate::{export, sys, thread, tls};

export! {
    ["memcpy"] => copy;
    ["memmove"] => copy;
    ["memset"] => fill;
    ["__tsan_memcpy"] => copy;
    ["__tsan_memmove"] => copy;
    ["__tsan_memset"] => fill;
}

unsafe extern "C" fn copy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void {
    let caller = Caller::here();
    caller.reads(from, size);
    caller.writes(to, size);
    // SAFETY: the program's blocks.
    unsafe { copy_bytes(to.cast(), from.cast(), size) };
    to
}

unsafe extern "C" fn fill(to: *mut c_void, byte: c_int, size: usize) -> *mut c_void {
    Caller::here().writes(to, size);
    // SAFETY: the program's block.
    unsafe { asm!("rep stosb", inout("rcx") size => _, inout("rdi") to => _, in("al") byte as u8, options(nostack)) };
    to
}

/// Where the program called such a function. Taken first, because functions that are called on the way take theirs.
pub(super) struct Caller(usize);

impl Caller {
    #[inline(always)]
    pub(super) fn here() -> Caller {
        Caller(tls::caller())
    }

    /// Whether accesses are noted at all now.
    pub(super) fn is_followed(&self) -> bool {
        tls::thread() as usize > 1 && !thread::is_inside()
    }

    pub(super) fn reads(&self, address: *const c_void, size: usize) {
        note(address as usize, size, false, self.0);
    }

    pub(super) fn writes(&self, address: *mut c_void, size: usize) {
        note(address as usize, size, true, self.0);
    }
}

/// Only what the program does, and only with its own memory: the runtime calls these functions too.
fn note(address: usize, size: usize, write: bool, caller: usize) {
    if size == 0 || sys::is_ours(address) || (tls::thread() as usize) <= 1 {
        return;
    }
    if let Some(thread) = thread::enter() {
        thread.detector.plain_range(thread, address, size, write, caller);
    }
}

/// The C library's memmove, once it is known: looking it up here could come back here.
static MOVE: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());

pub(crate) fn initialise() {
    static REAL: Real = Real::new(c"memmove");
    MOVE.store(REAL.address(), Ordering::Relaxed);
}

unsafe fn copy_bytes(to: *mut u8, from: *const u8, size: usize) {
    let real = MOVE.load(Ordering::Relaxed);
    // SAFETY: as the caller says. Without memmove, when the blocks overlap the wrong way, the last byte goes first.
    unsafe {
        if !real.is_null() {
            let real: unsafe extern "C" fn(*mut u8, *const u8, usize) -> *mut u8 = core::mem::transmute(real);
            real(to, from, size);
        } else if (to as usize).wrapping_sub(from as usize) >= size {
            asm!("rep movsb", inout("rcx") size => _, inout("rdi") to => _, inout("rsi") from => _, options(nostack));
        } else {
            asm!("std", "rep movsb", "cld", inout("rcx") size => _,
                 inout("rdi") to.wrapping_add(size).wrapping_sub(1) => _,
                 inout("rsi") from.wrapping_add(size).wrapping_sub(1) => _, options(nostack));
        }
    }
}
