//! C and C++: compiled by clang to LLVM IR, read by [`fencepost_llvm`], and lowered to a program.

mod calls;
mod clang;
mod debug;
mod environment;
mod escape;
mod function;
mod globals;
mod instructions;
mod intrinsics;
mod leaves;
mod link;
mod lower;
mod nondet;
mod output;
mod primitives;
mod reuse;
mod types;
mod unassigned;
mod variadic;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use fencepost_budget::{Budget, Spent};
use fencepost_llvm::Module;
use fencepost_program::Program;
use fencepost_scratch::Directory;

use crate::diagnostic::{Diagnostic, Error};
use crate::input::{Input, Settings, bytes};
use crate::text::TextRange;
use clang::Compilation;
pub use clang::Compiler;
use debug::Quotable;
use lower::Refusal;

/// What the analysed program sees of the C library, and the headers that it may include.
const LIBRARY: [(&str, &str); 6] = [
    ("primitives.h", include_str!("runtime/primitives.h")),
    ("runtime.c", include_str!("runtime/runtime.c")),
    ("strings.c", include_str!("runtime/strings.c")),
    ("verifier.c", include_str!("runtime/verifier.c")),
    ("reuse.c", include_str!("runtime/reuse.c")),
    ("library.c", "#include \"runtime.c\"\n#include \"strings.c\"\n#include \"reuse.c\"\n#include \"verifier.c\"\n"),
];

/// A longer `.ll` file is not read.
const MOST_IR: u64 = 1 << 30;

/// Reads LLVM IR.
pub fn parse_ir(name: &str, text: &str, settings: Settings, budget: &Budget) -> Result<Input, Error> {
    let program = lowered_alone(text, Quotable::near(Path::new(name)), settings, budget);
    program.map(input).map_err(|failure| failed(name, Some(text), failure))
}

/// Reads the LLVM IR that a [`Compiler`] has made of a file.
pub fn parse_compiled(path: &Path, ir: &str, settings: Settings, budget: &Budget) -> Result<Input, Error> {
    let quotable = Quotable::Read(path.canonicalize().into_iter().collect());
    let program = lowered_alone(ir, quotable, settings, budget);
    program.map(input).map_err(|failure| failed(&path.display().to_string(), None, failure))
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

/// Reads a C or C++ file with clang, which gets the arguments too.
pub(crate) fn read_source(
    path: &Path,
    arguments: &[OsString],
    settings: Settings,
    budget: &Budget,
) -> Result<Input, Error> {
    let name = path.display().to_string();
    program(path, arguments, settings, budget).map(input).map_err(|failure| failed(&name, None, failure))
}

/// Reads a file of LLVM IR.
pub(crate) fn read_ir(path: &Path, _: &[OsString], settings: Settings, budget: &Budget) -> Result<Input, Error> {
    let name = path.display().to_string();
    match text(path, budget) {
        Ok(text) => parse_ir(&name, &text, settings, budget),
        Err(failure) => Err(failed(&name, None, failure)),
    }
}

/// The error for a failure. It quotes the input, and LLVM IR only if that is the input: clang's output is not shown.
fn failed(name: &str, ir: Option<&str>, failure: Failure) -> Error {
    let Refusal { message, at } = match failure {
        Failure::Refused(refusal) => refusal,
        Failure::Spent(spent) => return Error::spent(name, spent),
    };
    let (name, text, line) = match (&at, ir) {
        (Some((Some(source), line)), _) if !source.text.is_empty() => (&*source.name, &*source.text, *line),
        (Some((None, line)), Some(ir)) => (name, ir, *line),
        _ => return Error::new(name, "", vec![Diagnostic::without_place(message)]),
    };
    Error::new(name, text, vec![Diagnostic::new(message, TextRange::of_line(text, line), "")])
}

fn program(path: &Path, arguments: &[OsString], settings: Settings, budget: &Budget) -> Result<Program, Failure> {
    let compiler = Compiler::new()?;
    let directory = Directory::new()?;
    // Both at once: most of the time goes into starting clang.
    let runtime = Runtime::start(&compiler.clang, &directory, settings)?;
    let list = directory.path().join("read");
    let mut command = compiler.command(arguments);
    command.args(clang::list_of_files(&list)).arg("-o").arg("-");
    let text = Compilation::start(command, path)?.finish(budget);
    let runtime = runtime.finish(budget)?;
    lowered(&text?, &runtime, Quotable::Read(clang::listed_files(&list)), settings, budget)
}

/// Lowers LLVM IR with our library, which is compiled first unless it is known.
fn lowered_alone(text: &str, quotable: Quotable, settings: Settings, budget: &Budget) -> Result<Program, Failure> {
    let clang = clang::find()?;
    let runtime = match Runtime::known(&clang, settings) {
        Some(known) => known,
        None => Runtime::start(&clang, &Directory::new()?, settings)?.finish(budget)?,
    };
    lowered(text, &runtime, quotable, settings, budget)
}

fn lowered(
    text: &str,
    runtime: &Module,
    quotable: Quotable,
    settings: Settings,
    budget: &Budget,
) -> Result<Program, Failure> {
    let module = read_module(text, budget)?;
    lower::lower(vec![&module, runtime], 1, quotable, settings, budget)
}

/// Our library, compiled once in a process for each compiler and variant.
enum Runtime {
    Compiling { clang: OsString, variant: Variant, compilation: Compilation },
    Known(Arc<Module>),
}

/// What the library is compiled with: the macros that its source asks for.
type Variant = [&'static str; 3];

fn variant(settings: Settings) -> Variant {
    [
        if settings.strict { "-DSTRICT=1" } else { "-DSTRICT=0" },
        if settings.proof { "-DPROOF=1" } else { "-DPROOF=0" },
        if settings.failing { "-DFAILING=1" } else { "-DFAILING=0" },
    ]
}

static KNOWN: Mutex<Vec<(OsString, Variant, Arc<Module>)>> = Mutex::new(Vec::new());

impl Runtime {
    fn known(clang: &OsString, settings: Settings) -> Option<Arc<Module>> {
        let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|(by, variant, _)| by == clang && *variant == self::variant(settings));
        found.map(|(.., module)| Arc::clone(module))
    }

    fn start(clang: &OsString, directory: &Directory, settings: Settings) -> Result<Runtime, String> {
        if let Some(module) = Runtime::known(clang, settings) {
            return Ok(Runtime::Known(module));
        }
        let variant = variant(settings);
        let mut file = PathBuf::new();
        for (name, text) in LIBRARY {
            file = directory.write(name, text)?;
        }
        let mut command = clang::command(clang);
        command.args(["-ffreestanding", "-fno-builtin"]).args(variant).arg("-o").arg("-");
        let compilation = Compilation::start(command, &file)?;
        Ok(Runtime::Compiling { clang: clang.clone(), variant, compilation })
    }

    fn finish(self, budget: &Budget) -> Result<Arc<Module>, Failure> {
        match self {
            Runtime::Known(module) => Ok(module),
            Runtime::Compiling { clang, variant, compilation } => {
                let module = Arc::new(read_module(&compilation.finish(budget)?, budget)?);
                let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
                known.push((clang, variant, Arc::clone(&module)));
                Ok(module)
            }
        }
    }
}

/// The text of a `.ll` file.
fn text(path: &Path, budget: &Budget) -> Result<String, Failure> {
    let bytes = bytes(path, MOST_IR + 1, budget)?.map_err(|e| format!("cannot read the file: {e}"))?;
    if bytes.len() as u64 > MOST_IR {
        return Err(format!("the file is too large: at most {MOST_IR} bytes are read").into());
    }
    String::from_utf8(bytes).map_err(|_| "cannot read the file: it is not UTF-8".to_owned().into())
}

fn read_module(text: &str, budget: &Budget) -> Result<Module, Failure> {
    fencepost_llvm::read_unless(text, &|| budget.is_spent()).map_err(|e| match budget.check() {
        Err(spent) => spent.into(),
        Ok(()) => Refusal { message: format!("cannot read the LLVM IR: {e}"), at: Some((None, e.line)) }.into(),
    })
}
