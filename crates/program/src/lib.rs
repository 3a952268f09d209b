//! What a concurrent program is, with its memory left open.
//!
//! A program is a labelled transition system that knows nothing about memory (paper 003 §2.2, paper 001 §2.2):
//! [`Machine::next`] says what a thread wants to do next, [`Machine::resume`] takes the answer that some memory gave.
//! Nothing else steps a program; every engine is a client of these two.

mod liveness;
mod machine;
mod ordering;
mod program;
mod source;

pub use machine::{Accept, Action, Answer, Failure, Label, LabelKind, Machine, ThreadState};
pub use ordering::Ordering;
pub use program::{
    Address, BinaryOp, CasKind, Comparison, FuncId, Function, Inst, Object, ObjectId, Operand, Place, Program, Reg,
    Thread, Ty, UnaryOp, Update, UpdateOp, Value,
};
pub use source::{FileId, Source, Span};
