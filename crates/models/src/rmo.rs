//! SPARC's relaxed memory order, by paper 002 Fig. 5: only accesses to one location stay in order, and a load may overtake its
//! own thread's store to the location by reading it early. What else is kept in order, membars keep.
//!
//! Dependencies keep nothing in order here. The SPARC manual (version 9, §8.4.4) lets them; the paper's rules do not
//! use them, so a model without them is what proofs are sound for.
//!
//! RMO is no [`Model`](crate::Model): it allows executions in which po ∪ rf has a cycle, and engines that build executions along
//! po ∪ rf would not find them all. `prove` has an enumeration of its own for it.

use fencepost_graph::{Event, EventId, Relation, Relations};
use fencepost_program::Membar;

use crate::store_buffers::same_location;

/// - SC per location: po-loc ∪ rf ∪ mo ∪ fr is acyclic;
/// - atomicity: fr ; mo is irreflexive;
/// - global order: ppo ∪ membars ∪ rfe ∪ mo ∪ fr is acyclic.
pub fn consistent(r: &Relations) -> bool {
    let event = |e: EventId| r.graph.event(e);
    let po_loc = r.po.filter(|a, b| same_location(event(a), event(b)));
    if !(po_loc | &r.rf | &r.mo | &r.fr).is_acyclic() || !r.fr.then_is_irreflexive(&r.mo) {
        return false;
    }
    let ppo = |a: &Event, b: &Event| same_location(a, b) && (a.reads() || b.writes());
    let preserved = r.po.filter(|a, b| ppo(event(a), event(b)));
    let rfe = r.rf.filter(|a, b| event(a).thread != event(b).thread);
    (preserved | membars(r) | rfe | &r.mo | &r.fr).is_acyclic()
}

/// What membars keep in order: those of the program, and those that compilers put around accesses for their orderings. A
/// release has one before it, an acquire one after it, and after an SC store there is a full barrier.
pub(crate) fn membars(r: &Relations) -> Relation {
    let event = |e: EventId| r.graph.event(e);
    let orders = |membar: Membar, a: &Event, b: &Event| membar.orders((a.reads(), a.writes()), (b.reads(), b.writes()));
    let mut kept = Relation::empty(r.graph.len());
    for (middle, e) in r.graph.events().filter(|(_, e)| !e.is_initial()) {
        let order = e.label.order;
        let (mut before, mut after) = (Membar::NONE, Membar::NONE);
        if e.is_fence() {
            before = order.membar();
        } else {
            if e.writes() && order.is_release() {
                before = Membar::RELEASE;
            }
            if e.reads() && order.is_acquire() {
                after = Membar::ACQUIRE;
            }
            if e.writes() && order.is_sc() {
                after = Membar::FULL;
            }
        }
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
