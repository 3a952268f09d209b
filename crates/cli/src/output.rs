use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anstream::AutoStream;
use fencepost_check::Refusal;
use fencepost_program::Program;
use fencepost_report::Note;

use crate::status::Status;
use crate::terminal::{safe, visible};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// `auto` asks the terminal and the variables NO_COLOR, CLICOLOR and TERM.
    fn wanted(self, stream: &impl anstream::stream::RawStream) -> bool {
        match self {
            Color::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
            Color::Always => true,
            Color::Never => false,
        }
    }
}

/// Standard output and standard error.
pub struct Output {
    /// Whether what goes to standard output is coloured.
    pub coloured: bool,
    /// Whether what goes to standard error is coloured.
    pub coloured_errors: bool,
    failure: Option<io::Error>,
}

impl Output {
    pub fn new(color: Color) -> Output {
        Output { coloured: color.wanted(&io::stdout()), coloured_errors: color.wanted(&io::stderr()), failure: None }
    }

    /// Writes to standard output. What goes wrong is told at the end; a reader that went away is not a mistake.
    pub fn print(&mut self, text: &str) {
        if self.failure.is_some() {
            return;
        }
        let mut stdout = io::stdout().lock();
        self.failure = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).err();
    }

    /// Writes to standard output when the process is about to end. A failure cannot be reported any more.
    pub fn print_last(text: &str) {
        let mut stdout = io::stdout().lock();
        let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    }

    /// Writes a message to standard error. There is nowhere to tell that this failed.
    pub fn complain(&self, message: &str) {
        let _ = writeln!(io::stderr(), "{}", safe(message.trim_end(), self.coloured_errors));
    }

    /// A message in the form of all others: `error: cannot write x`.
    pub fn error(&self, message: &str) {
        self.complain(&fencepost_report::error(&[], &visible(message), &[], self.coloured_errors));
    }

    /// The same when the process is about to end.
    pub fn complain_last(message: &str, coloured: bool) {
        let message = fencepost_report::error(&[], message, &[], coloured);
        let _ = write!(io::stderr(), "{}", safe(&message, coloured));
    }

    /// Says why a model cannot take a program, and where.
    pub fn refusal(&self, program: &Program, refusal: &Refusal) {
        let note = |span| Note { span, text: String::new(), primary: true };
        let notes: Vec<Note> = refusal.span.map(note).into_iter().collect();
        self.complain(&fencepost_report::error(&program.sources, &refusal.message, &notes, self.coloured_errors));
    }

    pub fn write_file(&self, path: &Path, text: &str) -> Status {
        match fs::write(path, text) {
            Ok(()) => Status::Holds,
            Err(e) => {
                self.error(&format!("cannot write {}: {e}", path.display()));
                Status::Trouble
            }
        }
    }

    pub fn errors_are_seen(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// The status to end with, once everything is written.
    pub fn finish(self, status: Status) -> Status {
        match &self.failure {
            Some(failure) if failure.kind() != ErrorKind::BrokenPipe => {
                self.error(&format!("cannot write to standard output: {failure}"));
                Status::Trouble
            }
            _ => status,
        }
    }
}
