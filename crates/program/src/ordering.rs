use std::fmt;

use crate::Membar;

/// A C11 memory ordering, or `na` for an access that is not atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ordering {
    NonAtomic,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
    /// Of a fence that is a SPARC membar.
    Membar(Membar),
}

impl Ordering {
    /// Those of C11, and `na`.
    pub const ALL: [Ordering; 6] = [
        Ordering::NonAtomic,
        Ordering::Relaxed,
        Ordering::Acquire,
        Ordering::Release,
        Ordering::AcqRel,
        Ordering::SeqCst,
    ];

    pub fn is_atomic(self) -> bool {
        self != Ordering::NonAtomic
    }

    /// At least acquire, for an event that reads or a fence.
    pub fn is_acquire(self) -> bool {
        matches!(self, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
    }

    /// At least release, for an event that writes or a fence.
    pub fn is_release(self) -> bool {
        matches!(self, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
    }

    pub fn is_sc(self) -> bool {
        self == Ordering::SeqCst
    }

    /// What C++ takes as the failure ordering of a CAS that names only one: the same without its release part.
    pub fn without_release(self) -> Ordering {
        match self {
            Ordering::AcqRel => Ordering::Acquire,
            Ordering::Release => Ordering::Relaxed,
            other => other,
        }
    }

    /// The short name, as the papers and `.fp` write it.
    pub fn name(self) -> &'static str {
        match self {
            Ordering::NonAtomic => "na",
            Ordering::Relaxed => "rlx",
            Ordering::Acquire => "acq",
            Ordering::Release => "rel",
            Ordering::AcqRel => "acqrel",
            Ordering::SeqCst => "sc",
            Ordering::Membar(membar) => membar.name(),
        }
    }

    /// The membar that a fence of this ordering is compiled to.
    pub fn membar(self) -> Membar {
        match self {
            Ordering::NonAtomic | Ordering::Relaxed => Membar::NONE,
            Ordering::Acquire => Membar::ACQUIRE,
            Ordering::Release => Membar::RELEASE,
            Ordering::AcqRel => Membar::ACQUIRE | Membar::RELEASE,
            Ordering::SeqCst => Membar::FULL,
            Ordering::Membar(membar) => membar,
        }
    }

    /// The membars that compilers put before and after an access of this ordering. A release keeps what is before it
    /// before the store, an acquire keeps what is after it after the load, and an SC store ends with a full barrier.
    pub fn membars(self, reads: bool, writes: bool) -> (Membar, Membar) {
        let before = if writes && self.is_release() { Membar::RELEASE } else { Membar::NONE };
        let acquired = if reads && self.is_acquire() { Membar::ACQUIRE } else { Membar::NONE };
        let written = if writes && self.is_sc() { Membar::FULL } else { Membar::NONE };
        (before, acquired | written)
    }
}

impl fmt::Display for Ordering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
