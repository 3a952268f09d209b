//! The answers of the monitor that `check` uses, over timestamps.

use fencepost_clocks::Order;
use fencepost_monitor::{Access, Cell, Needs, Plan, Timestamps};

use super::trace::{Part, Performed};

pub struct Monitor {
    plan: Plan,
    clocks: Timestamps,
    /// By thread, the location of its last event.
    last: Vec<Option<usize>>,
    /// By location, each write's value, and whether it was an RMW.
    writes: Vec<Vec<(u64, bool)>>,
}

impl Monitor {
    pub fn new(threads: usize, locations: usize) -> Monitor {
        let plan = Plan::new(Needs::all(threads, locations, 0));
        let clocks = Timestamps::new(plan.views(), locations);
        Monitor { plan, clocks, last: vec![None; threads], writes: vec![vec![(0, false)]; locations] }
    }

    fn step(&self, thread: usize, location: usize, reads: bool, writes: bool, order: Order) -> Access {
        Access {
            thread,
            location,
            reads,
            writes,
            acquire: order.is_acquire(),
            release: order.is_release(),
            sc: order.is_sc(),
            leaves: self.last[thread] != Some(location),
        }
    }

    pub fn stale(&self, thread: usize, location: usize, part: &Part) -> Vec<u64> {
        let access = self.step(thread, location, part.reads, part.writes, part.order);
        let known = |view| self.clocks.known(view, Cell(location as u32)) as usize;
        let from = self.plan.rules_out(&access).into_iter().map(known).max().unwrap_or(0);
        let to = known(self.plan.sc_view(thread));
        let writes = &self.writes[location];
        let fits = |&i: &usize| part.accepts.value(writes[i].0) && !(part.writes && writes[i + 1].1);
        (from..to).filter(fits).map(|i| i as u64).collect()
    }

    pub fn access(&mut self, thread: usize, location: usize, performed: Performed) {
        let (reads, write, order) = match performed {
            Performed::Load(order) => (true, None, order),
            Performed::Store(order, value) => (false, Some((value, false)), order),
            Performed::Rmw(order, value) => (true, Some((value, true)), order),
            Performed::Nothing => return,
        };
        let access = self.step(thread, location, reads, write.is_some(), order);
        if let Some(write) = write {
            self.clocks.overwrite(Cell(location as u32));
            self.writes[location].push(write);
        }
        self.plan.access(&mut self.clocks, &access);
        self.last[thread] = Some(location);
    }

    pub fn fence(&mut self, thread: usize, order: Order) {
        self.plan.fence(&mut self.clocks, thread, order.is_acquire(), order.is_release(), order.is_sc());
        self.last[thread] = None;
    }
}
