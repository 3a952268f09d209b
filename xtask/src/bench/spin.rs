//! SPIN on the exported model.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::measure::{Measured, measure};
use super::rows::Row;

/// How deep depth-first search may go, which takes memory in advance. If that is too little, it starts again with more.
const DEPTHS: [u64; 3] = [1_000_000, 10_000_000, 100_000_000];

/// What SPIN found. A limit leaves the search out.
pub struct Spin {
    /// Export, `spin -a` and `gcc`.
    pub preparation: f64,
    pub search: Option<Search>,
}

pub struct Search {
    pub violated: bool,
    pub states: u64,
    pub seconds: f64,
    pub peak_bytes: u64,
}

pub fn search(binary: &Path, row: &Row, limit: Duration) -> Result<Spin, String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let at = |name: &str| directory.path().join(name);
    let complete = |command: &mut Command, made: &str| -> Result<f64, String> {
        let measured = measure(command.current_dir(directory.path()), &at("output"), None)?;
        match measured {
            Some(Measured { seconds, .. }) if at(made).exists() => Ok(seconds),
            other => Err(format!("{}: {}", row.file.display(), other.map_or_else(String::new, |m| m.output))),
        }
    };
    let mut export = Command::new(binary);
    export.args(["export", "--promela", "--model", row.model, "--output", "model.pml"]);
    if row.observational {
        export.arg("--observational");
    }
    let mut preparation = complete(export.arg(&row.file), "model.pml")?;
    preparation += complete(Command::new("spin").args(["-a", "model.pml"]), "pan.c")?;
    let flags = ["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=8192", "-o", "pan", "pan.c"];
    preparation += complete(Command::new("gcc").args(flags), "pan")?;
    for depth in DEPTHS {
        let mut pan = Command::new(at("pan"));
        pan.current_dir(directory.path()).args(["-n", "-b", &format!("-m{depth}")]);
        let Some(measured) = measure(&mut pan, &at("output"), Some(limit))? else { break };
        if !measured.output.contains("max search depth too small") {
            return Ok(Spin { preparation, search: Some(report(&measured)?) });
        }
    }
    Ok(Spin { preparation, search: None })
}

fn report(measured: &Measured) -> Result<Search, String> {
    let output = &measured.output;
    let states = output
        .lines()
        .find_map(|line| line.trim().strip_suffix("states, stored"))
        .and_then(|number| number.trim().parse::<f64>().ok())
        .ok_or_else(|| format!("pan: {output}"))?;
    Ok(Search {
        violated: !output.contains("errors: 0"),
        states: states as u64,
        seconds: measured.seconds,
        peak_bytes: measured.peak_bytes,
    })
}
