//! The programs of `programs/prove/large`: what each method proves, and how long that takes.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fencepost_budget::{Budget, Limits};
use fencepost_frontend::read_with_every_value;
use fencepost_prove::{Method, Model, Options, Proof, prove};

use crate::large_programs::{HEADER, MAX_CASES, METHODS, Row, directory, expected, expected_path, options};

/// For one program by one of the paper's methods. What we prove does not depend on time.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What is wanted: names of programs, methods and models, each kind all if there is none of it; `alarms` to list them,
/// and `write` to write down what was proved.
pub struct Wanted {
    programs: Vec<String>,
    methods: Vec<Method>,
    models: Vec<Model>,
    alarms: bool,
    write: bool,
}

impl Wanted {
    pub fn of(words: &[String]) -> Wanted {
        let mut wanted =
            Wanted { programs: Vec::new(), methods: Vec::new(), models: Vec::new(), alarms: false, write: false };
        for word in words {
            let method = METHODS.into_iter().find(|m| m.name() == word);
            match (word.as_str(), method, word.parse()) {
                ("alarms", ..) => wanted.alarms = true,
                ("write", ..) => wanted.write = true,
                (_, Some(method), _) => wanted.methods.push(method),
                (_, _, Ok(model)) => wanted.models.push(model),
                (program, ..) => wanted.programs.push(program.to_owned()),
            }
        }
        if wanted.methods.is_empty() {
            wanted.methods = METHODS.to_vec();
        }
        if wanted.models.is_empty() {
            // The model of table 4.
            wanted.models.push(Model::Tso);
        }
        wanted
    }
}

pub fn table(wanted: &Wanted) {
    println!("\nup to {MAX_CASES} cases a property; the paper's methods have {} s a program\n", TIMEOUT.as_secs());
    println!("| program | lines | model | method | properties | proved | cases | CPU seconds | ms a property |");
    println!("| --- | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let mut rows = Vec::new();
    for path in programs() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !wanted.programs.is_empty() && !wanted.programs.contains(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let lines = text.lines().count();
        let input = match read_with_every_value(&path, &[]) {
            Ok(input) => input,
            Err(error) => {
                println!("| {name} | {lines} | {error} |");
                continue;
            }
        };
        for (&model, &method) in wanted.models.iter().flat_map(|m| wanted.methods.iter().map(move |n| (m, n))) {
            let started = cpu_time();
            let timeout = matches!(method, Method::Watts | Method::FruitTree).then_some(TIMEOUT);
            let wall = Instant::now();
            let budget = Budget::new(Limits { timeout, bytes: None });
            let options = Options { budget, ..options(model, method) };
            match prove(&input.program, None, &options) {
                Ok(proof) => {
                    let time = (cpu_time() - started).as_secs_f64();
                    let properties = proof.answers.len();
                    let proved = proof.answers.iter().filter(|a| a.is_proved()).count();
                    let each = 1000.0 * time / properties.max(1) as f64;
                    println!(
                        "| {name} | {lines} | {model} | {} | {properties} | {proved} | {} | {time:.2} | {each:.1} |",
                        method.name(),
                        proof.cases
                    );
                    if wanted.alarms {
                        list_alarms(&text, &proof);
                    }
                    let complete = timeout.is_none_or(|timeout| wall.elapsed() < timeout);
                    rows.push(Row { program: name.clone(), model, method, properties, proved, complete });
                }
                Err(refusal) => println!("| {name} | {lines} | {model} | {} | {} |", method.name(), refusal.message),
            }
            let _ = std::io::stdout().flush();
        }
    }
    for &model in &wanted.models {
        for &method in &wanted.methods {
            let mine = || rows.iter().filter(|r| r.model == model && r.method == method);
            let (properties, proved) = mine().fold((0, 0), |(a, b), r| (a + r.properties, b + r.proved));
            println!("| total | | {model} | {} | {properties} | {proved} | | | |", method.name());
        }
    }
    if wanted.write {
        write(&rows);
    }
}

/// Rows of other programs, models and methods stay as they were.
fn write(rows: &[Row]) {
    let old = expected();
    let kept = old.iter().filter(|old| rows.iter().all(|new| !new.is_about_the_same(old)));
    let mut lines: Vec<String> = rows.iter().chain(kept).map(Row::line).collect();
    lines.sort();
    let path = expected_path();
    if let Err(error) = std::fs::write(&path, format!("{HEADER}\n{}\n", lines.join("\n"))) {
        eprintln!("{}: {error}", path.display());
    }
}

fn list_alarms(text: &str, proof: &Proof) {
    for answer in &proof.answers {
        let Some(alarm) = &answer.alarm else { continue };
        let line = text.lines().nth((answer.span.line as usize).saturating_sub(1)).unwrap_or_default().trim();
        let limit = if alarm.limit { ", given up" } else { "" };
        println!("  {}: {line} ({} cases{limit})", answer.span.line, answer.cases);
    }
}

/// What this thread has used; on systems that do not say, what has passed.
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let used = used.and_then(|text| text.split_whitespace().next()?.parse().ok()).map(Duration::from_nanos);
    used.unwrap_or_else(|| START.get_or_init(Instant::now).elapsed())
}

fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory()).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    paths.sort();
    paths
}
