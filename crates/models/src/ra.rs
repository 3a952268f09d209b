//! Release/acquire (paper 003 §4.2, declaratively as in its §A.1).
//!
//! Every atomic access is release or acquire, whatever ordering it names. An SC fence is an RMW of a location of its
//! own (paper 003 Ex. 3.6); other fences do nothing. Accesses that are not atomic do not synchronise (paper 003 §6).

use crate::descriptor::{Axioms, Beyond, Descriptor, Engine, HappensBefore, Orderings};

pub(crate) const RA: Descriptor = Descriptor {
    name: "ra",
    help: "release/acquire: every access counts as release or acquire",
    engines: &[Engine::Check, Engine::Explore],
    orderings: Orderings::ReleaseAcquire,
    axioms: Axioms::Coherence(HappensBefore::ReadsFrom, Beyond::Nothing),
};
