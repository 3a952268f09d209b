//! What the program does to each location, as far as it decides which monitors there are: the same facts that `check`
//! compiles its monitors from. A step that they do not foresee is an assertion failure of the model, so that SPIN
//! checks them too.

use std::collections::HashMap;

use fencepost_budget::Budget;
use fencepost_check::{Foreseen, Location, LocationId, Tracking, Usage};
use fencepost_graph::SC_FENCE_CELL;
use fencepost_models::{Model, Refusal, Strength};
use fencepost_program::code::Interval;
use fencepost_program::{Address, ObjectId, Program, Value};

use crate::range::INT;

pub(crate) struct Facts<'p> {
    program: &'p Program,
    foreseen: Foreseen<'p>,
    numbers: HashMap<Address, LocationId>,
}

impl<'p> Facts<'p> {
    pub(crate) fn of(program: &'p Program, model: Model, budget: &Budget) -> Result<Facts<'p>, Refusal> {
        let foreseen = Foreseen::of(program, model, budget)?.ok_or_else(|| Refusal {
            message: "for Promela, all values that locations can hold must be known, and they seem to be without end: \
                      give locations smaller types"
                .to_owned(),
            span: None,
        })?;
        let numbers: HashMap<Address, LocationId> = foreseen.accessed().collect();
        let beyond = |(&at, &number): (&Address, &LocationId)| {
            let values = foreseen.location(number).values.iter();
            values.copied().filter(|&value| !INT.contains(value)).min().map(|value| (at, value))
        };
        // The first of them, so that the message does not depend on the order of a hash table.
        if let Some((at, value)) = numbers.iter().filter_map(beyond).min() {
            return Err(Refusal {
                message: format!(
                    "Promela computes in 32 bits, and `{}` can hold {value}: give it a smaller type",
                    program.cell_name(at)
                ),
                span: program.locate(at).map(|(object, _)| object.span),
            });
        }
        Ok(Facts { program, foreseen, numbers })
    }

    /// The cells of an object that an index can name, in order.
    pub(crate) fn cells(&self, object: ObjectId, index: Interval) -> impl Iterator<Item = Address> + use<> {
        let object = self.program.object(object);
        let bounds = Interval { lo: 0, hi: object.init.len() as Value - 1 };
        let first = object.first.0;
        let inside = index.meet(bounds).into_iter().flat_map(|inside| inside.lo..=inside.hi);
        inside.map(move |i| Address(first + i as u64))
    }

    pub(crate) fn tracking(&self) -> &Tracking {
        &self.foreseen.tracking
    }

    /// The number of a location that some thread accesses.
    pub(crate) fn number(&self, at: Address) -> Option<LocationId> {
        self.numbers.get(&at).copied()
    }

    /// The location that SC fences of RA and RC20 update.
    pub(crate) fn fence_location(&self) -> Option<LocationId> {
        self.number(SC_FENCE_CELL)
    }

    pub(crate) fn location(&self, number: LocationId) -> &Location {
        self.foreseen.location(number)
    }

    /// The locations in memory, by address.
    pub(crate) fn accessed(&self) -> Vec<(Address, LocationId)> {
        let cells = self.program.cells();
        cells.filter_map(|at| Some((at, self.number(at)?))).collect()
    }

    /// The values that a cell can hold.
    pub(crate) fn range(&self, at: Address) -> Option<Interval> {
        Interval::hull(self.location(self.number(at)?).values.iter().copied())
    }

    pub(crate) fn ranges(&self) -> impl Iterator<Item = Interval> {
        self.numbers.keys().filter_map(|&at| self.range(at))
    }

    pub(crate) fn foresees(
        &self,
        thread: usize,
        location: LocationId,
        reads: bool,
        writes: bool,
        order: Strength,
    ) -> bool {
        self.foreseen.usages().contains(&Usage { thread, location, reads, writes, order })
    }

    pub(crate) fn foresees_fence(&self, thread: usize, order: Strength) -> bool {
        self.foreseen.has_fence(thread, order)
    }
}
