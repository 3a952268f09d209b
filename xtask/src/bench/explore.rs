//! `cargo xtask bench explore`: executions a second, two workers beside one, JAM21 beside RC11, and a peer on the same
//! programs in C.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::Value;

use super::measure::{Measured, measure};
use super::{binary, build};
use crate::command::root;

#[derive(Args)]
pub struct ExploreArguments {
    /// A GenMC binary, to run on the same programs in C
    #[arg(long, value_name = "PATH")]
    genmc: Option<PathBuf>,
}

/// What `fencepost explore` or a peer did.
struct Explored {
    executions: u64,
    events: u64,
    seconds: f64,
    mebibytes: f64,
}

/// The six programs of which GenMC's counts and times are known.
const PROGRAMS: [&str; 6] = ["ainc", "casrot", "readers", "lastzero", "indexer", "fib_bench"];
/// Those that take long enough for two workers.
const LONG: [&str; 2] = ["fib_bench", "lastzero"];
/// Number of instructions without a memory access after which a loop is given up.
const INSTRUCTIONS: f64 = 20_000_000.0;
/// Number of runs per measurement; the fastest counts, because disturbances only slow a run down.
const RUNS: usize = 5;

pub fn run(arguments: &ExploreArguments) -> Result<(), String> {
    build()?;
    println!("| program | executions | s | executions/s | events/s | MiB | GenMC s | × |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut ratios = Vec::new();
    for name in PROGRAMS {
        let ours = explore(&program("explore", name), "rc11", 1)?;
        let theirs = arguments.genmc.as_deref().map(|genmc| genmc_on(genmc, name)).transpose()?;
        if let Some(theirs) = theirs.as_ref().filter(|theirs| theirs.executions != ours.executions) {
            return Err(format!("{name}: {} executions, and GenMC has {}", ours.executions, theirs.executions));
        }
        let ratio = theirs.as_ref().map(|theirs| theirs.seconds / ours.seconds);
        ratios.extend(ratio);
        println!(
            "| {name} | {} | {:.3} | {:.0} | {:.0} | {:.0} | {} | {} |",
            ours.executions,
            ours.seconds,
            ours.executions as f64 / ours.seconds,
            ours.events as f64 / ours.seconds,
            ours.mebibytes,
            theirs.map_or(String::new(), |theirs| format!("{:.3}", theirs.seconds)),
            ratio.map_or(String::new(), |ratio| format!("{ratio:.1}")),
        );
    }
    println!();
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        println!("- GenMC takes {mean:.1} times as long in the geometric mean.");
    }
    let interpreted = explore(&root().join("programs/c/bench/interpreted.c"), "rc11", 1)?;
    println!("- An instruction of a C program takes {:.0} ns.", interpreted.seconds / INSTRUCTIONS * 1e9);
    for name in LONG {
        let file = program("explore", name);
        let (one, two) = (explore(&file, "rc11", 1)?, explore(&file, "rc11", 2)?);
        println!("- {name}: two workers are {:.2} times as fast as one.", one.seconds / two.seconds);
    }
    compare("only-sc against only-rlx under JAM21", ("jam21", "only-sc", "jam21"), ("jam21", "only-rlx", "jam21"))?;
    compare(
        "peterson-sc under JAM21 against RC11",
        ("explore", "peterson-sc", "jam21"),
        ("explore", "peterson-sc", "rc11"),
    )
}

/// Directory, name and model of two explorations, and how much longer the first takes for each execution.
fn compare(what: &str, first: (&str, &str, &str), second: (&str, &str, &str)) -> Result<(), String> {
    let explored = |(directory, name, model): (&str, &str, &str)| explore(&program(directory, name), model, 1);
    let (first, second) = (explored(first)?, explored(second)?);
    println!(
        "- {what}: {:.2} times as long, {:.4} s for {} executions and {:.4} s for {}.",
        first.seconds / second.seconds,
        first.seconds,
        first.executions,
        second.seconds,
        second.executions
    );
    Ok(())
}

fn program(directory: &str, name: &str) -> PathBuf {
    root().join("programs").join(directory).join(format!("{name}.fp"))
}

/// By the tool's own clock, which leaves out the start of the process: it is as long as some of the runs.
fn explore(file: &Path, model: &str, jobs: u32) -> Result<Explored, String> {
    fastest(|| {
        let mut command = Command::new(binary());
        command.args(["explore", "--format", "json", "--model", model, "--jobs", &jobs.to_string()]).arg(file);
        let measured = run_once(&mut command)?;
        let answer: Value = serde_json::from_str(measured.output.lines().next().unwrap_or_default())
            .map_err(|e| format!("{}: {e}\n{}", file.display(), measured.output))?;
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        Ok(Explored {
            executions: number(&answer["executions"]["complete"]),
            events: number(&answer["executions"]["events"]),
            seconds: answer["seconds"].as_f64().unwrap_or(measured.seconds),
            mebibytes: measured.peak_bytes as f64 / f64::from(1 << 20),
        })
    })
}

/// By GenMC's own clock, which leaves out the compilation.
fn genmc_on(genmc: &Path, name: &str) -> Result<Explored, String> {
    let file = root().join("programs/explore").join(format!("{name}.c"));
    fastest(|| {
        let mut command = Command::new(genmc);
        let measured = run_once(command.args(["--rc11", "--disable-estimation", "--"]).arg(&file))?;
        let after = |key: &str| {
            let line = measured.output.lines().find_map(|line| line.split_once(key))?.1;
            line.trim().trim_end_matches('s').parse::<f64>().ok()
        };
        let executions = after("complete executions explored:");
        let seconds = after("Total wall-clock time:").unwrap_or(measured.seconds);
        let Some(executions) = executions else { return Err(format!("{name}: {}", measured.output)) };
        Ok(Explored { executions: executions as u64, events: 0, seconds, mebibytes: 0.0 })
    })
}

fn fastest(mut run: impl FnMut() -> Result<Explored, String>) -> Result<Explored, String> {
    let mut best = run()?;
    for _ in 1..RUNS {
        let next = run()?;
        if next.seconds < best.seconds {
            best = next;
        }
    }
    Ok(best)
}

fn run_once(command: &mut Command) -> Result<Measured, String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    measure(command, &directory.path().join("output"), None)?.ok_or_else(|| "it was stopped".to_owned())
}
