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
    let environment =
        [("FENCEPOST_PROGRAMS", arguments.programs.to_string()), ("FENCEPOST_SEED", arguments.seed.to_string())];
    for (package, test) in [("fencepost-check", "definition"), ("fencepost-explore", "observers")] {
        let arguments = ["test", "--release", "--quiet", "--package", package, "--test", test, "--", "--nocapture"];
        cargo_with(&arguments, &environment)?;
    }
    Ok(())
}
