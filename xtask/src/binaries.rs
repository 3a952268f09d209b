//! Runs the tests of the workspace: each in a process of its own, as many at a time as there are processors. What took
//! longest the last time starts first, so that no processor is idle at the end. Cargo runs one test binary after the
//! other.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use serde_json::Value;

use crate::command::{cargo_program, root};
use crate::usage::wait;

/// How long each test took the last time: a line with seconds of processor time, a tab and its name.
const TIMES: &str = "target/test-times";

/// How many of the slowest tests are named at the end.
const NAMED: usize = 10;

struct Binary {
    name: String,
    program: PathBuf,
    /// Tests find their files from the directory of their package.
    directory: PathBuf,
}

struct Test<'b> {
    binary: &'b Binary,
    /// Its path in the binary.
    path: String,
    /// Of the binary and the test.
    name: String,
}

struct Ran {
    name: String,
    /// Seconds of processor time, of the processes that it started too.
    seconds: f64,
    /// What it printed, if it failed.
    failure: Option<String>,
}

pub fn run(environment: &[(&str, &str)]) -> Result<(), String> {
    let binaries = build()?;
    let mut tests = Vec::new();
    for binary in &binaries {
        tests.extend(list(binary, environment)?);
    }
    let last_times = last_times();
    let last_time = |test: &Test| last_times.get(&test.name).copied().unwrap_or(0.0);
    tests.sort_by(|a, b| last_time(b).total_cmp(&last_time(a)));
    let start = Instant::now();
    let mut ran = run_all(tests, environment);
    ran.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let lines: String = ran.iter().map(|ran| format!("{:.2}\t{}\n", ran.seconds, ran.name)).collect();
    // Only the order depends on it.
    let _ = fs::write(root().join(TIMES), lines);
    for slow in ran.iter().take(NAMED) {
        eprintln!("xtask: {:5.1} s of processor time: {}", slow.seconds, slow.name);
    }
    let processor: f64 = ran.iter().map(|ran| ran.seconds).sum();
    eprintln!("xtask: {} tests in {:.0?}, {processor:.0} s of processor time", ran.len(), start.elapsed());
    let failed: Vec<&str> = ran.iter().filter(|ran| ran.failure.is_some()).map(|ran| ran.name.as_str()).collect();
    eprintln!("{} passed, {} failed", ran.len() - failed.len(), failed.len());
    if failed.is_empty() { Ok(()) } else { Err(format!("tests failed: {}", failed.join(", "))) }
}

fn run_all(tests: Vec<Test>, environment: &[(&str, &str)]) -> Vec<Ran> {
    let (all, left) = (tests.len(), Mutex::new(tests.into_iter()));
    let ran = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = left.lock().unwrap().next();
                    let Some(test) = next else { return };
                    let result = run_one(&test, environment);
                    let mut ran = ran.lock().unwrap();
                    report(&result, ran.len() + 1, all);
                    ran.push(result);
                }
            });
        }
    });
    ran.into_inner().unwrap()
}

/// Names the tests that failed or took a second, and every hundredth.
fn report(ran: &Ran, number: usize, all: usize) {
    match &ran.failure {
        Some(output) => eprintln!("{output}\nxtask: {number}/{all} {} FAILED", ran.name),
        None if ran.seconds >= 1.0 || number.is_multiple_of(100) || number == all => {
            eprintln!("xtask: {number}/{all} {} ({:.1} s)", ran.name, ran.seconds);
        }
        None => (),
    }
}

fn build() -> Result<Vec<Binary>, String> {
    let mut cargo = Command::new(cargo_program());
    cargo.args(["test", "--workspace", "--no-run", "--quiet", "--message-format=json-render-diagnostics"]);
    eprintln!("xtask: cargo test --workspace --no-run");
    let output = cargo.current_dir(root()).stderr(Stdio::inherit()).output().map_err(|e| format!("cargo: {e}"))?;
    if !output.status.success() {
        return Err(format!("the tests could not be built ({})", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(messages.filter_map(|message| binary(&message)).collect())
}

/// The test binary that a message of cargo speaks of.
fn binary(message: &Value) -> Option<Binary> {
    let program = PathBuf::from(message["executable"].as_str()?);
    if message["profile"]["test"] != true {
        return None;
    }
    let directory = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_owned();
    let target = &message["target"];
    let kind = if target["kind"][0] == "test" { target["name"].as_str()? } else { "unit tests" };
    let name = format!("{} {kind}", directory.file_name()?.to_str()?);
    Some(Binary { name, program, directory })
}

impl Binary {
    fn command(&self, environment: &[(&str, &str)]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.directory).env("CARGO_MANIFEST_DIR", &self.directory);
        command.envs(environment.iter().copied());
        command
    }
}

fn list<'b>(binary: &'b Binary, environment: &[(&str, &str)]) -> Result<Vec<Test<'b>>, String> {
    let output = binary.command(environment).args(["--list", "--format", "terse"]).output();
    let output = output.map_err(|e| format!("{}: {e}", binary.program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let paths = text.lines().filter_map(|line| line.strip_suffix(": test"));
    let test = |path: &str| Test { binary, path: path.to_owned(), name: format!("{}, {path}", binary.name) };
    Ok(paths.map(test).collect())
}

fn last_times() -> HashMap<String, f64> {
    let text = fs::read_to_string(root().join(TIMES)).unwrap_or_default();
    let entry = |line: &str| {
        let (seconds, name) = line.split_once('\t')?;
        Some((name.to_owned(), seconds.parse().ok()?))
    };
    text.lines().filter_map(entry).collect()
}

fn run_one(test: &Test, environment: &[(&str, &str)]) -> Ran {
    let ran = outcome(test, environment);
    let (seconds, failure) = ran.unwrap_or_else(|message| (0.0, Some(message)));
    Ran { name: test.name.clone(), seconds, failure }
}

fn outcome(test: &Test, environment: &[(&str, &str)]) -> Result<(f64, Option<String>), String> {
    let file = tempfile::NamedTempFile::new().map_err(|e| format!("a temporary file: {e}"))?;
    let both = || File::options().append(true).open(file.path()).map_err(|e| format!("a temporary file: {e}"));
    let mut command = test.binary.command(environment);
    command.args(["--exact", &test.path, "--test-threads", "1"]);
    let (used, status) = wait(command.stdin(Stdio::null()).stdout(both()?).stderr(both()?))?;
    let bytes = fs::read(file.path()).map_err(|e| format!("a temporary file: {e}"))?;
    let text = String::from_utf8_lossy(&bytes);
    // A test that was not found fails nothing.
    let passed = status.success() && text.contains("\nrunning 1 test");
    Ok((used.processor, (!passed).then(|| format!("{text}{status}"))))
}
