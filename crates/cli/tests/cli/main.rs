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
#[cfg(unix)]
mod library_cache;
#[cfg(target_os = "linux")]
mod limits;
mod llvm_ir;
mod sarif_fixes;
mod support;
mod together;
mod witness;
