//! `cargo xtask bench run`: what `fencepost run` costs beside ThreadSanitizer. Each program is compiled once, and its
//! objects are linked once with clang's runtime and once with ours.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use super::{binary, build};
use crate::command::{exists, root};
use crate::usage::{Usage, usage};

#[derive(Args)]
pub struct RunArguments {
    /// Only programs whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// How often each program is run, for the least of what it used
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,
    /// Instead of our programs, one that was built with `fencepost cc`, beside the same with ThreadSanitizer, whose
    /// path has `.tsan` at its end
    #[arg(long, value_name = "PATH")]
    program: Vec<PathBuf>,
    /// Arguments for --program
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// One program, linked twice.
struct Pair {
    name: String,
    theirs: PathBuf,
    ours: PathBuf,
}

struct Row {
    theirs: Usage,
    ours: Usage,
}

impl Row {
    /// Ratios of ours to theirs: processor time, wall-clock time, memory.
    fn ratios(&self) -> [f64; 3] {
        let (theirs, ours) = (&self.theirs, &self.ours);
        [ours.processor / theirs.processor, ours.clock / theirs.clock, ours.peak_bytes / theirs.peak_bytes]
    }
}

pub fn run(arguments: &RunArguments) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let pairs = if arguments.program.is_empty() {
        if !exists("clang-19") {
            return Err("`clang-19` was not found: `cargo xtask test` installs it".to_owned());
        }
        build()?;
        pairs(&arguments.filter, directory.path())?
    } else {
        arguments.program.iter().map(|path| given(path)).collect()
    };
    println!("| program | TSan s | ours s | × | clock × | TSan MiB | ours MiB | memory × |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut rows = Vec::new();
    for pair in &pairs {
        let row = measure(pair, arguments, &directory.path().join("output"))?;
        print!("{}", line(&pair.name, &row));
        rows.push((pair.name.clone(), row));
    }
    print!("{}", summary(&rows));
    Ok(())
}

fn given(path: &Path) -> Pair {
    let mut theirs = path.as_os_str().to_owned();
    theirs.push(".tsan");
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Pair { name, theirs: theirs.into(), ours: path.to_owned() }
}

/// Compiles the programs in `programs/native/bench`.
fn pairs(filter: &str, directory: &Path) -> Result<Vec<Pair>, String> {
    let sources = root().join("programs/native/bench");
    let entries = fs::read_dir(&sources).map_err(|e| format!("{}: {e}", sources.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c" || extension == "cc"));
    files.sort();
    let name = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    files.retain(|file| name(file).contains(filter));
    if files.is_empty() {
        return Err(format!("no program's name contains `{filter}`"));
    }
    files.iter().map(|file| compile(file, &name(file), directory)).collect()
}

fn compile(file: &Path, name: &str, directory: &Path) -> Result<Pair, String> {
    let (compiler, ours, standard) = match file.extension().is_some_and(|extension| extension == "cc") {
        true => ("clang++-19", "c++", "-std=c++20"),
        false => ("clang-19", "cc", "-std=gnu11"),
    };
    let path = |extension: &str| directory.join(format!("{name}.{extension}"));
    let (object, pair) = (path("o"), Pair { name: name.to_owned(), theirs: path("tsan"), ours: path("ours") });
    let mut command = Command::new(compiler);
    step(command.args([standard, "-O2", "-g", "-fsanitize=thread", "-c"]).arg(file).arg("-o").arg(&object))?;
    step(Command::new(compiler).arg("-fsanitize=thread").arg(&object).arg("-o").arg(&pair.theirs))?;
    step(Command::new(binary()).arg(ours).env("FENCEPOST_CC", "clang-19").arg(&object).arg("-o").arg(&pair.ours))?;
    Ok(pair)
}

fn step(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed ({status})")),
        Err(e) => Err(format!("{command:?} could not be started: {e}")),
    }
}

/// Runs both in turn. Neither reports anything, because what reports cost depends on how many there are.
fn measure(pair: &Pair, arguments: &RunArguments, output: &Path) -> Result<Row, String> {
    let mut least: Option<Row> = None;
    for _ in 0..arguments.runs.max(1) {
        let mut theirs = Command::new(&pair.theirs);
        theirs.args(&arguments.arguments).env("TSAN_OPTIONS", "report_bugs=0");
        let mut ours = Command::new(&pair.ours);
        ours.args(&arguments.arguments).env("FENCEPOST_OPTIONS", "races=0:robustness=0");
        let (theirs, their_status, their_output) = usage(&mut theirs, output)?;
        let (ours, our_status, our_output) = usage(&mut ours, output)?;
        if their_status != our_status || (arguments.program.is_empty() && their_output != our_output) {
            return Err(format!(
                "{}: with ThreadSanitizer it ended with {their_status:?} and printed {their_output:?}, with us with \
                 {our_status:?} and printed {our_output:?}",
                pair.name
            ));
        }
        least = Some(match least {
            Some(row) => Row { theirs: row.theirs.least(theirs), ours: row.ours.least(ours) },
            None => Row { theirs, ours },
        });
    }
    least.ok_or_else(|| format!("{} was never run", pair.name))
}

fn line(name: &str, row: &Row) -> String {
    let [processor, clock, memory] = row.ratios();
    let mebibytes = |bytes: f64| bytes / f64::from(1 << 20);
    format!(
        "| {name} | {:.3} | {:.3} | {processor:.2} | {clock:.2} | {:.0} | {:.0} | {memory:.2} |\n",
        row.theirs.processor,
        row.ours.processor,
        mebibytes(row.theirs.peak_bytes),
        mebibytes(row.ours.peak_bytes),
    )
}

fn summary(rows: &[(String, Row)]) -> String {
    let mean = |which: usize| {
        (rows.iter().map(|(_, row)| row.ratios()[which].ln()).sum::<f64>() / rows.len().max(1) as f64).exp()
    };
    let above = |which: usize, limit: f64| {
        let names: Vec<&str> =
            rows.iter().filter(|(_, row)| row.ratios()[which] > limit).map(|(name, _)| name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    format!(
        "\n- Geometric means: {:.2} times ThreadSanitizer's processor time, {:.2} times its time on the clock, {:.2} times its \
         memory.\n- Above 3 times the processor time: {}.\n- More memory: {}.\n",
        mean(0),
        mean(1),
        mean(2),
        above(0, 3.0),
        above(2, 1.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ours: f64) -> Row {
        let used = |processor| Usage { processor, clock: 1.0, peak_bytes: f64::from(8 << 20) };
        Row { theirs: used(1.0), ours: used(ours) }
    }

    #[test]
    fn ratios_are_our_usage_over_theirs() {
        assert_eq!(line("p", &row(0.25)), "| p | 1.000 | 0.250 | 0.25 | 1.00 | 8 | 8 | 1.00 |\n");
    }

    #[test]
    fn the_summary_has_geometric_means_and_names_what_is_slow() {
        let text = summary(&[("slow".to_owned(), row(4.0)), ("fast".to_owned(), row(0.25))]);
        assert!(text.contains("1.00 times ThreadSanitizer's processor time"), "{text}");
        assert!(text.contains("Above 3 times the processor time: slow.\n- More memory: none."), "{text}");
    }
}
