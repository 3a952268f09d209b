//! Readers: each turns one input language into a [`Program`](fencepost_program::Program), or says what is wrong with
//! the text and where.
//!
//! ```
//! use fencepost_frontend::parse_fp;
//!
//! let input = parse_fp("flag.fp", "atomic flag: bool; thread t { flag.store(1, rel); }")?;
//! assert_eq!(input.program.threads.len(), 1);
//!
//! let error = parse_fp("flag.fp", "atomic flag: bool; thread t { flog.store(1, rel); }").unwrap_err();
//! assert!(error.to_string().contains("flog"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod c;
mod cursor;
mod diagnostic;
mod expression;
mod fp;
mod input;
mod language;
mod limits;
mod litmus;
mod lowering;
mod operators;
mod orderings;
mod text;
mod tokens;

pub use c::{Compiler, Unit, parse_compiled, parse_ir, read_program};
pub use diagnostic::{Diagnostic, Error, Label};
pub use fp::{format_fp, parse_fp};
pub use input::{
    Abort, Input, Nondet, Settings, Uninitialised, read, read_as, read_with, read_with_every_value, read_within,
};
pub use language::Language;
pub use litmus::parse_litmus;
pub use text::TextRange;
