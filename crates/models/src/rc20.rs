//! RC20 (paper 001 Def. 3.5): relaxed, release and acquire accesses and fences.
//!
//! An SC fence is `fence(acq); f.FADD(0, acqrel); fence(rel)` on a location of its own, which is stronger than RC11's
//! (paper 001 Remark 1). RC20 has no SC accesses; one that is there all the same counts as acquire-release.

use fencepost_graph::Relations;

use crate::coherence::coherent;

pub(crate) fn consistent(r: &Relations) -> bool {
    coherent(r, &r.hb())
}
