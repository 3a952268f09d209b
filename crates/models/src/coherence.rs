//! The axioms that RA, RC20 and RC11 share; they differ in hb.

use fencepost_graph::{Relation, Relations, Step, cycle};

use crate::objection::{Axiom, HbSteps, Objection};

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

/// Why [`coherent`] does not hold.
pub(crate) fn objection(r: &Relations, hb: &HbSteps) -> Option<Objection> {
    if let Some(cycle) = cycle(&[("po", &r.po), ("rf", &r.rf)]) {
        return Some(Objection::new(Axiom::NoThinAir, cycle));
    }
    if let Some((read, write)) = r.fr.pairs().find(|&(read, write)| r.mo.contains(write, read)) {
        return Some(Objection::new(Axiom::Atomicity, vec![(read, "fr", write), (write, "mo", read)]));
    }
    let overwritten = [("mo", &r.mo), ("fr", &r.fr)];
    let overwrites = overwritten.iter().flat_map(|&(name, relation)| relation.pairs().map(move |(a, b)| (a, name, b)));
    let cycles = overwrites.flat_map(|step: Step| {
        let (older, _, newer) = step;
        let itself = std::iter::once((newer, vec![step]));
        let readers = r.rf.successors(newer).map(move |reader| (reader, vec![step, (newer, "rf", reader)]));
        itself.chain(readers).filter_map(move |(known, mut steps)| {
            if known != older {
                if !hb.closure.contains(known, older) {
                    return None;
                }
                steps.extend(hb.path(known, older));
            }
            Some(steps)
        })
    });
    cycles.min_by_key(Vec::len).map(|cycle| Objection::new(Axiom::Coherence, cycle))
}
