//! Which accesses of one thread a memory model keeps in order: NoReorder of paper 002 §4.2 and §4.3.
//!
//! A memory model is one arm of [`MemoryModel::no_reorder`]; nothing else in this crate knows one by name.

use std::fmt;
use std::str::FromStr;

use fencepost_program::{Address, Inst, Membar, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryModel {
    Sc,
    Tso,
    Pso,
    Rmo,
    Ibm370,
}

/// An access as far as its order with others goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub reads: bool,
    pub writes: bool,
    /// The cell that it certainly goes to; `None` if that depends on the execution.
    pub cell: Option<Address>,
}

impl MemoryModel {
    pub const OF_THE_PAPER: [MemoryModel; 4] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Rmo];
    pub const ALL: [MemoryModel; 5] =
        [MemoryModel::Sc, MemoryModel::Ibm370, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Rmo];

    /// Whether `first` takes effect before `second`, which follows it in program order, with these membars in between.
    /// W→R of one cell is kept only where a load waits for its own thread's store; elsewhere it may read it early (§4.6).
    pub fn no_reorder(self, first: Access, second: Access, between: Membar) -> bool {
        let same_cell = first.cell.is_some() && first.cell == second.cell;
        between.orders((first.reads, first.writes), (second.reads, second.writes))
            || match self {
                MemoryModel::Sc => true,
                MemoryModel::Ibm370 => first.reads || second.writes || same_cell,
                MemoryModel::Tso => first.reads || second.writes,
                MemoryModel::Pso => first.reads || second.writes && same_cell,
                MemoryModel::Rmo => same_cell && (first.reads || second.writes),
            }
    }

    /// Whether a store always waits for the loads before it. If not, a store behind a failed assertion may have taken effect:
    /// the assertion does not hold it back.
    pub(crate) fn keeps_stores_behind_loads(self) -> bool {
        let load = Access { reads: true, writes: false, cell: None };
        let store = Access { reads: false, writes: true, cell: None };
        self.no_reorder(load, store, Membar::NONE)
    }

    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Ibm370 => "ibm370",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
            MemoryModel::Rmo => "rmo",
        }
    }
}

impl fmt::Display for MemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for MemoryModel {
    type Err = String;

    fn from_str(text: &str) -> Result<MemoryModel, String> {
        let found = MemoryModel::ALL.into_iter().find(|m| m.name() == text);
        found.ok_or_else(|| {
            format!("there is no memory model '{text}' for proofs; they are sc, ibm370, tso, pso and rmo")
        })
    }
}

/// The membars that compilers put before and after an instruction for its ordering. A release keeps what is before it before
/// the store, an acquire keeps what is after it after the load, and an SC store ends with a full barrier. Where a CAS may
/// succeed or fail, it has what both have.
pub(crate) fn membars(inst: &Inst) -> (Membar, Membar) {
    let store = |order: Ordering| if order.is_release() { Membar::RELEASE } else { Membar::NONE };
    let load = |order: Ordering| if order.is_acquire() { Membar::ACQUIRE } else { Membar::NONE };
    let written = |order: Ordering| if order.is_sc() { Membar::FULL } else { Membar::NONE };
    match *inst {
        Inst::Load { order, .. } | Inst::Wait { order, .. } => (Membar::NONE, load(order)),
        Inst::Store { order, .. } => (store(order), written(order)),
        Inst::Rmw { order, .. } => (store(order), load(order) | written(order)),
        Inst::Cas { success, failure, .. } => (Membar::NONE, load(success) & load(failure)),
        Inst::Fence { order } => (order.membar(), Membar::NONE),
        _ => (Membar::NONE, Membar::NONE),
    }
}

/// The same for a CAS that is known to have succeeded or failed.
pub(crate) fn membars_of_cas(inst: &Inst, succeeded: bool) -> (Membar, Membar) {
    match *inst {
        Inst::Cas { place, expected, desired, success, .. } if succeeded => {
            membars(&Inst::blocking_cas(place, expected, desired, success))
        }
        Inst::Cas { place, failure, .. } => membars(&Inst::Load { dst: None, place, order: failure }),
        _ => membars(inst),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(kind: &str, cell: u64) -> Access {
        Access { reads: kind == "R", writes: kind == "W", cell: Some(Address(cell)) }
    }

    /// Paper 002 Fig. 5, a `yes` of which is a reordering; W→R of one variable counts as one (§4.6), but under IBM 370, which the
    /// figure does not have.
    #[test]
    fn the_models_allow_the_reorderings_of_figure_5() {
        let columns = [
            ("R", "R", 0, [false, false, false, false, false]),
            ("R", "W", 0, [false, false, false, false, false]),
            ("W", "R", 0, [false, false, true, true, true]),
            ("W", "W", 0, [false, false, false, false, false]),
            ("R", "R", 1, [false, false, false, false, true]),
            ("R", "W", 1, [false, false, false, false, true]),
            ("W", "R", 1, [false, true, true, true, true]),
            ("W", "W", 1, [false, false, false, true, true]),
        ];
        for (first, second, cell, allowed) in columns {
            for (model, allowed) in MemoryModel::ALL.into_iter().zip(allowed) {
                let kept = model.no_reorder(access(first, 0), access(second, cell), Membar::NONE);
                assert_eq!(kept, !allowed, "{model}: {first}(v1) -> {second}(v{})", cell + 1);
            }
        }
    }

    #[test]
    fn a_membar_orders_what_its_name_says_and_nothing_else() {
        let kinds =
            [("LoadLoad", "R", "R"), ("LoadStore", "R", "W"), ("StoreLoad", "W", "R"), ("StoreStore", "W", "W")];
        for (name, ..) in kinds {
            let membar = Membar::named(name).expect("a membar");
            for (other, first, second) in kinds {
                let kept = MemoryModel::Rmo.no_reorder(access(first, 0), access(second, 1), membar);
                assert_eq!(kept, name == other, "{name}: {first} -> {second}");
            }
        }
    }
}
