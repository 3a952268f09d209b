use fencepost_program::{Source, Span};
use fencepost_story::{Executions, Finding, Property, Verdict};

/// A question and its answer, ready to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// `check` or `explore`.
    pub command: &'a str,
    /// The input as the user named it.
    pub file: &'a str,
    pub model: &'a str,
    /// Whether robustness was asked for in its observational form.
    pub observational: bool,
    pub properties: &'a [Property],
    /// What the answer assumes about the program's environment, such as that `malloc` succeeds.
    pub assumptions: &'a [String],
    /// What spans refer to.
    pub sources: &'a [Source],
    pub verdict: &'a Verdict,
    /// Of an exploration.
    pub executions: Option<&'a Executions>,
    /// An execution to look at where there is no violation.
    pub example: Option<&'a Finding>,
}

impl<'a> Report<'a> {
    /// The file that a span points into; `None` for things without a place in the source.
    pub(crate) fn source(&self, span: Span) -> Option<&'a Source> {
        if span.line == 0 { None } else { self.sources.get(span.file.0 as usize) }
    }

    /// `line 12`, or `queue.h:12` where there are several files; empty for things without a place in the source.
    pub(crate) fn place(&self, span: Span) -> String {
        match self.source(span) {
            Some(_) if self.sources.len() == 1 => format!("line {}", span.line),
            Some(source) => format!("{}:{}", source.name, span.line),
            None => String::new(),
        }
    }
}
