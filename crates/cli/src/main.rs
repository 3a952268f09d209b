//! The `fencepost` command: arguments, limits, progress, exit status. It analyses nothing itself.

mod answers;
mod arguments;
mod cc;
mod check;
mod child;
mod explore;
mod export;
mod format;
mod generate;
mod input;
mod interrupt;
mod limits;
mod output;
mod progress;
mod prove;
mod run;
mod status;
mod subjects;
mod terminal;
mod units;
mod witness;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use output::Output;

fn main() -> ExitCode {
    if let Some(status) = cc::run_as_compiler().or_else(run::run_as_renderer) {
        return status;
    }
    let arguments = Arguments::parse();
    let mut output = Output::new(arguments.color);
    interrupt::install(&output);
    let status = match arguments.command {
        Command::Check(arguments) => check::run(&arguments, &mut output),
        Command::Explore(arguments) => explore::run(&arguments, &mut output),
        Command::Cc(arguments) => cc::run(cc::Language::C, arguments.arguments, &output),
        Command::Cpp(arguments) => cc::run(cc::Language::Cpp, arguments.arguments, &output),
        Command::Run(arguments) => run::run(&arguments, &mut output),
        Command::Prove(arguments) => prove::run(&arguments, &mut output),
        Command::Export(arguments) => export::run(&arguments, &mut output),
        Command::Fmt(arguments) => format::run(&arguments, &mut output),
        Command::Generate(arguments) => generate::run(&arguments, &output),
    };
    ExitCode::from(output.finish(status).code())
}
