//! The local states of each thread, numbered, with their steps and successors.
//!
//! A thread's next state is a function of its state and of the value it reads, so each step of the program is computed
//! once and then looked up. The search itself never runs the program.

mod answer;
mod close;
mod fill;
mod foreknown;
mod heap;
mod locations;
mod parts;
mod rehearsal;
mod step;
mod threads;
mod uses;

use fencepost_budget::Budget;
use fencepost_graph::SC_FENCE_CELL;
use fencepost_models::Model;
use fencepost_program::{Action, Address, Machine, Program, ThreadState};

pub(crate) use answer::{Move, Took};
use foreknown::Foreknown;
pub(crate) use heap::{Heap, Life, is_heap};
pub use locations::Location;
use locations::Locations;
use parts::Progress;
use rehearsal::Rehearsal;
pub(crate) use step::Step;
use threads::Threads;
pub(crate) use threads::{LocalState, Next, Successors};
pub use uses::Usage;
use uses::Uses;

use crate::Options;
use crate::index::{LocalId, LocationId};

/// What the threads of a program can do, as far as it is known.
pub(crate) struct Lts<'p> {
    machine: Machine<'p>,
    model: Model,
    pub observational: bool,
    /// See [`Options::spins_are_waits`].
    spins_are_waits: bool,
    pub threads: Threads,
    pub locations: Locations,
    pub heap: Heap,
    pub uses: Uses,
    foreknown: Foreknown,
    /// All that threads can do is known.
    pub closed: bool,
    /// Why the program cannot be decided.
    pub obstacle: Option<String>,
    budget: Budget,
}

impl<'p> Lts<'p> {
    /// Knows all that threads can do, unless that takes more steps than [`Options::closure`]; then it knows where they
    /// start.
    pub(crate) fn new(program: &'p Program, options: &Options) -> Lts<'p> {
        let mut foreknown = Foreknown::default();
        let mut left = options.closure;
        loop {
            let mut lts = Lts::with(program, options, foreknown);
            lts.locations.begin_closure();
            // With values that no run has, overlaps turn up without end.
            if !lts.foreknown.is_rehearsed() {
                left = options.closure;
            }
            lts.closed = lts.close(&mut left);
            if lts.closed {
                return lts;
            }
            if !lts.foreknown.is_outdated() {
                // What was found may contain values that no run ever has.
                return Lts::with(program, options, lts.foreknown);
            }
            foreknown = lts.learned();
        }
    }

    /// Starts over if something turned up that must be known from the start.
    pub(crate) fn restarted(self, options: &Options) -> Lts<'p> {
        if !self.foreknown.is_outdated() {
            return self;
        }
        Lts::with(self.machine.program(), options, self.learned())
    }

    /// All that must be known from the start.
    fn learned(self) -> Foreknown {
        let mut foreknown = self.foreknown.updated();
        if foreknown.needs_rehearsal() {
            Rehearsal::of(&self.machine, &self.budget).divide(&mut foreknown.division);
        }
        foreknown
    }

    fn with(program: &'p Program, options: &Options, foreknown: Foreknown) -> Lts<'p> {
        let threads = program.threads.len();
        let machine = if options.observational { Machine::observing(program) } else { Machine::new(program) };
        let mut lts = Lts {
            machine: machine.reusing(foreknown.freed.clone()),
            model: options.model,
            observational: options.observational,
            spins_are_waits: options.spins_are_waits.unwrap_or(program.has_flat_memory()),
            threads: Threads::new(threads),
            locations: Locations::default(),
            heap: Heap::of(program),
            uses: Uses::new(threads),
            foreknown,
            closed: false,
            obstacle: None,
            budget: options.budget.clone(),
        };
        for thread in 0..threads {
            let state = lts.machine.start(thread);
            lts.intern(thread, state, Progress::default());
        }
        lts
    }

    pub(crate) fn machine(&self) -> &Machine<'p> {
        &self.machine
    }

    pub(crate) fn local(&self, thread: usize, state: LocalId) -> &LocalState {
        self.threads.local(thread, state)
    }

    /// Grows whenever something is found that a layout depends on, except for local states and values.
    pub(crate) fn version(&self) -> u64 {
        self.threads.count() as u64 + self.locations.version() + self.heap.version() + self.uses.version()
    }

    /// True if the search must stop here: the program cannot be decided, the search restarts, or the budget is spent.
    pub(crate) fn is_over(&self) -> bool {
        self.obstacle.is_some() || self.foreknown.is_outdated() || self.budget.is_spent()
    }

    /// How many values a step can take now.
    pub(crate) fn inputs(&self, thread: usize, state: LocalId) -> u32 {
        let local = self.local(thread, state);
        match (local.step, local.location) {
            (step, Some(location)) if step.takes_value() => self.locations[location].values.len() as u32,
            (Step::Store { .. } | Step::FenceRmw | Step::Fence { .. } | Step::Spawn { .. } | Step::Heap(_), _) => 1,
            (Step::Choose { lo, hi }, _) => u32::try_from(hi.abs_diff(lo).saturating_add(1)).unwrap_or(u32::MAX),
            _ => 0,
        }
    }

    /// The number of a local state, which is added if it is new.
    fn intern(&mut self, thread: usize, state: ThreadState, progress: Progress) -> LocalId {
        let vacancy = match self.threads.find(thread, &state, progress) {
            Ok(known) => return known,
            Err(vacancy) => vacancy,
        };
        let (action, whole) = self.action(&state, progress);
        let step = self.step(&state, action);
        let location = self.location_of_step(thread, step, &state);
        let uses_value = whole && step.takes_value() && self.machine.uses_value(&state);
        self.uses.note(thread, location, step, self.model);
        if let Some(location) = location {
            self.locations.note_critical(location, step);
        }
        let successors = Vec::new();
        self.threads.add(vacancy, LocalState { state, progress, action, uses_value, step, location, successors })
    }

    fn step(&self, state: &ThreadState, action: Action) -> Step {
        // A load may have a stale value in no operand but its address, and then which location it reads depends on it.
        if state.used_marks() | self.machine.action_marks(state) != 0 {
            return Step::Dependent;
        }
        // A thread that waits when the program is ended is not in a deadlock.
        if state.has_exited() { Step::Blocked } else { Step::of(self.model, action) }
    }

    fn location_of_step(&mut self, thread: usize, step: Step, state: &ThreadState) -> Option<LocationId> {
        Some(match step {
            Step::Heap(Action::Alloc { pointer, size, allocation }) => {
                self.allocates(thread, pointer, size, allocation)
            }
            Step::Heap(Action::Free { pointer }) => self.frees(thread, pointer),
            Step::Heap(Action::HeapSize { pointer }) => self.life(pointer),
            _ => {
                let address = step.address()?;
                self.locations.at(address).unwrap_or_else(|| {
                    self.note_overlap(address, step.is_atomic(), state);
                    self.location(address)
                })
            }
        })
    }

    /// The location at an address, which is added if it is new.
    fn location(&mut self, address: Address) -> LocationId {
        self.locations.at(address).unwrap_or_else(|| {
            let program = self.machine.program();
            let initial = if address == SC_FENCE_CELL { 0 } else { program.initial_value(address) };
            let unwritten = heap::starts_unwritten(program, address);
            // Whether a stale read may read memory to which nothing was written must show.
            self.locations.add(address, initial, unwritten, self.observational && unwritten)
        })
    }
}
