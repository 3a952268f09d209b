//! The clocks of the crate, driven by the steps of a run.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use fencepost_clocks::{Attempt, Clocks, Extent, Granule, Location, Order, Race, Seen, Sync, Thread, Violation};

use super::trace::Performed;

pub struct Production<'c> {
    pub clocks: &'c Clocks,
    threads: Vec<Option<&'c Thread>>,
    locations: Vec<&'c Location>,
    syncs: Vec<&'c Sync>,
    granules: Vec<Granule>,
    /// What each thread has last seen of each location, and how many loads were left out because of it.
    seen: RefCell<HashMap<(usize, usize), Seen>>,
    pub left_out: Cell<usize>,
}

impl<'c> Production<'c> {
    pub fn new(clocks: &'c Clocks, threads: usize, locations: usize, syncs: usize, granules: usize) -> Production<'c> {
        Production {
            clocks,
            threads: (0..threads).map(|t| clocks.spawn(None, t as u32)).collect(),
            locations: (0..locations).map(|_| clocks.location(0)).collect(),
            syncs: (0..syncs).map(|_| clocks.sync()).collect(),
            granules: (0..granules).map(|_| Granule::new()).collect(),
            seen: RefCell::default(),
            left_out: Cell::new(0),
        }
    }

    pub fn thread(&self, thread: usize) -> &'c Thread {
        self.threads[thread].expect("a thread that runs")
    }

    /// Whether a load would change nothing, and is left out.
    fn is_unchanged(&self, thread: usize, location: usize, order: Order) -> bool {
        let seen = self.seen.borrow().get(&(thread, location)).copied();
        seen.is_some_and(|seen| self.locations[location].is_unchanged(self.thread(thread), &seen, order))
    }

    pub fn violation(&self, thread: usize, location: usize, attempt: Attempt) -> Option<Violation> {
        if let Attempt::Load(order) = attempt
            && self.is_unchanged(thread, location, order)
        {
            return None;
        }
        self.clocks.access(self.thread(thread), self.locations[location]).check(attempt)
    }

    pub fn access(&self, thread: usize, location: usize, performed: Performed) {
        if let Performed::Load(order) = performed
            && self.is_unchanged(thread, location, order)
        {
            self.left_out.set(self.left_out.get() + 1);
            return;
        }
        let mut access = self.clocks.access(self.thread(thread), self.locations[location]);
        match performed {
            Performed::Load(order) => access.load(order),
            Performed::Store(order, value) => access.store(order, value, 0),
            Performed::Rmw(order, value) => access.rmw(order, value, 0),
            Performed::Nothing => return,
        };
        self.seen.borrow_mut().insert((thread, location), access.seen());
    }

    pub fn fence(&self, thread: usize, order: Order) {
        self.clocks.fence(self.thread(thread), order);
    }

    pub fn release(&self, thread: usize, sync: usize) {
        self.clocks.release(self.thread(thread), self.syncs[sync]);
    }

    pub fn acquire(&self, thread: usize, sync: usize) {
        self.clocks.acquire(self.thread(thread), self.syncs[sync]);
    }

    pub fn spawn(&mut self, parent: usize, child: usize) {
        assert_eq!(child, self.threads.len());
        self.threads.push(self.clocks.spawn(Some(self.thread(parent)), child as u32));
    }

    pub fn join(&mut self, thread: usize, child: usize) {
        let ended = self.thread(child);
        self.clocks.finish(ended);
        self.clocks.join(self.thread(thread), ended);
        self.threads[child] = None;
    }

    pub fn prune(&self) {
        self.locations.iter().for_each(|location| self.clocks.prune(location));
    }

    pub fn plain(&self, thread: usize, granule: usize, halves: u8, writes: bool) -> Option<Race> {
        let (thread, granule) = (self.thread(thread), &self.granules[granule]);
        let extent = match halves {
            1 => Extent::of(0, 4).expect("aligned"),
            2 => Extent::of(4, 4).expect("aligned"),
            _ => Extent::WHOLE,
        };
        if writes {
            self.clocks.plain_write(thread, granule, extent)
        } else {
            self.clocks.plain_read(thread, granule, extent)
        }
    }
}
