//! The code of functions: its instructions, what they read and set, where control goes, and how code is made and
//! changed.
//!
//! - [`Inst`] and what its fields are made of. [`Inst::place`] and the visitors (`for_each_operand`,
//!   `for_each_defined`, `for_each_target`, each also with `_mut`) are the only tables of what an instruction mentions.
//! - [`Builder`] makes a function, with labels for places that are not known yet.
//! - [`Flow`], [`Dominators`] and [`components`] describe any graph of control flow; [`Liveness`] describes registers.
//! - [`inlined`] puts the code of calls in their place.
//! - [`Interval`] says which words an operation can give.
//! - `Function::tidy` removes copies and dead code, and lets registers share.

mod arithmetic;
mod bits;
mod builder;
mod dominators;
mod flow;
mod inline;
mod inst;
mod interval;
mod jumps;
mod liveness;
mod registers;
#[cfg(test)]
mod tests;
mod tidy;
mod update;
mod visit;

pub use arithmetic::{ArithmeticOp, UnaryOp, smallest};
pub use bits::{BitMatrix, BitSet};
pub use builder::{Builder, Label};
pub use dominators::Dominators;
pub use flow::{Flow, Successors, components, order_along, order_from};
pub use inline::{Inlined, NotInlined, inlined};
pub use inst::{Allocation, CasKind, Cell, Comparison, Inst, Memory, Operand, Place};
pub use interval::Interval;
pub use liveness::Liveness;
pub use update::{Update, UpdateOp};
