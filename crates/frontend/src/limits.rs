//! What the readers refuse to go beyond, so that hostile input costs neither the stack nor the machine's memory.

/// Bytes of an input file.
pub(crate) const FILE_BYTES: usize = 1 << 20;
/// Blocks, parentheses, unary operators and `else if`s inside each other.
pub(crate) const NESTING: usize = 128;
/// Operators and operands of one expression; bounds the height of its tree.
pub(crate) const EXPRESSION_PARTS: usize = 1000;
pub(crate) const THREADS: i64 = 64;
pub(crate) const CELLS: i64 = 4096;
/// Parameters of one function, arguments of one call.
pub(crate) const PARAMETERS: usize = 64;
/// Registers of one function, temporaries included.
pub(crate) const REGISTERS: usize = 1024;
/// Instructions of one function.
pub(crate) const INSTRUCTIONS: usize = 1 << 16;
/// Errors reported for one file; what follows is mostly their consequence.
pub(crate) const ERRORS: usize = 20;
