use clap::Args;

use crate::command::cargo;

#[derive(Args)]
pub struct Arguments {
    /// Formats (`fp`, `litmus`, `ll`, `c`; all if none is given) and options; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Inputs that are almost programs, for all readers and engines: see `crates/fuzz`.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let mut all = vec!["run", "--quiet", "--profile", "fuzz", "--package", "fencepost-fuzz", "--"];
    all.extend(arguments.arguments.iter().map(String::as_str));
    cargo(&all)
}
