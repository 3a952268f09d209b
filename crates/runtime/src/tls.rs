//! Three thread-local words, reached in one instruction. The library is only ever linked into executables, so their
//! place relative to the thread pointer is known when it is linked.

use core::arch::{asm, global_asm};

use crate::thread::Thread;

global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    ".balign 8",
    ".globl fencepost_thread",
    ".hidden fencepost_thread",
    ".type fencepost_thread,@object",
    "fencepost_thread: .zero 8",
    ".globl fencepost_caller",
    ".hidden fencepost_caller",
    ".type fencepost_caller,@object",
    "fencepost_caller: .zero 8",
    ".globl fencepost_clock",
    ".hidden fencepost_clock",
    ".type fencepost_clock,@object",
    "fencepost_clock: .zero 8",
    ".popsection",
);

/// What is known of the running thread, or null if nothing is yet.
#[inline(always)]
pub(crate) fn thread() -> *mut Thread {
    let thread: *mut Thread;
    // SAFETY: reads a thread-local word.
    unsafe {
        asm!("mov {}, qword ptr fs:[fencepost_thread@TPOFF]", out(reg) thread,
             options(nostack, preserves_flags, readonly));
    }
    thread
}

/// The clock of the running thread, or null if there is none.
#[inline(always)]
pub(crate) fn clock() -> *const fencepost_clocks::Thread {
    let clock: *const fencepost_clocks::Thread;
    // SAFETY: reads a thread-local word.
    unsafe {
        asm!("mov {}, qword ptr fs:[fencepost_clock@TPOFF]", out(reg) clock,
             options(nostack, preserves_flags, readonly));
    }
    clock
}

/// The clock is null if the thread is not followed.
pub(crate) fn set_thread(thread: *mut Thread, clock: *const fencepost_clocks::Thread) {
    // SAFETY: writes thread-local words.
    unsafe {
        asm!("mov qword ptr fs:[fencepost_thread@TPOFF], {}", "mov qword ptr fs:[fencepost_clock@TPOFF], {}",
             in(reg) thread, in(reg) clock, options(nostack, preserves_flags));
    }
}

/// Where the program called the entry point that is running (see `export!`).
#[inline(always)]
pub(crate) fn caller() -> usize {
    let caller: usize;
    // SAFETY: reads a thread-local word.
    unsafe {
        asm!("mov {}, qword ptr fs:[fencepost_caller@TPOFF]", out(reg) caller,
             options(nostack, preserves_flags, readonly));
    }
    caller
}
