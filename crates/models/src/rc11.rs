//! RC11 (Lahav et al., "Repairing sequential consistency in C/C++11", PLDI 2017), with SC accesses and SC fences.
//!
//! Deviations: release sequences are those of C++20, through RMWs only, as in RC20; [`crate::release_sequences_of_2017`] has those
//! of the paper. An SC fence is also an acquire-release fence, and touches no location.

use fencepost_graph::{Event, EventSet, Relation, Relations};

use crate::coherence::coherent;

/// Coherence and atomicity as in RC20, po ∪ rf acyclic, psc acyclic.
pub(crate) fn consistent(r: &Relations, hb: &Relation) -> bool {
    coherent(r, hb) && psc(r, hb).is_acyclic()
}

/// The partial SC order, psc_base ∪ psc_F (§4.2 there).
pub fn psc(r: &Relations, hb: &Relation) -> Relation {
    let sc_events = r.set(|e| e.label.order.is_sc());
    let sc_fences = r.set(|e| e.label.order.is_sc() && e.is_fence());
    if sc_events.is_empty() {
        return Relation::empty(r.graph.len());
    }
    let base = psc_base(r, hb, &sc_events, &sc_fences);
    if sc_fences.is_empty() { base } else { base | psc_fences(r, hb, &sc_fences) }
}

/// psc_base = `([Esc] ∪ [Fsc] ; hb?) ; scb ; ([Esc] ∪ hb? ; [Fsc])`.
fn psc_base(r: &Relations, hb: &Relation, sc_events: &EventSet, sc_fences: &EventSet) -> Relation {
    let scb = scb(r, hb);
    let from_fences = hb.from_set(sc_fences).then(&scb);
    let from = scb.from_set(sc_events) | from_fences;
    let to_fences = from.then(&hb.into_set(sc_fences));
    from.into_set(sc_events) | to_fences
}

/// scb = `po ∪ po≠loc ; hb ; po≠loc ∪ hb|loc ∪ mo ∪ fr`.
fn scb(r: &Relations, hb: &Relation) -> Relation {
    let location = |e: &Event| e.label.address;
    let same_location = |a, b| {
        let a = location(r.graph.event(a));
        a.is_some() && a == location(r.graph.event(b))
    };
    let po_elsewhere = r.po.filter(|a, b| !same_location(a, b));
    let hb_location = hb.filter(same_location);
    &r.po | po_elsewhere.then(hb).then(&po_elsewhere) | hb_location | &r.mo | &r.fr
}

/// psc_F = `[Fsc] ; (hb ∪ hb ; eco ; hb) ; [Fsc]`.
fn psc_fences(r: &Relations, hb: &Relation, sc_fences: &EventSet) -> Relation {
    let from = hb.from_set(sc_fences);
    let through_eco = from.then(&r.eco()).then(hb);
    (from | through_eco).into_set(sc_fences)
}
