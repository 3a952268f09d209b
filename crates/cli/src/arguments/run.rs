use std::ffi::OsString;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fencepost_wire::{Model, Schedule};

use super::Format;

const HELP: &str = "\
What is looked for:
  Robustness violations: an atomic access that may miss a write although every
  interleaving of the threads would show it. They are predicted: the access
  need not go wrong in this run.
  Data races: two accesses that nothing orders, of which one writes and one is
  not atomic. Fences count, as the C and C++ standards say.

  Build the program with `fencepost cc` or `fencepost c++` in place of the
  compiler. It can also be run by itself, with options in FENCEPOST_OPTIONS;
  FENCEPOST_OPTIONS=help=1 lists them.

What a report means:
  It names two accesses, each with its thread, ordering and stack. The first
  may miss the second (or be overwritten by it, or is in a race with it). The
  last line says what would forbid that. A load in a loop that only waits may
  be stale without harm: `fencepost_wait` of fencepost.h says that only the
  value that ends the wait counts.

Which runs to try:
  What is found depends on the order in which threads run. `os` is closest to
  the real program, but tries few orders. `random` tries many, and `pct` those
  in which threads are interrupted at a few places, which is where most bugs
  are. Both run one thread at a time, and a seed repeats a run exactly.

Examples:
  fencepost cc -O1 queue.c -o queue && fencepost run ./queue
      One run, with threads as the system lets them run.
  fencepost run --runs 1000 --schedule pct ./queue
      Up to a thousand runs, until one shows something.
  fencepost run --schedule random --seed 42 ./queue
      The same run again.
  fencepost run --suppressions known.txt --format sarif ./queue > found.sarif
      For a code host, without what is known: a line of known.txt is
      race:FUNCTION or robustness:FUNCTION, with * for anything.

Exit status:
  0  the runs showed nothing, which is no proof: see `fencepost check --help`
  1  they did, and it was printed
  2  bad usage, or a program that was not built for this
  3  unknown: the program failed, and showed nothing until then";

#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "`fencepost run --help` explains the answers and has examples.")]
pub struct RunArguments {
    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub program: Vec<OsString>,
    /// Run at most so often, until something is found; with more than one run, the program's own output is dropped
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: u64,
    /// Who decides which thread runs
    #[arg(long, default_value = Schedule::Os.name(), value_parser = schedules())]
    pub schedule: Schedule,
    /// The seed of the first run's schedule; each later run takes the next
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// For pct: how many ordering constraints a bug may have
    #[arg(long, value_name = "D", default_value_t = 3)]
    pub depth: u32,
    /// End the program at its first violation
    #[arg(long)]
    pub halt: bool,
    /// The memory model
    #[arg(long, default_value = Model::Rc11.name(), value_parser = models())]
    pub model: Model,
    /// A file of reports that are not wanted, in the syntax of ThreadSanitizer
    #[arg(long, value_name = "FILE")]
    pub suppressions: Option<String>,
    /// How to print the report
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

fn schedules() -> impl TypedValueParser<Value = Schedule> {
    let value = |schedule: Schedule| {
        PossibleValue::new(schedule.name()).help(match schedule {
            Schedule::Os => "The system",
            Schedule::Random => "A seed: one thread runs at a time, and any may be next",
            Schedule::Pct => {
                "A seed: one thread runs at a time, by priorities that change a few times (probabilistic concurrency testing)"
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

/// Arguments of a compiler, which are none of ours.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct CompilerArguments {
    /// What the compiler takes
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}
