//! Sequential consistency (paper 001 Def. 3.7).

use fencepost_graph::{Relations, cycle};

use crate::descriptor::{Axioms, Descriptor, Engine, Orderings};
use crate::objection::{Axiom, Objection};

pub(crate) const SC: Descriptor = Descriptor {
    name: "sc",
    help: "sequential consistency: interleavings of the threads",
    engines: &[Engine::Explore, Engine::Prove],
    orderings: Orderings::Processor,
    axioms: Axioms::Interleaving,
};

/// hbSC = (po ∪ rf ∪ mo ∪ fr)+ is irreflexive.
pub(crate) fn consistent(r: &Relations) -> bool {
    r.hb_sc_step().is_acyclic()
}

pub(crate) fn objection(r: &Relations) -> Option<Objection> {
    let steps = [("po", &r.po), ("rf", &r.rf), ("mo", &r.mo), ("fr", &r.fr)];
    cycle(&steps).map(|cycle| Objection::new(Axiom::SequentialConsistency, cycle))
}
