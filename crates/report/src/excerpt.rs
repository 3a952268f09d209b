//! Source lines with what they are about written underneath.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use fencepost_program::{Source, Span};

/// Something to write under a stretch of source.
#[derive(Clone, Debug)]
pub struct Note {
    pub span: Span,
    pub text: String,
    /// What the message is about, rather than its surroundings.
    pub primary: bool,
}

/// A message of level "error" with the lines that it is about. Notes that point nowhere become lines of their own.
pub fn error(sources: &[Source], message: &str, notes: &[Note], coloured: bool) -> String {
    let title = Level::ERROR.primary_title(message);
    render(fill(Group::with_title(title), sources, notes), coloured)
}

fn fill<'a>(mut group: Group<'a>, sources: &'a [Source], notes: &'a [Note]) -> Group<'a> {
    for (file, source) in sources.iter().enumerate() {
        let here = |note: &&Note| note.span.line != 0 && note.span.file.0 as usize == file;
        let annotations: Vec<_> = notes
            .iter()
            .filter(here)
            .map(|note| {
                let kind = if note.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                let annotation = kind.span(byte_range(source, note.span));
                if note.text.is_empty() { annotation } else { annotation.label(&note.text) }
            })
            .collect();
        if !annotations.is_empty() {
            group = group.element(Snippet::source(&source.text).path(&source.name).annotations(annotations));
        }
    }
    let nowhere = |note: &&Note| note.span.line == 0 || note.span.file.0 as usize >= sources.len();
    group.elements(notes.iter().filter(nowhere).map(|note| Level::NOTE.message(&note.text)))
}

fn render(group: Group<'_>, coloured: bool) -> String {
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).render(&[group])
}

/// Where a span stands in the text of its file, in bytes; clipped to its line.
pub(crate) fn byte_range(source: &Source, span: Span) -> Range<usize> {
    let mut start_of_line = 0;
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        if number + 1 == span.line as usize {
            let line = line.trim_end_matches(['\n', '\r']);
            let range = columns(line, span);
            return start_of_line + range.start..start_of_line + range.end;
        }
        start_of_line += line.len();
    }
    source.text.len()..source.text.len()
}

/// Where a span stands in its line, in bytes. Columns count characters.
pub(crate) fn columns(line: &str, span: Span) -> Range<usize> {
    let at = |characters: u32| line.char_indices().nth(characters as usize).map_or(line.len(), |(byte, _)| byte);
    let first = span.column.saturating_sub(1);
    at(first)..at(first.saturating_add(span.length.max(1)))
}

#[cfg(test)]
mod tests {
    use fencepost_program::FileId;

    use super::*;

    fn source(text: &str) -> Source {
        Source { name: "a.fp".into(), text: text.into() }
    }

    fn span(line: u32, column: u32, length: u32) -> Span {
        Span { file: FileId(0), line, column, length }
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        let source = source("// é\n/* é */ x\n");
        assert_eq!(&source.text[byte_range(&source, span(2, 9, 1))], "x");
    }

    #[test]
    fn spans_outside_the_text_are_clipped() {
        let source = source("ab\r\ncd");
        assert_eq!(byte_range(&source, span(1, 2, 50)), 1..2);
        assert_eq!(byte_range(&source, span(2, 9, 9)), 6..6);
        assert_eq!(byte_range(&source, span(7, 1, 1)), 6..6);
        assert_eq!(byte_range(&source, span(1, 0, u32::MAX)), 0..2);
    }

    #[test]
    fn an_error_shows_its_line_with_a_caret() {
        let note = Note { span: span(2, 3, 1), text: "not declared".into(), primary: true };
        insta::assert_snapshot!(error(&[source("atomic x;\n  y = 1;\n")], "unknown name `y`", &[note], false));
    }

    #[test]
    fn an_error_without_a_place_is_still_told() {
        let note = Note { span: Span::default(), text: "the file is empty".into(), primary: true };
        let shown = error(&[], "nothing to read", &[note], false);
        assert_eq!(shown, "error: nothing to read\n |\n = note: the file is empty");
    }
}
