//! Fixes for what a check finds: each is checked again before it is offered.

mod proposals;

use std::time::Duration;

use fencepost_budget::Limits;
use fencepost_fixes::{Effort, Engine, Tried};
use fencepost_models as models;
use fencepost_program::{Program, Span};
use fencepost_story::Fix;
use proposals::proposals;

use crate::explain::{Witness, is_undefined};
use crate::search::{Ending, Found, search};
use crate::{Options, Properties, Watch};

/// For how many states changed programs are looked at: each at first, and all together.
const QUICK_STATES: u64 = 200_000;
const STATES_IN_ALL: u64 = 10_000_000;

/// Fixes, the cheapest first.
pub(crate) fn suggest(
    program: &Program,
    options: &Options,
    time: Duration,
    witness: &Witness,
    found: Found,
) -> Vec<Fix> {
    let proposed = proposals(program, witness, found);
    let Properties { robustness, races, .. } = options.properties;
    let properties = Properties { robustness, races, assertions: false, deadlocks: false };
    let budget = options.budget.within(Limits { timeout: Some(time), bytes: None });
    let effort = Effort { quick: QUICK_STATES, in_all: STATES_IN_ALL, budget: budget.clone() };
    fencepost_fixes::suggest(program, proposed, effort, Checking(Options { properties, budget, ..options.clone() }))
}

/// Checks changed programs. Work is counted in states.
struct Checking(Options);

impl Engine for Checking {
    fn try_out(&mut self, changed: &Program, states: u64) -> (Tried, u64) {
        let max_states = Some(self.0.max_states.map_or(states, |asked| asked.min(states)));
        let options = Options { max_states, ..self.0.clone() };
        if options.model.admit(models::Engine::Check, changed).is_err() {
            return (Tried::Unknown, 0);
        }
        let result = search(changed, &options, &Watch::default());
        let tried = match result.ending {
            Ending::Exhausted => Tried::Repaired,
            Ending::Found { found: Found::Unknown { .. }, .. } | Ending::Stopped(_) | Ending::TooManyStates => {
                Tried::Unknown
            }
            Ending::Found { path, found } => {
                let witness = Witness::new(changed, &result.compiled, options.model, &path);
                match is_undefined(&witness, found, options.properties.races) {
                    Some(_) => Tried::Unknown,
                    None => Tried::Violated(wrong(&witness, found), proposals(changed, &witness, found)),
                }
            }
        };
        (tried, result.states)
    }
}

/// Where to look at a violation.
fn wrong(witness: &Witness, found: Found) -> Span {
    match found {
        Found::Stale { thread } | Found::Dependent { thread } | Found::Race { thread, .. } => witness.next[thread].1,
        _ => Span::default(),
    }
}
