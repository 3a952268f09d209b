//! What TSO and PSO share: one memory behind store buffers. The models differ in which program order they preserve.
//!
//! These are models of processors, and a program is taken as compilers translate it. Relaxed and nonatomic accesses keep only
//! what the processor gives; what stronger orderings add is in one place, [`barriers`].

use fencepost_graph::{Event, EventId, Relation, Relations, cycle};
use fencepost_program::Ordering;

use crate::objection::{Axiom, Objection};
use crate::rmo::membars;

/// The axioms of TSO in Alglave, Maranget, Tautschnig, "Herding Cats" (TOPLAS 2014) §4 and Fig. 21, as in Owens, Sarkar,
/// Sewell, "A Better x86 Memory Model: x86-TSO" (TPHOLs 2009):
/// - SC per location: po-loc ∪ rf ∪ mo ∪ fr is acyclic;
/// - atomicity: fr ; mo is irreflexive;
/// - global order: ppo ∪ barriers ∪ rfe ∪ mo ∪ fr is acyclic. A thread may read its own writes early, so rf counts only between
///   threads.
///
/// `ppo` says which pairs of accesses in program order the processor keeps in order.
pub(crate) fn consistent(r: &Relations, ppo: impl Fn(&Event, &Event) -> bool) -> bool {
    let communication = &r.rf | &r.mo | &r.fr;
    (po_loc(r) | communication).is_acyclic() && r.fr.then_is_irreflexive(&r.mo) && {
        (preserved(r, ppo) | barriers(r) | rfe(r) | &r.mo | &r.fr).is_acyclic()
    }
}

/// The program order between accesses that processor and barriers keep.
pub(crate) fn kept(r: &Relations, ppo: impl Fn(&Event, &Event) -> bool) -> Relation {
    let is_access = |e: EventId| !r.graph.event(e).is_fence();
    (preserved(r, ppo) | barriers(r)).closure().filter(|a, b| is_access(a) && is_access(b))
}

/// Why [`consistent`] does not hold.
pub(crate) fn objection(r: &Relations, ppo: impl Fn(&Event, &Event) -> bool) -> Option<Objection> {
    let po_loc = po_loc(r);
    if let Some(cycle) = cycle(&[("po-loc", &po_loc), ("rf", &r.rf), ("mo", &r.mo), ("fr", &r.fr)]) {
        return Some(Objection::new(Axiom::CoherencePerLocation, cycle));
    }
    if let Some((read, write)) = r.fr.pairs().find(|&(read, write)| r.mo.contains(write, read)) {
        return Some(Objection::new(Axiom::Atomicity, vec![(read, "fr", write), (write, "mo", read)]));
    }
    let (preserved, barriers, rfe) = (preserved(r, ppo), barriers(r), rfe(r));
    let steps = [("ppo", &preserved), ("barrier", &barriers), ("rfe", &rfe), ("mo", &r.mo), ("fr", &r.fr)];
    cycle(&steps).map(|cycle| Objection::new(Axiom::GlobalOrder, cycle))
}

fn po_loc(r: &Relations) -> Relation {
    r.po.filter(|a, b| same_location(r.graph.event(a), r.graph.event(b)))
}

/// The program order between accesses that the processor keeps.
fn preserved(r: &Relations, ppo: impl Fn(&Event, &Event) -> bool) -> Relation {
    let event = |e: EventId| r.graph.event(e);
    r.po.filter(|a, b| !event(a).is_fence() && !event(b).is_fence() && ppo(event(a), event(b)))
}

fn rfe(r: &Relations) -> Relation {
    r.rf.filter(|a, b| r.graph.event(a).thread != r.graph.event(b).thread)
}

pub(crate) fn same_location(a: &Event, b: &Event) -> bool {
    a.label.address.is_some() && a.label.address == b.label.address
}

/// The program order that C11 orderings preserve through the barriers that they compile to. Both models keep what follows a
/// load behind it, so acquire orderings need none. The rest:
/// - an SC fence, and the end of an SC store, is a full barrier: `mfence`, or `membar` with all its bits;
/// - a release fence, and the beginning of a release store or RMW, keeps stores behind earlier stores: nothing on TSO, where
///   stores stay in order, and `membar #StoreStore` on PSO.
///
/// A membar of the program keeps what its name says.
///
/// Without the second part, a store with ordering `sc` could be overtaken by a later load, which no compiler allows; with it,
/// what these models allow of a program, RC11 allows too.
fn barriers(r: &Relations) -> Relation {
    let sc_fences = r.set(|e| e.label.order.is_sc() && e.is_fence());
    let sc_writes = r.set(|e| e.label.order.is_sc() && e.writes());
    let release_fences = r.set(|e| e.label.order.is_release() && e.is_fence());
    let release_writes = r.set(|e| e.label.order.is_release() && e.writes());
    let writes = r.set(Event::writes);
    let full = r.po.into_set(&sc_fences).then(&r.po) | r.po.optional().into_set(&sc_writes).then(&r.po);
    let stores = r.po.into_set(&release_fences).then(&r.po) | r.po.into_set(&release_writes).then(&r.po.optional());
    let kept = full | stores.between(&writes, &writes);
    let explicit = r.graph.events().any(|(_, e)| matches!(e.label.order, Ordering::Membar(_)));
    if explicit { kept | membars(r) } else { kept }
}
