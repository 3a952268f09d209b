//! All that the threads of a program can do, known in advance, and what the monitors track about it, for crates that
//! print the monitors, such as `fencepost-promela`.

use fencepost_budget::Budget;
use fencepost_models::{Model, Refusal, Strength};
use fencepost_program::{Address, Program};
use hashbrown::HashSet;

use crate::index::LocationId;
use crate::layout::{Focus, Tracking};
use crate::lts::{Location, Lts, Usage};
use crate::search::{Ending, search};
use crate::{Options, Properties, Watch};

/// Maximum number of states of the search that finds what threads can do when a closure does not.
const STATES_LIMIT: u64 = 300_000;

/// The locations of a program with their values, how threads use them, and which monitors that takes.
pub struct Foreseen<'p> {
    lts: Lts<'p>,
    pub tracking: Tracking,
}

impl<'p> Foreseen<'p> {
    /// `None` if the program has too many states to know. Refuses when the budget is spent.
    pub fn of(program: &'p Program, model: Model, budget: &Budget) -> Result<Option<Foreseen<'p>>, Refusal> {
        let Some(lts) = known_threads(program, model, budget)? else { return Ok(None) };
        let options = Options { model, observational: true, ..Options::default() };
        let tracking = Tracking::new(&lts, &options, Focus::Everything);
        Ok(Some(Foreseen { lts, tracking }))
    }

    /// The addresses that some thread accesses, and the location of each.
    pub fn accessed(&self) -> impl Iterator<Item = (Address, LocationId)> + '_ {
        let threads = 0..self.lts.threads.count();
        let states = threads.flat_map(|thread| self.lts.threads.locals(thread).map(move |state| (thread, state)));
        states.filter_map(|(thread, state)| {
            let local = self.lts.local(thread, state);
            Some((local.step.address()?, local.location?))
        })
    }

    pub fn location(&self, number: LocationId) -> &Location {
        &self.lts.locations[number]
    }

    pub fn usages(&self) -> &HashSet<Usage> {
        &self.lts.uses.usages
    }

    /// Whether the thread can pass a fence of this strength.
    pub fn has_fence(&self, thread: usize, order: Strength) -> bool {
        (!order.acquire || self.lts.uses.acquire_fences[thread]) && (!order.sc || self.lts.uses.sc_fences)
    }
}

/// The local states of all threads: computed in advance, or found by visiting every state.
fn known_threads<'p>(program: &'p Program, model: Model, budget: &Budget) -> Result<Option<Lts<'p>>, Refusal> {
    let properties = Properties::NONE;
    let options =
        Options { model, properties, max_states: Some(STATES_LIMIT), budget: budget.clone(), ..Options::default() };
    let lts = Lts::new(program, &options);
    if lts.closed {
        return Ok(Some(lts));
    }
    let result = search(program, &options, &Watch::default());
    match result.ending {
        Ending::Exhausted => {
            let mut lts = result.compiled.lts;
            lts.closed = true;
            Ok(Some(lts))
        }
        Ending::Stopped(reason) if budget.is_spent() => Err(Refusal { message: reason.to_string(), span: None }),
        _ => Ok(None),
    }
}
