use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use fencepost_budget::{Budget, Spent};
use fencepost_frontend::{Error, Input, Nondet, Settings, Unit};

use crate::answers::Answers;
use crate::arguments::ProveArguments;
use crate::output::Output;
use crate::status::Status;
use crate::subjects::Subject;
use crate::terminal::{make_visible, visible};

/// More than any reader takes, so that a text that is too long is seen to be so, and an endless one ends.
const MOST_BYTES: u64 = 16 << 20;

/// Why there is no program.
pub enum Unread {
    /// Ready to be printed.
    Message(String),
    Spent(Spent),
}

impl Unread {
    /// Tells it.
    pub fn tell(self, subject: &Subject, answers: &mut Answers, output: &mut Output) -> Status {
        match self {
            Unread::Spent(spent) => answers.unknown(spent, output),
            Unread::Message(message) => {
                output.complain(&message);
                answers.fail(format!("{} could not be read", subject.name))
            }
        }
    }
}

impl From<Spent> for Unread {
    fn from(spent: Spent) -> Unread {
        Unread::Spent(spent)
    }
}

pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// What messages call an input.
pub fn name(path: &Path) -> String {
    if is_stdin(path) { "stdin".into() } else { visible(&path.display().to_string()) }
}

/// Reads a program; `-` is an `.fp` program on standard input. C and C++ are compiled with the arguments, and read as
/// the settings say.
pub fn program(subject: &Subject, settings: Settings, budget: &Budget, coloured: bool) -> Result<Input, Unread> {
    let read = match &subject.units[..] {
        [Unit { path, .. }] if is_stdin(path) => {
            fencepost_frontend::parse_fp(&name(path), &text(path, budget, coloured)?)
        }
        [Unit { path, directory: None, arguments }] => {
            fencepost_frontend::read_within(path, arguments, settings, budget)
        }
        units => fencepost_frontend::read_program(units, settings, budget),
    };
    match read {
        Ok(mut input) => {
            for source in &mut input.program.sources {
                source.name = visible(&source.name);
                // Character by character, so that places stay what they are.
                source.text = visible(&source.text.replace("\r\n", "\n"));
            }
            input.program.for_each_name(make_visible);
            Ok(input)
        }
        Err(Error { spent: Some(spent), .. }) => Err(Unread::Spent(spent)),
        Err(mut error) => {
            error.name = visible(&error.name);
            for diagnostic in &mut error.diagnostics {
                // None, or several.
                if diagnostic.message.contains("`main`") {
                    diagnostic.help = diagnostic.help.take().or_else(|| subject.hint.clone());
                }
                make_visible(&mut diagnostic.message);
                diagnostic.labels.iter_mut().for_each(|label| make_visible(&mut label.text));
                diagnostic.help.iter_mut().for_each(make_visible);
            }
            Err(Unread::Message(error.render(coloured)))
        }
    }
}

/// The same for proofs, which do not try values one by one.
pub fn program_to_prove(
    subject: &Subject,
    arguments: &ProveArguments,
    budget: &Budget,
    coloured: bool,
) -> Result<Input, Unread> {
    let settings = Settings {
        nondet: Nondet::Every,
        no_reuse: true,
        proof: true,
        ignores_races: true,
        failing: arguments.failing_calls,
        argc: arguments.argc,
        abort: arguments.abort.is,
        ..Settings::default()
    };
    program(subject, settings, budget, coloured)
}

/// Reads a text.
pub fn text(path: &Path, budget: &Budget, coloured: bool) -> Result<String, Unread> {
    let from = path.to_owned();
    let read = budget.wait_for(move || {
        let mut text = String::new();
        let read = if is_stdin(&from) {
            io::stdin().lock().take(MOST_BYTES).read_to_string(&mut text)
        } else {
            File::open(from).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text))
        };
        read.map(|_| text)
    })?;
    read.map_err(|e| {
        Unread::Message(fencepost_report::error(&[], &format!("cannot read {}: {e}", name(path)), &[], coloured))
    })
}
