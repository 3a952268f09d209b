//! What the tests of several crates share: the programs of the corpus with their headers ([`corpus`]), programs in C
//! from their text ([`c`]), and the number of random programs ([`effort`]).

pub mod c;
pub mod corpus;
pub mod effort;

pub use c::{compiled, compiled_as};
pub use corpus::{Source, files, programs, sources};
pub use effort::{Effort, at_least, is_quick, sample, seed, seeds, trials};
