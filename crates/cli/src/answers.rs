//! What the commands that analyse programs share: one answer a file, shown in the form that was asked for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fencepost_budget::{Budget, Spent};
use fencepost_program::Program;
use fencepost_report::{ComparisonReport, ProofReport, Report, SarifLog};
use fencepost_story::{Executions, Finding, Outcome, Property, Verdict, WitnessGraph};

use crate::arguments::{Format, GraphFile, GraphFormat};
use crate::limits::Session;
use crate::output::Output;
use crate::status::Status;
use crate::subjects::Subject;
use crate::terminal::safe;

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
    /// An execution to draw where there is no violation.
    pub example: Option<Finding>,
}

impl Answer {
    pub fn report(&self) -> Report<'_> {
        Report {
            command: self.command,
            file: &self.name,
            model: self.model,
            observational: self.observational,
            properties: &self.properties,
            assumptions: &self.program.assumptions,
            sources: &self.program.sources,
            verdict: &self.verdict,
            executions: self.executions.as_ref(),
            example: self.example.as_ref(),
        }
    }
}

/// The form of all reports of one run of the command.
#[derive(Clone, Copy)]
pub struct Style {
    pub format: Format,
    pub coloured: bool,
    /// Texts are set apart and summed up.
    several: bool,
}

impl Style {
    pub fn report(self, report: &Report<'_>, log: &mut SarifLog) -> String {
        match self.format {
            Format::Text => self.apart(fencepost_report::text(report, self.coloured)),
            Format::Json => format!("{}\n", fencepost_report::json(report)),
            Format::Sarif => {
                log.add(report);
                String::new()
            }
        }
    }

    pub fn proof(self, report: &ProofReport<'_>, log: &mut SarifLog) -> String {
        match self.format {
            Format::Text => self.apart(report.text(self.coloured)),
            Format::Json => format!("{}\n", report.json()),
            Format::Sarif => {
                log.add_proof(report);
                String::new()
            }
        }
    }

    /// SARIF has no form for it.
    pub fn comparison(self, comparison: &ComparisonReport<'_>) -> String {
        match self.format {
            Format::Json => format!("{}\n", comparison.json()),
            Format::Text | Format::Sarif => self.apart(comparison.text()),
        }
    }

    /// All texts come through here.
    fn apart(self, text: String) -> String {
        let text = safe(&text, self.coloured).into_owned();
        if self.several { text + "\n" } else { text }
    }

    /// What comes after all files.
    fn conclusion(self, told: &Told, files: usize) -> String {
        match self.format {
            Format::Text if self.several => format!("{}\n", summary(&told.statuses, files)),
            Format::Sarif => format!("{}\n", told.log.text()),
            _ => String::new(),
        }
    }
}

/// What was printed so far. Its lock is held while printing.
#[derive(Default)]
struct Told {
    /// One a file.
    statuses: Vec<Status>,
    /// Filled only for SARIF, which is one log for all files.
    log: SarifLog,
    /// What to print if the analysis of the current file has to be abandoned. `None` once its answer is printed.
    unknown: Option<Unknown>,
}

/// Renders that nothing is known of a file because the budget is spent.
pub type Unknown = Arc<dyn Fn(Spent, &mut SarifLog) -> String + Send + Sync>;

/// The answers of one run of the command.
pub struct Answers<'a> {
    subjects: &'a [Subject],
    pub style: Style,
    graph: Option<&'a GraphFile>,
    told: Arc<Mutex<Told>>,
}

impl<'a> Answers<'a> {
    pub fn new(subjects: &'a [Subject], format: Format, graph: Option<&'a GraphFile>, output: &Output) -> Answers<'a> {
        let style = Style { format, coloured: output.coloured, several: subjects.len() > 1 };
        Answers { subjects, style, graph, told: Arc::default() }
    }

    /// What cannot be asked together.
    pub fn contradiction(&self) -> Option<&'static str> {
        if self.graph.is_some() && self.subjects.len() > 1 {
            Some("--graph writes one file, so it goes with one input only")
        } else if self.subjects.iter().filter(|subject| subject.is_stdin()).count() > 1 {
            Some("standard input can be read only once")
        } else {
            None
        }
    }

    /// Analyses file by file, each within its budget, until a signal comes.
    pub fn for_each(
        mut self,
        session: &Session,
        output: &mut Output,
        mut analyse: impl FnMut(&Subject, &Budget, &mut Answers<'a>, &mut Output) -> Status,
    ) -> Status {
        let mut worst = Status::Holds;
        for subject in self.subjects {
            if session.is_interrupted() {
                worst = worst.max(Status::Unknown);
                break;
            }
            let (told, style, files) = (Arc::clone(&self.told), self.style, self.subjects.len());
            let tell = move |spent| last_words(&mut lock(&told), style, files, spent);
            let status = session.within(worst, tell, |budget| analyse(subject, budget, &mut self, output));
            lock(&self.told).statuses.push(status);
            worst = worst.max(status);
        }
        let told = lock(&self.told);
        output.print(&self.style.conclusion(&told, self.subjects.len()));
        worst
    }

    /// Sets what to print if the analysis of the current file has to be abandoned.
    pub fn if_late(&mut self, unknown: Unknown) {
        lock(&self.told).unknown = Some(unknown);
    }

    /// Says that nothing is known of the file at hand.
    pub fn unknown(&mut self, spent: Spent, output: &mut Output) -> Status {
        let mut told = lock(&self.told);
        if let Some(unknown) = told.unknown.take() {
            output.print(&unknown(spent, &mut told.log));
        }
        Status::Unknown
    }

    /// Remembers an input that was not analysed, once its error is printed.
    pub fn fail(&mut self, message: String) -> Status {
        let mut told = lock(&self.told);
        told.unknown = None;
        told.log.fail(&message);
        Status::Trouble
    }

    pub fn show(&mut self, answer: &Answer, output: &mut Output) -> Status {
        let report = answer.report();
        self.tell(output, |style, log| style.report(&report, log));
        let graph = answer.verdict.violations.iter().chain(&answer.example).find_map(|finding| finding.graph.as_ref());
        let is_missed = answer.verdict.outcome != Outcome::Holds || output.errors_are_seen();
        let page = || Some(fencepost_report::html(&report));
        let drawn = self.graph.map_or(Status::Holds, |file| draw(file, graph, page, is_missed, output));
        Status::of(&answer.verdict.outcome).max(drawn)
    }

    pub fn show_proof(&mut self, report: &ProofReport<'_>, output: &mut Output) -> Status {
        self.tell(output, |style, log| style.proof(report, log));
        Status::of(&report.verdict.outcome)
    }

    /// The first difference is drawn.
    pub fn show_comparison(&mut self, report: &ComparisonReport<'_>, output: &mut Output) -> Status {
        self.tell(output, |style, _| style.comparison(report));
        let graph = report.comparison.differences.first().map(|difference| &difference.graph);
        let drawn = self.graph.map_or(Status::Holds, |file| draw(file, graph, || Some(report.html()), true, output));
        Status::of(&report.comparison.outcome).max(drawn)
    }

    fn tell(&self, output: &mut Output, render: impl FnOnce(Style, &mut SarifLog) -> String) {
        // The last words, if they are needed, do not wait for a long report to be rendered.
        let mut log = lock(&self.told).log.clone();
        let text = render(self.style, &mut log);
        let mut told = lock(&self.told);
        (told.log, told.unknown) = (log, None);
        output.print(&text);
    }
}

fn lock(told: &Mutex<Told>) -> MutexGuard<'_, Told> {
    told.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints what is known when the analysis of a file does not stop by itself.
fn last_words(told: &mut Told, style: Style, files: usize, spent: Spent) {
    let text = told.unknown.take().map(|unknown| unknown(spent, &mut told.log));
    told.statuses.push(Status::Unknown);
    let conclusion = style.conclusion(told, files);
    Output::print_last(&(text.unwrap_or_default() + &conclusion));
}

/// Writes a graph, or the page with it. If there is none and it `is_missed`, says so.
fn draw(
    file: &GraphFile,
    graph: Option<&WitnessGraph>,
    page: impl FnOnce() -> Option<String>,
    is_missed: bool,
    output: &Output,
) -> Status {
    let text = match file.format {
        GraphFormat::Html => page(),
        GraphFormat::Dot => graph.map(fencepost_report::dot),
        GraphFormat::Svg => graph.map(fencepost_report::svg),
    };
    match text {
        Some(text) => output.write_file(&file.path, &text),
        None => {
            if is_missed {
                output.complain(&format!("note: there is no execution graph to write to {}", file.path.display()));
            }
            Status::Holds
        }
    }
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
