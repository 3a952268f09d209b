//! What is known of a model without looking at a graph. Each model's file has its own [`Descriptor`].

use fencepost_program::{Address, Ordering};

/// A command that takes memory models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    Check,
    Explore,
    Prove,
}

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Engine::Check => "check",
            Engine::Explore => "explore",
            Engine::Prove => "prove",
        }
    }
}

/// All that tells one model from another.
pub struct Descriptor {
    pub name: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
    pub engines: &'static [Engine],
    pub orderings: Orderings,
    pub axioms: Axioms,
}

/// What the orderings of a program mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Orderings {
    /// Every atomic access is release or acquire, whatever it names. An SC fence is an RMW of a location that all SC
    /// fences share (paper 003 Ex. 3.6); other fences do nothing.
    ReleaseAcquire,
    /// As named, without SC accesses. An SC fence is an RMW, with an acquire fence before and a release fence after it
    /// (paper 001 §3.1).
    WithoutSc,
    /// As named.
    C11,
    /// As named where races are concerned. Accesses are in the order that a processor and the membars give that
    /// compilers emit for them ([`Ordering::membars`]). The program may have membars of its own.
    Processor,
}

/// Which executions a model allows.
#[derive(Clone, Copy)]
pub enum Axioms {
    /// po ∪ rf ∪ mo ∪ fr is acyclic.
    Interleaving,
    /// SC per location, and an acyclic global order of which this part of po belongs to, see `crate::processor`.
    GlobalOrder(Ppo),
    /// Coherence and atomicity along hb (paper 001 Def. 3.5), and something more.
    Coherence(HappensBefore, Beyond),
}

/// Whether a processor keeps two accesses in program order. W→R of one location may be left out: a load that reads its
/// own thread's store early.
pub type Ppo = fn(Access, Access) -> bool;

/// An access as far as its order with others goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub reads: bool,
    pub writes: bool,
    /// The cell that it certainly goes to; `None` if that depends on the execution.
    pub cell: Option<Address>,
}

impl Access {
    pub fn is_to_cell_of(self, other: Access) -> bool {
        self.cell.is_some() && self.cell == other.cell
    }
}

/// How threads synchronise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HappensBefore {
    /// (po ∪ rf)+, for reads-from between atomic accesses.
    ReadsFrom,
    /// (po ∪ sw)+ with the release sequences of C++20.
    Cpp20,
    /// (po ∪ sw)+ with the release sequences of C11 and of RC11 as published: the releasing thread's own later writes
    /// to the location continue them.
    C11,
}

/// What a model asks for beyond coherence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beyond {
    Nothing,
    /// psc is acyclic.
    PartialScOrder,
    /// Some linearisation of pushes leaves co-jom acyclic. A later event may mend a graph in which there is none.
    Jam21,
}

/// What an ordering makes of an access or a fence under a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strength {
    pub atomic: bool,
    pub acquire: bool,
    pub release: bool,
    pub sc: bool,
}

impl Orderings {
    pub fn of_access(self, order: Ordering) -> Strength {
        let always = self == Orderings::ReleaseAcquire && order.is_atomic();
        Strength {
            atomic: order.is_atomic(),
            acquire: always || order.is_acquire(),
            release: always || order.is_release(),
            sc: self == Orderings::C11 && order.is_sc(),
        }
    }

    /// The same for a fence. One that is an RMW synchronises as that too.
    pub fn of_fence(self, order: Ordering) -> Strength {
        self.of_access(if self.has_fences() { order } else { Ordering::NonAtomic })
    }

    /// Whether fences that are not SC do anything.
    pub fn has_fences(self) -> bool {
        self != Orderings::ReleaseAcquire
    }

    /// Whether SC fences are RMWs of a location of their own.
    pub fn sc_fence_is_rmw(self) -> bool {
        matches!(self, Orderings::ReleaseAcquire | Orderings::WithoutSc)
    }
}
