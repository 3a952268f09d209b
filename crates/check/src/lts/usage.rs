//! What a layout depends on: who uses which location how, and which values decide what a step can do.

use fencepost_program::{Accept, CasKind, Ordering, Value};

use super::{CRITICAL_LIMIT, Lts, Usage};
use crate::step::Step;
use fencepost_models::Strength;

impl Lts<'_> {
    /// Notes what a layout depends on.
    pub(super) fn note(&mut self, thread: usize, location: usize, step: Step) {
        let mut usage = |reads, writes, order| {
            if self.usages.insert(Usage { thread, location, reads, writes, order }) {
                self.version += 1;
            }
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
                usage(true, true, Strength { atomic: true, acquire: true, release: true, sc: false });
                self.fence(thread, self.model.orderings().of_fence(Ordering::SeqCst).acquire, false);
            }
            Step::Fence { order } => self.fence(thread, order.acquire, order.sc),
            _ => {}
        }
        match step {
            Step::Wait { accept: Accept::Exactly(v) | Accept::AllBut(v), .. } => {
                self.critical(location, v, true, false)
            }
            Step::Cas { expected, kind, .. } => self.critical(location, expected, kind == CasKind::Strong, true),
            Step::Rmw { accept: Accept::Exactly(v) | Accept::AllBut(v), .. } => self.critical(location, v, false, true),
            Step::Wait { accept: Accept::AtLeast(_), .. } | Step::Rmw { accept: Accept::AtLeast(_), .. } => {
                self.all_critical(location)
            }
            _ => {}
        }
    }

    fn fence(&mut self, thread: usize, acquire: bool, sc: bool) {
        if (acquire && !self.acquire_fences[thread]) || (sc && !self.sc_fences) {
            self.acquire_fences[thread] |= acquire;
            self.sc_fences |= sc;
            self.version += 1;
        }
    }

    /// Which values a step accepts is no matter of a few of them.
    fn all_critical(&mut self, location: usize) {
        let location = &mut self.locations[location];
        if !(location.all_critical && location.all_reads_critical) {
            (location.all_critical, location.all_reads_critical) = (true, true);
            self.version += 1;
        }
    }

    fn critical(&mut self, location: usize, value: Value, reads: bool, updates: bool) {
        let location = &mut self.locations[location];
        if location.all_critical {
            return;
        }
        for (set, wanted) in [(&mut location.critical_reads, reads), (&mut location.critical_updates, updates)] {
            if wanted && !set.contains(&value) {
                set.push(value);
                location.all_critical |= !self.closing && set.len() > CRITICAL_LIMIT;
                self.version += 1;
            }
        }
    }
}
