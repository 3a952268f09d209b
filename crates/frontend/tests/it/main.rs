//! The readers as their users see them.

mod assembler;
mod expressions;
mod files;
mod format;
mod fp_errors;
mod fp_lowering;
mod litmus_errors;
mod litmus_lowering;
mod litmus_outcomes;

mod support {
    pub mod errors;
    pub mod generate;
    pub mod sc;
}
