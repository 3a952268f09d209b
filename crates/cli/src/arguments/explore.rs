use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fencepost_models::jam21::Jam21By;
use fencepost_models::{Engine, Model};
use fencepost_program::{Processor, Program};
use fencepost_report::GraphsFormat;
use fencepost_story::Property;

use super::{CArguments, InputArguments, ReportArguments, WitnessFile, model, property};
use crate::units;

const HELP: &str = "\
What is explored:
  Every execution that the memory model allows, each exactly once. An
  execution is complete when all threads have ended. It is blocked when some
  thread cannot continue: an assumption was false, a wait has not been
  satisfied, or a spin loop would repeat the same iteration.

  The search stops at the first data race, failing assertion or deadlock. A
  thread that waits for ever is a deadlock; executions abandoned by an
  assumption are not. The condition of a litmus test decides the verdict.

  Spin loops need no bound. Other loops can have infinite executions: bound
  them with --unroll. The verdict then says how far it reaches.

Examples:
  fencepost explore --model tso peterson.fp
      Does an assertion fail on x86?
  fencepost explore --outcomes SB.litmus
      List the final states, with the number of executions of each.
  fencepost explore --models rc11,jam21 algorithm.fp
      Which executions does one model allow and the other forbid?
  fencepost explore --estimate --jobs 2 big.fp
      Estimate first how long it will take.
  fencepost explore --together queue.c main.c
      Explore a program of several files (or of a build: -p).
  fencepost explore --graphs all.html MP.litmus
      Write a page with all complete executions.

Exit status:
  0  no race, failing assertion or deadlock, and the condition holds
  1  a violation was found, or the condition does not hold; with --models,
     the models do not allow the same executions
  2  bad usage, an input that cannot be read, or one that the model cannot take
  3  unknown: a limit was reached or the search was interrupted
  With several files: 2 if any is 2, else 1 if any is 1, else 3 if any is 3.";

#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "`fencepost explore --help` explains the answers and has examples.")]
pub struct ExploreArguments {
    #[command(flatten)]
    pub input: InputArguments,
    /// The memory model [default: rc11, tso for a litmus test in assembler]
    #[arg(long, value_parser = model(Engine::Explore))]
    pub model: Option<Model>,
    /// Algorithm for `--model jam21`: the relations of its definition, or clocks
    #[arg(long, value_name = "HOW", default_value = Jam21By::Clocks.name(), value_parser = jam21_by())]
    pub jam21_by: Jam21By,
    /// Compare these models, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = model(Engine::Explore), hide_possible_values = true)]
    #[arg(conflicts_with_all = ["model", "properties", "outcomes", "graphs", "estimate"])]
    pub models: Vec<Model>,
    /// Properties to check, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = property(&PROPERTIES))]
    #[arg(default_value = "races,assertions,deadlocks")]
    pub properties: Vec<Property>,
    #[command(flatten)]
    pub c: CArguments,
    /// Also report memory leaks of C programs
    #[arg(long)]
    pub leaks: bool,
    /// Bound every loop to N iterations
    #[arg(long, value_name = "N")]
    pub unroll: Option<u32>,
    /// List the final states, with the number of executions that end in each
    #[arg(long)]
    pub outcomes: bool,
    /// Print all complete execution graphs (`all`), or write them to an .html, .svg, .txt, .json or .dot file
    #[arg(long, value_name = "all|FILE", value_parser = AllGraphs::parse)]
    pub graphs: Option<AllGraphs>,
    /// Write the answer about a C program for validators of SV-COMP to a .graphml (1.0) or .yml (2.0) file
    #[arg(long, value_name = "FILE", value_parser = WitnessFile::parse, conflicts_with = "models")]
    pub witness: Option<WitnessFile>,
    /// Time limit for each file, such as 10s, 2m or 1.5h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Maximum number of executions, complete or blocked
    #[arg(long, value_name = "N")]
    pub max_executions: Option<u64>,
    /// Memory limit, such as 512MiB or 4GiB [default: 90% of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,
    /// Number of search threads; the answer and the counts do not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// First estimate the number of executions and the time they take
    #[arg(long)]
    pub estimate: bool,
    #[command(flatten)]
    pub report: ReportArguments,
}

impl ExploreArguments {
    /// The model that was asked for, or the one that the program is written for.
    pub fn model_for(&self, program: &Program) -> Model {
        self.model.unwrap_or(match program.processor {
            Some(Processor::X86) => Model::Tso,
            None => Model::Rc11,
        })
    }
}

/// The file for all execution graphs, and its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllGraphs {
    /// `None` is standard output.
    pub path: Option<PathBuf>,
    pub format: GraphsFormat,
}

impl AllGraphs {
    fn parse(text: &str) -> Result<AllGraphs, String> {
        if text == "all" {
            return Ok(AllGraphs { path: None, format: GraphsFormat::Text });
        }
        let path = PathBuf::from(text);
        let format = match path.extension().and_then(|e| e.to_str()) {
            Some("txt") => GraphsFormat::Text,
            Some("json") => GraphsFormat::Json,
            Some("dot") => GraphsFormat::Dot,
            Some("svg") => GraphsFormat::Svg,
            Some("html") => GraphsFormat::Html,
            _ => return Err("expected `all`, or a file name that ends in .html, .svg, .txt, .json or .dot".into()),
        };
        Ok(AllGraphs { path: Some(path), format })
    }
}

const PROPERTIES: [Property; 3] = [Property::Races, Property::Assertions, Property::Deadlocks];

fn jam21_by() -> impl TypedValueParser<Value = Jam21By> {
    let find = |name: String| Jam21By::ALL.into_iter().find(|by| by.name() == name);
    PossibleValuesParser::new(Jam21By::ALL.map(Jam21By::name)).map(move |name| find(name).unwrap_or_default())
}
