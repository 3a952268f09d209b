//! Random runs, and the monitor of such a run over some lattice.

use fastrand::Rng;
use fencepost_models::{Model, Strength};
use fencepost_monitor::{Access, Cell, Lattice, Needs, Plan, View};
use fencepost_program::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Access { thread: usize, location: usize, reads: bool, writes: bool, order: Ordering },
    Fence { thread: usize, order: Ordering },
}

impl Step {
    pub fn thread(self) -> usize {
        match self {
            Step::Access { thread, .. } | Step::Fence { thread, .. } => thread,
        }
    }

    pub fn location(self) -> Option<usize> {
        match self {
            Step::Access { location, .. } => Some(location),
            Step::Fence { .. } => None,
        }
    }

    pub fn reads(self) -> bool {
        matches!(self, Step::Access { reads: true, .. })
    }

    pub fn writes(self) -> bool {
        matches!(self, Step::Access { writes: true, .. })
    }

    pub fn strength(self) -> Strength {
        let orderings = Model::Rc11.orderings();
        match self {
            Step::Access { order, .. } => orderings.of_access(order),
            Step::Fence { order, .. } => orderings.of_fence(order),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Run {
    pub threads: usize,
    pub locations: usize,
    pub steps: Vec<Step>,
}

impl Run {
    pub fn random(random: &mut Rng, longest: usize) -> Run {
        use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
        let (threads, locations) = (random.usize(2..6), random.usize(1..4));
        let (sc, fences) = (random.u8(..3), random.u8(..8));
        let mut one_of = |orders: &[Ordering]| {
            let chosen = orders[random.usize(..orders.len())];
            if chosen == SeqCst && sc == 0 { orders[0] } else { chosen }
        };
        let mut orders = |reads: bool, writes: bool| match (reads, writes) {
            (true, false) => one_of(&[Relaxed, Acquire, SeqCst, SeqCst]),
            (false, true) => one_of(&[Relaxed, Release, SeqCst, SeqCst]),
            (true, true) => one_of(&[Relaxed, Acquire, Release, AcqRel, SeqCst]),
            (false, false) => one_of(&[AcqRel, Acquire, Release, SeqCst, SeqCst]),
        };
        let drawn: Vec<[Ordering; 4]> = (0..longest)
            .map(|_| [orders(true, false), orders(false, true), orders(true, true), orders(false, false)])
            .collect();
        let length = random.usize(longest / 2..=longest);
        // A weak behaviour takes two accesses of each of two threads in a row, so threads often go on for a while.
        let sticky = random.u8(..4);
        let mut thread = 0;
        let steps = drawn[..length].iter().map(|&[read, write, rmw, fence]| {
            if random.u8(..4) >= sticky {
                thread = random.usize(..threads);
            }
            let location = random.usize(..locations);
            let access = |reads, writes, order| Step::Access { thread, location, reads, writes, order };
            match random.u8(..20) {
                kind if kind < fences => Step::Fence { thread, order: fence },
                kind if kind % 5 < 2 => access(true, false, read),
                kind if kind % 5 < 4 => access(false, true, write),
                _ => access(true, true, rmw),
            }
        });
        Run { threads, locations, steps: steps.collect() }
    }

    /// What the run needs, and no more.
    pub fn needs(&self, race_cells: usize) -> Needs {
        let any = |holds: &dyn Fn(Step) -> bool| self.steps.iter().any(|&step| holds(step));
        let is_fence = |step: Step| step.location().is_none();
        let of_thread = |holds: &dyn Fn(Step) -> bool| -> Vec<bool> {
            (0..self.threads).map(|thread| any(&|step| step.thread() == thread && holds(step))).collect()
        };
        let of_location = |holds: &dyn Fn(Step) -> bool| -> Vec<bool> {
            (0..self.locations).map(|location| any(&|step| step.location() == Some(location) && holds(step))).collect()
        };
        let acquire_fences = of_thread(&|step| is_fence(step) && step.strength().acquire);
        Needs {
            threads: self.threads,
            locations: self.locations,
            race_cells,
            relaxed_writes: of_thread(&|step| step.writes() && !step.strength().release),
            read: of_location(&|step| step.reads() && !step.writes()),
            synchronises: of_location(&|step| {
                step.reads() && (step.strength().acquire || acquire_fences[step.thread()])
            }),
            sc_fences: any(&|step| is_fence(step) && step.strength().sc),
            sc_locations: of_location(&|step| step.strength().sc),
            acquire_fences,
        }
    }
}

/// A lattice whose views can be asked which writes they may miss.
pub trait Views: Lattice {
    fn new(plan: &Plan, cells: usize) -> Self;
    /// A new write to a cell, or a new access of its class.
    fn overwrite(&mut self, cell: Cell);
    /// Whether the view may miss what overwrites an older write, so that a step may still come right after it.
    fn may_take(&self, view: View, cell: Cell, write: u32) -> bool;
}

/// A monitor along a run.
#[derive(Clone)]
pub struct Monitor<V> {
    pub plan: Plan,
    pub views: V,
    /// By thread, the location of its last event.
    last: Vec<Option<usize>>,
    /// By location, whether each write is an RMW.
    writes: Vec<Vec<bool>>,
}

impl<V: Views> Monitor<V> {
    pub fn new(needs: Needs) -> Monitor<V> {
        let (threads, locations) = (needs.threads, needs.locations);
        let cells = locations + needs.race_cells;
        let plan = Plan::new(needs);
        let views = V::new(&plan, cells);
        Monitor { plan, views, last: vec![None; threads], writes: vec![vec![false]; locations] }
    }

    fn access(&self, step: Step) -> Option<Access> {
        let Step::Access { thread, location, reads, writes, .. } = step else { return None };
        let Strength { acquire, release, sc, .. } = step.strength();
        let leaves = self.last[thread] != Some(location);
        Some(Access { thread, location, reads, writes, acquire, release, sc, leaves })
    }

    /// The writes right after which a step may come, although SC forbids it.
    pub fn stale(&self, step: Step) -> Vec<u32> {
        let Some(access) = self.access(step) else { return Vec::new() };
        let cell = Cell(access.location as u32);
        let views = self.plan.rules_out(&access);
        let writes = &self.writes[access.location];
        let is_stale = |&write: &u32| {
            let free = !access.writes || !writes[write as usize + 1];
            free && !self.views.may_take(self.plan.sc_view(access.thread), cell, write)
                && views.iter().all(|&view| self.views.may_take(view, cell, write))
        };
        (0..writes.len() as u32 - 1).filter(is_stale).collect()
    }

    pub fn take(&mut self, step: Step) {
        match (self.access(step), step) {
            (Some(access), _) => {
                if access.writes {
                    self.views.overwrite(Cell(access.location as u32));
                    self.writes[access.location].push(access.reads);
                }
                self.plan.access(&mut self.views, &access);
            }
            (None, _) => {
                let Strength { acquire, release, sc, .. } = step.strength();
                self.plan.fence(&mut self.views, step.thread(), acquire, release, sc);
            }
        }
        self.last[step.thread()] = step.location();
    }

    /// Notes an access of a thread in a race cell.
    pub fn touch(&mut self, thread: usize, cell: Cell) {
        self.views.overwrite(cell);
        self.plan.touch(&mut self.views, thread, cell);
    }
}
