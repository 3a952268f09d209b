//! C and C++: compiled by clang to LLVM IR, read by [`fencepost_llvm`], and lowered to a program.

mod acsl;
mod assembly;
mod atomics;
mod calls;
mod clang;
mod conventions;
mod debug;
mod dialect;
mod environment;
mod escape;
mod exceptions;
mod function;
mod globals;
mod headers;
mod instructions;
mod intrinsics;
mod leaves;
mod library;
mod link;
mod linkage;
mod lower;
mod macos;
mod named;
mod nondet;
mod output;
mod primitives;
mod reach;
mod refused;
mod reuse;
mod sections;
mod system;
mod throwing;
mod types;
mod unassigned;
mod units;
mod unknown;
mod variadic;
mod vectors;
mod wide;

use std::ffi::OsString;
use std::path::Path;

use fencepost_budget::{Budget, Spent};
use fencepost_llvm::Module;
use fencepost_program::Program;

use crate::diagnostic::Error;
use crate::input::{Input, Settings};
pub use clang::Compiler;
use debug::Quotable;
use lower::{At, Refusal};
use units::Part;
pub use units::Unit;

/// Reads LLVM IR.
pub fn parse_ir(name: &str, text: &str, settings: Settings, budget: &Budget) -> Result<Input, Error> {
    let part = Part::given(name, text.to_owned(), Quotable::near(Path::new(name)), budget);
    let program = part.and_then(|part| units::linked(vec![part], None, settings, budget));
    program.map(input).map_err(|failed| failed.error(name))
}

/// Reads the LLVM IR that a [`Compiler`] has made of a file.
pub fn parse_compiled(path: &Path, ir: &str, settings: Settings, budget: &Budget) -> Result<Input, Error> {
    let name = path.display().to_string();
    let part = Part::made(&name, ir, Quotable::read(path.canonicalize().into_iter().collect()), budget);
    let program = part.and_then(|part| units::linked(vec![part], None, settings, budget));
    program.map(input).map_err(|failed| failed.error(&name))
}

/// Why there is no program.
enum Failure {
    Refused(Refusal),
    Spent(Spent),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Refused(message.into())
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<Spent> for Failure {
    fn from(spent: Spent) -> Failure {
        Failure::Spent(spent)
    }
}

fn input(program: Program) -> Input {
    Input { program, header: Vec::new(), condition: None, filter: None, observed: Vec::new() }
}

/// Reads a C or C++ file with clang, which gets the arguments too, or a file of LLVM IR.
pub(crate) fn read_alone(
    path: &Path,
    arguments: &[OsString],
    settings: Settings,
    budget: &Budget,
) -> Result<Input, Error> {
    let unit = Unit { path: path.to_owned(), directory: None, arguments: arguments.to_vec() };
    read_program(&[unit], settings, budget)
}

/// Reads files that are one program: C and C++, which clang compiles, and LLVM IR.
pub fn read_program(units: &[Unit], settings: Settings, budget: &Budget) -> Result<Input, Error> {
    let names: Vec<String> = units.iter().map(|unit| unit.shown().display().to_string()).collect();
    units::program(units, settings, budget).map(input).map_err(|failed| failed.error(&names.join(", ")))
}

fn read_module(text: &str, budget: &Budget) -> Result<Module, Failure> {
    fencepost_llvm::read_unless(text, &|| budget.is_spent()).map_err(|e| match budget.check() {
        Err(spent) => spent.into(),
        Ok(()) => Refusal { message: format!("cannot read the LLVM IR: {e}"), at: Some(At::Ir(0, e.line)) }.into(),
    })
}
