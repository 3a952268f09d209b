//! Total store order, the memory of x86: a store may be overtaken by later loads. An RMW is both a load and a store, so
//! nothing overtakes it, and it acts as a full barrier.

use fencepost_graph::{Event, Relation, Relations};

use crate::objection::Objection;
use crate::store_buffers;

pub(crate) fn consistent(r: &Relations) -> bool {
    store_buffers::consistent(r, ppo)
}

/// The program order that is kept, and what follows from it.
pub(crate) fn kept(r: &Relations) -> Relation {
    store_buffers::kept(r, ppo)
}

pub(crate) fn objection(r: &Relations) -> Option<Objection> {
    store_buffers::objection(r, ppo)
}

/// po without W→R.
fn ppo(a: &Event, b: &Event) -> bool {
    a.reads() || b.writes()
}
