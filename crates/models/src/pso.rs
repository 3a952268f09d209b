//! SPARC's partial store order: TSO in which a store may also be overtaken by later stores to other locations.
//!
//! As a store, an RMW can overtake earlier stores too; as a load, nothing overtakes it (SPARC Architecture Manual, version 9,
//! §8.4.4: only a membar orders stores and atomic load-stores). Many tools make it a full barrier, which is stronger.

use fencepost_graph::{Event, Relation, Relations};

use crate::objection::Objection;
use crate::store_buffers::{self, same_location};

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

/// po without W→R, and without W→W to different locations (paper 002 §4.2).
fn ppo(a: &Event, b: &Event) -> bool {
    a.reads() || b.writes() && same_location(a, b)
}
