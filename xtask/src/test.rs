use clap::Args;

use crate::command::cargo;
use crate::packages;

#[derive(Args)]
pub struct Arguments {
    /// Use only what is installed already
    #[arg(long)]
    no_install: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    if !arguments.no_install {
        packages::install()?;
    }
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    cargo(&["test", "--workspace", "--quiet"])
}
