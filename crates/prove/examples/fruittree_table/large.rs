//! The programs of `programs/prove/large`: what each method proves, and how long that takes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fencepost_frontend::{Input, read};
use fencepost_prove::{MemoryModel, Method, Options, Proof, prove};

/// The model of table 4.
const MODEL: MemoryModel = MemoryModel::Tso;
const METHODS: [Method; 4] = [Method::Mine, Method::Watts, Method::FruitTree, Method::AllThreads];
/// Of one property.
const MAX_CASES: u64 = 300;
/// For one program by one method.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Of the programs and the methods only those that are wanted, or all. With `alarms`, also where each method has one.
pub fn table(wanted: &[String], alarms: bool) {
    let methods: Vec<Method> = METHODS.into_iter().filter(|m| wanted.iter().any(|w| w == m.name())).collect();
    let methods = if methods.is_empty() { METHODS.to_vec() } else { methods };
    let wanted: Vec<&String> = wanted.iter().filter(|w| METHODS.iter().all(|m| m.name() != *w)).collect();
    println!("\n{MODEL}, up to {MAX_CASES} cases a property and {} s a program and method\n", TIMEOUT.as_secs());
    println!("| program | lines | method | properties | proved | cases | seconds | ms a property |");
    println!("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    for path in programs() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !wanted.is_empty() && !wanted.contains(&&name) {
            continue;
        }
        let lines = std::fs::read_to_string(&path).unwrap_or_default().lines().count();
        let input = match read(&path) {
            Ok(input) => input,
            Err(error) => {
                println!("| {name} | {lines} | {error} |");
                continue;
            }
        };
        for &method in &methods {
            let started = Instant::now();
            let timeout = Some(TIMEOUT);
            let options = Options { method, max_cases: MAX_CASES, timeout, ..Options::new(MODEL) };
            match prove(&input.program, None, &options) {
                Ok(proof) => {
                    let count = proof.answers.iter().filter(|a| a.is_proved()).count();
                    let time = started.elapsed().as_secs_f64();
                    let each = 1000.0 * time / proof.answers.len().max(1) as f64;
                    println!(
                        "| {name} | {lines} | {} | {} | {count} | {} | {time:.1} | {each:.0} |",
                        method.name(),
                        proof.answers.len(),
                        proof.cases
                    );
                    if alarms {
                        list_alarms(&path, &input, &proof);
                    }
                }
                Err(refusal) => println!("| {name} | {lines} | {} | {} |", method.name(), refusal.message),
            }
            let _ = std::io::stdout().flush();
        }
    }
}

fn list_alarms(path: &Path, _input: &Input, proof: &Proof) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    for answer in &proof.answers {
        let Some(alarm) = &answer.alarm else { continue };
        let line = text.lines().nth((answer.span.line as usize).saturating_sub(1)).unwrap_or_default().trim();
        let limit = if alarm.limit { " (limit)" } else { "" };
        println!("    {}: {line}: {} cases{limit}", answer.span.line, answer.cases);
        for read in &alarm.combination {
            println!("        {:?} line {} reads {:?} = {:?}", read.thread, read.span.line, read.from, read.value);
        }
    }
}

fn programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/prove/large");
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    paths.sort();
    paths
}
