//! Many inputs in C, compiled in few processes: to start clang, and to read the headers, takes ten times as long as to
//! compile an input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use fencepost_budget::{Budget, Limits, Process};
use fencepost_frontend::Compiler;
use fencepost_scratch::Directory;

/// What every input begins with, so that it can be precompiled.
pub const HEADERS: &str = "#include <assert.h>\n#include <limits.h>\n#include <pthread.h>\n#include <semaphore.h>\n\
    #include <stdatomic.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n\
    #include <stdlib.h>\n#include <string.h>\n#include <threads.h>\n#include <unistd.h>\n#include <fencepost.h>\n";
/// The name of each input, in a directory of its own.
const NAME: &str = "fuzz.c";
/// Clang may not end either.
const MOST_TIME: Limits = Limits { timeout: Some(Duration::from_secs(120)), bytes: None };

/// How clang is called for an input, without its driver.
pub struct Batches {
    /// Its flags point to the headers of this one.
    _compiler: Compiler,
    clang: PathBuf,
    flags: Vec<String>,
    headers: Directory,
}

/// What became of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compiled {
    Ir(String),
    /// It is not C of today, as clang sees it. The frontend might read it as older C.
    Refused,
    /// Clang dies of it, or of another one.
    Alone,
}

struct Unit {
    path: PathBuf,
    compiled: Option<Compiled>,
}

struct Said {
    text: String,
    died: bool,
}

impl Batches {
    pub fn new() -> Result<Batches, String> {
        let compiler = Compiler::new()?;
        let headers = Directory::new()?;
        let input = headers.write(NAME, "")?;
        let output = compiler.command(&[]).arg("-###").arg(&input).output().map_err(|e| e.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().find(|line| line.contains("\"-cc1\"")).ok_or("clang does not say how it compiles")?;
        let mut words = unquoted(line).into_iter();
        let clang = words.next().ok_or("clang does not say how it compiles")?.into();
        let mut flags: Vec<String> = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                // A number of errors after which it gives up, and the output.
                "-ferror-limit" | "-o" => drop(words.next()),
                _ if Path::new(&word) == input => {}
                _ => flags.push(word),
            }
        }
        // It writes errors piece by piece, so that long ones take longer than all the rest.
        flags.extend(["-ferror-limit", "0", "-fno-caret-diagnostics"].map(str::to_owned));
        let batches = Batches { _compiler: compiler, clang, flags, headers };
        let text = batches.headers.write("headers.h", HEADERS)?;
        let mut command = batches.command("-emit-pch");
        command.arg("-o").arg(batches.precompiled()).args(["-x", "c-header"]).arg(text);
        let output = command.output().map_err(|e| e.to_string())?;
        if output.status.success() { Ok(batches) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
    }

    fn precompiled(&self) -> PathBuf {
        self.headers.path().join("headers.pch")
    }

    /// Clang with another action than to emit LLVM IR.
    fn command(&self, action: &str) -> Command {
        let mut command = Command::new(&self.clang);
        command.args(self.flags.iter().map(|flag| if flag == "-emit-llvm" { action } else { flag }));
        command
    }

    /// Compiles texts that begin with [`HEADERS`]. Comes back with their files, too.
    pub fn compile(&self, texts: &[String]) -> Result<(Directory, Vec<(PathBuf, Compiled)>), String> {
        let directory = Directory::new()?;
        let mut inputs = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let own = directory.path().join(number.to_string());
            let path = own.join(NAME);
            fs::create_dir(&own).and_then(|()| fs::write(&path, text)).map_err(|e| e.to_string())?;
            inputs.push(Unit { path, compiled: None });
        }
        // Once there was an error clang emits nothing any more, so those that have some are found first.
        self.find_errors(&mut inputs);
        let mut rest = &mut inputs[..];
        while let Some(first) = rest.iter().position(|unit| unit.compiled.is_none()) {
            rest = &mut rest[first..];
            let mut open: Vec<&mut Unit> = rest.iter_mut().filter(|unit| unit.compiled.is_none()).collect();
            let paths: Vec<&Path> = open.iter().map(|unit| unit.path.as_path()).collect();
            if self.run("-emit-llvm", &paths).is_none() {
                break;
            }
            for unit in &mut open {
                let ir = fs::read_to_string(unit.path.with_extension("ll"));
                unit.compiled = Some(ir.map_or(Compiled::Refused, Compiled::Ir));
                if unit.compiled == Some(Compiled::Refused) {
                    break;
                }
            }
        }
        let all = inputs.into_iter().map(|unit| (unit.path, unit.compiled.unwrap_or(Compiled::Alone)));
        Ok((directory, all.collect()))
    }

    /// Marks inputs that have errors. Some may remain: they come out when all are compiled.
    fn find_errors(&self, mut inputs: &mut [Unit]) {
        while !inputs.is_empty() {
            let paths: Vec<&Path> = inputs.iter().map(|unit| unit.path.as_path()).collect();
            let Some(Said { text, died }) = self.run("-fsyntax-only", &paths) else { return };
            let names: Vec<String> = paths.iter().map(|path| format!("{}:", path.display())).collect();
            // Clang takes them one after the other.
            let mut last = None;
            for line in text.lines() {
                let Some(found) = (last.unwrap_or(0)..names.len()).find(|&i| line.contains(&names[i])) else {
                    continue;
                };
                inputs[found].compiled = Some(Compiled::Refused);
                last = Some(found);
                // It says nothing more after a fatal error.
                if line.contains("fatal error: ") {
                    break;
                }
            }
            let Some(last) = last.filter(|_| died || text.contains("fatal error: ")) else { return };
            if died {
                inputs[last].compiled = Some(Compiled::Alone);
            }
            inputs = &mut inputs[last + 1..];
        }
    }

    /// What clang says about inputs, unless it cannot be run.
    fn run(&self, action: &str, inputs: &[&Path]) -> Option<Said> {
        let mut command = self.command(action);
        command.arg("-include-pch").arg(self.precompiled()).args(inputs);
        let output = Process::start(&mut command).ok()?.finish(&Budget::new(MOST_TIME)).ok()?.ok()?;
        let died = !matches!(output.status.code(), Some(0 | 1));
        Some(Said { text: String::from_utf8_lossy(&output.stderr).into_owned(), died })
    }
}

/// The words of a line of `clang -###`: each in quotes, in which a backslash stands before quotes and backslashes.
fn unquoted(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.chars();
    while rest.any(|c| c == '"') {
        let mut word = String::new();
        while let Some(c) = rest.next().filter(|&c| c != '"') {
            word.push(if c == '\\' { rest.next().unwrap_or(c) } else { c });
        }
        words.push(word);
    }
    words
}
