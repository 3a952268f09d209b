//! What a library without `std` has to bring.

#![cfg(feature = "standalone")]

use core::fmt::Write;

use crate::arena::Arena;
use crate::text::Line;

#[global_allocator]
pub(crate) static ARENA: Arena = Arena::new();

#[panic_handler]
fn panic(information: &core::panic::PanicInfo) -> ! {
    let mut line = Line::new();
    let _ = write!(line, "fencepost: internal error, please report it: {information}");
    line.print();
    crate::sys::abort()
}

// The compiled `alloc` crate names it, for unwinding that never happens here. Weak, because a Rust program has its own.
core::arch::global_asm!(
    ".weak rust_eh_personality",
    ".hidden rust_eh_personality",
    ".type rust_eh_personality,@function",
    "rust_eh_personality: ud2",
);
