//! `fencepost generate`: man pages and completions for shells, for `cargo xtask dist` and for packagers.

use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::{Shell, generate_to};

use crate::arguments::{Arguments, GenerateArguments};
use crate::output::Output;
use crate::status::Status;

pub fn run(arguments: &GenerateArguments, output: &Output) -> Status {
    let directory = &arguments.directory;
    match write(directory) {
        Ok(()) => Status::Holds,
        Err(error) => {
            output.error(&format!("cannot write to {}: {error}", directory.display()));
            Status::Trouble
        }
    }
}

fn write(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut command = Arguments::command();
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        generate_to(shell, &mut command, "fencepost", directory)?;
    }
    clap_mangen::generate_to(command, directory)
}
