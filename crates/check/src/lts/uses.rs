//! How threads use locations and fences: a layout has views and bits only for what happens.

use fencepost_models::{Model, Strength};
use fencepost_program::Ordering;
use hashbrown::HashSet;

use super::Step;
use crate::index::LocationId;

/// How a thread uses a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Usage {
    pub thread: usize,
    pub location: LocationId,
    pub reads: bool,
    pub writes: bool,
    pub order: Strength,
}

pub(crate) struct Uses {
    pub usages: HashSet<Usage>,
    /// By thread, whether it has acquire fences.
    pub acquire_fences: Vec<bool>,
    /// Whether there are SC fences with RC11's meaning.
    pub sc_fences: bool,
    /// Counts what is found.
    version: u64,
}

impl Uses {
    pub(super) fn new(threads: usize) -> Uses {
        Uses { usages: HashSet::new(), acquire_fences: vec![false; threads], sc_fences: false, version: 0 }
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn add_thread(&mut self) {
        self.acquire_fences.push(false);
    }

    /// Notes a step of a thread.
    pub(super) fn note(&mut self, thread: usize, location: Option<LocationId>, step: Step, model: Model) {
        let mut usage = |reads, writes, order| {
            let location = location.expect("an access has a location");
            self.version += self.usages.insert(Usage { thread, location, reads, writes, order }) as u64;
        };
        match step {
            Step::Load { order, .. } | Step::Wait { order, .. } => usage(true, false, order),
            Step::Store { order, .. } => usage(false, true, order),
            Step::Rmw { order, .. } => usage(true, true, order),
            Step::Cas { success, failure, .. } => {
                usage(true, true, success);
                usage(true, false, failure);
            }
            Step::FenceRmw => {
                usage(true, true, Step::FENCE_RMW);
                self.note_fence(thread, model.orderings().of_fence(Ordering::SeqCst).acquire, false);
            }
            Step::Fence { order } => self.note_fence(thread, order.acquire, order.sc),
            _ => {}
        }
    }

    fn note_fence(&mut self, thread: usize, acquire: bool, sc: bool) {
        if (acquire && !self.acquire_fences[thread]) || (sc && !self.sc_fences) {
            self.acquire_fences[thread] |= acquire;
            self.sc_fences |= sc;
            self.version += 1;
        }
    }
}
