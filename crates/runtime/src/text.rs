//! Messages without an allocator.

use core::fmt;

use crate::sys;

/// A message of at most a few hundred bytes; the rest is cut off.
pub(crate) struct Line {
    bytes: [u8; 1024],
    length: usize,
}

impl Line {
    pub(crate) fn new() -> Line {
        Line { bytes: [0; 1024], length: 0 }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Writes it to standard error at once, with its end of line.
    pub(crate) fn print(&mut self) {
        self.bytes[self.length] = b'\n';
        sys::write_all(2, &self.bytes[..=self.length]);
    }
}

impl Default for Line {
    fn default() -> Line {
        Line::new()
    }
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.len() - 1 - self.length;
        let taken = text.len().min(room);
        self.bytes[self.length..][..taken].copy_from_slice(&text.as_bytes()[..taken]);
        self.length += taken;
        Ok(())
    }
}

/// `complain!("cannot write {path}")`: one line on standard error.
macro_rules! complain {
    ($($argument:tt)*) => {{
        let mut line = $crate::text::Line::new();
        let _ = core::fmt::Write::write_fmt(&mut line, format_args!("fencepost: {}", format_args!($($argument)*)));
        line.print();
    }};
}

pub(crate) use complain;
