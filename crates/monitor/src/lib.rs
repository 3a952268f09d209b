//! What each thread may still miss, along happens-before, SC-happens-before and psc, written once over a lattice.
//!
//! The monitors of paper 003 (Fig. 5, 6) and paper 001 (Alg. 1 to 5), the clocks of paper 000 (appendix A), and the psc
//! clocks for `seq_cst` accesses (ours: `docs/reference/psc.md`) all use a view of memory in three ways only: they
//! *join* two views, they note that a view now *knows* the last write to a cell, and that a cell was *overwritten*. A
//! [`Plan`] says which views there are, and which of these operations a step of a thread performs. A [`Lattice`] says
//! what a view is:
//! - with [`Timestamps`] it is the dynamic analysis of one run;
//! - with sets of stale values (`fencepost-check`) it is Rocker's finite monitor: join is intersection, knowing is the
//!   empty set, overwriting adds the old value to every view;
//! - [`Recorder`] notes the operations, to compile them or to print them.
//!
//! Message passing: after an acquire load of the flag, the second thread knows the write of the data.
//!
//! ```
//! use fencepost_monitor::{Access, Cell, Needs, Plan, Timestamps};
//!
//! let (data, flag) = (0, 1);
//! let plan = Plan::new(Needs::all(2, 2, 0));
//! let mut clocks = Timestamps::new(plan.views(), 2);
//! let store = Access {
//!     thread: 0, location: data, reads: false, writes: true, acquire: false, release: true, sc: false, leaves: true,
//! };
//! let load = Access {
//!     thread: 1, location: flag, reads: true, writes: false, acquire: true, release: false, sc: false, leaves: true,
//! };
//!
//! for access in [store, Access { location: flag, ..store }, load] {
//!     if access.writes {
//!         clocks.overwrite(Cell(access.location as u32));
//!     }
//!     plan.access(&mut clocks, &access);
//! }
//! assert_eq!(clocks.known(plan.hb_view(1), Cell(data as u32)), 1);
//! ```

mod allocator;
mod carried;
mod needs;
mod plan;
mod psc;
mod timestamps;

pub use needs::Needs;
pub use plan::{Access, Plan};
pub use timestamps::Timestamps;

/// The index of a view in the state of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct View(pub u32);

/// What a view speaks about: a location (`0..locations`), or one of the race cells that come after the locations.
/// A race cell stands for the last access of some class to a location that has non-atomic accesses: paper 001 §6 splits
/// the location itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub u32);

/// The operations of a monitor on its views.
pub trait Lattice {
    /// `into` learns all that `from` knows.
    fn join(&mut self, into: View, from: View);
    /// `into` becomes `from`.
    fn copy(&mut self, into: View, from: View);
    /// `view` learns of the last write to `cell`.
    fn know(&mut self, view: View, cell: Cell);
}

/// One operation, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Join { into: View, from: View },
    Copy { into: View, from: View },
    Know { view: View, cell: Cell },
}

/// Notes the operations of a step in order.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    pub operations: Vec<Operation>,
}

impl Lattice for Recorder {
    fn join(&mut self, into: View, from: View) {
        self.operations.push(Operation::Join { into, from });
    }

    fn copy(&mut self, into: View, from: View) {
        self.operations.push(Operation::Copy { into, from });
    }

    fn know(&mut self, view: View, cell: Cell) {
        self.operations.push(Operation::Know { view, cell });
    }
}
