//! The files of a program: each becomes a module, and these one program.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use fencepost_budget::Budget;
use fencepost_llvm::Module;
use fencepost_program::Program;
use fencepost_scratch::Directory;
use hashbrown::HashSet;

use super::clang::{self, Compilation, Compiler};
use super::debug::Quotable;
use super::dialect::{self, Compiled};
use super::library::Library;
use super::lower::{self, At, Refusal};
use super::{Failure, macos, read_module};
use crate::diagnostic::{Diagnostic, Error};
use crate::input::{Settings, bytes};
use crate::text::TextRange;

/// A longer `.ll` file is not read.
const MOST_IR: u64 = 1 << 30;

/// A file of a program, and how it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub path: PathBuf,
    /// Where clang runs, and what the path is relative to, if not here.
    pub directory: Option<PathBuf>,
    /// For clang.
    pub arguments: Vec<OsString>,
}

impl Unit {
    /// The path from here.
    pub fn shown(&self) -> PathBuf {
        match &self.directory {
            Some(directory) => directory.join(&self.path),
            None => self.path.clone(),
        }
    }

    fn is_ir(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "ll" || extension == "bc")
    }
}

/// A module of the program.
pub(super) struct Part {
    name: String,
    module: Module,
    /// Its text, if it is the user's: what clang makes is not quoted.
    ir: Option<String>,
    quotable: Quotable,
    /// What had to be assumed to compile it.
    assumptions: Vec<String>,
}

impl Part {
    /// Reads LLVM IR that the user gave.
    pub(super) fn given(name: &str, ir: String, quotable: Quotable, budget: &Budget) -> Result<Part, Failed> {
        match read_module(&macos::in_our_terms(&ir), budget) {
            Ok(module) => Ok(Part { name: name.to_owned(), module, ir: Some(ir), quotable, assumptions: Vec::new() }),
            Err(failure) => Err(Failed { failure, parts: vec![(name.to_owned(), Some(ir))] }),
        }
    }

    /// Reads LLVM IR that clang made of a file.
    pub(super) fn made(name: &str, ir: &str, quotable: Quotable, budget: &Budget) -> Result<Part, Failed> {
        let module = read_module(ir, budget).map_err(|failure| Failed::of(name, failure))?;
        Ok(Part { name: name.to_owned(), module, ir: None, quotable, assumptions: Vec::new() })
    }
}

/// Why there is no program.
pub(super) struct Failed {
    failure: Failure,
    /// The modules that it may be about: their names, and the LLVM IR that may be quoted.
    parts: Vec<(String, Option<String>)>,
}

impl<F: Into<Failure>> From<F> for Failed {
    fn from(failure: F) -> Failed {
        Failed { failure: failure.into(), parts: Vec::new() }
    }
}

impl Failed {
    fn of(name: &str, failure: impl Into<Failure>) -> Failed {
        Failed { failure: failure.into(), parts: vec![(name.to_owned(), None)] }
    }

    /// The error for a program of this name.
    pub(super) fn error(&self, name: &str) -> Error {
        // What concerns one file of several is about that.
        let name = if let [(only, _)] = &self.parts[..] { only } else { name };
        let (message, at) = match &self.failure {
            Failure::Refused(Refusal { message, at }) => (message, at),
            Failure::Spent(spent) => return Error::spent(name, *spent),
        };
        let quoted = match at {
            Some(At::Source(source, line)) if !source.text.is_empty() => Some((&*source.name, &*source.text, *line)),
            Some(At::Ir(m, line)) => match self.parts.get(*m) {
                Some((name, Some(text))) => Some((&**name, &**text, *line)),
                _ => None,
            },
            _ => None,
        };
        match quoted {
            Some((name, text, line)) => {
                let range = TextRange::of_line(text, line);
                Error::new(name, text, vec![Diagnostic::new(message.clone(), range, "")])
            }
            None => Error::new(name, "", vec![Diagnostic::without_place(message.clone())]),
        }
    }
}

/// Compiles and reads all files, many at once, and makes them one program.
pub(super) fn program(units: &[Unit], settings: Settings, budget: &Budget) -> Result<Program, Failed> {
    let has_source = units.iter().any(|unit| !unit.is_ir());
    let is_cxx = |unit: &Unit| !unit.is_ir() && clang::is_cxx(&unit.path, &unit.arguments);
    let is_cxx = units.iter().any(is_cxx);
    let compiler = if has_source { Some(Compiler::of(is_cxx)?) } else { None };
    // All at once: most of the time goes into starting clang.
    let library = match &compiler {
        Some(compiler) => Some(Library::start(&compiler.clang, settings, is_cxx)?),
        None => None,
    };
    let parts = match units {
        [unit] => vec![part(unit, compiler.as_ref(), true, budget)?],
        _ => many(units, compiler.as_ref(), budget)?,
    };
    linked(parts, library, settings, budget)
}

/// Reads files on several threads. The first failure, in the order of the files, is that of all.
fn many(units: &[Unit], compiler: Option<&Compiler>, budget: &Budget) -> Result<Vec<Part>, Failed> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<_>> = Mutex::new(units.iter().map(|_| None).collect());
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = units.get(i) else { return };
            let result = part(unit, compiler, false, budget);
            results.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(result);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(units.len());
    thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(work);
        }
        work();
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

/// Reads one file, which may be all of the program.
fn part(unit: &Unit, compiler: Option<&Compiler>, is_all: bool, budget: &Budget) -> Result<Part, Failed> {
    let path = unit.shown();
    let name = path.display().to_string();
    let Some(compiler) = compiler.filter(|_| !unit.is_ir()) else {
        let is_bitcode = path.extension().is_some_and(|extension| extension == "bc");
        let ir = if is_bitcode { clang::disassembled(&path, budget) } else { text(&path, budget) };
        let ir = ir.map_err(|failure| Failed::of(&name, failure))?;
        return Part::given(&name, ir, Quotable::near(&path), budget);
    };
    let (compiled, read) = compiled(unit, compiler, is_all, budget).map_err(|failure| Failed::of(&name, failure))?;
    let quotable = match clang::is_preprocessed(&path) {
        // Clang lists no files then. The lines are those of the file that it was made of.
        true => Quotable::near(&path),
        false => Quotable::read(read),
    };
    let part = Part::made(&name, &compiled.ir, quotable, budget)?;
    Ok(Part { assumptions: compiled.assumptions, ..part })
}

/// What clang makes of a file, and the files that it reads for that.
fn compiled(
    unit: &Unit,
    compiler: &Compiler,
    is_all: bool,
    budget: &Budget,
) -> Result<(Compiled, HashSet<PathBuf>), Failure> {
    let directory = Directory::new()?;
    let list = directory.path().join("read");
    let command = |flags: &[&str]| {
        let mut command = compiler.command(&unit.arguments);
        command.args(flags).args(clang::list_of_files(&list)).arg("-o").arg("-");
        if let Some(directory) = &unit.directory {
            command.current_dir(directory);
        }
        command
    };
    let compiled = match clang::is_cxx(&unit.path, &unit.arguments) {
        true => Compiled { ir: Compilation::start(command(&[]), &unit.path)?.finish(budget)?, assumptions: Vec::new() },
        false => dialect::compiled(unit, command, is_all, budget)?,
    };
    let mut read = clang::listed_files(&list, unit.directory.as_deref());
    // What clang read may have been a copy.
    read.extend(unit.shown().canonicalize());
    Ok((compiled, read))
}

/// Makes a program of modules and our library, which is compiled first unless that has begun.
pub(super) fn linked(
    parts: Vec<Part>,
    library: Option<Library>,
    settings: Settings,
    budget: &Budget,
) -> Result<Program, Failed> {
    let library = match library {
        Some(library) => library,
        None => Library::start(&clang::find()?, settings, false)?,
    };
    let users: Vec<&Module> = parts.iter().map(|part| &part.module).collect();
    // What libc++ has compiled relies on the layout of its types, which is another one there.
    let is_of_macos = parts.iter().filter_map(|part| part.ir.as_deref()).any(macos::is_of);
    let library = library.finish(&users, !is_of_macos, budget)?;
    let modules = users.into_iter().chain(&library).collect();
    let names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
    let mut quotable = Quotable::default();
    parts.iter().for_each(|part| quotable.or(&part.quotable));
    let program = lower::lower(modules, &names, quotable, settings, budget);
    let program = program.map(|mut program| {
        let assumptions: BTreeSet<&String> = parts.iter().flat_map(|part| &part.assumptions).collect();
        program.assumptions.splice(..0, assumptions.into_iter().cloned());
        program
    });
    program.map_err(|failure| {
        let parts = parts.into_iter().map(|part| (part.name, part.ir)).collect();
        Failed { failure, parts }
    })
}

/// The text of a `.ll` file.
fn text(path: &Path, budget: &Budget) -> Result<String, Failure> {
    let bytes = bytes(path, MOST_IR + 1, budget)?.map_err(|e| format!("cannot read the file: {e}"))?;
    if bytes.len() as u64 > MOST_IR {
        return Err(format!("the file is too large: at most {MOST_IR} bytes are read").into());
    }
    String::from_utf8(bytes).map_err(|_| "cannot read the file: it is not UTF-8".to_owned().into())
}
