//! Where things stand in the source, for messages, traces and graphs.

/// A source file that a program was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub name: String,
    pub text: String,
}

impl Source {
    /// The text of a line, counted from 1, without its end of line.
    pub fn line(&self, line: u32) -> Option<&str> {
        self.text.lines().nth(line.checked_sub(1)? as usize)
    }
}

/// An index into [`crate::Program::sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A stretch of one line. Lines and columns count from 1; line 0 means "no source".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub length: u32,
}
