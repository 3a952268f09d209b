//! A thread alone: its flow graph, its loops, and its abstract interpretation with what its loads read left open.

pub(crate) mod code;
mod execute;
pub(crate) mod interpret;
pub(crate) mod passes;
