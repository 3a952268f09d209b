//! What is wrong with an input, and where.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use std::fmt;

use crate::limits::ERRORS;
use crate::text::TextRange;

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
        Diagnostic { message: message.into(), labels: vec![Label { range, text: label.into() }], help: None }
    }

    pub(crate) fn without_place(message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), labels: Vec::new(), help: None }
    }

    pub(crate) fn and(mut self, range: TextRange, label: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { range, text: label.into() });
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
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
}

impl Error {
    /// Keeps the diagnostics in the order of the text, and only the first few.
    pub(crate) fn new(name: &str, text: &str, mut diagnostics: Vec<Diagnostic>) -> Error {
        diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.range));
        diagnostics.truncate(ERRORS);
        Error { name: name.to_owned(), text: text.to_owned(), diagnostics }
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
            let annotations = diagnostic.labels.iter().enumerate().map(|(i, label)| {
                let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                let range = label.range.start as usize..label.range.end as usize;
                kind.span(range).label((!label.text.is_empty()).then_some(label.text.as_str()))
            });
            elements.push(Snippet::source(self.text.as_str()).path(self.name.as_str()).annotations(annotations).into());
        }
        if let Some(help) = &diagnostic.help {
            elements.push(Level::HELP.message(help.as_str()).into());
        }
        title.elements(elements)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

impl std::error::Error for Error {}

/// The names that a misspelt one most likely meant, best first.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|&(distance, candidate)| {
            distance <= candidate.len().max(name.len()).div_ceil(3) && distance < name.len()
        })
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}
