//! Runs a process and measures it.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::rows::Row;

/// Runs shorter than this are taken three times, for the one in the middle.
const SHORT: f64 = 1.0;

/// What a process did.
pub struct Measured {
    pub output: String,
    pub seconds: f64,
    /// The most memory that was resident.
    pub peak_bytes: u64,
}

/// Runs a command with its output in a file. `Ok(None)`: it took too long and was stopped.
pub fn measure(command: &mut Command, output: &Path, limit: Option<Duration>) -> Result<Option<Measured>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let file = File::create(output).map_err(|e| format!("{}: {e}", output.display()))?;
    let errors = file.try_clone().map_err(|e| format!("{}: {e}", output.display()))?;
    let started = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(file).stderr(errors).spawn();
    let mut child = child.map_err(|e| format!("`{name}` could not be started: {e}"))?;
    let mut peak_bytes = 0;
    loop {
        peak_bytes = peak_bytes.max(resident_peak(child.id()).unwrap_or(0));
        if child.try_wait().map_err(|e| format!("`{name}`: {e}"))?.is_some() {
            break;
        }
        if limit.is_some_and(|limit| started.elapsed() > limit) {
            child.kill().and_then(|()| child.wait()).map_err(|e| format!("`{name}`: {e}"))?;
            return Ok(None);
        }
        // Often enough for the time to be right within a few percent.
        std::thread::sleep((started.elapsed() / 20).clamp(Duration::from_micros(100), Duration::from_millis(5)));
    }
    let seconds = started.elapsed().as_secs_f64();
    let output = fs::read(output).map_err(|e| format!("{}: {e}", output.display()))?;
    Ok(Some(Measured { output: String::from_utf8_lossy(&output).into_owned(), seconds, peak_bytes }))
}

/// The high-water mark that Linux keeps for a process that still runs.
fn resident_peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

/// What `fencepost check` answered.
pub struct Check {
    pub verdict: String,
    pub states: u64,
    pub seconds: f64,
    pub peak_bytes: u64,
}

pub fn check(binary: &Path, row: &Row) -> Result<Check, String> {
    let mut runs = vec![check_once(binary, row)?];
    if runs[0].seconds < SHORT {
        runs.push(check_once(binary, row)?);
        runs.push(check_once(binary, row)?);
    }
    // A short run may end before its memory was looked at.
    let peak_bytes = runs.iter().map(|run| run.peak_bytes).max().unwrap_or(0);
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let middle = runs.len() / 2;
    Ok(Check { peak_bytes, ..runs.swap_remove(middle) })
}

fn check_once(binary: &Path, row: &Row) -> Result<Check, String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut command = Command::new(binary);
    command.args(["check", "--format", "json", "--model", row.model]);
    if row.observational {
        command.arg("--observational");
    }
    let measured = measure(command.arg(&row.file), &directory.path().join("check.json"), None)?;
    let Some(measured) = measured else { return Err("check was stopped".to_owned()) };
    let answer: Value = serde_json::from_str(measured.output.lines().next().unwrap_or_default())
        .map_err(|e| format!("{}: {e}\n{}", row.file.display(), measured.output))?;
    let mut verdict = answer["verdict"].as_str().unwrap_or("?").to_owned();
    if let Some(kind) = answer["violations"][0]["kind"].as_str() {
        verdict = kind.to_owned();
    }
    Ok(Check {
        verdict,
        states: answer["states"].as_u64().unwrap_or(0),
        seconds: measured.seconds,
        peak_bytes: measured.peak_bytes.max(answer["peak_bytes"].as_u64().unwrap_or(0)),
    })
}
