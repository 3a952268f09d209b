//! What the program does to each location, as far as it decides which monitors there are: the same facts that `check`
//! compiles its monitors from. A step that they do not foresee is an assertion failure of the model, so that SPIN checks
//! them too.

use std::collections::HashMap;

use fencepost_budget::Budget;
use fencepost_graph::SC_FENCE_CELL;
use fencepost_program::{Address, ObjectId, Program, Value};

use super::range::{INT, Range};
use crate::lts::{Location, Lts, Usage};
use crate::search::{Ending, search};
use crate::tracking::{Focus, Tracking};
use crate::{Options, Properties, Refusal, Watch};
use fencepost_models::Model;
use fencepost_models::Strength;

/// When what threads can do is not known in advance, it is looked up in a search of at most this many states.
const STATES_LIMIT: u64 = 300_000;

pub(super) struct Facts<'p> {
    program: &'p Program,
    lts: Lts<'p>,
    pub tracking: Tracking,
    numbers: HashMap<Address, usize>,
}

impl<'p> Facts<'p> {
    pub(super) fn of(program: &'p Program, model: Model, budget: &Budget) -> Result<Facts<'p>, Refusal> {
        let lts = known_threads(program, model, budget)?;
        let mut numbers = HashMap::new();
        for thread in 0..lts.thread_count() {
            for state in 0..lts.count(thread) as u32 {
                let local = lts.local(thread, state);
                if let Some(at) = local.step.address() {
                    numbers.insert(at, local.location as usize);
                }
            }
        }
        let tracking =
            Tracking::new(&lts, &Options { model, observational: true, ..Options::default() }, Focus::Everything);
        let facts = Facts { program, tracking, numbers, lts };
        for (&at, &number) in &facts.numbers {
            if let Some(&value) = facts.lts.locations[number].values.iter().find(|v| !INT.contains(**v)) {
                return Err(Refusal {
                    message: format!(
                        "Promela computes in 32 bits, and `{}` can hold {value}: give it a smaller type",
                        program.cell_name(at)
                    ),
                    span: program.locate(at).map(|(object, _)| object.span),
                });
            }
        }
        Ok(facts)
    }

    /// The cells of an object that an index can name, in order.
    pub(super) fn cells(&self, object: ObjectId, index: Range) -> impl Iterator<Item = Address> + use<> {
        let object = self.program.object(object);
        let bounds = Range { lo: 0, hi: object.init.len() as Value - 1 };
        let first = object.first.0;
        let inside = index.intersect(bounds).unwrap_or(Range { lo: 0, hi: -1 });
        (inside.lo..=inside.hi).map(move |i| Address(first + i as u64))
    }

    /// The number of a location that some thread accesses.
    pub(super) fn number(&self, at: Address) -> Option<usize> {
        self.numbers.get(&at).copied()
    }

    /// The location that SC fences of RA and RC20 update.
    pub(super) fn fence_location(&self) -> Option<usize> {
        self.number(SC_FENCE_CELL)
    }

    pub(super) fn location(&self, number: usize) -> &Location {
        &self.lts.locations[number]
    }

    /// The locations in memory, by address.
    pub(super) fn accessed(&self) -> Vec<(Address, usize)> {
        let cells = self.program.cells();
        cells.filter_map(|at| Some((at, self.number(at)?))).collect()
    }

    /// The values that a cell can hold.
    pub(super) fn range(&self, at: Address) -> Option<Range> {
        Range::of_values(self.location(self.number(at)?).values.iter().copied())
    }

    pub(super) fn ranges(&self) -> impl Iterator<Item = Range> {
        self.numbers.keys().filter_map(|&at| self.range(at))
    }

    pub(super) fn foresees(&self, thread: usize, location: usize, reads: bool, writes: bool, order: Strength) -> bool {
        self.lts.usages.contains(&Usage { thread, location, reads, writes, order })
    }

    pub(super) fn foresees_fence(&self, thread: usize, order: Strength) -> bool {
        (!order.acquire || self.lts.acquire_fences[thread]) && (!order.sc || self.lts.sc_fences)
    }
}

/// The local states of all threads: computed in advance, or found by visiting every state.
fn known_threads<'p>(program: &'p Program, model: Model, budget: &Budget) -> Result<Lts<'p>, Refusal> {
    let properties = Properties { robustness: false, races: false, assertions: false, deadlocks: false };
    let options =
        Options { model, properties, max_states: Some(STATES_LIMIT), budget: budget.clone(), ..Options::default() };
    let lts = Lts::new(program, &options);
    if lts.closed {
        return Ok(lts);
    }
    let result = search(program, &options, &Watch::default());
    match result.ending {
        Ending::Exhausted => {
            let mut lts = result.compiled.lts;
            lts.closed = true;
            Ok(lts)
        }
        Ending::Stopped(reason) if budget.is_spent() => Err(Refusal { message: reason.to_string(), span: None }),
        _ => Err(Refusal {
            message: "for Promela, all values that locations can hold must be known, and they seem to be without end: \
                      give locations smaller types"
                .to_owned(),
            span: None,
        }),
    }
}
