//! The binary as its users meet it.

mod check;
mod export;
mod format;
mod formats;
#[cfg(unix)]
mod interrupt;
mod readme;
mod support;
