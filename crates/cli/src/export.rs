use crate::arguments::{ExportArguments, ModelArguments};
use crate::input;
use crate::output::Output;
use crate::status::Status;

pub fn run(arguments: &ExportArguments, output: &mut Output) -> Status {
    let program = match input::program(&arguments.file, &[], output.coloured_errors) {
        Ok(input) => input.program,
        Err(message) => {
            output.complain(&message);
            return Status::Trouble;
        }
    };
    let ModelArguments { model, observational } = arguments.memory_model;
    let text = match fencepost_check::promela(&program, model, observational) {
        Ok(text) => text,
        Err(refusal) => {
            output.refusal(&program, &refusal);
            return Status::Trouble;
        }
    };
    match &arguments.output {
        Some(path) => output.write_file(path, &text),
        None => {
            output.print(&text);
            Status::Holds
        }
    }
}
