//! The definitions of happens-before: (po ∪ sw)+, for each way in which threads synchronise.

use fencepost_graph::{Event, Relation, Relations};

use crate::descriptor::HappensBefore;

impl HappensBefore {
    /// The transitive relation.
    pub fn closure(self, r: &Relations) -> Relation {
        (&r.po | self.synchronises(r)).closure()
    }

    /// What it adds to po, and the name of that.
    pub(crate) fn part(self, r: &Relations) -> (&'static str, Relation) {
        (if self == HappensBefore::ReadsFrom { "rf" } else { "sw" }, self.synchronises(r))
    }

    fn synchronises(self, r: &Relations) -> Relation {
        match self {
            HappensBefore::ReadsFrom => {
                let atomic = r.set(Event::is_atomic);
                r.rf.between(&atomic, &atomic)
            }
            HappensBefore::Cpp20 => r.sw(),
            HappensBefore::C11 => sw_of_c11(r),
        }
    }

    /// Whether a later write of the releasing thread to the same location continues a release sequence.
    pub fn own_writes_continue_release_sequences(self) -> bool {
        self == HappensBefore::C11
    }
}

/// sw with the release sequences of RC11 as published (PLDI 2017). C++20 has dropped own later writes from them
/// (P0982).
///
/// sw = `[E⊒rel] ; ([F] ; po)? ; rs ; rf ; (po ; [F])? ; [E⊒acq]`, where rs = `[W] ; po|loc? ; [W] ; (rf ; [RMW])*`. An
/// access that is not atomic counts as relaxed, as everywhere here.
fn sw_of_c11(r: &Relations) -> Relation {
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
