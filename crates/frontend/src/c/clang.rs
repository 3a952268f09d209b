//! Runs clang.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use fencepost_budget::{Budget, Process};
use fencepost_scratch::Directory;

use super::{Failure, headers};

use hashbrown::HashSet;

/// The environment variable that names the clang to use.
pub(super) const VARIABLE: &str = "FENCEPOST_CLANG";
const NEWEST: u32 = 22;
const OLDEST: u32 = 15;

/// What analysed code is compiled with: `-O0`, so that it is what was written, but open to promotion of locals.
pub(super) const FLAGS: [&str; 13] = [
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

const HEADERS: [(&str, &str); 4] = [
    ("fencepost.h", fencepost_wire::HEADER),
    ("genmc.h", include_str!("../../include/genmc.h")),
    ("goblint.h", include_str!("../../include/goblint.h")),
    ("dat3m.h", include_str!("../../include/dat3m.h")),
];

/// The clang of the user's choice, or the newest on the path.
pub(super) fn find() -> Result<OsString, String> {
    if let Some(chosen) = std::env::var_os(VARIABLE).filter(|v| !v.is_empty()) {
        return Ok(chosen);
    }
    let missing =
        format!("clang was not found: install it (on Debian, `apt install clang-19`), or set {VARIABLE} to its path");
    newest("clang").ok_or(missing)
}

/// The newest of LLVM's tools of a name that is on the path.
fn newest(tool: &str) -> Option<OsString> {
    let names = std::iter::once(tool.to_owned()).chain((OLDEST..=NEWEST).rev().map(|v| format!("{tool}-{v}")));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = |name: &String| std::env::split_paths(&path).any(|directory| directory.join(name).is_file());
    names.into_iter().find(on_path).map(OsString::from)
}

/// The text of a `.bc` file, by LLVM's own tool.
pub(super) fn disassembled(path: &Path, budget: &Budget) -> Result<String, Failure> {
    let Some(tool) = newest("llvm-dis") else {
        let message = "reading bitcode needs llvm-dis, which was not found: install LLVM's tools (on Debian, \
                       `apt install llvm-19`), or make a `.ll` file with `clang -S -emit-llvm`";
        return Err(message.to_owned().into());
    };
    let mut command = Command::new(&tool);
    command.args(["-o", "-"]).arg(path);
    let process = Process::start(&mut command).map_err(|e| format!("cannot run {}: {e}", tool.to_string_lossy()))?;
    let output = process.finish(budget)?.map_err(|e| format!("cannot read the output of llvm-dis: {e}"))?;
    if !output.status.success() {
        return Err(format!("llvm-dis does not read it:\n{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    String::from_utf8(output.stdout).map_err(|_| "the output of llvm-dis is not UTF-8".to_owned().into())
}

/// Whether a file is C++, by its name or by the arguments.
pub(super) fn is_cxx(path: &Path, arguments: &[OsString]) -> bool {
    let said = arguments.iter().any(|argument| {
        let text = argument.to_string_lossy();
        text.starts_with("c++") || text.starts_with("-xc++") || text.starts_with("--language=c++")
    });
    said || matches!(path.extension().and_then(|e| e.to_str()), Some("cc" | "cpp" | "cxx" | "C" | "ii"))
}

/// Whether a file was preprocessed already, by its name.
pub(super) fn is_preprocessed(path: &Path) -> bool {
    matches!(path.extension().and_then(|e| e.to_str()), Some("i" | "ii"))
}

/// Clang, and the headers that analysed code may include.
pub struct Compiler {
    pub(super) clang: OsString,
    headers: Directory,
    first: PathBuf,
}

impl Compiler {
    /// One for C and C++.
    pub fn new() -> Result<Compiler, String> {
        Compiler::of(true)
    }

    /// One for C, or also for C++, which has many more headers.
    pub(super) fn of(is_cxx: bool) -> Result<Compiler, String> {
        let (clang, headers) = (find()?, Directory::new()?);
        for (name, text) in HEADERS {
            headers.write(name, text)?;
        }
        let first = headers::write(&headers, is_cxx)?;
        Ok(Compiler { clang, headers, first })
    }

    /// Compiles to LLVM IR with everything that analysed code is compiled with: only input and output are missing.
    pub fn command(&self, arguments: &[OsString]) -> Command {
        let mut command = command(&self.clang);
        // After all other headers: these stand in for none of the system's.
        command
            .arg("-idirafter")
            .arg(self.headers.path())
            .arg(format!("-D{}=1", fencepost_wire::MACRO))
            .args(arguments);
        command.arg("-isystem").arg(&self.first);
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

/// The files in such a list, which is a rule of a makefile, by a clang that ran here or in another directory.
pub(super) fn listed_files(list: &Path, directory: Option<&Path>) -> HashSet<PathBuf> {
    let directory = directory.unwrap_or(Path::new(""));
    let rule = std::fs::read(list).unwrap_or_default();
    let names = names(rule.strip_prefix(b"input:").unwrap_or_default());
    names.into_iter().filter_map(|name| directory.join(OsString::from_vec(name)).canonicalize().ok()).collect()
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
