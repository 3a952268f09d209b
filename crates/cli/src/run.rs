//! `fencepost run`: runs an instrumented program, as often and under as many schedules as asked, and tells what it
//! showed.

mod finding;
mod render;
mod suppressions;
mod symbols;

use std::collections::HashSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Instant;

use fencepost_report::{NativeFinding, SarifLog};
use fencepost_scratch::Directory;
use fencepost_wire::{EXIT_STATUS, Line, OPTIONS_VARIABLE, Options, RAW_VARIABLE, RENDER_ARGUMENT, Schedule};
use serde_json::json;

use crate::arguments::{Format, RunArguments};
use crate::child::wait_for;
use crate::output::Output;
use crate::status::Status;
use finding::finding;
use suppressions::Suppressions;
use symbols::Symbols;

/// Runs as the renderer of a program's reports if the command line says so. Only the runtime passes that argument.
pub fn run_as_renderer() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    (arguments.next()? == RENDER_ARGUMENT && arguments.next().is_none()).then(render::run)
}

/// What the runs so far have shown.
struct Runs<'a> {
    arguments: &'a RunArguments,
    /// Those of the environment, for what the arguments do not say.
    options: Options,
    symbols: Symbols,
    suppressions: Suppressions,
    findings: Vec<NativeFinding>,
    schedules: HashSet<u64>,
    runs: u64,
    suppressed: usize,
    /// The longest run under a controlled schedule, for PCT to spread its changes over.
    steps: u64,
}

pub fn run(arguments: &RunArguments, output: &mut Output) -> Status {
    let started = Instant::now();
    let mut runs = Runs {
        arguments,
        options: render::options(|mistake| output.complain(&format!("fencepost: {OPTIONS_VARIABLE}: {mistake}"))),
        symbols: Symbols::default(),
        suppressions: render::suppressions(arguments.suppressions.as_deref()),
        findings: Vec::new(),
        schedules: HashSet::new(),
        runs: 0,
        suppressed: 0,
        steps: Options::default().steps,
    };
    let mut ended = None;
    while runs.runs < arguments.runs && !runs.findings.iter().any(NativeFinding::is_violation) {
        match runs.once() {
            Ok(status) => ended = Some(status),
            Err(message) => {
                output.error(&message);
                return Status::Trouble;
            }
        }
        if ended.is_some_and(|status| !is_fine(status)) {
            break;
        }
    }
    runs.tell(output, ended, started.elapsed().as_secs_f64())
}

/// Besides 0, that is the runtime's own status, unless the options say otherwise; the findings tell it anyway.
fn is_fine(status: ExitStatus) -> bool {
    status.code().is_some_and(|code| code == 0 || code == i32::from(EXIT_STATUS))
}

impl Runs<'_> {
    /// One run of the program.
    fn once(&mut self) -> Result<ExitStatus, String> {
        let directory = Directory::new()?;
        let path = directory.write("reports", "")?;
        let status = self.start(&path)?;
        let lines = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        self.read(&lines)?;
        self.runs += 1;
        Ok(status)
    }

    fn start(&self, raw: &Path) -> Result<ExitStatus, String> {
        let arguments = self.arguments;
        let program = &arguments.program[0];
        let options = Options {
            schedule: arguments.schedule,
            seed: arguments.seed.wrapping_add(self.runs),
            depth: arguments.depth,
            steps: self.steps,
            model: arguments.model,
            halt_on_error: arguments.halt || self.options.halt_on_error,
            ..self.options.clone()
        };
        let mut command = Command::new(program);
        command.args(&arguments.program[1..]).env(OPTIONS_VARIABLE, options.to_string()).env(RAW_VARIABLE, raw);
        if arguments.runs > 1 {
            command.stdout(Stdio::null()).stderr(Stdio::null());
        } else if arguments.format != Format::Text {
            // Standard output is for the report.
            command.stdout(std::io::stderr());
        }
        wait_for(&mut command).map_err(|error| format!("cannot run {}: {error}", program.display()))
    }

    fn read(&mut self, lines: &str) -> Result<(), String> {
        let mut instrumented = false;
        for line in lines.lines() {
            instrumented = true;
            let raw = match Line::read(line)? {
                Line::Report(raw) => raw,
                Line::Start { .. } => continue,
                Line::End { end } => {
                    self.schedules.insert(end.schedule);
                    self.steps = self.steps.max(end.steps);
                    continue;
                }
            };
            let finding = finding(&raw, &mut self.symbols);
            if self.suppressions.has(&finding) {
                self.suppressed += 1;
            } else if !self.findings.iter().any(|known| known.is_same_as(&finding)) {
                self.findings.push(finding);
            }
        }
        if !instrumented {
            return Err(format!(
                "{} reported nothing, not even that it started: build it with `fencepost cc` or `fencepost c++`",
                self.arguments.program[0].display()
            ));
        }
        Ok(())
    }

    fn tell(&self, output: &mut Output, ended: Option<ExitStatus>, seconds: f64) -> Status {
        let violations = self.findings.iter().filter(|finding| finding.is_violation()).count();
        let failed = ended.filter(|&status| violations == 0 && !is_fine(status));
        match self.arguments.format {
            Format::Text => {
                for finding in &self.findings {
                    output.complain(&finding.text());
                }
                output.complain(&self.summary(violations));
                if let Some(status) = failed {
                    output.complain(&format!("the program ended with {status}, and showed nothing until then"));
                }
            }
            Format::Json => {
                let verdict = match (violations, failed) {
                    (0, None) => "nothing found",
                    (0, Some(_)) => "unknown",
                    _ => "violated",
                };
                let object = json!({
                    "command": "run",
                    "file": self.arguments.program[0].display().to_string(),
                    "model": self.arguments.model.name(),
                    "verdict": verdict,
                    "runs": self.runs,
                    "schedules": self.schedules(),
                    "seed": self.arguments.seed,
                    "suppressed": self.suppressed,
                    "seconds": seconds,
                    "violations": self.findings,
                });
                output.print(&format!("{object}\n"));
            }
            Format::Sarif => {
                let mut log = SarifLog::default();
                self.findings.iter().for_each(|finding| log.add_native(finding));
                output.print(&format!("{}\n", log.text()));
            }
        }
        match (violations, failed) {
            (0, None) => Status::Holds,
            (0, Some(_)) => Status::Unknown,
            _ => Status::Violated,
        }
    }

    /// How many different ones were tried; the system's cannot be told apart.
    fn schedules(&self) -> Option<usize> {
        (self.arguments.schedule != Schedule::Os).then_some(self.schedules.len())
    }

    fn summary(&self, violations: usize) -> String {
        let plural = |count: u64, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        let mut text = match violations {
            0 => "nothing found".to_owned(),
            count => plural(count as u64, "violation"),
        };
        text += &format!(" in {}", plural(self.runs, "run"));
        if let Some(schedules) = self.schedules() {
            text += &format!(", {}", plural(schedules as u64, "schedule"));
            if violations > 0 {
                let seed = self.arguments.seed.wrapping_add(self.runs - 1);
                text += &format!(" (the last with --seed {seed})");
            }
        }
        if self.suppressed > 0 {
            text += &format!(", {} suppressed", plural(self.suppressed as u64, "report"));
        }
        text
    }
}
