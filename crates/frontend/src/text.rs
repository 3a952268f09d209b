//! Places in a text: byte ranges while reading, lines and columns in the program.

use fencepost_program::{FileId, Span};

/// A stretch of the source text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextRange {
    pub start: u32,
    pub end: u32,
}

impl TextRange {
    pub fn new(start: usize, end: usize) -> TextRange {
        TextRange { start: start as u32, end: end as u32 }
    }

    /// What stands in a line, which is counted from 1, without the space around it.
    pub(crate) fn of_line(text: &str, line: u32) -> TextRange {
        let mut start = 0;
        for (number, content) in (1..).zip(text.split_inclusive('\n')) {
            if number == line {
                let trimmed = content.trim();
                let start = start + (content.len() - content.trim_start().len());
                return TextRange::new(start, start + trimmed.len());
            }
            start += content.len();
        }
        TextRange::new(text.len(), text.len())
    }

    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: TextRange) -> TextRange {
        TextRange { start: self.start, end: other.end.max(self.start) }
    }

    /// The empty range right behind this one.
    pub fn after(self) -> TextRange {
        TextRange { start: self.end, end: self.end }
    }

    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// Where the lines of a text start.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<u32>,
    /// A column is then a number of bytes, which takes no counting even in a line as long as the file.
    ascii: bool,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Lines<'t> {
        let after_newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        Lines { text, starts: std::iter::once(0).chain(after_newlines).collect(), ascii: text.is_ascii() }
    }

    /// The line that an offset is on, counted from 0.
    pub(crate) fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// A [`Span`] holds one line: a longer range is cut at the end of its first. Columns count characters.
    pub(crate) fn span(&self, range: TextRange) -> Span {
        let line = self.line_of(range.start);
        let start = self.starts[line];
        let first_line = range.of(self.text).lines().next().unwrap_or("");
        let before = TextRange { start, end: range.start }.of(self.text);
        let before = if self.ascii { before.len() } else { before.chars().count() };
        Span {
            file: FileId(0),
            line: line as u32 + 1,
            column: before as u32 + 1,
            length: first_line.trim_end().chars().count().max(1) as u32,
        }
    }
}
