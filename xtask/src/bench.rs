//! `cargo xtask bench check`: the corpus of both Rocker papers, beside SPIN on the exported programs in the same run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use serde_json::Value;

use crate::command::{cargo, root};

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// `fencepost check` on the programs of both Rocker papers
    Check(CheckArguments),
}

#[derive(Args)]
struct CheckArguments {
    /// Only rows whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Do not run SPIN
    #[arg(long)]
    no_spin: bool,
    /// Seconds that SPIN may search
    #[arg(long, default_value_t = 300)]
    spin_limit: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    let What::Check(arguments) = &arguments.what;
    cargo(&["build", "--release", "--quiet"])?;
    println!(
        "| program | model | verdict | states | s | MiB | Mstates/s | SPIN s | its search s | its MiB | total × | search × |"
    );
    println!("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut totals = Totals::default();
    for row in rows()?.into_iter().filter(|row| row.name.contains(&arguments.filter)) {
        let ours = fencepost(&row)?;
        let spin = if arguments.no_spin { None } else { Some(spin(&row, Duration::from_secs(arguments.spin_limit))?) };
        println!("{}", totals.line(&row, &ours, spin.as_ref()));
    }
    println!("\n{}", totals.summary());
    Ok(())
}

struct Row {
    name: String,
    file: PathBuf,
    model: &'static str,
    observational: bool,
}

/// The rows of both tables. Figure 7 of the RC20 paper has programs of the other one, and asks for them under RC20.
fn rows() -> Result<Vec<Row>, String> {
    let programs = root().join("programs");
    let read = |path: PathBuf| fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()));
    let names = |text: &str| -> Vec<String> {
        text.lines().skip(1).filter_map(|line| line.split(',').next()).map(str::to_string).collect()
    };
    let mut rows = Vec::new();
    for name in names(&read(programs.join("tables/rocker-ra-figure-7.csv"))?) {
        let file = programs.join("ra").join(format!("{name}.fp"));
        rows.push(Row { name, file, model: "ra", observational: false });
    }
    let aliases = read(programs.join("rc20/aliases.csv"))?;
    let aliases: BTreeMap<&str, &str> = aliases.lines().skip(1).filter_map(|line| line.split_once(',')).collect();
    for name in names(&read(programs.join("tables/rocker-rc20-figures-6-7.csv"))?) {
        for observational in [false, true] {
            let own = format!("{name}.fp");
            let file = programs.join("rc20").join(aliases.get(name.as_str()).copied().unwrap_or(&own));
            rows.push(Row { name: name.clone(), file, model: "rc20", observational });
        }
    }
    Ok(rows)
}

struct Ours {
    verdict: String,
    states: f64,
    seconds: f64,
    mebibytes: f64,
}

fn fencepost(row: &Row) -> Result<Ours, String> {
    let mut command = Command::new(root().join("target/release/fencepost"));
    command.arg("check").arg(&row.file).args(["--format", "json", "--model", row.model]);
    if row.observational {
        command.arg("--observational");
    }
    let output = command.output().map_err(|e| format!("fencepost: {e}"))?;
    let json: Value = serde_json::from_slice(&output.stdout).map_err(|e| format!("{}: {e}", row.file.display()))?;
    let number = |key: &str| json[key].as_f64().unwrap_or(0.0);
    Ok(Ours {
        verdict: json["verdict"].as_str().unwrap_or("?").to_string(),
        states: number("states"),
        seconds: number("seconds"),
        mebibytes: number("peak_bytes") / (1 << 20) as f64,
    })
}

struct Spin {
    total: f64,
    search: f64,
    mebibytes: f64,
    /// It came to an end and says the same.
    finished: bool,
    violated: bool,
}

/// SPIN's pipeline, as Rocker runs it: make a verifier, compile it with optimisation, run it.
fn spin(row: &Row, limit: Duration) -> Result<Spin, String> {
    let directory = std::env::temp_dir().join(format!("fencepost-bench-{}", std::process::id()));
    fs::create_dir_all(&directory).map_err(|e| e.to_string())?;
    let result = spin_in(&directory, row, limit);
    let _ = fs::remove_dir_all(&directory);
    result
}

fn spin_in(directory: &Path, row: &Row, limit: Duration) -> Result<Spin, String> {
    let model = directory.join("model.pml");
    let mut export = Command::new(root().join("target/release/fencepost"));
    export.args(["export", "--promela", "--model", row.model, "-o"]).arg(&model).arg(&row.file);
    if row.observational {
        export.arg("--observational");
    }
    timed(directory, &mut export, None)?;
    let mut total = timed(directory, Command::new("spin").args(["-a", "model.pml"]), None)?.0;
    let flags = ["-O2", "-w", "-DSAFETY", "-DVECTORSZ=8192", "-DMEMLIM=16384", "-o", "pan", "pan.c"];
    total += timed(directory, Command::new("gcc").args(flags), None)?.0;
    let mut pan = Command::new(directory.join("pan"));
    let (search, said) = timed(directory, pan.args(["-m10000000", "-n"]), Some(limit))?;
    let mebibytes = said.lines().find(|l| l.contains("total actual memory usage"));
    let mebibytes = mebibytes.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse().ok());
    Ok(Spin {
        total: total + search,
        search,
        mebibytes: mebibytes.unwrap_or(f64::NAN),
        finished: said.contains("errors: 0") && !said.contains("Search not completed") || said.contains("errors: 1"),
        violated: said.contains("errors: 1"),
    })
}

/// Runs a command; gives the seconds it took and what it printed.
fn timed(directory: &Path, command: &mut Command, limit: Option<Duration>) -> Result<(f64, String), String> {
    let shown = format!("{command:?}");
    let log = directory.join("log");
    let out = File::create(&log).map_err(|e| e.to_string())?;
    let errors = out.try_clone().map_err(|e| e.to_string())?;
    let started = Instant::now();
    let mut child = command
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(errors)
        .spawn()
        .map_err(|e| format!("{shown}: {e}"))?;
    loop {
        if let Some(_status) = child.try_wait().map_err(|e| e.to_string())? {
            break;
        }
        if limit.is_some_and(|limit| started.elapsed() > limit) {
            let _ = child.kill();
            let _ = child.wait();
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let seconds = started.elapsed().as_secs_f64();
    let said = fs::read(&log).map_err(|e| e.to_string())?;
    Ok((seconds, String::from_utf8_lossy(&said).into_owned()))
}

#[derive(Default)]
struct Totals {
    ours: f64,
    spin: f64,
    spin_search: f64,
    slowest: f64,
    ratios: Vec<f64>,
    /// Rows on which SPIN searched for over a second and was faster.
    slower: Vec<String>,
    larger: Vec<String>,
    differ: Vec<String>,
    unfinished: Vec<String>,
}

impl Totals {
    fn line(&mut self, row: &Row, ours: &Ours, spin: Option<&Spin>) -> String {
        let model = if row.observational { format!("{} obs.", row.model) } else { row.model.to_string() };
        let rate = ours.states / ours.seconds.max(1e-6) / 1e6;
        let mut line = format!(
            "| {} | {model} | {} | {} | {:.3} | {:.1} | {rate:.2} |",
            row.name, ours.verdict, ours.states, ours.seconds, ours.mebibytes
        );
        self.slowest = self.slowest.max(ours.seconds);
        let Some(spin) = spin else {
            self.ours += ours.seconds;
            return line + " | | | | |";
        };
        let name = format!("{} ({model})", row.name);
        if !spin.finished {
            self.unfinished.push(name);
            return line + &format!(" > {:.1} | > {:.1} | | | |", spin.total, spin.search);
        }
        self.ours += ours.seconds;
        self.spin += spin.total;
        self.spin_search += spin.search;
        let (total, search) = (spin.total / ours.seconds.max(1e-6), spin.search / ours.seconds.max(1e-6));
        self.ratios.push(total);
        if spin.search > 1.0 && search < 1.0 {
            self.slower.push(name.clone());
        }
        if ours.mebibytes > spin.mebibytes {
            self.larger.push(name.clone());
        }
        if spin.violated != (ours.verdict == "violated") {
            self.differ.push(name);
        }
        line +=
            &format!(" {:.2} | {:.2} | {:.0} | {total:.0} | {search:.1} |", spin.total, spin.search, spin.mebibytes);
        line
    }

    fn summary(&self) -> String {
        let list = |rows: &[String]| if rows.is_empty() { "none".to_string() } else { rows.join(", ") };
        let mut lines = vec![format!("Our slowest row: {:.2} s. Our total: {:.2} s.", self.slowest, self.ours)];
        if !self.ratios.is_empty() {
            let mean = (self.ratios.iter().map(|r| r.ln()).sum::<f64>() / self.ratios.len() as f64).exp();
            lines.push(format!(
                "SPIN in total: {:.1} s ({:.0} times ours), {:.1} s of it searching ({:.1} times ours); geometric mean of the \
                 ratios of total times: {mean:.0}.",
                self.spin,
                self.spin / self.ours,
                self.spin_search,
                self.spin_search / self.ours
            ));
            lines.push(format!("Slower than SPIN's search where that takes over a second: {}.", list(&self.slower)));
            lines.push(format!("More memory than SPIN: {}.", list(&self.larger)));
            lines.push(format!("Other verdicts than SPIN: {}.", list(&self.differ)));
            lines.push(format!("SPIN did not finish: {}.", list(&self.unfinished)));
        }
        lines.join("\n")
    }
}
