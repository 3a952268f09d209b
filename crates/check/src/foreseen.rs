//! All that the threads of a program can do, known in advance, and what the monitors track about it: for other crates
//! that write the monitors down, as `fencepost-promela` does.

use fencepost_budget::Budget;
use fencepost_models::{Model, Refusal, Strength};
use fencepost_program::{Address, Program};
use hashbrown::HashSet;

use crate::lts::{Location, Lts, Usage};
use crate::search::{Ending, search};
use crate::tracking::{Focus, Tracking};
use crate::{Options, Properties, Watch};

/// When what threads can do is not known in advance, it is looked up in a search of at most this many states.
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

    /// The addresses that some thread accesses, each with the number of its location.
    pub fn accessed(&self) -> impl Iterator<Item = (Address, usize)> + '_ {
        let threads = 0..self.lts.thread_count();
        let states = threads.flat_map(|thread| (0..self.lts.count(thread) as u32).map(move |state| (thread, state)));
        states.filter_map(|(thread, state)| {
            let local = self.lts.local(thread, state);
            Some((local.step.address()?, local.location as usize))
        })
    }

    pub fn location(&self, number: usize) -> &Location {
        &self.lts.locations[number]
    }

    pub fn usages(&self) -> &HashSet<Usage> {
        &self.lts.usages
    }

    /// Whether the thread can pass a fence of this strength.
    pub fn has_fence(&self, thread: usize, order: Strength) -> bool {
        (!order.acquire || self.lts.acquire_fences[thread]) && (!order.sc || self.lts.sc_fences)
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
