use clap::Args;

use crate::command::cargo_with;

#[derive(Args)]
pub struct Arguments {
    /// How many random programs to compare with the definitions, under each model
    #[arg(long, default_value_t = 1_000_000)]
    programs: u64,
    /// The first seed; another one gives other programs
    #[arg(long, default_value_t = 10_000)]
    seed: u64,
}

/// The tests on random programs, with many more programs than the test suite has time for.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let test =
        ["test", "--release", "--quiet", "--package", "fencepost-check", "--test", "definition", "--", "--nocapture"];
    let environment =
        [("FENCEPOST_PROGRAMS", arguments.programs.to_string()), ("FENCEPOST_SEED", arguments.seed.to_string())];
    cargo_with(&test, &environment)
}
