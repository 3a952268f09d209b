use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fencepost_frontend::Nondet;
use fencepost_models::jam21::Jam21By;
use fencepost_models::{Engine, Model};
use fencepost_report::Property;

use super::{Format, GraphFile, model, nondet, property};
use crate::units;

const HELP: &str = "\
What is explored:
  Every execution that the memory model allows, each exactly once. An
  execution is complete when all threads have ended; it is blocked when some
  thread was cut off, by an assumption, by a wait for what never comes, or
  because it would go round a spin loop once more.

  The search stops at the first data race, failing assertion or deadlock: a
  thread that waits for ever is an error, one that an assumption cuts off is
  not. The condition of a litmus test decides the verdict: it holds, or it does
  not.

  Loops that are not spin loops can have executions without end: --unroll
  bounds them, and the answer then says up to which bound it holds.

Examples:
  fencepost explore --model tso peterson.fp
      Does an assertion fail on x86?
  fencepost explore --outcomes SB.litmus
      The final states, how many executions end in each, and the condition.
  fencepost explore --models rc11,jam21 algorithm.fp
      Which executions does one model allow and the other forbid?
  fencepost explore --estimate --jobs 2 big.fp
      How long will it take? Progress is then shown against the estimate.
  fencepost explore --graphs all.dot MP.litmus
      Write all complete execution graphs.

Exit status:
  0  no race, failing assertion or deadlock, and the condition holds
  1  there is one, or the condition does not hold; with --models, the models
     do not allow the same executions
  2  bad usage, an input that cannot be read, or one that the model cannot take
  3  unknown: a limit was reached or the search was interrupted
  With several files: 2 if any is 2, else 1 if any is 1, else 3 if any is 3.";

#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "`fencepost explore --help` explains the answers and has examples.")]
pub struct ExploreArguments {
    /// Programs to explore: .fp, .litmus, .c, .cc, .cpp and .ll files, or `-` for .fp on standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Arguments for clang, which compiles C and C++
    #[arg(last = true, value_name = "CLANG ARGUMENTS")]
    pub compiler_arguments: Vec<OsString>,
    /// The memory model
    #[arg(long, default_value = Model::Rc11.name(), value_parser = model(Engine::Explore))]
    pub model: Model,
    /// How to decide `--model jam21`: by the relations of its definition, or by clocks
    #[arg(long, value_name = "HOW", default_value = Jam21By::Clocks.name(), value_parser = jam21_by())]
    pub jam21_by: Jam21By,
    /// Compare these models, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = model(Engine::Explore), hide_possible_values = true)]
    #[arg(conflicts_with_all = ["model", "properties", "outcomes", "graphs", "estimate"])]
    pub models: Vec<Model>,
    /// What to look for, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = property(&PROPERTIES))]
    #[arg(default_value = "races,assertions,deadlocks")]
    pub properties: Vec<Property>,
    /// The values of `__VERIFIER_nondet_int` and its like in C programs, such as -2..7
    #[arg(long, value_name = "LO..HI", value_parser = nondet, allow_hyphen_values = true)]
    pub nondet: Option<Nondet>,
    /// Show what a C program printed in an execution that goes wrong
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
    /// Look also for memory that is lost without being freed
    #[arg(long)]
    pub leaks: bool,
    /// Let a thread go back at most this often in each loop
    #[arg(long, value_name = "N")]
    pub unroll: Option<u32>,
    /// Show the final states, and how many executions end in each
    #[arg(long)]
    pub outcomes: bool,
    /// Print all complete execution graphs (`all`), or write them to a file: its name ends in .txt, .json or .dot
    #[arg(long, value_name = "all|FILE", value_parser = AllGraphs::parse)]
    pub graphs: Option<AllGraphs>,
    /// Give up a file after this time, such as 10s, 2m or 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Give up after this many executions, complete or blocked
    #[arg(long, value_name = "N")]
    pub max_executions: Option<u64>,
    /// Give up when fencepost takes this much memory, such as 512MiB or 4GiB [default: 90% of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,
    /// Threads that explore; the answer and the counts do not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// Say first how many executions there are about, and how long they take
    #[arg(long)]
    pub estimate: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Write the execution graph of a violation; the name ends in .dot, .svg or .html
    #[arg(long, value_name = "FILE", value_parser = GraphFile::parse)]
    pub graph: Option<GraphFile>,
}

/// Where all execution graphs go, and in which form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllGraphs {
    /// `None` is standard output.
    pub path: Option<PathBuf>,
    pub format: AllGraphsFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllGraphsFormat {
    Text,
    Json,
    Dot,
}

impl AllGraphs {
    fn parse(text: &str) -> Result<AllGraphs, String> {
        if text == "all" {
            return Ok(AllGraphs { path: None, format: AllGraphsFormat::Text });
        }
        let path = PathBuf::from(text);
        let format = match path.extension().and_then(|e| e.to_str()) {
            Some("txt") => AllGraphsFormat::Text,
            Some("json") => AllGraphsFormat::Json,
            Some("dot") => AllGraphsFormat::Dot,
            _ => return Err("expected `all`, or a name that ends in .txt, .json or .dot".into()),
        };
        Ok(AllGraphs { path: Some(path), format })
    }
}

const PROPERTIES: [Property; 3] = [Property::Races, Property::Assertions, Property::Deadlocks];

fn jam21_by() -> impl TypedValueParser<Value = Jam21By> {
    let find = |name: String| Jam21By::ALL.into_iter().find(|by| by.name() == name);
    PossibleValuesParser::new(Jam21By::ALL.map(Jam21By::name)).map(move |name| find(name).unwrap_or_default())
}
