//! All execution graphs of a program, written as they are found: there may be more of them than memory.

mod page;
mod pictures;

use std::io::{self, Write};

use fencepost_story::Run;
use page::Page;
use pictures::Pictures;

use crate::{dot, listing_json, listing_text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphsFormat {
    Text,
    /// One list for all.
    Json,
    /// One digraph after the other.
    Dot,
    /// One picture below the other.
    Svg,
    /// A page with a list of them.
    Html,
}

pub struct GraphWriter<W> {
    format: GraphsFormat,
    out: W,
    written: u64,
    page: Page,
    pictures: Pictures,
    /// Told at the end.
    failure: Option<io::Error>,
}

impl<W: Write> GraphWriter<W> {
    /// `title` says of what, such as `sb.fp under rc11`.
    pub fn new(format: GraphsFormat, title: &str, out: W) -> GraphWriter<W> {
        let (page, pictures) = (Page::new(title), Pictures::default());
        GraphWriter { format, out, written: 0, page, pictures, failure: None }
    }

    /// Writes one more graph, unless an earlier one could not be written.
    pub fn add(&mut self, run: &Run) {
        if self.failure.is_some() {
            return;
        }
        self.written += 1;
        let number = self.written;
        let drawing = || run.titled_drawing(format!("execution {number}"), &[]);
        let text = match self.format {
            GraphsFormat::Text => format!("execution {number}\n{}\n", listing_text(&run.listing())),
            GraphsFormat::Dot => dot(&drawing()),
            GraphsFormat::Json => {
                format!("{}{}", if number == 1 { "[\n" } else { ",\n" }, listing_json(&run.listing()))
            }
            GraphsFormat::Svg => {
                self.pictures.add(drawing);
                String::new()
            }
            GraphsFormat::Html => self.page.add(run),
        };
        self.failure = self.out.write_all(text.as_bytes()).err();
    }

    /// Ends the file. The error is the first one that writing met.
    pub fn finish(mut self) -> io::Result<()> {
        let end = match (self.format, self.written) {
            (GraphsFormat::Json, 0) => "[]\n".to_owned(),
            (GraphsFormat::Json, _) => "\n]\n".to_owned(),
            (GraphsFormat::Svg, _) => self.pictures.text(),
            (GraphsFormat::Html, _) => self.page.end(),
            _ => String::new(),
        };
        let ended = self.out.write_all(end.as_bytes()).and_then(|()| self.out.flush());
        self.failure.map_or(ended, Err)
    }
}
