//! Runs clang.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use fencepost_budget::{Budget, Process};
use fencepost_scratch::Directory;

use super::Failure;

use hashbrown::HashSet;

/// The environment variable that names the clang to use.
pub(super) const VARIABLE: &str = "FENCEPOST_CLANG";
const NEWEST: u32 = 22;
const OLDEST: u32 = 15;

/// What analysed code is compiled with: `-O0`, so that it is what was written, but open to promotion of locals.
const FLAGS: [&str; 13] = [
    "-S",
    "-emit-llvm",
    "-g",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-fno-discard-value-names",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-fno-vectorize",
    "-fno-strict-aliasing",
    "-w",
    // Without this, libstdc++ reads both counts of a `shared_ptr` in one access, and no model has that.
    "-D_GLIBCXX_TSAN=1",
];

const HEADERS: [(&str, &str); 2] =
    [("fencepost.h", fencepost_wire::HEADER), ("genmc.h", include_str!("../../include/genmc.h"))];
/// The only header that comes before the system's.
const ASSERT_HEADER: &str = include_str!("../../include/assert.h");

/// The clang of the user's choice, or the newest on the path.
pub(super) fn find() -> Result<OsString, String> {
    if let Some(chosen) = std::env::var_os(VARIABLE).filter(|v| !v.is_empty()) {
        return Ok(chosen);
    }
    let names = std::iter::once("clang".to_owned()).chain((OLDEST..=NEWEST).rev().map(|v| format!("clang-{v}")));
    let path = std::env::var_os("PATH").unwrap_or_default();
    for name in names {
        if std::env::split_paths(&path).any(|directory| directory.join(&name).is_file()) {
            return Ok(name.into());
        }
    }
    Err(format!("clang was not found: install it (on Debian, `apt install clang-19`), or set {VARIABLE} to its path"))
}

/// Clang, and the headers that analysed code may include.
pub struct Compiler {
    pub(super) clang: OsString,
    headers: Directory,
    first: Directory,
}

impl Compiler {
    pub fn new() -> Result<Compiler, String> {
        let compiler = Compiler { clang: find()?, headers: Directory::new()?, first: Directory::new()? };
        for (name, text) in HEADERS {
            compiler.headers.write(name, text)?;
        }
        compiler.first.write("assert.h", ASSERT_HEADER)?;
        Ok(compiler)
    }

    /// Compiles to LLVM IR with everything that analysed code is compiled with: only input and output are missing.
    pub fn command(&self, arguments: &[OsString]) -> Command {
        let mut command = command(&self.clang);
        // After all other headers: ours stand in for none of the system's, except for one.
        command
            .arg("-idirafter")
            .arg(self.headers.path())
            .arg(format!("-D{}=1", fencepost_wire::MACRO))
            .args(arguments);
        command.arg("-isystem").arg(self.first.path());
        command
    }
}

pub(super) fn command(clang: &OsString) -> Command {
    let mut command = Command::new(clang);
    command.args(FLAGS);
    command
}

/// A clang that is at work.
pub(super) struct Compilation {
    process: Process,
    input: PathBuf,
}

impl Compilation {
    /// Starts to compile a file to LLVM IR.
    pub(super) fn start(mut command: Command, input: &Path) -> Result<Compilation, String> {
        match Process::start(command.arg(input)) {
            Ok(process) => Ok(Compilation { process, input: input.to_owned() }),
            Err(e) => Err(format!("cannot run {}: {e}", command.get_program().to_string_lossy())),
        }
    }

    /// Waits for its output. The error is what clang said.
    pub(super) fn finish(self, budget: &Budget) -> Result<String, Failure> {
        let output = self.process.finish(budget)?.map_err(|e| format!("cannot read the output of clang: {e}"))?;
        if output.status.success() {
            return String::from_utf8(output.stdout).map_err(|_| "the output of clang is not UTF-8".to_owned().into());
        }
        let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        Err(format!("clang does not compile {}:\n{said}", self.input.display()).into())
    }
}

/// What makes clang tell which files it reads.
pub(super) fn list_of_files(list: &Path) -> [OsString; 5] {
    ["-MD".into(), "-MT".into(), "input".into(), "-MF".into(), list.into()]
}

/// The files in such a list, which is a rule of a makefile.
pub(super) fn listed_files(list: &Path) -> HashSet<PathBuf> {
    let rule = std::fs::read(list).unwrap_or_default();
    let names = names(rule.strip_prefix(b"input:").unwrap_or_default());
    names.into_iter().filter_map(|name| Path::new(&OsString::from_vec(name)).canonicalize().ok()).collect()
}

/// Names are separated by space; a backslash stands before one that belongs to a name, before `#`, and at the end of a
/// line.
fn names(rule: &[u8]) -> Vec<Vec<u8>> {
    let mut names = vec![Vec::new()];
    let mut rest = rule.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        let name = names.last_mut().expect("there is always a last one");
        match (byte, rest.peek()) {
            (b'\\', Some(&next @ (b' ' | b'#'))) | (b'$', Some(&next @ b'$')) => {
                name.push(next);
                rest.next();
            }
            (b' ' | b'\n', _) | (b'\\', Some(b'\n')) => names.push(Vec::new()),
            _ => name.push(byte),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_list_may_have_any_characters() {
        let found = names(b" a.c /b\\ c/d\\#$$:.h \\\n  e\\f.h\n");
        let expected: [&[u8]; 4] = [b"a.c", b"/b c/d#$:.h", b"e\\f.h", b""];
        assert_eq!(found, expected[..3]);
    }
}
