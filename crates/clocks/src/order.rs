/// The memory model whose weak behaviours are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// The model of paper 000: an SC fence is an RMW of a location that all SC fences share. It has no SC accesses; one
    /// that is there all the same counts as acquire-release.
    Rc20,
    /// RC11 with SC accesses and its own, weaker SC fences (`psc`).
    Rc11,
}

/// A memory ordering of C11. `consume` is acquire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    #[inline]
    pub fn is_acquire(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    #[inline]
    pub fn is_release(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    #[inline]
    pub fn is_sc(self) -> bool {
        self == Order::SeqCst
    }
}
