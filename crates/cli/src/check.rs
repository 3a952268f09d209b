use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use fencepost_check::{Options, Properties, Watch};
use fencepost_program::Program;
use fencepost_report::{Outcome, Property, Report, Verdict};

use crate::arguments::{CheckArguments, Format, GraphFile, GraphFormat};
use crate::interrupt::stop_on_interrupt;
use crate::output::Output;
use crate::status::Status;
use crate::{input, memory, progress};

pub fn run(arguments: &CheckArguments, output: &mut Output) -> Status {
    if let Some(message) = contradiction(arguments) {
        output.error(message);
        return Status::Trouble;
    }
    let watch = Arc::new(Watch::default());
    if let Err(e) = stop_on_interrupt(&watch) {
        output.complain(&format!("warning: Ctrl-C will end the search without a report: {e}"));
    }
    let mut run = Run { arguments, options: options(arguments), watch, answers: Vec::new(), failures: Vec::new() };
    let mut statuses = Vec::new();
    for file in &arguments.files {
        if run.watch.stop.load(Ordering::Relaxed) {
            break;
        }
        statuses.push(run.check(file, output));
    }
    run.conclude(&statuses, output);
    let skipped = if statuses.len() < arguments.files.len() { Status::Unknown } else { Status::Holds };
    statuses.into_iter().fold(skipped, Status::max)
}

fn contradiction(arguments: &CheckArguments) -> Option<&'static str> {
    if arguments.memory_model.observational && !arguments.properties.contains(&Property::Robustness) {
        Some("--observational is a form of robustness, which --properties leaves out")
    } else if arguments.graph.is_some() && arguments.files.len() > 1 {
        Some("--graph writes one file, so it goes with one input only")
    } else if arguments.files.iter().filter(|file| input::is_stdin(file)).count() > 1 {
        Some("standard input can be read only once")
    } else {
        None
    }
}

fn options(arguments: &CheckArguments) -> Options {
    let asked = |property| arguments.properties.contains(&property);
    Options {
        model: arguments.memory_model.model,
        observational: arguments.memory_model.observational,
        properties: Properties {
            robustness: asked(Property::Robustness),
            races: asked(Property::Races),
            assertions: asked(Property::Assertions),
            deadlocks: asked(Property::Deadlocks),
        },
        max_states: arguments.max_states,
        max_bytes: arguments.memory.or_else(memory::default_limit),
        timeout: arguments.timeout,
        jobs: arguments.jobs.into(),
        ..Options::default()
    }
}

/// A program that was checked.
struct Answer {
    name: String,
    program: Program,
    verdict: Verdict,
}

struct Run<'a> {
    arguments: &'a CheckArguments,
    options: Options,
    watch: Arc<Watch>,
    /// Kept only for SARIF, which is one log for all files.
    answers: Vec<Answer>,
    failures: Vec<String>,
}

impl Run<'_> {
    fn check(&mut self, file: &Path, output: &mut Output) -> Status {
        let name = input::name(file);
        let program = match input::program(file, output.coloured_errors) {
            Ok(input) => input.program,
            Err(message) => {
                output.complain(&message);
                self.failures.push(format!("{name} could not be read"));
                return Status::Trouble;
            }
        };
        for counter in [&self.watch.states, &self.watch.depth, &self.watch.bytes] {
            counter.store(0, Ordering::Relaxed);
        }
        let search = || fencepost_check::check(&program, &self.options, &self.watch);
        let verdict = match progress::during(&name, &self.watch, output.errors_are_seen(), search) {
            Ok(verdict) => verdict,
            Err(refusal) => {
                output.refusal(&program, &refusal);
                self.failures.push(format!("{name}: {}", refusal.message));
                return Status::Trouble;
            }
        };
        let answer = Answer { name, program, verdict };
        let status = Status::of(&answer.verdict.outcome);
        let drawn = self.show(&answer, output);
        if self.arguments.format == Format::Sarif {
            self.answers.push(answer);
        }
        status.max(drawn)
    }

    fn report<'a>(&'a self, answer: &'a Answer) -> Report<'a> {
        Report {
            command: "check",
            file: &answer.name,
            model: self.options.model.name(),
            observational: self.options.observational,
            properties: &self.arguments.properties,
            sources: &answer.program.sources,
            verdict: &answer.verdict,
        }
    }

    fn show(&self, answer: &Answer, output: &mut Output) -> Status {
        let report = self.report(answer);
        match self.arguments.format {
            Format::Text => {
                let mut text = fencepost_report::text(&report, output.coloured);
                if self.arguments.files.len() > 1 {
                    text.push('\n');
                }
                output.print(&text);
            }
            Format::Json => output.print(&format!("{}\n", fencepost_report::json(&report))),
            Format::Sarif => {}
        }
        match &self.arguments.graph {
            Some(file) => draw(file, &report, output),
            None => Status::Holds,
        }
    }

    fn conclude(&self, statuses: &[Status], output: &mut Output) {
        match self.arguments.format {
            Format::Text if self.arguments.files.len() > 1 => {
                output.print(&format!("{}\n", summary(statuses, self.arguments.files.len())));
            }
            Format::Sarif => {
                let reports: Vec<Report<'_>> = self.answers.iter().map(|answer| self.report(answer)).collect();
                output.print(&format!("{}\n", fencepost_report::sarif(&reports, &self.failures)));
            }
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
