//! What a concurrent program is, with its memory left open.
//!
//! A program is a labelled transition system that knows nothing about memory (paper 003 §2.2, paper 001 §2.2):
//! [`Machine::next`] says what a thread wants to do next, [`Machine::resume`] takes the answer that some memory gave.
//! Nothing else steps a program; every engine is a client of these two.
//!
//! ```
//! use fencepost_frontend::parse_fp;
//! use fencepost_program::{Action, Answer, Machine};
//!
//! let program = parse_fp("add.fp", "atomic x = 1; thread t { a = x.load(acq); x.store(a + 1, rel); }")?.program;
//! let machine = Machine::new(&program);
//! let mut thread = machine.start(0);
//! assert!(matches!(machine.next(&thread), Action::Load { .. }));
//! machine.resume(&mut thread, Answer::Read(6), 0);
//! assert!(matches!(machine.next(&thread), Action::Store { value: 7, .. }));
//! machine.resume(&mut thread, Answer::Done, 0);
//! assert_eq!(machine.next(&thread), Action::End);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod action;
pub mod code;
mod dependency;
mod division;
mod freed;
mod held;
mod machine;
mod marks;
mod membar;
pub mod memory;
mod names;
mod ordering;
mod printf;
mod program;
pub mod question;
mod source;
mod state;
mod step;
mod tuning;
mod unwritten;
mod variables;
mod waiting;
pub mod wide;

pub use action::{Accept, Action, Answer, Failure, Label, LabelKind, Misuse};
pub use code::{
    Allocation, ArithmeticOp, CasKind, Cell, Comparison, Inst, Memory, Operand, Place, UnaryOp, Update, UpdateOp,
    smallest,
};
pub use division::{Division, Piece, Pieces, Role};
pub use freed::Freed;
pub use machine::Machine;
pub use membar::Membar;
pub use names::{Layout, Layouts, Names, Part, ValueKind};
pub use ordering::Ordering;
pub use program::{
    Address, FuncId, Function, Global, Object, ObjectId, Processor, Program, Reg, Register, RegisterKind, Service,
    Thread, Ty, Undefined, Value,
};
pub use source::{FileId, Source, Span};
pub use state::ThreadState;
pub use tuning::Change;
pub use variables::Variables;
pub use waiting::Waiting;
