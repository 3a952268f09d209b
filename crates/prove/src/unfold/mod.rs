//! C programs as programs of cells.
//!
//! A C program has pointers, calls and threads that it makes; the rest of this crate knows cells of declared objects,
//! and threads that run from the start. This makes the one from the other: `analysis` finds out what is constant and
//! what pointers may point to, `layout` divides shared objects into cells, and `emit` writes what is left to do. Every
//! execution of the C program is also one of the program of cells, so what is proved there holds. Where the analysis
//! knows less, the program of cells has more executions.
//!
//! - A local or a global variable that one thread alone accesses becomes registers.
//! - Loops with a constant number of rounds are unrolled, and calls are inlined, so that locals, allocations and
//!   threads made there are told apart.
//! - An access through a pointer becomes one access for each object that it may point to, chosen by the pointer's
//!   value. Addresses of locals and allocations are made up; what depends on them in another way becomes any value.
//! - What stands for several objects of one execution (an allocation in a loop, a large array) becomes two cells, of
//!   which any access takes any: nothing is ever said about *the* cell.
//! - A thread that may run several times becomes one thread, and two that run its code in a loop: nothing is said about
//!   their order.

mod access;
mod analysis;
mod calls;
mod compute;
mod emit;
mod frames;
mod guards;
mod layout;
mod made;
mod objects;
mod own;
mod state;
mod step;
mod value;
mod writer;

use std::borrow::Cow;
use std::collections::BTreeSet;

use fencepost_budget::Budget;
use fencepost_models::Refusal;
use fencepost_program::{ObjectId, Program, Span};

/// A program of cells.
pub struct Cells<'p> {
    pub program: Cow<'p, Program>,
    /// Whether each execution is one of the program that it was made from. If not, it has more.
    pub exact: bool,
    /// Whether a thread may read what it has for itself before it wrote there: it reads anything.
    pub uninitialised: bool,
    /// Calls that fail, and that should not be reached.
    pub(crate) guards: BTreeSet<Span>,
    /// The objects that start with anything.
    pub(crate) unknown: BTreeSet<ObjectId>,
    /// The threads that stand for any number of threads: the loop that they begin with is in no order.
    pub(crate) several: BTreeSet<usize>,
}

impl Cells<'_> {
    /// Whether memory starts with known values.
    pub fn starts_with_known_values(&self) -> bool {
        self.unknown.is_empty()
    }
}

/// The program itself, or for a C program one that has cells in place of pointers.
pub fn cells(program: &Program) -> Result<Cells<'_>, Refusal> {
    cells_within(program, &Budget::default())
}

/// Like [`cells`], but ends when the budget is spent. The refusal then says nothing about the program.
pub fn cells_within<'p>(program: &'p Program, budget: &Budget) -> Result<Cells<'p>, Refusal> {
    if !program.has_flat_memory() {
        let program = Cow::Borrowed(program);
        return Ok(Cells {
            program,
            exact: true,
            uninitialised: false,
            guards: BTreeSet::new(),
            unknown: BTreeSet::new(),
            several: BTreeSet::new(),
        });
    }
    emit::emit(analysis::Analysis::of(program, budget)?)
}
