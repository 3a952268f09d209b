//! What the models of processors share: one memory, which accesses reach in an order of their own. The models differ in
//! which program order they preserve.
//!
//! A program is taken as compilers translate it. Relaxed and nonatomic accesses keep only what the processor gives;
//! stronger orderings add the membars that they compile to
//! ([`Ordering::membars`](fencepost_program::Ordering::membars)). So an SC store cannot be overtaken by a later load,
//! and what TSO and PSO allow of a program, RC11 allows too.

use fencepost_graph::{Event, EventId, Relation, Relations, cycle};
use fencepost_program::Membar;

use crate::descriptor::{Access, Ppo};
use crate::objection::{Axiom, Objection};

/// The axioms of TSO in Alglave, Maranget, Tautschnig, "Herding Cats" (TOPLAS 2014) §4 and Fig. 21, as in Owens,
/// Sarkar, Sewell, "A Better x86 Memory Model: x86-TSO" (TPHOLs 2009):
/// - SC per location: po-loc ∪ rf ∪ mo ∪ fr is acyclic;
/// - atomicity: fr ; mo is irreflexive;
/// - global order: ppo ∪ membars ∪ rfe ∪ mo ∪ fr is acyclic. A thread may read its own writes early, so rf counts only
///   between threads.
///
/// `ppo` says which pairs of accesses in program order the processor keeps in order.
pub(crate) fn consistent(r: &Relations, ppo: Ppo) -> bool {
    let communication = &r.rf | &r.mo | &r.fr;
    (po_loc(r) | communication).is_acyclic() && r.fr.then_is_irreflexive(&r.mo) && {
        (preserved(r, ppo) | membars(r) | rfe(r) | &r.mo | &r.fr).is_acyclic()
    }
}

/// The program order between accesses that processor and membars keep.
pub(crate) fn kept(r: &Relations, ppo: Ppo) -> Relation {
    let is_access = |e: EventId| !r.graph.event(e).is_fence();
    (preserved(r, ppo) | membars(r)).closure().filter(|a, b| is_access(a) && is_access(b))
}

/// Why [`consistent`] does not hold.
pub(crate) fn objection(r: &Relations, ppo: Ppo) -> Option<Objection> {
    let po_loc = po_loc(r);
    if let Some(cycle) = cycle(&[("po-loc", &po_loc), ("rf", &r.rf), ("mo", &r.mo), ("fr", &r.fr)]) {
        return Some(Objection::new(Axiom::CoherencePerLocation, cycle));
    }
    if let Some((read, write)) = r.fr.pairs().find(|&(read, write)| r.mo.contains(write, read)) {
        return Some(Objection::new(Axiom::Atomicity, vec![(read, "fr", write), (write, "mo", read)]));
    }
    let (preserved, membars, rfe) = (preserved(r, ppo), membars(r), rfe(r));
    let steps = [("ppo", &preserved), ("barrier", &membars), ("rfe", &rfe), ("mo", &r.mo), ("fr", &r.fr)];
    cycle(&steps).map(|cycle| Objection::new(Axiom::GlobalOrder, cycle))
}

fn po_loc(r: &Relations) -> Relation {
    r.po.filter(|a, b| access(r.graph.event(a)).is_to_cell_of(access(r.graph.event(b))))
}

/// The program order between accesses that the processor keeps.
fn preserved(r: &Relations, ppo: Ppo) -> Relation {
    let event = |e: EventId| r.graph.event(e);
    r.po.filter(|a, b| !event(a).is_fence() && !event(b).is_fence() && ppo(access(event(a)), access(event(b))))
}

fn rfe(r: &Relations) -> Relation {
    r.rf.filter(|a, b| r.graph.event(a).thread != r.graph.event(b).thread)
}

fn access(e: &Event) -> Access {
    Access { reads: e.reads(), writes: e.writes(), cell: e.label.address }
}

/// What membars keep in order: those of the program, and those that compilers put around accesses for their orderings.
fn membars(r: &Relations) -> Relation {
    let event = |e: EventId| r.graph.event(e);
    let orders = |membar: Membar, a: &Event, b: &Event| membar.orders((a.reads(), a.writes()), (b.reads(), b.writes()));
    let mut kept = Relation::empty(r.graph.len());
    for (middle, e) in r.graph.events().filter(|(_, e)| !e.is_initial()) {
        let (before, after) = if e.is_fence() {
            (e.label.order.membar(), Membar::NONE)
        } else {
            e.label.order.membars(e.reads(), e.writes())
        };
        if before == Membar::NONE && after == Membar::NONE {
            continue;
        }
        let around = |id: EventId| !event(id).is_initial() && event(id).thread == e.thread;
        let earlier: Vec<EventId> =
            r.graph.events().map(|(id, _)| id).filter(|&id| around(id) && r.po.contains(id, middle)).collect();
        let later: Vec<EventId> =
            r.graph.events().map(|(id, _)| id).filter(|&id| around(id) && r.po.contains(middle, id)).collect();
        for &a in earlier.iter().chain(Some(&middle)) {
            for &b in later.iter().chain(Some(&middle)) {
                // The first membar stands before the event, the second behind it.
                let first = a != middle && orders(before, event(a), event(b));
                let second = b != middle && orders(after, event(a), event(b));
                if first || second {
                    kept.insert(a, b);
                }
            }
        }
    }
    kept
}
