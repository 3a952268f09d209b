//! The binary as its users meet it.

#[cfg(unix)]
mod attackers;
mod check;
mod environment;
mod explore;
mod explore_corpus;
mod export;
mod format;
mod formats;
#[cfg(unix)]
mod interrupt;
#[cfg(target_os = "linux")]
mod limits;
mod sarif_fixes;
mod support;
