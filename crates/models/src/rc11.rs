//! RC11 (Lahav et al., "Repairing sequential consistency in C/C++11", PLDI 2017), with SC accesses and SC fences.
//!
//! Deviations: release sequences are those of C++20, through RMWs only, as in RC20; `rc11-2017` has those of the paper.
//! An SC fence is also an acquire-release fence, and touches no location.

use fencepost_graph::{EventId, EventSet, Relation, Relations, Step, cycle, path};

use crate::descriptor::{Axioms, Beyond, Descriptor, Engine, HappensBefore, Orderings};
use crate::objection::{Axiom, HbSteps, Objection};

pub(crate) const RC11: Descriptor = Descriptor {
    name: "rc11",
    help: "the model of C, C++ and Rust, with SC accesses and fences",
    engines: &[Engine::Check, Engine::Explore],
    orderings: Orderings::C11,
    axioms: Axioms::Coherence(HappensBefore::Cpp20, Beyond::PartialScOrder),
};

pub(crate) const RC11_2017: Descriptor = Descriptor {
    name: "rc11-2017",
    help: "rc11 as published: later writes of the same thread continue release sequences",
    engines: &[Engine::Explore],
    orderings: Orderings::C11,
    axioms: Axioms::Coherence(HappensBefore::C11, Beyond::PartialScOrder),
};

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
    let po_elsewhere = r.po.filter(|a, b| !same_location(r, a, b));
    let hb_location = hb.filter(|a, b| same_location(r, a, b));
    &r.po | po_elsewhere.then(hb).then(&po_elsewhere) | hb_location | &r.mo | &r.fr
}

/// psc_F = `[Fsc] ; (hb ∪ hb ; eco ; hb) ; [Fsc]`.
fn psc_fences(r: &Relations, hb: &Relation, sc_fences: &EventSet) -> Relation {
    let from = hb.from_set(sc_fences);
    let through_eco = from.then(&r.eco()).then(hb);
    (from | through_eco).into_set(sc_fences)
}

fn same_location(r: &Relations, a: EventId, b: EventId) -> bool {
    let address = |e| r.graph.event(e).label.address;
    address(a).is_some() && address(a) == address(b)
}

/// A cycle of psc, each edge taken apart.
pub(crate) fn objection(r: &Relations, hb: &HbSteps) -> Option<Objection> {
    let cycle = cycle(&[("psc", &psc(r, &hb.closure))])?;
    let steps = cycle.into_iter().flat_map(|(a, _, b)| psc_steps(r, hb, a, b));
    Some(Objection::new(Axiom::PartialScOrder, steps.collect()))
}

/// An edge of psc as steps of po, sw, rf, mo and fr.
fn psc_steps(r: &Relations, hb: &HbSteps, a: EventId, b: EventId) -> Vec<Step> {
    let is_sc_fence = |e: EventId| r.graph.event(e).is_fence() && r.graph.event(e).label.order.is_sc();
    let mut starts = vec![a];
    let mut ends = vec![b];
    if is_sc_fence(a) {
        starts.extend(hb.closure.successors(a));
    }
    if is_sc_fence(b) {
        ends.extend(hb.closure.predecessors(b));
    }
    let hb_steps = |from, to| if from == to { Vec::new() } else { hb.path(from, to) };
    let around = |start, middle: Vec<Step>, end| [hb_steps(a, start), middle, hb_steps(end, b)].concat();
    let pairs = starts.iter().flat_map(|&start| ends.iter().map(move |&end| (start, end)));
    let through_scb = pairs.clone().filter_map(|(start, end)| Some(around(start, scb_steps(r, hb, start, end)?, end)));
    let communication = [("rf", &r.rf), ("mo", &r.mo), ("fr", &r.fr)];
    let through_eco = pairs.filter(|&(start, end)| start != a && end != b).filter_map(|(start, end)| {
        let eco = path(&communication, start, end)?;
        Some(around(start, eco, end))
    });
    let direct = (is_sc_fence(a) && is_sc_fence(b) && hb.closure.contains(a, b)).then(|| hb.path(a, b));
    direct.into_iter().chain(through_scb).chain(through_eco).min_by_key(Vec::len).unwrap_or_default()
}

fn scb_steps(r: &Relations, hb: &HbSteps, a: EventId, b: EventId) -> Option<Vec<Step>> {
    for (name, relation) in [("po", &r.po), ("mo", &r.mo), ("fr", &r.fr)] {
        if relation.contains(a, b) {
            return Some(vec![(a, name, b)]);
        }
    }
    if hb.closure.contains(a, b) && same_location(r, a, b) {
        return Some(hb.path(a, b));
    }
    let leaves = r.po.successors(a).filter(|&m| !same_location(r, a, m));
    let through = leaves.flat_map(|m| {
        let arrives = r.po.predecessors(b).filter(move |&n| !same_location(r, n, b) && hb.closure.contains(m, n));
        arrives.map(move |n| [vec![(a, "po", m)], hb.path(m, n), vec![(n, "po", b)]].concat())
    });
    through.min_by_key(Vec::len)
}
