//! Why something has certainly taken effect, for those that want it explained.

use std::collections::HashMap;

use fencepost_program::Address;

use crate::system::EventId;

/// A source that was left out: the load reads the store in no execution.
pub(crate) struct Dropped {
    pub(crate) load: EventId,
    pub(crate) store: EventId,
    pub(crate) why: WhyDropped,
}

pub(crate) enum WhyDropped {
    Order {
        exclusion: Exclusion,
        /// Each follows from those before it.
        deductions: Vec<Deduction>,
    },
    /// The load reads what its thread read or wrote last in the same section of a lock, by one of these.
    Remembered { lock: Address, last: Vec<EventId> },
    /// The store is overwritten before its thread releases the lock.
    NotLeftBehind { lock: Address },
}

/// What follows from order that keeps a load from reading a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exclusion {
    /// The store is an initial value that has been overwritten before the load.
    InitialValueOverwritten,
    /// The load takes effect before the store.
    Later,
    /// This comes after the store, and has taken effect before the load.
    Overwritten(EventId),
}

/// `first` has taken effect before `second` does; an initial value has been overwritten.
#[derive(Clone, Debug)]
pub(crate) struct Deduction {
    pub(crate) first: EventId,
    pub(crate) second: EventId,
    pub(crate) because: Because,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Because {
    /// It comes first on every path of their thread, and the model keeps that order.
    ProgramOrder,
    /// It has taken effect before this event, after which the second comes by program order.
    Before(EventId),
    /// It is the initial value of the cell that this event writes, after which the second comes by program order.
    OverwrittenBy(EventId),
    /// It is an initial value, which a store on every path to the second overwrites.
    StoredOnAllPaths,
    /// The load is the second, or comes before it by program order. Whichever of these it read, so that its thread gets
    /// to the second, the first has taken effect by then.
    Read { load: EventId, sources: Vec<EventId> },
}

/// For each pair, why the first has taken effect before the second does, numbered in the order of deduction.
#[derive(Default)]
pub(crate) struct Reasons(HashMap<(EventId, EventId), (usize, Because)>);

impl Reasons {
    pub(super) fn note(&mut self, first: EventId, second: EventId, because: Because) {
        let number = self.0.len();
        self.0.entry((first, second)).or_insert((number, because));
    }

    /// What an exclusion follows from.
    pub(super) fn of(&self, load: EventId, store: EventId, exclusion: Exclusion) -> WhyDropped {
        let mut deductions = Vec::new();
        match exclusion {
            Exclusion::InitialValueOverwritten => self.collect(store, load, usize::MAX, &mut deductions),
            Exclusion::Later => self.collect(load, store, usize::MAX, &mut deductions),
            Exclusion::Overwritten(by) => {
                self.collect(store, by, usize::MAX, &mut deductions);
                self.collect(by, load, usize::MAX, &mut deductions);
            }
        }
        WhyDropped::Order { exclusion, deductions }
    }

    /// Adds what a relation follows from, and the relation; nothing if it was not deduced before deduction `end`.
    fn collect(&self, first: EventId, second: EventId, end: usize, found: &mut Vec<Deduction>) {
        if found.iter().any(|known| (known.first, known.second) == (first, second)) {
            return;
        }
        let Some((number, because)) = self.0.get(&(first, second)).filter(|(number, _)| *number < end) else { return };
        let end = *number;
        match because {
            Because::ProgramOrder | Because::StoredOnAllPaths => {}
            Because::Before(event) => {
                self.collect(first, *event, end, found);
                self.collect(*event, second, end, found);
            }
            Because::OverwrittenBy(event) => self.collect(*event, second, end, found),
            Because::Read { load, sources } => {
                sources
                    .iter()
                    .filter(|&&store| store != first)
                    .for_each(|&store| self.collect(first, store, end, found));
                if *load != second {
                    self.collect(*load, second, end, found);
                }
            }
        }
        found.push(Deduction { first, second, because: because.clone() });
    }
}
