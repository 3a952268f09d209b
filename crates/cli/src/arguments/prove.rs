use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fencepost_models::{Engine, Model};
use fencepost_prove::{Method, NumericDomain, PthreadFences};

use super::{Format, model};
use crate::units;

const HELP: &str = "\
What is proved:
  That an assertion holds in every execution that the memory model allows,
  loops and all, with no bound. The analysis over-approximates: what it proves
  is true, but what it cannot prove (an alarm) may be true as well. --confirm
  looks for an execution that fails, where there are not too many.

  The condition of a litmus test counts as an assertion about its final
  states: `forall p` asks for p, `~exists p` and `exists p` ask for not p.

Examples:
  fencepost prove --model tso dekker.fp
      Which assertions hold on x86?
  fencepost prove --model rmo --confirm MP.litmus
      Prove it, or show an execution that fails.
  fencepost prove --model pso --explain 1 publish.fp
      Why are the bad values of the first assertion impossible?

Exit status:
  0  every assertion is proved, or its alarm is confirmed to be bogus
  1  an alarm is confirmed to be real
  2  bad usage, or an input that cannot be read or analysed
  3  there are alarms that are not confirmed
  With several files: 2 if any is 2, else 1 if any is 1, else 3 if any is 3.";

#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "`fencepost prove --help` explains the answers and has examples.")]
pub struct ProveArguments {
    /// Programs: .fp, .litmus, C (.c) and C++ (.cc, .cpp) files, LLVM IR (.ll), or `-` for .fp on standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The memory model of the processor
    #[arg(long, default_value = "tso", value_parser = model(Engine::Prove))]
    pub model: Model,
    /// How interference between threads is taken into account
    #[arg(long, default_value = "all-threads", value_parser = method())]
    pub method: Method,
    /// What is known of the registers of a thread
    #[arg(long, default_value = "interval", value_parser = domain())]
    pub domain: NumericDomain,
    /// What calls of pthreads and C11 threads keep in order
    #[arg(long, default_value = "library", value_parser = pthread_fences(), value_name = "FENCES")]
    pub pthread_fences: PthreadFences,
    /// Decide alarms by looking at all executions, where there are not too many
    #[arg(long)]
    pub confirm: bool,
    /// Explain why the bad cases of the assertion with this number are impossible
    #[arg(long, value_name = "N")]
    pub explain: Option<usize>,
    /// Give up an assertion after this many cases
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub max_cases: u64,
    /// Give up a file after this time, such as 10s, 2m or 1.5h. Without it, the confirmation of an alarm takes 10s at most
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub timeout: Option<Duration>,
    /// Give up when fencepost takes this much memory, such as 512MiB or 4GiB [default: 90% of what is free]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub memory: Option<u64>,
    /// Let `malloc`, `pthread_create` and others fail, in C programs, as they may
    #[arg(long)]
    pub failing_calls: bool,
    /// How many command-line arguments a C program has, its name included [default: any number]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=2))]
    pub argc: Option<u8>,
    /// How to print the report
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Arguments for clang, which compiles C and C++
    #[arg(last = true, value_name = "CLANG ARGUMENTS")]
    pub compiler_arguments: Vec<OsString>,
}

fn method() -> impl TypedValueParser<Value = Method> {
    let values = Method::ALL.map(|method| {
        PossibleValue::new(method.name()).help(match method {
            Method::AllThreads => "what the loads of all threads read, together",
            Method::FruitTree => "order between two threads at a time, as in the paper",
            Method::Mine => "every load may read every store",
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
            PthreadFences::Full => "each call is a full fence, as POSIX seems to promise",
        })
    });
    let find = |name: String| PthreadFences::ALL.into_iter().find(|f| f.name() == name).ok_or("no such fences");
    PossibleValuesParser::new(values).try_map(find)
}

fn domain() -> impl TypedValueParser<Value = NumericDomain> {
    let values = NumericDomain::ALL.map(|domain| {
        PossibleValue::new(domain.name()).help(match domain {
            NumericDomain::Interval => "bounds of each register",
            NumericDomain::Octagon => "also bounds of the sum and difference of two; slower",
        })
    });
    let find = |name: String| NumericDomain::ALL.into_iter().find(|d| d.name() == name).ok_or("not a domain");
    PossibleValuesParser::new(values).try_map(find)
}
