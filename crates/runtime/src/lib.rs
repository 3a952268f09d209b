//! The library that `fencepost cc` links into instrumented programs, in place of ThreadSanitizer's.
//!
//! gcc, clang and rustc already call `__tsan_read4`, `__tsan_atomic32_load` and the like; this crate answers those calls
//! ([`abi`]), takes the place of the C library's functions that synchronise or give memory away ([`interpose`]), and
//! hands everything to the clocks of `fencepost-clocks`.
//!
//! It lives inside a stranger's process, so it keeps out of the way: it has no `std`, allocates from its own mappings
//! ([`arena`]), makes its system calls itself ([`sys`]), and never unwinds.

#![cfg_attr(feature = "standalone", no_std)]

extern crate alloc;

pub mod abi;
pub mod arena;
pub mod detector;
mod export;
pub mod frames;
pub mod interpose;
pub mod layout;
pub mod loads;
pub mod places;
pub mod real;
pub mod renderer;
pub mod report;
pub mod runtime;
pub mod schedule;
pub mod shadow;
pub mod spin;
mod standalone;
pub mod sys;
pub mod table;
pub mod text;
pub mod thread;
pub mod tls;
pub mod trace;
