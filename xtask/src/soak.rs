use clap::Args;

use crate::command::cargo_with;

#[derive(Args)]
pub struct Arguments {
    /// How many random programs the cheapest comparison makes; costlier ones make a part of that
    #[arg(long, default_value_t = 1_000_000)]
    programs: u64,
    /// The first seed, where a test takes one; another one gives other programs
    #[arg(long, default_value_t = 10_000)]
    seed: u64,
    /// Run only the tests whose package or name contains this
    #[arg(long)]
    only: Option<String>,
}

/// A test on random programs.
struct Soak {
    package: &'static str,
    test: &'static str,
    /// It makes one program where the cheapest test makes this many.
    one_in: u64,
}

const fn soak(package: &'static str, test: &'static str, one_in: u64) -> Soak {
    Soak { package, test, one_in }
}

const UNIT_TESTS: &str = "unit tests";

const SOAKS: [Soak; 24] = [
    soak("fencepost-check", "definition", 1),
    soak("fencepost-check", "parts", 50),
    soak("fencepost-promela", "spin", 1_000),
    soak("fencepost-explore", "definition", 10),
    soak("fencepost-explore", UNIT_TESTS, 100),
    soak("fencepost-explore", "agreement", 10),
    soak("fencepost-explore", "nothing_completes", 10),
    soak("fencepost-explore", "deadlocks", 50),
    soak("fencepost-explore", "barriers", 100),
    soak("fencepost-explore", "sizes", 100),
    // These start clang.
    soak("fencepost-explore", "observers", 100),
    soak("fencepost-explore", "heap", 1_000),
    soak("fencepost-explore", "lock_owners", 1_000),
    soak("fencepost-explore", "joins", 1_000),
    soak("fencepost-explore", "uninitialised_locals", 1_000),
    soak("fencepost-explore", "condition_variables", 1_000),
    soak("fencepost-explore", "native", 100),
    soak("fencepost-frontend", "c", 1_000),
    soak("fencepost-prove", "soundness", 100),
    soak("fencepost-prove", "loops", 2_500),
    soak("fencepost-prove", "flat", 2_500),
    soak("fencepost-prove", "outcomes", 1_000),
    soak("fencepost-prove", "uninitialised_random", 1_000),
    soak("fencepost", "confirm", 500),
];

/// The tests on random programs, with many more programs than the test suite has time for.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let seed = ("FENCEPOST_SEED", arguments.seed.to_string());
    let wanted = |soak: &&Soak| {
        let only = arguments.only.as_deref().unwrap_or("");
        soak.package.contains(only) || soak.test.contains(only)
    };
    for Soak { package, test, one_in } in SOAKS.iter().filter(wanted) {
        let count = (arguments.programs / one_in).max(100);
        println!("xtask: {package}, {test}: {count} programs");
        let environment = [("FENCEPOST_PROGRAMS", count.to_string()), seed.clone()];
        let target: &[&str] = if *test == UNIT_TESTS { &["--lib"] } else { &["--test", test] };
        let cargo = ["test", "--release", "--quiet", "--package", package];
        cargo_with(&[&cargo[..], target, &["--", "--nocapture"]].concat(), &environment)?;
    }
    Ok(())
}
