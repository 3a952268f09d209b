mod explore;
mod prove;
mod run;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use explore::{AllGraphs, ExploreArguments};
use fencepost_frontend::{Abort, Nondet, Settings, Uninitialised};
use fencepost_models::{Engine, Model};
use fencepost_report::WitnessFormat;
use fencepost_story::Property;
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
                             does a run of a real program show a race?
  fencepost prove FILE.fp    do its assertions hold on a processor, without bounds?

Exit status:
  0  the property holds
  1  the property is violated, and the report shows how
  2  bad usage, or an input that cannot be read
  3  unknown: a limit was reached or the search was interrupted";

const CHECK_HELP: &str = "\
What robust means:
  A program is robust under a memory model if every execution that the model
  allows is also an interleaving of its threads, as if memory were
  sequentially consistent (SC). Its orderings are then strong enough: you can
  reason about interleavings and forget the memory model.
  In a program that is not robust, some access may miss a write that every
  interleaving would show it. The report names both accesses, the steps that
  lead there, and changes that repair the program.

  Races, assertions and deadlocks are checked in SC executions. All executions
  of a robust program are SC, so `holds` for all properties covers the weak
  model.

Examples:
  fencepost check peterson.fp
      Check everything under rc11, the model of C, C++ and Rust.
  fencepost check --model ra peterson.fp
      Would release/acquire be enough everywhere?
  fencepost check --observational seqlock.fp
      Allow stale reads as long as nothing depends on them.
  fencepost check --graph why.html peterson.fp
      Write a page with the execution graph of a violation.
  fencepost check --format json programs/*.fp
      Print one JSON object per line for each file.
  fencepost check --together queue.c main.cc -- -Iinclude
      Link C and C++ files into one program. Arguments after `--` are clang's.
  fencepost check -p build --target queue_test
      Check what a build compiles for one target, as its
      compile_commands.json says.
  generate-model | fencepost check -
      Read an .fp program from standard input.

Exit status:
  0  all properties hold in every execution
  1  a property is violated, and the report shows how
  2  bad usage, an input that cannot be read, or one that the model cannot take
  3  unknown: a limit was reached or the search was interrupted
  With several files: 2 if any is 2, else 1 if any is 1, else 3 if any is 3.";

/// Checks whether the memory orderings of lock-free code are strong enough.
#[derive(Debug, Parser)]
#[command(name = "fencepost", version, after_help = HELP)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: Color,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check robustness: is every execution of a program sequentially consistent?
    Check(CheckArguments),
    /// Visit every execution that a memory model allows: does one fail, and how do they end?
    Explore(ExploreArguments),
    /// Compile C for `run`, with gcc or clang (FENCEPOST_CC)
    Cc(CompilerArguments),
    /// Compile C++ for `run`, with g++ or clang++ (FENCEPOST_CXX)
    #[command(name = "c++")]
    Cpp(CompilerArguments),
    /// Run a program built by `cc` or `c++`, and report robustness violations and data races
    Run(RunArguments),
    /// Prove that assertions hold in every execution on a processor, without bounds
    Prove(ProveArguments),
    /// Convert a program for another tool
    Export(ExportArguments),
    /// Format .fp programs
    Fmt(FormatArguments),
    /// Write man pages and completions for bash, zsh and fish into a directory
    #[command(hide = true)]
    Generate(GenerateArguments),
}

#[derive(Debug, Args)]
pub struct GenerateArguments {
    #[arg(value_name = "DIRECTORY")]
    pub directory: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_long_help = CHECK_HELP, after_help = "`fencepost check --help` explains the answers and has examples.")]
pub struct CheckArguments {
    #[command(flatten)]
    pub input: InputArguments,
    #[command(flatten)]
    pub memory_model: ModelArguments,
    /// Whether a read that only repeats a loop may be stale (`waits`) or is checked like any other (`reads`)
    /// [default: waits in C and C++, reads elsewhere]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub spin_loops: Option<SpinLoops>,
    /// Properties to check, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = property(&Property::ALL))]
    #[arg(default_value = "robustness,races,assertions,deadlocks")]
    pub properties: Vec<Property>,
    #[command(flatten)]
    pub c: CArguments,
    /// Time limit for each file, such as 10s, 2m or 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Maximum number of states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Memory limit, such as 512MiB or 4GiB [default: 90% of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,
    /// Number of search threads; the answer does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    #[command(flatten)]
    pub report: ReportArguments,
}

// What is read. (A doc comment would replace that of the command.)
#[derive(Clone, Debug, Args)]
pub struct InputArguments {
    /// Programs: .fp, .litmus, C (.c, .i), C++ (.cc, .cpp, .cxx, .ii), LLVM IR (.ll, .bc); `-` for .fp on stdin
    #[arg(value_name = "FILE", required_unless_present = "build")]
    pub files: Vec<PathBuf>,
    /// Link the files: they are one program
    #[arg(long)]
    pub together: bool,
    /// Directory of a `compile_commands.json`: the files, or all of them, are one program, compiled as it says
    #[arg(short = 'p', long, value_name = "BUILD")]
    pub build: Option<PathBuf>,
    /// With -p: only what is compiled for this target of the build; may be repeated
    #[arg(long = "target", value_name = "NAME", requires = "build")]
    pub targets: Vec<String>,
    /// Arguments for clang, which compiles C and C++ files
    #[arg(last = true, value_name = "CLANG ARGUMENTS")]
    pub compiler_arguments: Vec<OsString>,
}

// How C programs are read. (A doc comment would replace that of the command.)
#[derive(Debug, Args)]
pub struct CArguments {
    /// Range of `__VERIFIER_nondet_int` and similar functions in C programs, such as -2..7 [default: -1..2, or 0..3 if
    /// unsigned; `holds` becomes `unknown` then]
    #[arg(long, value_name = "LO..HI", value_parser = nondet, allow_hyphen_values = true)]
    pub nondet: Option<Nondet>,
    /// Show what a C program printed in the failing run
    #[arg(long)]
    pub stdout: bool,
    /// Never reuse freed memory; by default, `malloc` may return it in C programs that compare pointers
    #[arg(long)]
    pub no_reuse: bool,
    /// Also explore failures of `malloc`, `pthread_create` and other calls of C programs
    #[arg(long)]
    pub failing_calls: bool,
    /// Number of command-line arguments of a C program, including its name [default: any number]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    pub argc: Option<u8>,
    /// Whether a local number to which nothing was assigned is an error or any number
    #[arg(long, value_name = "WHAT", value_parser = uninitialised(), default_value = "error")]
    pub uninitialised: Uninitialised,
    #[command(flatten)]
    pub abort: AbortArgument,
}

// What all commands ask about `abort`.
#[derive(Clone, Copy, Debug, Args)]
pub struct AbortArgument {
    /// Whether `abort` is an error or an end of a C program [default: an end if the program has `reach_error`]
    #[arg(long = "abort", value_name = "WHAT", value_parser = abort())]
    pub is: Option<Abort>,
}

impl CArguments {
    /// `strict` looks for wrong use of locks, barriers and condition variables.
    pub fn settings(&self, strict: bool, properties: &[Property]) -> Settings {
        Settings {
            nondet: self.nondet.unwrap_or_default(),
            output: self.stdout,
            strict,
            no_reuse: self.no_reuse,
            failing: self.failing_calls,
            argc: self.argc,
            abort: self.abort.is,
            uninitialised: self.uninitialised,
            ignores_races: !properties.contains(&Property::Races),
            ..Settings::default()
        }
    }
}

// Where the answer goes.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Write the execution graph of a violation to a .dot, .svg or .html file
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
    /// Allow stale reads as long as nothing depends on them
    #[arg(long)]
    pub observational: bool,
}

#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Write a Promela model of the program and its monitors, for SPIN
    #[arg(long, required = true)]
    pub promela: bool,
    #[command(flatten)]
    pub input: InputArguments,
    #[command(flatten)]
    pub memory_model: ModelArguments,
    /// Time limit, such as 10s, 2m or 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Memory limit, such as 512MiB or 4GiB [default: 90% of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "Without --check and --write, the formatted text goes to standard output.")]
pub struct FormatArguments {
    /// .fp files, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; list the files that are not formatted, and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,
    /// Write the formatted text back to the files
    #[arg(long, conflicts_with = "check")]
    pub write: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for a terminal
    Text,
    /// One JSON object per line; see docs/reference/json.md
    Json,
    /// One SARIF 2.1.0 log for all files
    Sarif,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    Dot,
    Svg,
    Html,
}

/// The file for a graph; its extension selects the format.
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
            _ => return Err("expected a file name that ends in .dot, .svg or .html".into()),
        };
        Ok(GraphFile { path, format })
    }
}

/// The file for a witness of SV-COMP; its extension selects the format.
#[derive(Clone, Debug)]
pub struct WitnessFile {
    pub path: PathBuf,
    pub format: WitnessFormat,
}

impl WitnessFile {
    fn parse(text: &str) -> Result<WitnessFile, String> {
        let path = PathBuf::from(text);
        let format = path.extension().and_then(|e| e.to_str()).and_then(WitnessFormat::of_extension);
        match format {
            Some(format) => Ok(WitnessFile { path, format }),
            None => Err("expected a file name that ends in .graphml, .yml or .yaml".into()),
        }
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
            Property::Races => "no two unordered accesses, at least one a write and at least one not atomic",
            Property::Assertions => "no failing assertion, index out of bounds, division by zero or memory error",
            Property::Deadlocks => "no execution in which a thread waits for ever and no other can wake it",
        })
    });
    PossibleValuesParser::new(values)
        .try_map(|name| known.iter().copied().find(|property| property.name() == name).ok_or("not a property"))
}

fn abort() -> impl TypedValueParser<Value = Abort> {
    let values =
        [PossibleValue::new("error").help("as a failing assertion"), PossibleValue::new("end").help("as exit")];
    PossibleValuesParser::new(values).map(|name| if name == "end" { Abort::End } else { Abort::Error })
}

fn uninitialised() -> impl TypedValueParser<Value = Uninitialised> {
    let values = [
        PossibleValue::new("error").help("reading it is an error"),
        PossibleValue::new("any").help("as `__VERIFIER_nondet_int`, which `--nondet` bounds"),
    ];
    PossibleValuesParser::new(values).map(|name| if name == "any" { Uninitialised::Any } else { Uninitialised::Error })
}

/// `LO..HI`, both inclusive.
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
