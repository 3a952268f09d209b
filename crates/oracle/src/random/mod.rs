//! Random programs as `.fp` text, the same for the same seed, and a shrinker for those on which two answers differ.

mod generate;
mod observers;
mod shapes;
mod shrink;
mod sketch;
mod write;

pub use generate::{Profile, random_sketch};
pub use observers::random_observer;
pub use shrink::shrink;
pub use sketch::{Cell, Comparison, Index, Place, Register, Sketch, Statement, Term};
