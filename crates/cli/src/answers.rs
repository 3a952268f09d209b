//! What the commands that analyse programs share: one answer a file, shown in the form that was asked for.

use std::path::{Path, PathBuf};

use fencepost_program::Program;
use fencepost_report::{Executions, Outcome, ProofReport, Property, Report, SarifLog, Verdict};

use crate::arguments::{Format, GraphFile, GraphFormat};
use crate::input;
use crate::output::Output;
use crate::status::Status;

/// A program that was analysed.
pub struct Answer {
    pub command: &'static str,
    pub name: String,
    pub program: Program,
    pub model: &'static str,
    pub observational: bool,
    pub properties: Vec<Property>,
    pub verdict: Verdict,
    pub executions: Option<Executions>,
}

impl Answer {
    pub fn report(&self) -> Report<'_> {
        Report {
            command: self.command,
            file: &self.name,
            model: self.model,
            observational: self.observational,
            properties: &self.properties,
            sources: &self.program.sources,
            verdict: &self.verdict,
            executions: self.executions.as_ref(),
        }
    }
}

/// The answers of one run of the command.
pub struct Answers<'a> {
    files: &'a [PathBuf],
    format: Format,
    graph: Option<&'a GraphFile>,
    /// Filled only for SARIF, which is one log for all files.
    log: SarifLog,
}

impl<'a> Answers<'a> {
    pub fn new(files: &'a [PathBuf], format: Format, graph: Option<&'a GraphFile>) -> Answers<'a> {
        Answers { files, format, graph, log: SarifLog::default() }
    }

    /// What cannot be asked together.
    pub fn contradiction(&self) -> Option<&'static str> {
        if self.graph.is_some() && self.files.len() > 1 {
            Some("--graph writes one file, so it goes with one input only")
        } else if self.files.iter().filter(|file| input::is_stdin(file)).count() > 1 {
            Some("standard input can be read only once")
        } else {
            None
        }
    }

    /// Analyses file by file until someone says stop.
    pub fn for_each(
        mut self,
        output: &mut Output,
        stopped: impl Fn() -> bool,
        mut analyse: impl FnMut(&Path, &mut Answers<'a>, &mut Output) -> Status,
    ) -> Status {
        let mut statuses = Vec::new();
        for file in self.files {
            if stopped() {
                break;
            }
            statuses.push(analyse(file, &mut self, output));
        }
        self.conclude(&statuses, output);
        let skipped = if statuses.len() < self.files.len() { Status::Unknown } else { Status::Holds };
        statuses.into_iter().fold(skipped, Status::max)
    }

    /// Remembers an input that was not analysed, once its error is printed.
    pub fn fail(&mut self, message: String) -> Status {
        self.log.fail(&message);
        Status::Trouble
    }

    pub fn show(&mut self, answer: &Answer, output: &mut Output) -> Status {
        let report = answer.report();
        match self.format {
            Format::Text => self.print(&fencepost_report::text(&report, output.coloured), output),
            Format::Json => output.print(&format!("{}\n", fencepost_report::json(&report))),
            Format::Sarif => self.log.add(&report),
        }
        let drawn = self.graph.map_or(Status::Holds, |file| draw(file, &report, output));
        Status::of(&answer.verdict.outcome).max(drawn)
    }

    /// `explanation` goes with the text alone.
    pub fn show_proof(&mut self, report: &ProofReport<'_>, explanation: &str, output: &mut Output) -> Status {
        match self.format {
            Format::Text => self.print(&format!("{}{explanation}", report.text(output.coloured)), output),
            Format::Json => output.print(&format!("{}\n", report.json())),
            Format::Sarif => self.log.add_proof(report),
        }
        Status::of(&report.outcome)
    }

    /// Prints a text report, apart from the next one.
    pub fn print(&self, text: &str, output: &mut Output) {
        output.print(text);
        if self.files.len() > 1 {
            output.print("\n");
        }
    }

    fn conclude(&self, statuses: &[Status], output: &mut Output) {
        match self.format {
            Format::Text if self.files.len() > 1 => {
                output.print(&format!("{}\n", summary(statuses, self.files.len())));
            }
            Format::Sarif => output.print(&format!("{}\n", self.log.text())),
            _ => {}
        }
    }
}

fn draw(file: &GraphFile, report: &Report<'_>, output: &Output) -> Status {
    let graph = report.verdict.violations.iter().find_map(|violation| violation.graph.as_ref());
    let text = match (file.format, graph) {
        (GraphFormat::Html, _) => fencepost_report::html(report),
        (GraphFormat::Dot, Some(graph)) => fencepost_report::dot(graph),
        (GraphFormat::Svg, Some(graph)) => fencepost_report::svg(graph),
        (_, None) => {
            if report.verdict.outcome != Outcome::Holds || output.errors_are_seen() {
                output.complain(&format!("note: there is no execution graph to write to {}", file.path.display()));
            }
            return Status::Holds;
        }
    };
    output.write_file(&file.path, &text)
}

/// `3 files: 1 holds, 1 violated, 1 not read`.
fn summary(statuses: &[Status], files: usize) -> String {
    let count = |status: Status| statuses.iter().filter(|s| **s == status).count();
    let parts = [
        (count(Status::Holds), "holds"),
        (count(Status::Violated), "violated"),
        (count(Status::Unknown), "unknown"),
        (count(Status::Trouble), "in error"),
        (files - statuses.len(), "not checked"),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    format!("{files} files: {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_every_file_once() {
        let statuses = [Status::Holds, Status::Violated, Status::Holds, Status::Trouble];
        assert_eq!(summary(&statuses, 6), "6 files: 2 holds, 1 violated, 1 in error, 2 not checked");
    }
}
