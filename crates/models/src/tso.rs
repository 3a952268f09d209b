//! Total store order, the memory of x86: a store may be overtaken by later loads. An RMW is both a load and a store, so
//! nothing overtakes it, and it acts as a full barrier.

use crate::descriptor::{Axioms, Descriptor, Engine, Orderings};

pub(crate) const TSO: Descriptor = Descriptor {
    name: "tso",
    help: "x86: stores are delayed, in order",
    engines: &[Engine::Explore, Engine::Prove],
    orderings: Orderings::Processor,
    // po without W→R.
    axioms: Axioms::GlobalOrder(|first, second| first.reads || second.writes),
};
