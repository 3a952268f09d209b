//! The axioms that RA, RC20 and RC11 share; they differ in hb.

use fencepost_graph::{Relation, Relations};

/// Paper 001 Def. 3.5:
/// - write coherence: mo ; rf? ; hb? is irreflexive;
/// - read coherence: fr ; rf? ; hb is irreflexive;
/// - atomicity: fr ; mo is irreflexive;
/// - po ∪ rf is acyclic.
pub(crate) fn coherent(r: &Relations, hb: &Relation) -> bool {
    (&r.po | &r.rf).is_acyclic() && r.fr.then_is_irreflexive(&r.mo) && r.mo.then_is_irreflexive(&r.rf) && {
        let overwritten = &r.mo | &r.fr;
        let known_to = &overwritten | overwritten.then(&r.rf);
        known_to.then_is_irreflexive(hb)
    }
}
