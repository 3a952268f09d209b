//! The binary as its users meet it.

mod check;
mod format;
mod formats;
#[cfg(target_os = "linux")]
mod interrupt;
mod support;
