//! A report for people to read.

use anstyle::{AnsiColor, Style};
use fencepost_story::{Executions, FinalState, Finding, Outcome, PrintedLine, plural, thousands};

use crate::Report;
use crate::excerpt::{self, Note};
use crate::listing::run;

const WIDTH: usize = 100;

/// The whole report: verdict first, then the evidence, then what it cost.
pub fn text(report: &Report<'_>, coloured: bool) -> String {
    let paint = Paint { coloured };
    let colour = match report.verdict.outcome {
        Outcome::Holds => AnsiColor::Green,
        Outcome::Violated => AnsiColor::Red,
        Outcome::Unknown(_) => AnsiColor::Yellow,
    };
    let mut out = paint.with(colour.on_default().bold(), &report.headline());
    out.push('\n');
    for violation in &report.verdict.violations {
        evidence(&mut out, report, violation, &paint);
    }
    if !report.verdict.violations.is_empty() {
        out.push('\n');
    }
    if report.verdict.outcome != Outcome::Violated && !report.assumptions.is_empty() {
        out.push_str(&assuming(report.assumptions));
    }
    if let Some(caveat) = report.caveat() {
        paragraph(&mut out, caveat, "");
    }
    if let Some(executions) = report.executions {
        out.push_str(&outcomes(executions, report.so_far(), &paint));
    }
    out.push_str(&paint.with(Style::new().dimmed(), &report.cost()));
    out.push('\n');
    out
}

/// `assuming: malloc succeeds`, in one line or several.
pub(crate) fn assuming(assumptions: &[String]) -> String {
    let mut out = String::new();
    paragraph(&mut out, &format!("assuming: {}", assumptions.join("; ")), "");
    out
}

/// The final states, those that satisfy the condition with a star, and what that means for the condition.
fn outcomes(executions: &Executions, so_far: &str, paint: &Paint) -> String {
    let mut out = String::new();
    if let Some(states) = &executions.outcomes {
        let count = |state: &FinalState| thousands(state.executions);
        let width = states.iter().map(|state| count(state).len()).max().unwrap_or(0);
        let noun = plural(states.len() as u64, "final state", "final states");
        let heading = format!("{} {noun}{so_far}", states.len());
        out.push_str(&format!("\n{}\n", paint.with(Style::new().bold(), &heading)));
        for state in states {
            let star = if state.satisfies == Some(true) { '*' } else { ' ' };
            let values: Vec<String> = state.values.iter().map(|(name, value)| format!("{name}={value};")).collect();
            out.push_str(&format!("{:>width$} {star} {}\n", count(state), values.join(" "), width = width + 2));
        }
        out.push('\n');
    }
    if let Some(condition) = &executions.condition {
        out.push_str(&format!("{}{so_far}\n", condition.line()));
    }
    out
}

fn evidence(out: &mut String, report: &Report<'_>, violation: &Finding, paint: &Paint) {
    let heading = |text: &str| paint.with(Style::new().bold(), text);
    out.push('\n');
    let notes: Vec<Note> = violation
        .accesses
        .iter()
        .enumerate()
        .map(|(i, site)| Note { span: site.span, text: format!("{}: {}", site.thread, site.role), primary: i == 0 })
        .collect();
    out.push_str(&excerpt::error(report.sources, &violation.message, &notes, paint.coloured));
    out.push('\n');

    if !violation.explanation.is_empty() {
        out.push_str(&format!("\n{}\n", heading("Why")));
        for text in &violation.explanation {
            paragraph(out, text, "  ");
        }
    }
    if !violation.trace.is_empty() {
        out.push_str(&format!("\n{}\n", heading("How to get there")));
        out.push_str(&run(report, &violation.trace));
    }
    if !violation.output.is_empty() {
        out.push_str(&format!("\n{}\n", heading("What it printed")));
        let width = violation.output.iter().map(|line| line.thread.chars().count()).max().unwrap_or(0);
        for PrintedLine { thread, text } in &violation.output {
            // Nothing that a program prints may do something to a terminal.
            let text = text.replace(|c: char| c.is_control() && c != '\t', "\u{fffd}");
            out.push_str(&format!("  {thread:<width$} | {text}\n"));
        }
    }
    if !violation.fixes.is_empty() {
        out.push_str(&format!("\n{}\n", heading("What would fix it")));
        for fix in &violation.fixes {
            paragraph(out, &format!("- {}", fix.sentence()), "  ");
        }
    }
}

/// Breaks a paragraph between words; following lines of a list item stand under its text.
fn paragraph(out: &mut String, text: &str, indent: &str) {
    let hanging = if text.starts_with("- ") { "  " } else { "" };
    let mut line = indent.to_owned();
    let mut empty = true;
    for word in words(text) {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out.push_str(&line);
            out.push('\n');
            line = format!("{indent}{hanging}");
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    out.push_str(&line);
    out.push('\n');
}

/// The words of a text. What stands between backquotes is code, and stays on one line.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    text.split(move |c: char| {
        code ^= c == '`';
        c.is_whitespace() && !code
    })
    .filter(|word| !word.is_empty())
}

struct Paint {
    coloured: bool,
}

impl Paint {
    fn with(&self, style: Style, text: &str) -> String {
        if self.coloured { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn code_is_not_broken() {
        let found: Vec<&str> = words("misses  `x.store(1, rel)` of left").collect();
        assert_eq!(found, ["misses", "`x.store(1, rel)`", "of", "left"]);
    }
}
