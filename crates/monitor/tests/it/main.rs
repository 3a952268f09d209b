//! Monitors along random runs: over different lattices, with and without views, and beside the definitions.

mod definition;
mod lattices;
mod run;
mod views;
