//! RC20 (paper 001 Def. 3.5): relaxed, release and acquire accesses and fences.
//!
//! An SC fence is `fence(acq); f.FADD(0, acqrel); fence(rel)` on a location of its own, which is stronger than RC11's
//! (paper 001 Remark 1). RC20 has no SC accesses; one that is there all the same counts as acquire-release.

use crate::descriptor::{Axioms, Beyond, Descriptor, Engine, HappensBefore, Orderings};

pub(crate) const RC20: Descriptor = Descriptor {
    name: "rc20",
    help: "relaxed and release/acquire accesses, and fences; no SC accesses",
    engines: &[Engine::Check, Engine::Explore],
    orderings: Orderings::WithoutSc,
    axioms: Axioms::Coherence(HappensBefore::Cpp20, Beyond::Nothing),
};
