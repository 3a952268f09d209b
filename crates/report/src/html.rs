//! A report as one page that needs nothing else.

use std::fmt::Write;
use std::ops::Range;

use fencepost_program::Source;
use fencepost_story::{AccessSite, Finding, TraceStep};

use crate::Report;
use crate::excerpt::columns;
use crate::markup::escape;
use crate::page::{PageData, document};
use crate::svg::svg;

/// A complete HTML document: a page to walk through, and the same facts for browsers that run no script.
pub fn html(report: &Report<'_>) -> String {
    let mut plain = String::new();
    write_plain(&mut plain, report).expect("writing to a string");
    page(&PageData::of_report(report), &plain)
}

fn page(data: &PageData, plain: &str) -> String {
    document(&data.headline, plain, &serde_json::to_string(data).expect("the data has nothing that JSON has not"))
}

fn write_plain(out: &mut String, report: &Report<'_>) -> std::fmt::Result {
    writeln!(out, "<h1>{}</h1>", escape(&report.headline()))?;
    if let Some(caveat) = report.caveat() {
        writeln!(out, "<p>{caveat}</p>")?;
    }
    if report.verdict.violations.is_empty() && !report.assumptions.is_empty() {
        writeln!(out, "<p>{}</p>", prose(&format!("Assuming: {}", report.assumptions.join("; "))))?;
    }
    for violation in &report.verdict.violations {
        write_violation(out, report, violation)?;
    }
    writeln!(out, "<p>{}</p>", escape(&report.cost()))
}

fn write_violation(out: &mut String, report: &Report<'_>, violation: &Finding) -> std::fmt::Result {
    writeln!(out, "<section>\n<h2>{}</h2>", prose(&violation.message))?;
    for paragraph in violation.explanation.chunk_by(|a, b| a.starts_with("- ") && b.starts_with("- ")) {
        if !paragraph[0].starts_with("- ") {
            writeln!(out, "<p>{}</p>", prose(&paragraph[0]))?;
            continue;
        }
        writeln!(out, "<ul>")?;
        for item in paragraph {
            writeln!(out, "<li>{}</li>", prose(item.trim_start_matches("- ")))?;
        }
        writeln!(out, "</ul>")?;
    }
    if !violation.fixes.is_empty() {
        writeln!(out, "<h3>What would fix it</h3>\n<ul>")?;
        for fix in &violation.fixes {
            writeln!(out, "<li>{}</li>", prose(&fix.sentence()))?;
        }
        writeln!(out, "</ul>")?;
    }
    if let Some(graph) = &violation.graph {
        writeln!(out, "<h3>Execution graph</h3>\n<figure>\n{}</figure>", svg(graph))?;
    }
    if !violation.trace.is_empty() {
        writeln!(out, "<h3>How to get there</h3>")?;
        write_trace(out, report, &violation.trace)?;
    }
    for (file, source) in report.sources.iter().enumerate() {
        let here = |site: &&AccessSite| site.span.line != 0 && site.span.file.0 as usize == file;
        let sites: Vec<(usize, &AccessSite)> =
            violation.accesses.iter().enumerate().filter(|(_, site)| here(site)).collect();
        if !sites.is_empty() {
            writeln!(out, "<h3>{}</h3>", escape(&source.name))?;
            write_source(out, source, &sites)?;
        }
    }
    writeln!(out, "</section>")
}

fn write_trace(out: &mut String, report: &Report<'_>, steps: &[TraceStep]) -> std::fmt::Result {
    writeln!(out, "<table class=\"run\">")?;
    for (i, step) in steps.iter().enumerate() {
        writeln!(
            out,
            "<tr><td class=\"number\">{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"place\">{}</td></tr>",
            i + 1,
            escape(&step.thread),
            escape(&step.text),
            escape(&step.values()),
            escape(&report.place(step.span))
        )?;
    }
    writeln!(out, "</table>")
}

/// The whole file, with the accesses marked and what they do written behind their lines.
fn write_source(out: &mut String, source: &Source, sites: &[(usize, &AccessSite)]) -> std::fmt::Result {
    write!(out, "<pre class=\"source\">")?;
    for (number, line) in source.text.lines().enumerate() {
        let here: Vec<_> = sites.iter().filter(|(_, site)| site.span.line as usize == number + 1).collect();
        let mut marks: Vec<(Range<usize>, bool)> =
            here.iter().map(|(rank, site)| (columns(line, site.span), *rank == 0)).collect();
        marks.sort_by_key(|(range, first)| (range.start, !first));
        let touched = if here.is_empty() { "" } else { " touched" };
        write!(out, "<span class=\"line{touched}\"><i>{}</i>{}", number + 1, marked(line, &marks))?;
        if !here.is_empty() {
            let roles: Vec<String> = here.iter().map(|(_, s)| format!("{}: {}", s.thread, s.role)).collect();
            write!(out, "   <b>{}</b>", escape(&roles.join("; ")))?;
        }
        write!(out, "</span>")?;
    }
    writeln!(out, "</pre>")
}

/// Text in which backquotes set off code.
fn prose(text: &str) -> String {
    let mut parts: Vec<String> = text.split('`').map(escape).collect();
    // An odd number of backquotes: the last one is just a character.
    if parts.len().is_multiple_of(2)
        && let Some(last) = parts.pop()
    {
        let before = parts.pop().unwrap_or_default();
        parts.push(format!("{before}`{last}"));
    }
    let code = |(i, part): (usize, String)| if i % 2 == 1 { format!("<code>{part}</code>") } else { part };
    parts.into_iter().enumerate().map(code).collect()
}

/// A line with some stretches marked; a stretch that begins inside an earlier one is left out.
fn marked(line: &str, marks: &[(Range<usize>, bool)]) -> String {
    let mut out = String::new();
    let mut end = 0;
    for (range, first) in marks {
        if range.start < end || range.is_empty() {
            continue;
        }
        let class = if *first { " class=\"first\"" } else { "" };
        out.push_str(&escape(&line[end..range.start]));
        out.push_str(&format!("<mark{class}>{}</mark>", escape(&line[range.clone()])));
        end = range.end;
    }
    out.push_str(&escape(&line[end..]));
    out
}

#[cfg(test)]
mod tests {
    use super::{marked, prose};

    #[test]
    fn backquotes_become_code() {
        assert_eq!(prose("`a < b` and `c`"), "<code>a &lt; b</code> and <code>c</code>");
        assert_eq!(prose("`a` isn't `b"), "<code>a</code> isn&#39;t `b");
        assert_eq!(prose("`"), "`");
    }

    #[test]
    fn overlapping_marks_do_not_repeat_the_text() {
        assert_eq!(
            marked("a < b;", &[(0..1, true), (0..1, false), (4..5, false)]),
            "<mark class=\"first\">a</mark> &lt; <mark>b</mark>;"
        );
    }
}
