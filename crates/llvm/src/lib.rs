//! A reader of LLVM IR in its text form, for what clang 15 to 22 and rustc print.
//!
//! [`read`] turns the text into a [`Module`]: types, globals, functions, and as much debug information as names
//! variables and places in the source. Attributes and other metadata are skipped. An instruction that is not supported
//! is kept as [`Op::Unsupported`], because a program that never reaches it has no use for it.
//!
//! ```
//! use fencepost_llvm::{Op, read};
//!
//! let module = read(
//!     "define i32 @first(ptr %p) {
//!        %value = load i32, ptr %p, align 4
//!        ret i32 %value
//!      }",
//! )?;
//! let function = &module.functions[0];
//! assert_eq!(module.name(function.name), "first");
//! assert!(matches!(function.blocks[0].instructions[0].op, Op::Load { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod constant;
mod error;
mod instruction;
mod lexer;
mod metadata;
mod module;
mod names;
mod outline;
mod parse;
mod types;

pub use constant::{Constant, ConstantId, ConstantKind, Operand};
pub use error::Error;
pub use instruction::{
    Argument, AtomicOrdering, Binary, Call, Callee, Cast, Clause, FloatPredicate, Instruction, IntPredicate, Op, RmwOp,
};
pub use metadata::{Location, Member, Metadata, MetadataId, SourceType, SourceVariable};
pub use module::{Alias, Block, BlockId, Function, Global, Linkage, LocalId, Module, Parameter, Selection, Variable};
pub use names::{Names, Symbol};
pub use outline::{Outline, Part};
pub use parse::{read, read_unless};
pub use types::{Type, TypeId, Types};
