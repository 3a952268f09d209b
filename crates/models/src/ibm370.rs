//! The memory of IBM's System/370: as TSO, but a load waits for its own thread's store to the location and never reads it early
//! (Adve and Gharachorloo, "Shared Memory Consistency Models: A Tutorial", IEEE Computer 1996, Fig. 8).

use fencepost_graph::{Event, Relations};

use crate::store_buffers::{self, same_location};

pub fn consistent(r: &Relations) -> bool {
    store_buffers::consistent(r, ppo)
}

/// po without W→R between different locations.
fn ppo(a: &Event, b: &Event) -> bool {
    a.reads() || b.writes() || same_location(a, b)
}
