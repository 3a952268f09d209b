//! All complete execution graphs, written as they are found: there may be more of them than memory.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};

use fencepost_report::{dot, graph_json};
use fencepost_story::{Run, draw, graph_text};

use crate::arguments::{AllGraphs, AllGraphsFormat};

pub struct GraphWriter {
    name: String,
    format: AllGraphsFormat,
    out: Box<dyn Write + Send>,
    written: u64,
    /// Told at the end.
    failure: Option<io::Error>,
}

impl GraphWriter {
    /// The error is a message for people.
    pub fn create(wanted: &AllGraphs) -> Result<GraphWriter, String> {
        let (name, out): (String, Box<dyn Write + Send>) = match &wanted.path {
            Some(path) => {
                let name = path.display().to_string();
                let file = File::create(path).map_err(|e| format!("cannot write {name}: {e}"))?;
                (name, Box::new(BufWriter::new(file)))
            }
            None => ("to standard output".into(), Box::new(io::stdout())),
        };
        Ok(GraphWriter { name, format: wanted.format, out, written: 0, failure: None })
    }

    pub fn add(&mut self, run: &Run) {
        if self.failure.is_some() {
            return;
        }
        self.written += 1;
        let number = self.written;
        let text = match self.format {
            AllGraphsFormat::Text => format!("execution {number}\n{}\n", graph_text(run)),
            AllGraphsFormat::Dot => dot(&draw(&run.names, format!("execution {number}"), &run.graph, &[], &[])),
            AllGraphsFormat::Json => {
                format!("{}{}", if number == 1 { "[\n" } else { ",\n" }, graph_json(run))
            }
        };
        self.failure = self.out.write_all(text.as_bytes()).err();
    }

    pub fn finish(mut self) -> Result<(), String> {
        let end = match (self.format, self.written) {
            (AllGraphsFormat::Json, 0) => "[]\n",
            (AllGraphsFormat::Json, _) => "\n]\n",
            _ => "",
        };
        let ended = self.out.write_all(end.as_bytes()).and_then(|()| self.out.flush());
        match self.failure.or(ended.err()) {
            // A reader that went away is not a mistake.
            Some(e) if e.kind() != ErrorKind::BrokenPipe => Err(format!("cannot write {}: {e}", self.name)),
            _ => Ok(()),
        }
    }
}
