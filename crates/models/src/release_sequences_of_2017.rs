//! Happens-before with the release sequences of RC11 as published (PLDI 2017), which are those of C11: a later write of the same thread to
//! the same location continues a release sequence. C++20 has dropped that (P0982), and so have the other models here.

use fencepost_graph::{Event, Relation, Relations};

/// hb = (po ∪ sw)+.
pub(crate) fn hb(r: &Relations) -> Relation {
    (&r.po | sw(r)).closure()
}

/// sw = `[E⊒rel] ; ([F] ; po)? ; rs ; rf ; (po ; [F])? ; [E⊒acq]`, where rs = `[W] ; po|loc? ; [W] ; (rf ; [RMW])*`. An access that is
/// not atomic counts as relaxed, as everywhere here.
pub(crate) fn sw(r: &Relations) -> Relation {
    let writes = r.set(Event::writes);
    let release_writes = r.set(|e| e.writes() && e.label.order.is_release());
    let release_fences = r.set(|e| e.is_fence() && e.label.order.is_release());
    let released = Relation::identity_on(&release_writes, r.graph.len()) | r.po.between(&release_fences, &writes);
    let address = |e| r.graph.event(e).label.address;
    let po_loc = r.po.between(&writes, &writes).filter(|a, b| address(a) == address(b));
    let sequence = &released | released.then(&po_loc);
    let received = sequence.then(&r.rf.closure());
    let acquire_fences = r.set(|e| e.is_fence() && e.label.order.is_acquire());
    let to_fences = received.then(&r.po.into_set(&acquire_fences));
    received.into_set(&r.set(|e| e.label.order.is_acquire())) | to_fences
}
