//! The programs of `programs/prove/large`: what each method proves, and how long that takes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fencepost_frontend::read;
use fencepost_prove::{MemoryModel, Method, Options, prove};

/// The model of table 4.
const MODEL: MemoryModel = MemoryModel::Tso;
const METHODS: [Method; 4] = [Method::Mine, Method::Watts, Method::FruitTree, Method::AllThreads];
/// Of one property.
const MAX_CASES: u64 = 300;
/// For one program by one method.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Of the programs and the methods only those that are wanted, or all.
pub fn table(wanted: &[String]) {
    let methods: Vec<Method> = METHODS.into_iter().filter(|m| wanted.iter().any(|w| w == m.name())).collect();
    let methods = if methods.is_empty() { METHODS.to_vec() } else { methods };
    let wanted: Vec<&String> = wanted.iter().filter(|w| METHODS.iter().all(|m| m.name() != *w)).collect();
    let names: Vec<&str> = methods.iter().map(|m| m.name()).collect();
    println!("\n{MODEL}, up to {MAX_CASES} cases a property and {} s a program and method\n", TIMEOUT.as_secs());
    println!("| program | lines | properties | {} | cases | seconds | a property |", names.join(" | "));
    println!("| --- | ---: | ---: |{} ---: | ---: | ---: |", " ---: |".repeat(names.len()));
    let (mut properties, mut proved, mut seconds) = (0, vec![0; methods.len()], 0.0);
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
        let mut row = Vec::new();
        let (mut asked, mut cases, mut time) = (0, 0, 0.0);
        for (i, &method) in methods.iter().enumerate() {
            let started = Instant::now();
            let timeout = Some(TIMEOUT);
            let options = Options { method, max_cases: MAX_CASES, timeout, ..Options::new(MODEL) };
            match prove(&input.program, None, &options) {
                Ok(proof) => {
                    let count = proof.answers.iter().filter(|a| a.is_proved()).count();
                    (asked, cases, time) = (proof.answers.len(), proof.cases, started.elapsed().as_secs_f64());
                    proved[i] += count;
                    row.push(count.to_string());
                }
                Err(refusal) => row.push(refusal.message),
            }
        }
        properties += asked;
        seconds += time;
        let each = time / asked.max(1) as f64;
        println!("| {name} | {lines} | {asked} | {} | {cases} | {time:.1} | {each:.3} |", row.join(" | "));
    }
    let proved: Vec<String> = proved.iter().map(|n| n.to_string()).collect();
    println!("| total | | {properties} | {} | | {seconds:.1} | |", proved.join(" | "));
}

fn programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/prove/large");
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    paths.sort();
    paths
}
