//! The entry points that compilers call with `-fsanitize=thread`.

pub mod annotations;
pub mod atomic;
pub mod plain;
mod word;
