//! The memory of IBM's System/370: as TSO, but a load waits for its own thread's store to the location and never reads
//! it early (Adve and Gharachorloo, "Shared Memory Consistency Models: A Tutorial", IEEE Computer 1996, Fig. 8).

use crate::descriptor::{Axioms, Descriptor, Engine, Orderings};

pub(crate) const IBM370: Descriptor = Descriptor {
    name: "ibm370",
    help: "like tso, but no load reads its own thread's store early",
    engines: &[Engine::Explore, Engine::Prove],
    orderings: Orderings::Processor,
    // po without W→R between different locations.
    axioms: Axioms::GlobalOrder(|first, second| first.reads || second.writes || first.is_to_cell_of(second)),
};
