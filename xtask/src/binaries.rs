//! Runs the tests of the workspace: as many test binaries at a time as there are processors, each with one thread.
//! Cargo runs one binary after the other, and half of them have one test that takes long.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::{cargo_program, root};

struct Binary {
    name: String,
    program: PathBuf,
    /// Tests find their files from the directory of their package.
    directory: PathBuf,
}

struct Ran {
    name: String,
    took: Duration,
    /// What it printed, if it failed.
    failure: Option<String>,
}

pub fn run(environment: &[(&str, &str)]) -> Result<(), String> {
    let binaries = build()?;
    let (all, left) = (binaries.len(), Mutex::new(binaries.into_iter()));
    let ran = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = left.lock().unwrap().next();
                    let Some(binary) = next else { return };
                    let result = test(&binary, environment);
                    let mut ran = ran.lock().unwrap();
                    ran.push(result);
                    report(ran.last().unwrap(), ran.len(), all);
                }
            });
        }
    });
    let mut ran = ran.into_inner().unwrap();
    ran.sort_by_key(|ran| std::cmp::Reverse(ran.took));
    let slowest: Vec<String> = ran.iter().take(5).map(|ran| format!("{} {:.0?}", ran.name, ran.took)).collect();
    eprintln!("xtask: {all} test binaries in {:.0?}; the slowest: {}", start.elapsed(), slowest.join(", "));
    let failed: Vec<&str> = ran.iter().filter(|ran| ran.failure.is_some()).map(|ran| ran.name.as_str()).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("tests failed: {}", failed.join(", "))) }
}

fn report(ran: &Ran, number: usize, all: usize) {
    match &ran.failure {
        None => eprintln!("xtask: {number}/{all} {} ({:.1?})", ran.name, ran.took),
        Some(output) => eprintln!("{output}\nxtask: {number}/{all} {} FAILED ({:.1?})", ran.name, ran.took),
    }
}

/// Builds all tests; the largest packages come first, as cargo does not sort them.
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
    let mut binaries: Vec<Binary> = messages.filter_map(|message| binary(&message)).collect();
    binaries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(binaries)
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

fn test(binary: &Binary, environment: &[(&str, &str)]) -> Ran {
    let start = Instant::now();
    let mut command = Command::new(&binary.program);
    command.args(["--quiet", "--test-threads", "1"]).envs(environment.iter().copied());
    let output = command.env("CARGO_MANIFEST_DIR", &binary.directory).current_dir(&binary.directory).output();
    let failure = match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Some(format!("{}{}{}", text(&output.stdout), text(&output.stderr), output.status))
        }
        Err(error) => Some(format!("{}: {error}", binary.program.display())),
    };
    Ran { name: binary.name.clone(), took: start.elapsed(), failure }
}
