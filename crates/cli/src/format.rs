use std::path::Path;

use fencepost_budget::Budget;
use fencepost_frontend::Language;
use fencepost_story::Reason;

use crate::arguments::FormatArguments;
use crate::input::{self, Unread};
use crate::output::Output;
use crate::status::Status;

pub fn run(arguments: &FormatArguments, output: &mut Output) -> Status {
    arguments.files.iter().map(|file| format(file, arguments, output)).fold(Status::Holds, Status::max)
}

fn format(file: &Path, arguments: &FormatArguments, output: &mut Output) -> Status {
    if !input::is_stdin(file) && Language::of(file) != Some(Language::Fp) {
        output.error(&format!("{} is not formatted: its name does not end in `.fp`", file.display()));
        return Status::Trouble;
    }
    let (text, formatted) = match texts(file, output.coloured_errors) {
        Ok(texts) => texts,
        Err(message) => {
            output.complain(&message);
            return Status::Trouble;
        }
    };
    if arguments.check {
        if formatted == text {
            return Status::Holds;
        }
        output.print(&format!("{} is not formatted\n", input::name(file)));
        Status::Violated
    } else if arguments.write && !input::is_stdin(file) {
        if formatted == text { Status::Holds } else { output.write_file(file, &formatted) }
    } else {
        output.print(&formatted);
        Status::Holds
    }
}

/// A text as it is and as it should be. The error is ready to be printed.
fn texts(file: &Path, coloured: bool) -> Result<(String, String), String> {
    // A signal ends this command as it ends most: nothing is known that could be told.
    let text = match input::text(file, &Budget::default(), coloured) {
        Ok(text) => text,
        Err(Unread::Message(message)) => return Err(message),
        Err(Unread::Spent(spent)) => return Err(Reason::from(spent).to_string()),
    };
    let formatted = fencepost_frontend::format_fp(&input::name(file), &text).map_err(|e| e.render(coloured))?;
    Ok((text, formatted))
}
