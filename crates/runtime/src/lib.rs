//! The library that `fencepost cc` links into instrumented programs, in place of ThreadSanitizer's.
//!
//! gcc, clang and rustc already call `__tsan_read4`, `__tsan_atomic32_load` and the like; this crate answers those
//! calls (`abi`), takes the place of the C library's functions that synchronise or give memory away (`interpose`), and
//! hands everything to the clocks of `fencepost-clocks`.
//!
//! It lives inside a stranger's process, so it keeps out of the way: it has no `std`, allocates from its own mappings
//! (`arena`), makes its system calls itself (`sys`), and never unwinds.

#![cfg_attr(feature = "standalone", no_std)]

extern crate alloc;

mod abi;
// Without the feature, memory is the system's.
#[cfg_attr(not(any(feature = "standalone", test)), allow(dead_code))]
mod arena;
mod detector;
mod export;
mod frames;
mod inside;
mod interpose;
mod layout;
mod loads;
mod places;
mod real;
mod renderer;
mod report;
mod runtime;
mod schedule;
mod shadow;
mod spin;
mod standalone;
mod sys;
mod table;
mod text;
mod thread;
mod threads;
mod tls;
mod trace;

use export::{export, export_access, export_variadic};
use real::real;
use text::complain;
