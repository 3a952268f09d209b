//! C and C++: compiled by clang to LLVM IR, read by [`fencepost_llvm`], and lowered to a program.

mod calls;
mod clang;
mod debug;
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
mod reuse;
mod types;
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

/// What the analysed program sees of the C library, and the headers that it may include.
const LIBRARY: [(&str, &str); 5] = [
    ("primitives.h", include_str!("runtime/primitives.h")),
    ("runtime.c", include_str!("runtime/runtime.c")),
    ("verifier.c", include_str!("runtime/verifier.c")),
    ("reuse.c", include_str!("runtime/reuse.c")),
    ("library.c", "#include \"runtime.c\"\n#include \"reuse.c\"\n#include \"verifier.c\"\n"),
];
const HEADERS: [(&str, &str); 2] =
    [("fencepost.h", include_str!("../../include/fencepost.h")), ("genmc.h", include_str!("../../include/genmc.h"))];

/// A longer `.ll` file is not read.
const MOST_IR: u64 = 1 << 30;

/// Reads a C or C++ file with clang, which gets the arguments too; or the LLVM IR in a `.ll` file.
pub fn read_c(path: &Path, arguments: &[OsString]) -> Result<Input, Error> {
    read_as(path, arguments, Settings::default(), &Budget::default())
}

/// Why there is no program.
enum Failure {
    Message(String),
    Spent(Spent),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Message(message)
    }
}

impl From<Spent> for Failure {
    fn from(spent: Spent) -> Failure {
        Failure::Spent(spent)
    }
}

/// The same as the settings say.
pub(crate) fn read_as(
    path: &Path,
    arguments: &[OsString],
    settings: Settings,
    budget: &Budget,
) -> Result<Input, Error> {
    let name = path.display().to_string();
    let program = program(path, arguments, settings, budget);
    match program {
        Ok(program) => Ok(Input { program, header: Vec::new(), condition: None, filter: None, observed: Vec::new() }),
        Err(Failure::Spent(spent)) => Err(Error::spent(&name, spent)),
        Err(Failure::Message(message)) => Err(Error::new(&name, "", vec![Diagnostic::without_place(message)])),
    }
}

fn program(path: &Path, arguments: &[OsString], settings: Settings, budget: &Budget) -> Result<Program, Failure> {
    let clang = clang::find()?;
    let directory = Directory::new()?;
    for (name, text) in HEADERS {
        directory.write(name, text)?;
    }
    // Both at once: most of the time goes into starting clang.
    let runtime = Runtime::start(&clang, &directory, settings)?;
    let text = if path.extension().is_some_and(|e| e == "ll") {
        text(path, budget)
    } else {
        let mut all: Vec<OsString> = vec!["-D__FENCEPOST__".into()];
        all.extend(arguments.iter().cloned());
        clang::start(&clang, path, directory.path(), &all)?.finish(budget)
    };
    let runtime = runtime.finish(budget)?;
    let module = read_module(&text?)?;
    Ok(lower::lower(vec![&module, &runtime], 1, settings)?)
}

/// Our library, compiled once in a process for each compiler and variant.
enum Runtime {
    Compiling { clang: OsString, variant: Variant, compilation: clang::Compilation },
    Known(Arc<Module>),
}

/// What the library is compiled with: the macros that its source asks for.
type Variant = [&'static str; 2];

fn variant(settings: Settings) -> Variant {
    [if settings.strict { "-DSTRICT=1" } else { "-DSTRICT=0" }, if settings.proof { "-DPROOF=1" } else { "-DPROOF=0" }]
}

static KNOWN: Mutex<Vec<(OsString, Variant, Arc<Module>)>> = Mutex::new(Vec::new());

impl Runtime {
    fn start(clang: &OsString, directory: &Directory, settings: Settings) -> Result<Runtime, String> {
        let variant = variant(settings);
        let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., module)) = known.iter().find(|(by, known, _)| by == clang && *known == variant) {
            return Ok(Runtime::Known(Arc::clone(module)));
        }
        drop(known);
        let mut file = PathBuf::new();
        for (name, text) in LIBRARY {
            file = directory.write(name, text)?;
        }
        let mut plain = vec![OsString::from("-ffreestanding"), "-fno-builtin".into()];
        plain.extend(variant.map(OsString::from));
        let compilation = clang::start(clang, &file, directory.path(), &plain)?;
        Ok(Runtime::Compiling { clang: clang.clone(), variant, compilation })
    }

    fn finish(self, budget: &Budget) -> Result<Arc<Module>, Failure> {
        match self {
            Runtime::Known(module) => Ok(module),
            Runtime::Compiling { clang, variant, compilation } => {
                let module = Arc::new(read_module(&compilation.finish(budget)?)?);
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

fn read_module(text: &str) -> Result<Module, String> {
    fencepost_llvm::read(text).map_err(|e| format!("cannot read the LLVM IR: {e}"))
}
