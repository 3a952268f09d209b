//! The local states of each thread, numbered, with their steps and successors.
//!
//! A thread's next state is a function of its state and of the value it reads, so each step of the program is computed
//! once and then looked up. The search itself never runs the program.

mod answer;
mod close;
mod fill;
mod heap;
mod parts;
mod usage;

use std::hash::BuildHasher;

use fencepost_budget::Budget;
use fencepost_graph::SC_FENCE_CELL;
use fencepost_program::{Action, Address, Division, Freed, FuncId, Machine, Program, ThreadState, Value};
use hashbrown::{DefaultHashBuilder, HashMap, HashSet, HashTable};

pub(crate) use answer::{Move, Took};
pub(crate) use heap::{Heap, Life, is_heap};
use parts::{Overlap, Progress};

use crate::Options;
use crate::step::Step;
use fencepost_models::Model;
use fencepost_models::Strength;

/// Not computed yet.
pub(crate) const UNKNOWN: u32 = u32::MAX;
/// The step cannot be taken with this value.
pub(crate) const DISABLED: u32 = u32::MAX - 1;
/// The step touches no location.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A location with more values than this is taken to have endlessly many.
const VALUES_LIMIT: usize = 260;
/// When more critical values of a location than this turn up along a search, all its values are critical from then on.
const CRITICAL_LIMIT: usize = 4;
const THREADS_LIMIT: usize = 64;

/// How a thread uses a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Usage {
    pub thread: usize,
    pub location: usize,
    pub reads: bool,
    pub writes: bool,
    pub order: Strength,
}

pub struct Location {
    pub address: Address,
    pub values: Vec<Value>,
    index: HashMap<Value, u32>,
    /// The first value stands for that nothing was written yet.
    pub unwritten: bool,
    /// Values that decide whether a `wait` or a failing CAS can read, and whether a CAS or BCAS can update: the
    /// critical values of paper 003 Def. 5.5.
    pub critical_reads: Vec<Value>,
    pub critical_updates: Vec<Value>,
    /// Take all values as critical.
    pub all_critical: bool,
    /// Take all values as critical to reads: some of them make a thread spin.
    pub all_reads_critical: bool,
}

/// The successors of a local state for one value: what it read, what it overwrote, or what it chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Successors {
    pub read: u32,
    /// After reading a value that may be stale.
    pub tainted: u32,
    pub update: u32,
    /// The number of the value that an update writes; the first state of a thread that is made.
    pub written: u32,
}

pub(crate) const ALL_UNKNOWN: Successors =
    Successors { read: UNKNOWN, tainted: UNKNOWN, update: UNKNOWN, written: UNKNOWN };
const ALL_DISABLED: Successors = Successors { read: DISABLED, tainted: DISABLED, update: DISABLED, written: DISABLED };

pub(crate) struct LocalState {
    pub state: ThreadState,
    progress: Progress,
    /// What the thread does next, as the program says it.
    pub action: Action,
    /// The program's own use of what it reads, so that something must have been written there.
    pub uses_value: bool,
    pub step: Step,
    /// The number of the step's location.
    pub location: u32,
    /// By the number of the value; a step that takes no value has one entry. Of a thread that has not been made yet,
    /// the states in which it may begin.
    pub successors: Vec<Successors>,
}

#[derive(Default)]
struct ThreadStates {
    states: Vec<LocalState>,
    /// The numbers of the states, by what they are.
    index: HashTable<u32>,
}

pub(crate) struct Lts<'p> {
    machine: Machine<'p>,
    model: Model,
    pub observational: bool,
    /// See [`Options::spins_are_waits`].
    spins_are_waits: bool,
    threads: Vec<ThreadStates>,
    /// The numbers of threads that are created along the way, by their creator and its number of earlier threads.
    children: HashMap<(usize, u32), usize>,
    /// What each of them was first found to run.
    pub child_functions: Vec<FuncId>,
    pub locations: Vec<Location>,
    location_index: HashMap<Address, u32>,
    /// Locations with values that [`Lts::close`] has not seen yet.
    grown: Vec<u32>,
    pub usages: HashSet<Usage>,
    /// Threads with acquire fences; whether there are SC fences with RC11's meaning.
    pub acquire_fences: Vec<bool>,
    pub sc_fences: bool,
    /// Changes whenever something is found that a layout depends on.
    pub version: u64,
    /// All that threads can do is known.
    pub closed: bool,
    closing: bool,
    pub heap: Heap,
    known: Known,
    /// Cells that must be divided further; the search then restarts.
    overlaps: Vec<Overlap>,
    /// Further objects that can be freed; the search then restarts.
    newly_freed: Freed,
    /// Why nothing can be said of the program.
    pub obstacle: Option<String>,
    budget: Budget,
    hasher: DefaultHashBuilder,
}

/// What has to be known from the start, and shows on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// Which accesses are divided.
    division: Division,
    /// Which objects can be freed, if their memory can be allocated again.
    freed: Freed,
}

impl<'p> Lts<'p> {
    pub(crate) fn new(program: &'p Program, options: &Options) -> Lts<'p> {
        let mut known = Known::default();
        loop {
            let mut lts = Lts::empty(program, options, known);
            lts.closing = true;
            lts.closed = lts.close(options.closure);
            if lts.closed {
                return lts;
            }
            if !lts.knows_more() {
                // What was found may contain values that no run ever has.
                return Lts::empty(program, options, lts.known);
            }
            known = lts.all_known();
        }
    }

    /// Starts over if something turned up that must be known from the start.
    pub(crate) fn restarted(self, options: &Options) -> Lts<'p> {
        if !self.knows_more() {
            return self;
        }
        let program = self.machine.program();
        Lts::empty(program, options, self.all_known())
    }

    fn knows_more(&self) -> bool {
        !self.overlaps.is_empty() || !self.newly_freed.is_empty()
    }

    fn all_known(self) -> Known {
        let mut known = self.known;
        self.overlaps.into_iter().for_each(|cells| known.division.divide(cells));
        known.freed.extend(self.newly_freed);
        known
    }

    fn empty(program: &'p Program, options: &Options, known: Known) -> Lts<'p> {
        let threads = program.threads.len();
        let machine = if options.observational { Machine::observing(program) } else { Machine::new(program) };
        let mut lts = Lts {
            machine: machine.reusing(known.freed.clone()),
            model: options.model,
            observational: options.observational,
            spins_are_waits: options.spins_are_waits.unwrap_or(program.has_flat_memory()),
            threads: (0..threads).map(|_| ThreadStates::default()).collect(),
            children: HashMap::new(),
            child_functions: Vec::new(),
            locations: Vec::new(),
            location_index: HashMap::new(),
            grown: Vec::new(),
            usages: HashSet::new(),
            acquire_fences: vec![false; threads],
            sc_fences: false,
            version: 0,
            closed: false,
            closing: false,
            heap: Heap::of(program),
            known,
            overlaps: Vec::new(),
            newly_freed: Freed::default(),
            obstacle: None,
            budget: options.budget.clone(),
            hasher: DefaultHashBuilder::default(),
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

    pub(crate) fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// How many states of a thread are known. State 0 is its first.
    pub(crate) fn count(&self, thread: usize) -> usize {
        self.threads[thread].states.len()
    }

    /// How many local states are known.
    pub(crate) fn local_state_count(&self) -> usize {
        self.threads.iter().map(|thread| thread.states.len()).sum()
    }

    /// How many values of locations are known.
    pub(crate) fn value_count(&self) -> usize {
        self.locations.iter().map(|location| location.values.len()).sum()
    }

    pub(crate) fn local(&self, thread: usize, state: u32) -> &LocalState {
        &self.threads[thread].states[state as usize]
    }

    /// True if the search must stop here: the program cannot be decided, the search restarts, or the budget is spent.
    pub(crate) fn is_over(&self) -> bool {
        self.obstacle.is_some() || self.knows_more() || self.budget.is_spent()
    }

    /// How many values a step can take now.
    pub(crate) fn inputs(&self, thread: usize, state: u32) -> u32 {
        let local = self.local(thread, state);
        match local.step {
            step if step.takes_value() => self.locations[local.location as usize].values.len() as u32,
            Step::Store { .. } | Step::FenceRmw | Step::Fence { .. } | Step::Spawn { .. } | Step::Heap(_) => 1,
            Step::Choose { lo, hi } => u32::try_from(hi.abs_diff(lo).saturating_add(1)).unwrap_or(u32::MAX),
            _ => 0,
        }
    }

    pub(crate) fn known_child(&self, parent: usize, number: u32) -> Option<u32> {
        self.children.get(&(parent, number)).map(|&child| child as u32)
    }

    fn intern(&mut self, thread: usize, state: ThreadState, progress: Progress) -> u32 {
        let hash = self.hasher.hash_one((&state, progress));
        let ThreadStates { states, index } = &self.threads[thread];
        let same = |&known: &u32| {
            let known = &states[known as usize];
            known.state == state && known.progress == progress
        };
        if let Some(&known) = index.find(hash, same) {
            return known;
        }
        let (action, whole) = self.action(&state, progress);
        let mut step = Step::of(self.model, action);
        // Who waits when the program is ended is not in a deadlock.
        if state.has_exited() {
            step = Step::Blocked;
        }
        // A load may have a stale value in no operand but its address, and then which location it reads depends on it.
        if state.used_marks() | self.machine.action_marks(&state) != 0 {
            step = Step::Dependent;
        }
        let location = match step {
            Step::Heap(Action::Alloc { pointer, size, allocation }) => {
                self.allocates(thread, pointer, size, allocation)
            }
            Step::Heap(Action::Free { pointer }) => self.frees(thread, pointer),
            Step::Heap(Action::HeapSize { pointer }) => self.life(pointer),
            _ => step.address().map_or(NOWHERE, |at| self.location(at, step, &state)),
        };
        let uses_value = whole && step.takes_value() && self.machine.uses_value(&state);
        self.note(thread, location as usize, step);
        let ThreadStates { states, index } = &mut self.threads[thread];
        let number = states.len() as u32;
        let successors = Vec::new();
        states.push(LocalState { state, progress, action, uses_value, step, location, successors });
        let hash_of = |state: &LocalState| self.hasher.hash_one((&state.state, state.progress));
        index.insert_unique(hash, number, |&known| hash_of(&states[known as usize]));
        number
    }

    fn location(&mut self, address: Address, step: Step, state: &ThreadState) -> u32 {
        if let Some(&known) = self.location_index.get(&address) {
            return known;
        }
        if let Some(other) = address.overlapping().find(|near| self.location_index.contains_key(near)) {
            self.overlap(other, address, step.is_atomic(), state);
        }
        self.location_of(address)
    }

    fn location_of(&mut self, address: Address) -> u32 {
        if let Some(&known) = self.location_index.get(&address) {
            return known;
        }
        let number = self.locations.len() as u32;
        let initial = if address == SC_FENCE_CELL { 0 } else { self.machine.program().initial_value(address) };
        let unwritten = heap::starts_unwritten(self.machine.program(), address);
        self.location_index.insert(address, number);
        self.locations.push(Location {
            address,
            values: vec![initial],
            index: if unwritten { HashMap::new() } else { HashMap::from([(initial, 0)]) },
            unwritten,
            critical_reads: Vec::new(),
            critical_updates: Vec::new(),
            all_critical: false,
            // Whether a stale read may read what nobody has written must show.
            all_reads_critical: self.observational && unwritten,
        });
        self.version += 1;
        if self.closing {
            self.grown.push(number);
        }
        number
    }

    fn value(&mut self, location: u32, value: Value) -> u32 {
        let number = location;
        let location = &mut self.locations[location as usize];
        *location.index.entry(value).or_insert_with(|| {
            if self.closing {
                self.grown.push(number);
            }
            location.values.push(value);
            location.values.len() as u32 - 1
        })
    }
}
