use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fencepost_models::{Engine, Model};
use fencepost_prove::{Method, NumericDomain, PthreadFences};

use super::{AbortArgument, Format, InputArguments, WitnessFile, model};
use crate::units;

const HELP: &str = "\
What is proved:
  That an assertion holds in every execution that the memory model allows,
  without a bound on loops. The analysis over-approximates: proofs are always
  right, but an alarm may be false. --confirm searches for a failing execution
  if there are not too many executions.

  The condition of a litmus test counts as an assertion about its final
  states: `forall p` asks for p, `~exists p` and `exists p` ask for not p.

Examples:
  fencepost prove --model tso dekker.fp
      Which assertions hold on x86?
  fencepost prove --model rmo --confirm MP.litmus
      Prove it, or show a failing execution.
  fencepost prove --together queue.c main.c
      Prove assertions of a program of several files (or of a build: -p).
  fencepost prove --model pso --explain 1 publish.fp
      Why are the bad values of the first assertion impossible?

Exit status:
  0  every assertion is proved, or its alarm is confirmed to be false
  1  an alarm is confirmed to be real
  2  bad usage, or an input that cannot be read or analysed
  3  there are unconfirmed alarms
  With several files: 2 if any is 2, else 1 if any is 1, else 3 if any is 3.";

#[derive(Clone, Debug, Args)]
#[command(after_long_help = HELP, after_help = "`fencepost prove --help` explains the answers and has examples.")]
pub struct ProveArguments {
    #[command(flatten)]
    pub input: InputArguments,
    /// The memory model of the processor
    #[arg(long, default_value = "tso", value_parser = model(Engine::Prove))]
    pub model: Model,
    /// How to account for interference between threads
    #[arg(long, default_value = "all-threads", value_parser = method())]
    pub method: Method,
    /// Abstract domain for the registers of a thread
    #[arg(long, default_value = "interval", value_parser = domain())]
    pub domain: NumericDomain,
    /// How calls of pthreads and C11 threads order memory accesses
    #[arg(long, default_value = "library", value_parser = pthread_fences(), value_name = "FENCES")]
    pub pthread_fences: PthreadFences,
    /// Decide alarms by visiting all executions, if there are not too many
    #[arg(long)]
    pub confirm: bool,
    /// Explain why the bad cases of the assertion with this number are impossible
    #[arg(long, value_name = "N")]
    pub explain: Option<usize>,
    /// Maximum number of cases per assertion
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub max_cases: u64,
    /// Time limit for each file, such as 10s, 2m or 1.5h. Without it, confirming an alarm takes at most 10s
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Memory limit, such as 512MiB or 4GiB [default: 90% of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,
    /// Also explore failures of `malloc`, `pthread_create` and other calls of C programs
    #[arg(long)]
    pub failing_calls: bool,
    /// Number of command-line arguments of a C program, including its name [default: any number]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    pub argc: Option<u8>,
    #[command(flatten)]
    pub abort: AbortArgument,
    /// Write the answer about a C program for validators of SV-COMP to a .graphml (1.0) or .yml (2.0) file
    #[arg(long, value_name = "FILE", value_parser = WitnessFile::parse)]
    pub witness: Option<WitnessFile>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

fn method() -> impl TypedValueParser<Value = Method> {
    let values = Method::ALL.map(|method| {
        PossibleValue::new(method.name()).help(match method {
            Method::AllThreads => "combinations of what the loads of all threads read",
            Method::FruitTree => "order between two threads at a time (Kusano and Wang, FSE 2017)",
            Method::Mine => "every load may read every store (Miné)",
            Method::Watts => "as if memory were sequentially consistent; unsound for other models",
        })
    });
    let find = |name: String| Method::ALL.into_iter().find(|m| m.name() == name).ok_or("not a method");
    PossibleValuesParser::new(values).try_map(find)
}

fn pthread_fences() -> impl TypedValueParser<Value = PthreadFences> {
    let values = PthreadFences::ALL.map(|fences| {
        PossibleValue::new(fences.name()).help(match fences {
            PthreadFences::Library => "a lock is an acquire RMW, an unlock a release store",
            PthreadFences::Full => "each call is a full fence",
        })
    });
    let find = |name: String| PthreadFences::ALL.into_iter().find(|f| f.name() == name).ok_or("no such fences");
    PossibleValuesParser::new(values).try_map(find)
}

fn domain() -> impl TypedValueParser<Value = NumericDomain> {
    let values = NumericDomain::ALL.map(|domain| {
        PossibleValue::new(domain.name()).help(match domain {
            NumericDomain::Interval => "bounds of each register",
            NumericDomain::Octagon => "also bounds of the sum and the difference of two registers; slower",
        })
    });
    let find = |name: String| NumericDomain::ALL.into_iter().find(|d| d.name() == name).ok_or("not a domain");
    PossibleValuesParser::new(values).try_map(find)
}
