//! Sequential consistency (paper 001 Def. 3.7).

use fencepost_graph::Relations;

/// hbSC = (po ∪ rf ∪ mo ∪ fr)+ is irreflexive.
pub(crate) fn consistent(r: &Relations) -> bool {
    r.hb_sc_step().is_acyclic()
}
