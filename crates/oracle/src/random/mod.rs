//! Random programs, the same for the same seed: as `.fp` text, with a shrinker for those on which two answers differ,
//! and with threads that create each other.

mod family;
mod generate;
mod observers;
mod shapes;
mod shrink;
mod sketch;
mod waits;
mod write;

pub use family::{Family, Step, Strength, random_family};
pub use generate::{Profile, random_sketch};
pub use observers::random_observer;
pub use shrink::shrink;
pub use sketch::{Cell, Comparison, Index, Place, Register, Sketch, Statement, Term};
pub use waits::loads_as_waits;
