//! Robustness by reachability in SC memory with monitors (papers 003 and 001).
//!
//! The SC runs of a program show whether it has only sequentially consistent executions under a weak model: if some
//! execution is not SC, then some SC run reaches a point from which one thread can take a step that the weak model
//! allows and SC does not (paper 003 Thm. 5.1, paper 001 Thm. 4.6). Monitors along the run track what each thread may
//! still miss, in finitely many bits, so that all runs can be searched.
//!
//! - `lts`: what the threads can do, one local state at a time;
//! - `layout`: what the monitors track, and how a state is packed into words;
//! - `compiled`: each step as operations on the words;
//! - `search`: all states, breadth first;
//! - `explain`: the run and the weak execution behind a violation, for the narrator;
//! - `fixes`: changes of orderings that repair it.
//!
//! ```
//! use fencepost_check::{Options, Watch, check};
//! use fencepost_frontend::parse_fp;
//! use fencepost_story::Outcome;
//!
//! let text = "
//!     atomic x: bool, y: bool;
//!     thread left { x.store(1, rel); a = y.load(acq); }
//!     thread right { y.store(1, rel); b = x.load(acq); }";
//! let program = parse_fp("SB.fp", text)?.program;
//! let verdict = check(&program, &Options::default(), &Watch::default())?;
//! assert_eq!(verdict.outcome, Outcome::Violated);
//! assert_eq!(verdict.violations[0].kind.name(), "robustness");
//!
//! let repaired = parse_fp("SB.fp", &text.replace("rel", "sc").replace("acq", "sc"))?.program;
//! let verdict = check(&repaired, &Options::default(), &Watch::default())?;
//! assert_eq!(verdict.outcome, Outcome::Holds);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compiled;
mod explain;
mod fixes;
mod foreseen;
mod index;
mod layout;
mod lts;
mod options;
mod search;

use std::time::Instant;

use fencepost_models::Engine;
pub use fencepost_models::{Model, Refusal};
use fencepost_program::Program;
use fencepost_story::{Outcome, Statistics, Verdict};

use explain::Witness;
pub use foreseen::Foreseen;
pub use index::{Index, IndexVec, LocationId, ValueId};
pub use layout::{Classes, RaceCells, Stale, Tracking};
pub use lts::{Location, Usage};
pub use options::{Options, Properties, Watch};
use search::{Ending, Found, search};

/// Looks for a violation in every run of the program.
pub fn check(program: &Program, options: &Options, watch: &Watch) -> Result<Verdict, Refusal> {
    let started = Instant::now();
    options.model.admit(Engine::Check, program)?;
    let result = search(program, options, watch);
    let seconds = started.elapsed().as_secs_f64();
    let (outcome, violation) = match &result.ending {
        Ending::Exhausted => match &result.cut_off {
            Some(cut_off) => (Outcome::Unknown(cut_off.reason()), None),
            None => (Outcome::Holds, None),
        },
        Ending::Stopped(reason) => (Outcome::Unknown(reason.clone()), None),
        Ending::TooManyStates => unreachable!("the search goes on with one location at a time"),
        Ending::Found { path, found: Found::Unknown { thread } } => {
            (Outcome::Unknown(explain::why_unknown(program, &result.compiled, path, *thread)), None)
        }
        Ending::Found { path, found } => {
            let witness = Witness::new(program, &result.compiled, options.model, path);
            match explain::is_undefined(&witness, *found, options.properties.races) {
                Some(reason) => (Outcome::Unknown(reason), None),
                None => {
                    let mut violation = explain::explain(&witness, *found);
                    if let Some(time) = options.fixes {
                        violation.fixes = fixes::suggest(program, options, time, &witness, *found);
                    }
                    (Outcome::Violated, Some(violation))
                }
            }
        }
    };
    let statistics = Statistics {
        states: Some(result.states),
        transitions: Some(result.transitions),
        depth: Some(result.depth),
        seconds,
        peak_bytes: result.peak_bytes,
    };
    Ok(Verdict { outcome: outcome.within(&program.bounds), violations: violation.into_iter().collect(), statistics })
}
