//! What a reader returns, and the choice of the reader by the name of the file.

use fencepost_budget::{Budget, Spent};
use fencepost_program::question::{Condition, Observable, Proposition};
use fencepost_program::{Program, Value};
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use crate::diagnostic::{Diagnostic, Error};
use crate::language::{self, Language};
use crate::limits;
use crate::text::TextRange;

/// A program that was read.
#[derive(Clone, Debug)]
pub struct Input {
    pub program: Program,
    /// The `//! key: value` lines at the top of an `.fp` file, the `Key=Value` lines of a litmus test.
    pub header: Vec<(String, String)>,
    /// What a litmus test asks about its final states.
    pub condition: Option<Condition>,
    /// The final states that it asks about, if not all.
    pub filter: Option<Proposition>,
    /// What it wants to see of them beyond the condition, with the names that it uses.
    pub observed: Vec<(String, Observable)>,
}

impl Input {
    /// The program whose ended threads still have the registers that the condition, the filter and the list of
    /// observed ones ask about (`Function::observed`). Without them there are fewer states.
    pub fn observing(&self) -> Program {
        let mut observables: Vec<Observable> = self.observed.iter().map(|(_, observable)| *observable).collect();
        for proposition in self.condition.iter().map(|c| &c.proposition).chain(&self.filter) {
            proposition.collect_observables(&mut observables);
        }
        let mut program = self.program.clone();
        for observable in observables {
            if let Observable::Register { thread, reg } = observable {
                let func = program.threads[thread].func;
                let observed = &mut program.functions[func.0 as usize].observed;
                if !observed.contains(&reg) {
                    observed.push(reg);
                }
            }
        }
        program
    }
}

/// How a C or C++ program is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub nondet: Nondet,
    /// Whether wrong use of locks, barriers and condition variables is looked for.
    pub strict: bool,
    /// Whether the program's output is kept, to be shown.
    pub output: bool,
    /// Memory that was freed is not allocated again, whether or not the program compares pointers.
    pub no_reuse: bool,
    /// Whether the library over-approximates, as proofs may.
    pub proof: bool,
    /// Whether `malloc`, `pthread_create` and others may fail.
    pub failing: bool,
    /// The only value of `main`'s `argc`.
    pub argc: Option<u8>,
    /// What `abort` is. It is an error unless the program has the error function of SV-COMP.
    pub abort: Option<Abort>,
    /// What a local number is to which nothing was assigned.
    pub uninitialised: Uninitialised,
    /// Data races are not looked for, so plain accesses must not come in between those of an atomic section.
    pub ignores_races: bool,
}

/// What a call of `abort` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abort {
    Error,
    /// An end of the program like `exit`.
    End,
}

/// What it means to read a local number to which nothing was assigned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Uninitialised {
    #[default]
    Error,
    /// It has some value then, as in programs that are written for verifiers.
    Any,
}

impl Settings {
    /// For an analysis that does not try values one by one.
    pub fn for_proofs() -> Settings {
        Settings { nondet: Nondet::Every, no_reuse: true, proof: true, ignores_races: true, ..Settings::default() }
    }
}

/// The values of `__VERIFIER_nondet_int` and similar functions. Types of at most 8 bits always have all their values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nondet {
    /// A few values. That no error was found with them is not an answer.
    #[default]
    Few,
    /// Every value of the type, for an analysis that does not try them one by one.
    Every,
    /// The values from the first to the last that the type has.
    Within(Value, Value),
}

/// Reads a file in the language that its extension names.
pub fn read(path: impl AsRef<Path>) -> Result<Input, Error> {
    read_with(path, &[])
}

/// Reads a file, with arguments for the compiler of a C or C++ file.
pub fn read_with(path: impl AsRef<Path>, arguments: &[OsString]) -> Result<Input, Error> {
    read_as(path, arguments, Settings::default())
}

/// Reads a file for an analysis that does not try values one by one.
pub fn read_with_every_value(path: impl AsRef<Path>, arguments: &[OsString]) -> Result<Input, Error> {
    read_as(path, arguments, Settings::for_proofs())
}

/// Reads a file, a C or C++ program with these settings.
pub fn read_as(path: impl AsRef<Path>, arguments: &[OsString], settings: Settings) -> Result<Input, Error> {
    read_within(path, arguments, settings, &Budget::default())
}

/// Reads a file, as long as the budget lasts.
pub fn read_within(
    path: impl AsRef<Path>,
    arguments: &[OsString],
    settings: Settings,
    budget: &Budget,
) -> Result<Input, Error> {
    let path = path.as_ref();
    match Language::of(path) {
        Some(language) => language.read(path, arguments, settings, budget),
        None => Err(language::unknown(path)),
    }
}

/// The text of a file.
pub(crate) fn text(path: &Path, budget: &Budget) -> Result<String, Error> {
    let name = path.display().to_string();
    let fail = |message: String| Error::new(&name, "", vec![Diagnostic::without_place(message)]);
    // One byte more than allowed is enough to see that there are too many, even in an endless device.
    let bytes = bytes(path, limits::FILE_BYTES as u64 + 1, budget)
        .map_err(|spent| Error::spent(&name, spent))?
        .map_err(|e| fail(format!("cannot read the file: {e}")))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(_) if std::fs::metadata(path).is_ok_and(|m| m.len() > limits::FILE_BYTES as u64) => Err(fail(too_large())),
        Err(e) => {
            let valid = e.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(e.as_bytes()).into_owned();
            let range = TextRange::new(valid, valid + '\u{fffd}'.len_utf8());
            Err(Error::new(&name, &text, vec![Diagnostic::new("the file is not UTF-8", range, "not a character")]))
        }
    }
}

/// The beginning of a file. Stops waiting when the budget is spent: the file may be a pipe without a writer.
pub(crate) fn bytes(path: &Path, most: u64, budget: &Budget) -> Result<std::io::Result<Vec<u8>>, Spent> {
    let path = path.to_owned();
    budget.wait_for(move || {
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    })
}

fn too_large() -> String {
    format!("the file is too large: at most {} bytes are read", limits::FILE_BYTES)
}

/// Every reader starts with this.
pub(crate) fn check_size(text: &str) -> Result<(), Diagnostic> {
    if text.len() <= limits::FILE_BYTES { Ok(()) } else { Err(Diagnostic::without_place(too_large())) }
}

/// The `//! key: value` lines that a file of the corpus begins with.
pub(crate) fn header(text: &str) -> Vec<(String, String)> {
    text.lines()
        .map_while(|line| line.trim().strip_prefix("//!"))
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect()
}
