//! `fencepost cc`, `c++` and `run`, with real compilers and real programs. On x86_64 Linux only, as the runtime.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod bytes;
mod cache;
mod compilers;
mod fences;
mod header;
mod messages;
mod paper;
mod random;
mod schedules;
mod support;
mod synthetic;
mod works_with;
