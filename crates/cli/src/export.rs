use fencepost_budget::Spent;
use fencepost_frontend::Settings;
use fencepost_story::Reason;

use crate::arguments::{ExportArguments, ModelArguments};
use crate::input::{self, Unread};
use crate::limits::Session;
use crate::output::Output;
use crate::status::Status;
use crate::subjects::{Subject, subjects};

pub fn run(arguments: &ExportArguments, output: &mut Output) -> Status {
    let subject = match subjects(&arguments.input, output).map(<[Subject; 1]>::try_from) {
        Ok(Ok([subject])) => subject,
        Ok(Err(_)) => {
            output.error("one program is exported at a time: link files with --together");
            return Status::Trouble;
        }
        Err(message) => {
            output.error(&message);
            return Status::Trouble;
        }
    };
    let session = Session::start(arguments.timeout, arguments.memory, output);
    let coloured = output.coloured_errors;
    let last_words = move |spent| Output::complain_last(&gave_up(spent), coloured);
    let exported = session.within(Status::Holds, last_words, |budget| {
        let program = match input::program(&subject, Settings::default(), budget, coloured) {
            Ok(input) => input.program,
            Err(Unread::Spent(spent)) => return Err(spent),
            Err(Unread::Message(message)) => {
                output.complain(&message);
                return Ok(Status::Trouble);
            }
        };
        let ModelArguments { model, observational } = arguments.memory_model;
        let exported = fencepost_promela::promela(&program, model, observational, budget);
        budget.check()?;
        let text = match exported {
            Ok(text) => text,
            Err(refusal) => {
                output.refusal(&program, &refusal);
                return Ok(Status::Trouble);
            }
        };
        Ok(match &arguments.output {
            Some(path) => output.write_file(path, &text),
            None => {
                output.print(&text);
                Status::Holds
            }
        })
    });
    exported.unwrap_or_else(|spent| {
        output.error(&gave_up(spent));
        Status::Unknown
    })
}

fn gave_up(spent: Spent) -> String {
    format!("nothing was exported: {}", Reason::from(spent))
}
