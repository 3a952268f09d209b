//! The process that a program under test starts for its reports (see `crates/runtime/src/renderer.rs`): raw reports
//! come in on standard input, and for each goes out, on standard output, whether it was shown or suppressed.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, Write, stderr, stdin, stdout};
use std::process::ExitCode;

use fencepost_report::NativeFinding;
use fencepost_wire::options::Mistake;
use fencepost_wire::{Line, OPTIONS_VARIABLE, Options, SHOWN, SUPPRESSED};

use crate::terminal::safe;

use super::finding::finding;
use super::suppressions::Suppressions;
use super::symbols::Symbols;

/// Where reports go: to the log as JSON, or to standard error as text. A log that cannot be written is told once.
struct Destination {
    log: Option<(String, File)>,
}

impl Destination {
    fn open(path: Option<String>) -> Destination {
        let log = path.and_then(|path| match OpenOptions::new().create(true).append(true).open(&path) {
            Ok(file) => Some((path, file)),
            Err(error) => {
                complain(&format!("cannot write the log {path}, so reports come here: {error}"));
                None
            }
        });
        Destination { log }
    }

    fn show(&mut self, finding: &NativeFinding) {
        if let Some((path, file)) = &mut self.log {
            match writeln!(file, "{}", finding.json()) {
                Ok(()) => return,
                Err(error) => complain(&format!("cannot write the log {path}, so reports come here: {error}")),
            }
            self.log = None;
        }
        complain_as_is(&format!("fencepost: {}", finding.text()));
    }
}

fn complain(message: &str) {
    complain_as_is(&format!("fencepost: {message}\n"));
}

fn complain_as_is(text: &str) {
    // In one piece, because the program writes there too.
    let _ = stderr().write_all(safe(text, false).as_bytes());
}

/// Reads the suppressions file that the options name, and tells what is wrong with it.
pub fn suppressions(path: Option<&str>) -> Suppressions {
    let Some(path) = path else { return Suppressions::default() };
    match std::fs::read_to_string(path) {
        Ok(text) => {
            let (suppressions, mistakes) = Suppressions::parse(&text);
            mistakes.iter().for_each(|mistake| complain(&format!("{path}: {mistake}")));
            suppressions
        }
        Err(error) => {
            complain(&format!("cannot read the suppressions {path}: {error}"));
            Suppressions::default()
        }
    }
}

/// The options in the environment.
pub fn options(complain: impl FnMut(Mistake)) -> Options {
    let text = env::var_os(OPTIONS_VARIABLE).unwrap_or_default();
    Options::parse(&text.to_string_lossy(), complain)
}

pub fn run() -> ExitCode {
    // The program told its user already what is wrong with them.
    let options = options(|_| {});
    let mut destination = Destination::open(options.log_path);
    let suppressions = suppressions(options.suppressions.as_deref());
    let mut symbols = Symbols::default();
    for line in stdin().lock().lines().map_while(Result::ok) {
        let answer = match Line::read(&line) {
            Ok(Line::Report(raw)) => {
                let finding = finding(&raw, &mut symbols);
                if suppressions.has(&finding) {
                    SUPPRESSED
                } else {
                    destination.show(&finding);
                    SHOWN
                }
            }
            Ok(Line::Start { .. } | Line::End { .. }) => continue,
            Err(message) => {
                complain(&message);
                SHOWN
            }
        };
        let mut stdout = stdout().lock();
        if stdout.write_all(&[answer]).and_then(|()| stdout.flush()).is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}
