mod explore;
mod prove;
mod run;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use explore::{AllGraphs, AllGraphsFormat, ExploreArguments};
use fencepost_frontend::Nondet;
use fencepost_models::{Engine, Model};
use fencepost_report::Property;
pub use prove::ProveArguments;
pub use run::{CompilerArguments, RunArguments};

use crate::output::Color;
use crate::units;

const HELP: &str = "\
Start with:
  fencepost check FILE.fp    are the orderings of this program strong enough?
  fencepost check --help     what is checked, and what the answers mean
  fencepost explore FILE.fp  which executions does a memory model allow?
  fencepost cc -o PROGRAM FILE.c && fencepost run ./PROGRAM
                             does a real program show a weak behaviour or a race?
  fencepost prove FILE.fp    do its assertions hold on this processor, with no bound?

Exit status:
  0  the property holds
  1  it does not, and the evidence was printed
  2  bad usage, or an input that cannot be read
  3  unknown: a limit was reached or the search was interrupted";

const CHECK_HELP: &str = "\
What robust means:
  A program is robust under a memory model if every execution that the model
  allows is also an interleaving of its threads, as if memory were
  sequentially consistent (SC). Its orderings are then strong enough: it can
  be understood thread by thread, step by step, whatever the hardware does.
  In a program that is not robust, some access may miss a write that every
  interleaving would show it. The report names both, with a run that leads
  there and what would forbid it.

  Races, assertions and deadlocks are looked for in SC executions. Those of a
  robust program are SC, so a yes to all properties covers the weak model.

Examples:
  fencepost check peterson.fp
      Check everything under rc11, the model of C, C++ and Rust.
  fencepost check --model ra peterson.fp
      Would release/acquire be enough everywhere?
  fencepost check --observational seqlock.fp
      Stale values may be read, as long as nothing depends on them.
  fencepost check --graph why.html peterson.fp
      Write a page with the execution graph of a violation.
  fencepost check --format json programs/*.fp
      One JSON object a line for each file.
  generate-model | fencepost check -
      Read an .fp program from standard input.

Exit status:
  0  all properties hold in every execution
  1  one does not, and the evidence was printed
  2  bad usage, an input that cannot be read, or one that the model cannot take
  3  unknown: a limit was reached or the search was interrupted
  With several files: 2 if any is 2, else 1 if any is 1, else 3 if any is 3.";

/// Tells whether the memory orderings of lock-free code are strong enough.
#[derive(Debug, Parser)]
#[command(name = "fencepost", version, after_help = HELP)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// When to colour what is printed
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Search all executions: is every behaviour of a program sequentially consistent?
    Check(CheckArguments),
    /// Visit every execution that a memory model allows: does one go wrong, and how do they end?
    Explore(ExploreArguments),
    /// Compile C for `run`: gcc or clang (FENCEPOST_CC), with instrumentation and our runtime
    Cc(CompilerArguments),
    /// Compile C++ for `run`
    #[command(name = "c++")]
    Cpp(CompilerArguments),
    /// Run a program built by `cc` or `c++`: does it show a robustness violation or a data race?
    Run(RunArguments),
    /// Prove assertions with no bound: do they hold in every execution on a processor?
    Prove(ProveArguments),
    /// Write a program for another tool
    Export(ExportArguments),
    /// Format .fp programs
    Fmt(FormatArguments),
}

#[derive(Debug, Args)]
#[command(after_long_help = CHECK_HELP, after_help = "`fencepost check --help` explains the answers and has examples.")]
pub struct CheckArguments {
    /// Programs to check: .fp, .litmus, .c, .cc, .cpp and .ll files, or `-` for .fp on standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Arguments for clang, which compiles C and C++
    #[arg(last = true, value_name = "CLANG ARGUMENTS")]
    pub compiler_arguments: Vec<OsString>,
    #[command(flatten)]
    pub memory_model: ModelArguments,
    /// Whether a read that only makes a loop go round once more may be stale (`waits`), or counts like any other (`reads`)
    /// [default: waits in C and C++, reads elsewhere]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub spin_loops: Option<SpinLoops>,
    /// What to look for, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = property(&Property::ALL))]
    #[arg(default_value = "robustness,races,assertions,deadlocks")]
    pub properties: Vec<Property>,
    /// The values of `__VERIFIER_nondet_int` and its like in C programs, such as -2..7
    #[arg(long, value_name = "LO..HI", value_parser = nondet, allow_hyphen_values = true)]
    pub nondet: Option<Nondet>,
    /// Show what a C program printed in the run that goes wrong
    #[arg(long)]
    pub stdout: bool,
    /// Never let `malloc` return memory that was freed; otherwise it may, in C programs that compare pointers
    #[arg(long)]
    pub no_reuse: bool,
    /// Let `malloc`, `pthread_create` and others fail, in C programs, as they may
    #[arg(long)]
    pub failing_calls: bool,
    /// How many command-line arguments a C program has, its name included [default: any number]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    pub argc: Option<u8>,
    /// Give up a file after this time, such as 10s, 2m or 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Give up after this many states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Give up when fencepost takes this much memory, such as 512MiB or 4GiB [default: 90% of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,
    /// Threads that search; the answer does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// How to print the report
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Write the execution graph of a violation; the name ends in .dot, .svg or .html
    #[arg(long, value_name = "FILE", value_parser = GraphFile::parse)]
    pub graph: Option<GraphFile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SpinLoops {
    Waits,
    Reads,
}

#[derive(Debug, Args)]
pub struct ModelArguments {
    /// The memory model
    #[arg(long, default_value = Model::Rc11.name(), value_parser = model(Engine::Check))]
    pub model: Model,
    /// Let stale values be read as long as nothing depends on them
    #[arg(long)]
    pub observational: bool,
}

#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Write Promela: the program with its monitors, for SPIN to search
    #[arg(long, required = true)]
    pub promela: bool,
    /// An .fp or .litmus file, or `-` for .fp on standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub memory_model: ModelArguments,
    /// Give up after this time, such as 10s, 2m or 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Give up when fencepost takes this much memory, such as 512MiB or 4GiB [default: 90% of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,
    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Without --check and --write, the formatted text goes to standard output.")]
pub struct FormatArguments {
    /// .fp files, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; name the files that are not formatted, and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
    /// Write the formatted text back to the files
    #[arg(long, conflicts_with = "check")]
    pub write: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One object a line; see docs/reference/json.md
    Json,
    /// SARIF 2.1.0, one log for all files
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    Dot,
    Svg,
    Html,
}

/// Where a graph goes; its name says in which form.
#[derive(Clone, Debug)]
pub struct GraphFile {
    pub path: PathBuf,
    pub format: GraphFormat,
}

impl GraphFile {
    fn parse(text: &str) -> Result<GraphFile, String> {
        let path = PathBuf::from(text);
        let format = match path.extension().and_then(|e| e.to_str()) {
            Some("dot") => GraphFormat::Dot,
            Some("svg") => GraphFormat::Svg,
            Some("html") => GraphFormat::Html,
            _ => return Err("expected a name that ends in .dot, .svg or .html".into()),
        };
        Ok(GraphFile { path, format })
    }
}

/// The models that an engine takes, each with its help.
fn model(engine: Engine) -> impl TypedValueParser<Value = Model> {
    let value = |model: Model| PossibleValue::new(model.name()).help(model.descriptor().help);
    PossibleValuesParser::new(Model::of(engine).map(value)).try_map(|name| name.parse::<Model>())
}

fn property(known: &'static [Property]) -> impl TypedValueParser<Value = Property> {
    let values = known.iter().map(|property| {
        PossibleValue::new(property.name()).help(match property {
            Property::Robustness => "every execution is sequentially consistent",
            Property::Races => "no two unordered accesses of which one writes and one is not atomic",
            Property::Assertions => "no assertion fails, no index is out of bounds, nothing is divided by zero",
            Property::Deadlocks => "never are all threads stuck while one of them waits",
        })
    });
    PossibleValuesParser::new(values)
        .try_map(|name| known.iter().copied().find(|property| property.name() == name).ok_or("not a property"))
}

/// `LO..HI`, both included.
fn nondet(text: &str) -> Result<Nondet, String> {
    let bounds = text.split_once("..").map(|(lo, hi)| (lo.trim().parse(), hi.trim().parse()));
    match bounds {
        Some((Ok(lo), Ok(hi))) if lo <= hi => Ok(Nondet::Within(lo, hi)),
        _ => Err("expected two numbers, the smaller first, such as -2..7".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_fit_together() {
        super::Arguments::command().debug_assert();
    }
}
