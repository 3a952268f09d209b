//! SPARC's partial store order: TSO in which a store may also be overtaken by later stores to other locations.
//!
//! As a store, an RMW can overtake earlier stores too; as a load, nothing overtakes it (SPARC Architecture Manual,
//! version 9, §8.4.4: only a membar orders stores and atomic load-stores). Many tools make it a full barrier, which is
//! stronger.

use crate::descriptor::{Axioms, Descriptor, Engine, Orderings};

pub(crate) const PSO: Descriptor = Descriptor {
    name: "pso",
    help: "SPARC: like tso, but stores to different locations may overtake each other",
    engines: &[Engine::Explore, Engine::Prove],
    orderings: Orderings::Processor,
    // po without W→R, and without W→W to different locations (paper 002 §4.2).
    axioms: Axioms::GlobalOrder(|first, second| first.reads || second.writes && first.is_to_cell_of(second)),
};
