//! All execution graphs of a program, written as they are found: there may be more of them than memory.

use std::io::{self, Write};

use fencepost_story::Run;

use crate::{dot, listing_json, listing_text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphsFormat {
    Text,
    /// One list for all.
    Json,
    /// One digraph after the other.
    Dot,
}

pub struct GraphWriter<W> {
    format: GraphsFormat,
    out: W,
    written: u64,
    /// Told at the end.
    failure: Option<io::Error>,
}

impl<W: Write> GraphWriter<W> {
    pub fn new(format: GraphsFormat, out: W) -> GraphWriter<W> {
        GraphWriter { format, out, written: 0, failure: None }
    }

    /// Writes one more graph, unless an earlier one could not be written.
    pub fn add(&mut self, run: &Run) {
        if self.failure.is_some() {
            return;
        }
        self.written += 1;
        let number = self.written;
        let text = match self.format {
            GraphsFormat::Text => format!("execution {number}\n{}\n", listing_text(&run.listing())),
            GraphsFormat::Dot => dot(&run.titled_drawing(format!("execution {number}"), &[])),
            GraphsFormat::Json => {
                format!("{}{}", if number == 1 { "[\n" } else { ",\n" }, listing_json(&run.listing()))
            }
        };
        self.failure = self.out.write_all(text.as_bytes()).err();
    }

    /// Ends the file. The error is the first one that writing met.
    pub fn finish(mut self) -> io::Result<()> {
        let end = match (self.format, self.written) {
            (GraphsFormat::Json, 0) => "[]\n",
            (GraphsFormat::Json, _) => "\n]\n",
            _ => "",
        };
        let ended = self.out.write_all(end.as_bytes()).and_then(|()| self.out.flush());
        self.failure.map_or(ended, Err)
    }
}
