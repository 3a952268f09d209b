//! What is carried along happens-before.

use crate::allocator::Allocator;
use crate::{Access, Cell, Lattice, View};

/// A quantity carried along happens-before: current, acquire and release views of each thread, and a view at the last
/// write of each location (paper 001 §5.2; paper 000 appendix A).
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    pub current: Vec<View>,
    pub acquire: Vec<Option<View>>,
    pub release: Vec<Option<View>>,
    pub written: Vec<Option<View>>,
}

impl Carried {
    pub(crate) fn new(allocator: &mut Allocator) -> Carried {
        let needs = allocator.needs;
        Carried {
            current: allocator.views(needs.threads),
            acquire: allocator.views_if(&needs.acquire_fences),
            release: allocator.views_if(&needs.relaxed_writes),
            written: allocator.views_if(&needs.synchronises),
        }
    }

    /// Joins a view into the current view of a thread, and into the one that its next acquire fence will join to it.
    pub(crate) fn learn(&self, lattice: &mut impl Lattice, thread: usize, from: View) {
        lattice.join(self.current[thread], from);
        if let Some(acquire) = self.acquire[thread] {
            lattice.join(acquire, from);
        }
    }

    pub(crate) fn know(&self, lattice: &mut impl Lattice, thread: usize, cell: Cell) {
        lattice.know(self.current[thread], cell);
        if let Some(acquire) = self.acquire[thread] {
            lattice.know(acquire, cell);
        }
    }

    /// The acquire part of a read from the last write of a location.
    pub(crate) fn read(&self, lattice: &mut impl Lattice, access: &Access) {
        let Some(written) = self.written[access.location] else { return };
        if let Some(acquire) = self.acquire[access.thread] {
            lattice.join(acquire, written);
        }
        if access.acquire {
            lattice.join(self.current[access.thread], written);
        }
    }

    /// The release part of a write: an RMW continues the release sequence, another write starts a new one.
    pub(crate) fn write(&self, lattice: &mut impl Lattice, access: &Access) {
        let Some(written) = self.written[access.location] else { return };
        let from = if access.release {
            self.current[access.thread]
        } else {
            self.release[access.thread].expect("a thread with relaxed writes has release views")
        };
        if access.reads {
            lattice.join(written, from);
        } else {
            lattice.copy(written, from);
        }
    }

    pub(crate) fn acquire_fence(&self, lattice: &mut impl Lattice, thread: usize) {
        if let Some(acquire) = self.acquire[thread] {
            lattice.join(self.current[thread], acquire);
        }
    }

    pub(crate) fn release_fence(&self, lattice: &mut impl Lattice, thread: usize) {
        if let Some(release) = self.release[thread] {
            lattice.copy(release, self.current[thread]);
        }
    }
}
