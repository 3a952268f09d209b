//! What is analysed as one program: a file, or several that are linked.

mod command_line;
mod database;
mod flags;

use std::path::{Path, PathBuf};

use fencepost_frontend::{Language, Unit};

use crate::arguments::InputArguments;
use crate::input::{is_stdin, name};
use crate::output::Output;

/// A program, in one file or in several.
#[derive(Debug)]
pub struct Subject {
    /// What reports call it.
    pub name: String,
    pub units: Vec<Unit>,
    /// What to do if it has no `main`, or several.
    pub hint: Option<String>,
}

impl Subject {
    fn alone(path: &Path, arguments: &InputArguments) -> Subject {
        Subject { name: name(path), units: vec![unit(path, arguments)], hint: None }
    }

    pub fn is_stdin(&self) -> bool {
        self.units.iter().any(|unit| is_stdin(&unit.path))
    }
}

fn unit(path: &Path, arguments: &InputArguments) -> Unit {
    Unit { path: path.to_owned(), directory: None, arguments: arguments.compiler_arguments.clone() }
}

/// The programs that a command line names, or what is wrong with it. Notes go to standard error.
pub fn subjects(arguments: &InputArguments, output: &Output) -> Result<Vec<Subject>, String> {
    if let Some(build) = &arguments.build {
        let chosen = database::chosen(build, arguments)?;
        chosen.notes.iter().for_each(|note| output.complain(&format!("note: {note}")));
        return Ok(vec![chosen.subject]);
    }
    if !arguments.together {
        return Ok(arguments.files.iter().map(|path| Subject::alone(path, arguments)).collect());
    }
    if let Some(other) = arguments.files.iter().find(|path| !is_linked(path)) {
        return Err(format!("--together links C, C++ and LLVM IR, and {} is none of these", name(other)));
    }
    if let Some(twice) = twice(&arguments.files) {
        return Err(format!("{} is given twice, and --together makes one program of all files", name(twice)));
    }
    let units: Vec<Unit> = arguments.files.iter().map(|path| unit(path, arguments)).collect();
    Ok(vec![Subject { name: joined(&units), units, hint: None }])
}

/// Whether files of this language can be parts of a program.
fn is_linked(path: &Path) -> bool {
    matches!(Language::of(path), Some(Language::C | Language::Cpp | Language::LlvmIr))
}

fn twice(files: &[PathBuf]) -> Option<&Path> {
    let paths: Vec<Option<PathBuf>> = files.iter().map(|path| path.canonicalize().ok()).collect();
    let again = |i: &usize| paths[*i].is_some() && paths[..*i].contains(&paths[*i]);
    (0..files.len()).find(again).map(|i| &*files[i])
}

/// `a.c + b.c`, or `a.c + 7 files`.
fn joined(units: &[Unit]) -> String {
    let names: Vec<String> = units.iter().map(|unit| name(&unit.shown())).collect();
    match &names[..] {
        [first, _, _, _, ..] => format!("{first} + {} files", names.len() - 1),
        _ => names.join(" + "),
    }
}
