//! SPARC's relaxed memory order, by paper 002 Fig. 5: only accesses to one location stay in order, and a load may
//! overtake its own thread's store to the location by reading it early. What else is kept in order, membars keep.
//!
//! Dependencies keep nothing in order here. The SPARC manual (version 9, §8.4.4) lets them; the paper's rules do not
//! use them, so a model without them is what proofs are sound for.
//!
//! `explore` does not take RMO: it allows executions in which po ∪ rf has a cycle, and an engine that builds executions
//! along po ∪ rf does not find them all. `prove` has an enumeration of its own.

use crate::descriptor::{Axioms, Descriptor, Engine, Orderings};

pub(crate) const RMO: Descriptor = Descriptor {
    name: "rmo",
    help: "SPARC: only accesses to one location stay in order",
    engines: &[Engine::Prove],
    orderings: Orderings::Processor,
    axioms: Axioms::GlobalOrder(|first, second| first.is_to_cell_of(second) && (first.reads || second.writes)),
};
