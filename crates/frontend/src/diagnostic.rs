//! What is wrong with an input, and where.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use fencepost_budget::Spent;
use std::fmt;

use crate::limits::ERRORS;
use crate::text::TextRange;

/// Characters of a message; an identifier in it may have any length.
const MESSAGE: usize = 300;
/// Bytes of one line that are underlined, or printed between two remarks.
const SHOWN: usize = 160;
/// The length from which a name is not looked for among others: comparing two takes the product of their lengths.
const NAME: usize = 64;

/// A remark on a stretch of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub range: TextRange,
    pub text: String,
}

/// One error: a message, the place it is about, places that explain it, and a way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub message: String,
    /// The first label is the place of the error; there is none when the file could not be read at all.
    pub labels: Vec<Label>,
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(message: impl Into<String>, range: TextRange, label: impl Into<String>) -> Diagnostic {
        Diagnostic::without_place(message).and(range, label)
    }

    pub(crate) fn without_place(message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: shortened(message.into(), MESSAGE), labels: Vec::new(), help: None }
    }

    pub(crate) fn and(mut self, range: TextRange, label: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { range, text: shortened(label.into(), MESSAGE) });
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(shortened(help.into(), MESSAGE));
        self
    }
}

/// Why a text is not a program. There is at least one diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The name of the file, as the user gave it.
    pub name: String,
    pub text: String,
    pub diagnostics: Vec<Diagnostic>,
    /// The budget was spent while it was read, which says nothing of the text.
    pub spent: Option<Spent>,
}

impl Error {
    /// Keeps the diagnostics in the order of the text, and only the first few.
    pub(crate) fn new(name: &str, text: &str, mut diagnostics: Vec<Diagnostic>) -> Error {
        diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.range));
        diagnostics.truncate(ERRORS);
        Error { name: name.to_owned(), text: text.to_owned(), diagnostics, spent: None }
    }

    pub(crate) fn spent(name: &str, spent: Spent) -> Error {
        let message = match spent {
            Spent::Timeout => "there was no time to read the file",
            Spent::Memory => "there was no memory to read the file",
            Spent::Interrupted => "interrupted while the file was read",
        };
        Error { spent: Some(spent), ..Error::new(name, "", vec![Diagnostic::without_place(message)]) }
    }

    /// The errors in the manner of rustc.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let mut out = String::new();
        for diagnostic in &self.diagnostics {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&renderer.render(&[self.group(diagnostic)]));
            out.push('\n');
        }
        out
    }

    fn group<'a>(&'a self, diagnostic: &'a Diagnostic) -> Group<'a> {
        let title = Level::ERROR.primary_title(diagnostic.message.as_str());
        let mut elements: Vec<Element<'a>> = Vec::new();
        if diagnostic.labels.is_empty() {
            elements.push(annotate_snippets::Origin::path(self.name.as_str()).into());
        } else {
            let primary = diagnostic.labels[0].range;
            let shown = diagnostic.labels.iter().enumerate().filter(|(_, label)| !self.far_off(primary, label.range));
            let annotations = shown.map(|(i, label)| {
                let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                kind.span(self.shown(label.range)).label((!label.text.is_empty()).then_some(label.text.as_str()))
            });
            elements.push(Snippet::source(self.text.as_str()).path(self.name.as_str()).annotations(annotations).into());
        }
        if let Some(help) = &diagnostic.help {
            elements.push(Level::HELP.message(help.as_str()).into());
        }
        title.elements(elements)
    }
}

impl Error {
    /// A remark so far along the same line that the line would have to be printed from one to the other.
    fn far_off(&self, primary: TextRange, other: TextRange) -> bool {
        let (start, end) = (primary.end.min(other.end), primary.start.max(other.start));
        let between = TextRange { start, end }.of(&self.text);
        between.len() > SHOWN && !between.contains('\n')
    }

    /// What is underlined: the beginning of something that is very long.
    fn shown(&self, range: TextRange) -> std::ops::Range<usize> {
        let text = range.of(&self.text);
        let start = range.start as usize;
        let first_line = text.find('\n').unwrap_or(text.len());
        let beginning = || text.char_indices().map(|(at, _)| at).take_while(|at| *at <= SHOWN).last().unwrap_or(0);
        start..start + if first_line <= SHOWN { text.len() } else { beginning() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

impl std::error::Error for Error {}

/// The name that a misspelt one most likely meant.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > NAME {
        return None;
    }
    let name = name.to_lowercase();
    known
        .into_iter()
        .filter_map(|candidate| {
            let allowed = candidate.len().max(name.len()).div_ceil(3).min(name.len().saturating_sub(1));
            if candidate.len() > NAME || candidate.len().abs_diff(name.len()) > allowed {
                return None;
            }
            let distance = strsim::damerau_levenshtein(&name, &candidate.to_lowercase());
            (distance <= allowed).then_some((distance, candidate))
        })
        // The order in which names are known is that of a hash table.
        .min()
        .map(|(_, candidate)| candidate)
}

/// The beginning of a text that is too long.
pub(crate) fn shortened(text: String, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
