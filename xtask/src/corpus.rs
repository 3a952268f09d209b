//! `cargo xtask corpus DIRECTORY --kind KIND`: the benchmarks of other tools, with the verdicts that their authors
//! expect. Says how many are read, answered and agreed with, and lists each disagreement and each refusal.
//!
//! The directory is a copy that the user has; nothing of it is part of this repository. `docs/evidence/benchmarks.md`
//! says where to get the copies and what came out.

mod answer;
mod dat3m;
mod engines;
mod goblint;
mod nidhugg;
mod outcome;
mod svcomp;
mod table;
mod task;
#[cfg(test)]
mod tests;
mod ultimate;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::command::{cargo, root};
use engines::Engines;
use outcome::Row;
use task::Task;

#[derive(Args)]
pub struct Arguments {
    /// Where the copy of the benchmarks is
    directory: PathBuf,
    /// How the benchmarks say what they expect
    #[arg(long)]
    kind: Kind,
    /// Seconds for each task, all engines together
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    timeout: u64,
    /// How many tasks at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Only tasks whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Only each Nth task
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Write all results to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// A `fencepost` to run instead of the one that is built
    #[arg(long, value_name = "FILE")]
    fencepost: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// SV-COMP: `.yml` files beside the programs
    Svcomp,
    /// Goblint's regression tests: comments such as `// RACE!` and `// UNKNOWN!`
    Goblint,
    /// Ultimate's regression tests: `//#Safe` and `//#Unsafe`
    Ultimate,
    /// Dat3M's unit tests: tables in Java and in `.csv` files
    Dat3m,
    /// Nidhugg's tests: `reference.results.txt`
    Nidhugg,
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    let found = match arguments.kind {
        Kind::Svcomp => svcomp::tasks(&arguments.directory)?,
        Kind::Goblint => goblint::tasks(&arguments.directory)?,
        Kind::Ultimate => ultimate::tasks(&arguments.directory)?,
        Kind::Dat3m => dat3m::tasks(&arguments.directory)?,
        Kind::Nidhugg => nidhugg::tasks(&arguments.directory)?,
    };
    let wanted = found.into_iter().filter(|task| task.name.contains(&arguments.filter));
    let tasks: Vec<Task> = wanted.step_by(arguments.every.max(1)).collect();
    if tasks.is_empty() {
        return Err(format!("{}: no tasks of this kind", arguments.directory.display()));
    }
    let program = match &arguments.fencepost {
        Some(program) => program.clone(),
        None => build()?,
    };
    let engines = Engines { program, limit: Duration::from_secs(arguments.timeout) };
    let rows = run_all(&engines, tasks, arguments.jobs);
    print!("{}", table::summary(&rows));
    if let Some(file) = &arguments.json {
        let text = rows.iter().map(|row| format!("{}\n", row.json())).collect::<String>();
        fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}

/// Runs all tasks and returns them in their order.
fn run_all(engines: &Engines, tasks: Vec<Task>, jobs: usize) -> Vec<Row> {
    let all = tasks.len();
    let (left, done) = (Mutex::new(tasks.into_iter().enumerate()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let next = left.lock().unwrap().next();
                    let Some((number, task)) = next else { return };
                    let row = Row::new(task, engines);
                    let mut done = done.lock().unwrap();
                    eprintln!("xtask: {}/{all} {}", done.len() + 1, row.line());
                    done.push((number, row));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, row)| row).collect()
}

fn build() -> Result<PathBuf, String> {
    cargo(&["build", "--release", "--package", "fencepost"])?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target));
    Ok(target.join("release").join("fencepost"))
}

/// All files under a directory whose name ends so, in order.
fn files(directory: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut left = vec![directory.to_owned()];
    while let Some(directory) = left.pop() {
        let entries = fs::read_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        for entry in entries {
            let entry = entry.map_err(|e| format!("{}: {e}", directory.display()))?;
            let (path, kind) = (entry.path(), entry.file_type());
            match kind.map_err(|e| format!("{}: {e}", path.display()))? {
                kind if kind.is_dir() => left.push(path),
                _ if path.to_string_lossy().ends_with(ending) => found.push(path),
                _ => (),
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The text of a file. Some benchmarks have names of people in Latin-1.
fn text(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// How a table names a file.
fn name(directory: &Path, file: &Path) -> String {
    file.strip_prefix(directory).unwrap_or(file).display().to_string()
}
