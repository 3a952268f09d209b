//! A report for people to read.

use anstyle::{AnsiColor, Style};

use crate::excerpt::{self, Note};
use crate::{Outcome, Report, TraceStep, Violation};

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
    if let Some(caveat) = report.caveat() {
        paragraph(&mut out, caveat, "");
    }
    out.push_str(&paint.with(Style::new().dimmed(), &report.verdict.statistics.line()));
    out.push('\n');
    out
}

fn evidence(out: &mut String, report: &Report<'_>, violation: &Violation, paint: &Paint) {
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
        out.push_str(&trace(report, &violation.trace));
    }
    if !violation.fixes.is_empty() {
        out.push_str(&format!("\n{}\n", heading("What would fix it")));
        for fix in &violation.fixes {
            paragraph(out, &format!("- {fix}"), "  ");
        }
    }
}

/// One line a step: number, thread, step, values, place.
fn trace(report: &Report<'_>, steps: &[TraceStep]) -> String {
    let rows: Vec<[String; 5]> = steps
        .iter()
        .enumerate()
        .map(|(i, step)| {
            [(i + 1).to_string(), step.thread.clone(), step.text.clone(), step.values(), report.place(step.span)]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (number, thread, step, values) = (width(0), width(1), width(2), width(3));
    let mut out = String::new();
    for [n, t, s, v, place] in &rows {
        let line = format!("  {n:>number$}  {t:<thread$}  {s:<step$}  {v:<values$}  {place}");
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

impl TraceStep {
    /// `reads 0`, `writes 1`, `0 -> 1`, or nothing.
    pub(crate) fn values(&self) -> String {
        match (self.read, self.written) {
            (Some(read), Some(written)) => format!("{read} -> {written}"),
            (Some(read), None) => format!("reads {read}"),
            (None, Some(written)) => format!("writes {written}"),
            (None, None) => String::new(),
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
