//! What comes before the initial state: the line `C name` or `X86 name`, comments, a quoted text, `Key=Value` lines.

use super::assembler::Syntax;
use crate::diagnostic::{Diagnostic, shortened};
use crate::text::TextRange;
use crate::tokens::ml_comment;

/// What the code of a test is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    C,
    Assembler(Syntax),
}

impl Dialect {
    pub(super) fn assembler(self) -> Option<Syntax> {
        match self {
            Dialect::C => None,
            Dialect::Assembler(syntax) => Some(syntax),
        }
    }
}

const DIALECTS: &[(&str, Dialect)] =
    &[("C", Dialect::C), ("X86", Dialect::Assembler(Syntax::X86)), ("X86_64", Dialect::Assembler(Syntax::X86_64))];

pub(super) struct Prelude {
    pub dialect: Dialect,
    /// `title` with the name of the test, and the `Key=Value` lines.
    pub header: Vec<(String, String)>,
    /// Where the initial state starts.
    pub end: usize,
}

pub(super) fn read(text: &str) -> Result<Prelude, Diagnostic> {
    let start = text.len() - text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{feff}').len();
    let (architecture, rest) = word(&text[start..]);
    let range = TextRange::new(start, start + architecture.len());
    let Some(&(_, dialect)) = DIALECTS.iter().find(|(name, _)| *name == architecture) else {
        let shown = shortened(architecture.to_owned(), 40);
        let message = match architecture {
            "" => "the file is empty".to_owned(),
            _ => format!("litmus tests for `{shown}` are not supported"),
        };
        return Err(Diagnostic::new(message, range, "expected `C`, `X86` or `X86_64`, and the name of the test"));
    };
    let (name, rest) = word(rest.trim_start_matches([' ', '\t']));
    if name.is_empty() {
        return Err(Diagnostic::new("the test has no name", range.after(), "expected the name of the test"));
    }
    let mut header = vec![("title".to_owned(), name.trim_end_matches(';').to_owned())];
    let mut at = text.len() - rest.len();
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start().len();
        let rest = &text[at..];
        let unclosed = |open: &str, close: &str| {
            let range = TextRange::new(at, at + open.len());
            Diagnostic::new("this comment does not end", range, format!("`{open}` without a `{close}` after it"))
        };
        at += match rest {
            _ if rest.starts_with('{') => return Ok(Prelude { dialect, header, end: at }),
            _ if rest.starts_with("(*") => ml_comment(rest).ok_or_else(|| unclosed("(*", "*)"))?,
            _ if rest.starts_with("/*") => rest.find("*/").ok_or_else(|| unclosed("/*", "*/"))? + 2,
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with('"') => rest[1..].find('"').ok_or_else(|| unclosed("\"", "\""))? + 2,
            "" => {
                let end = TextRange::new(text.trim_end().len(), text.trim_end().len());
                return Err(Diagnostic::new("the test has no initial state", end, "expected `{ ... }`"));
            }
            _ => {
                let line = rest.lines().next().unwrap_or("");
                match key_value(line) {
                    Some(pair) => {
                        header.push(pair);
                        line.len()
                    }
                    None => ["{", "\"", "(*"].iter().filter_map(|s| line.find(s)).min().unwrap_or(line.len()),
                }
            }
        };
    }
}

/// Splits at the first blank.
fn word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len()))
}

fn key_value(line: &str) -> Option<(String, String)> {
    let (key, value) = line.split_once('=')?;
    let key = key.trim();
    let is_name = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '.' | '-'));
    is_name.then(|| (key.to_owned(), value.trim().to_owned()))
}
