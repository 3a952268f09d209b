//! The entry points that compilers call with `-fsanitize=thread`.

mod annotations;
pub(crate) mod atomic;
mod plain;
mod word;
