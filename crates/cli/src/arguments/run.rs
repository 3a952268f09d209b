use std::ffi::OsString;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fencepost_wire::{Model, Schedule};

use super::Format;

const HELP: &str = "\
What is reported:
  Robustness violations: an atomic access that may miss a write that every
  interleaving of the threads would show it. They are predicted: the access
  need not go wrong in this run.
  Data races: two accesses that nothing orders, at least one of them a write
  and at least one not atomic. Fences count, as in the C and C++ standards.

  Build the program with `fencepost cc` or `fencepost c++` in place of the
  compiler. It can also run by itself, with options in FENCEPOST_OPTIONS;
  FENCEPOST_OPTIONS=help=1 lists them.

What a report means:
  It names two accesses, each with its thread, ordering and stack. The first
  may miss the second, be overwritten by it, or race with it. The last line
  suggests a fix. A load in a loop that only waits may be stale without harm:
  `fencepost_wait` of fencepost.h says that only the value that ends the wait
  counts.

Which schedule to use:
  Findings depend on the order in which threads run. `os` is closest to the
  real program, but tries few orders. `random` tries many. `pct` interrupts
  threads at a few places, which finds most bugs. Both run one thread at a
  time, and a seed repeats a run exactly.

Examples:
  fencepost cc -O1 queue.c -o queue && fencepost run ./queue
      One run, scheduled by the operating system.
  fencepost run --runs 1000 --schedule pct ./queue
      Up to a thousand runs; stops at the first finding.
  fencepost run --schedule random --seed 42 ./queue
      Repeat a run.
  fencepost run --suppressions known.txt --format sarif ./queue > found.sarif
      For a code scanning service, without known findings: a line of
      known.txt is race:FUNCTION or robustness:FUNCTION, with * for anything.

Exit status:
  0  nothing was found, which is not a proof: see `fencepost check --help`
  1  something was found and printed
  2  bad usage, or a program that `fencepost cc` did not build
  3  unknown: the program failed, and nothing was found until then";

#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "`fencepost run --help` explains the answers and has examples.")]
pub struct RunArguments {
    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub program: Vec<OsString>,
    /// Maximum number of runs; stops at the first finding. The program's own output is dropped if N is not 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: u64,
    /// Scheduling policy
    #[arg(long, default_value = Schedule::Os.name(), value_parser = schedules())]
    pub schedule: Schedule,
    /// Seed of the first run's schedule; each later run takes the next seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// For pct: number of ordering constraints that a bug may need
    #[arg(long, value_name = "D", default_value_t = 3)]
    pub depth: u32,
    /// End the program at its first violation
    #[arg(long)]
    pub halt: bool,
    /// The memory model
    #[arg(long, default_value = Model::Rc11.name(), value_parser = models())]
    pub model: Model,
    /// File of findings to suppress, in the syntax of ThreadSanitizer
    #[arg(long, value_name = "FILE")]
    pub suppressions: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

fn schedules() -> impl TypedValueParser<Value = Schedule> {
    let value = |schedule: Schedule| {
        PossibleValue::new(schedule.name()).help(match schedule {
            Schedule::Os => "The operating system schedules threads",
            Schedule::Random => "One thread runs at a time; a seed picks the next at random",
            Schedule::Pct => {
                "One thread runs at a time, by random priorities that change a few times (probabilistic concurrency testing)"
            }
        })
    };
    let parser = PossibleValuesParser::new(Schedule::ALL.map(value));
    parser.map(|name| Schedule::named(&name).expect("one of the possible values"))
}

fn models() -> impl TypedValueParser<Value = Model> {
    let parser = PossibleValuesParser::new(Model::ALL.map(Model::name));
    parser.map(|name| Model::named(&name).expect("one of the possible values"))
}

/// All arguments go to the compiler.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct CompilerArguments {
    /// Arguments of the compiler
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}
