//! The local states of each thread, numbered, with their steps and successors.
//!
//! A thread's next state is a function of its state and of the value it reads, so each step of the program is computed
//! once and then looked up. The search itself never runs the program.

use fencepost_graph::SC_FENCE_CELL;
use fencepost_program::{Accept, Action, Address, Answer, CasKind, FuncId, Machine, Program, ThreadState, Value};
use hashbrown::{HashMap, HashSet};

use crate::step::{Order, Step};
use crate::{Model, Options};

/// Not computed yet.
pub(crate) const UNKNOWN: u32 = u32::MAX;
/// The step cannot be taken with this value.
pub(crate) const DISABLED: u32 = u32::MAX - 1;
/// The step touches no location.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// A location with more values than this is taken to have endlessly many.
const VALUES_LIMIT: usize = 260;
/// When more critical values of a location than this turn up along a search, all its values are told apart from then on.
const CRITICAL_LIMIT: usize = 4;
const THREADS_LIMIT: usize = 64;

/// How a thread uses a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Usage {
    pub thread: usize,
    pub location: usize,
    pub reads: bool,
    pub writes: bool,
    pub order: Order,
}

pub(crate) struct Location {
    pub values: Vec<Value>,
    index: HashMap<Value, u32>,
    /// Values that decide whether a `wait` or a failing CAS can read, and whether a CAS or BCAS can update: the critical
    /// values of paper 003 Def. 5.5.
    pub critical_reads: Vec<Value>,
    pub critical_updates: Vec<Value>,
    /// Take all values as critical.
    pub apart: bool,
    /// Take all values as critical to reads: some of them make a thread spin.
    pub reads_apart: bool,
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
    pub step: Step,
    /// The number of the step's location.
    pub location: u32,
    /// By the number of the value; a step that takes no value has one entry. Of a thread that has not been made yet, the
    /// states in which it may begin.
    pub successors: Vec<Successors>,
}

/// What is at one place of the heap, in some run.
#[derive(Default)]
struct HeapObject {
    sizes: Vec<u64>,
    /// Whether a thread has asked for the size.
    asked: bool,
}

struct ThreadStates {
    states: Vec<LocalState>,
    index: HashMap<ThreadState, u32>,
}

pub(crate) struct Lts<'p> {
    machine: Machine<'p>,
    model: Model,
    observational: bool,
    /// See [`Options::spins_are_waits`].
    spins_are_waits: bool,
    threads: Vec<ThreadStates>,
    /// The numbers of threads that are made along the way, by who made them and after how many others.
    children: HashMap<(usize, u32), usize>,
    /// What each of them was first found to run.
    pub child_functions: Vec<FuncId>,
    pub locations: Vec<Location>,
    location_index: HashMap<Address, u32>,
    pub usages: HashSet<Usage>,
    /// Threads with acquire fences; whether there are SC fences with RC11's meaning.
    pub acquire_fences: Vec<bool>,
    pub sc_fences: bool,
    /// Changes whenever something is found that a layout depends on.
    pub version: u64,
    /// All that threads can do is known.
    pub closed: bool,
    closing: bool,
    /// By pointer.
    heap: HashMap<u64, HeapObject>,
    /// Which threads free which objects.
    frees: HashSet<(usize, u64)>,
    /// The same, by thread and location.
    pub freed: HashSet<(usize, usize)>,
    /// Why nothing can be said of the program.
    pub obstacle: Option<String>,
}

impl<'p> Lts<'p> {
    pub(crate) fn new(program: &'p Program, options: &Options) -> Lts<'p> {
        let mut lts = Lts::empty(program, options);
        lts.closing = true;
        lts.closed = lts.close(options.closure);
        if lts.closed {
            return lts;
        }
        // What was found may contain values that no run ever has.
        Lts::empty(program, options)
    }

    fn empty(program: &'p Program, options: &Options) -> Lts<'p> {
        let threads = program.threads.len();
        let mut lts = Lts {
            machine: Machine::new(program),
            model: options.model,
            observational: options.observational,
            spins_are_waits: options.spins_are_waits.unwrap_or(program.thread_entry.is_some()),
            threads: (0..threads).map(|_| ThreadStates { states: Vec::new(), index: HashMap::new() }).collect(),
            children: HashMap::new(),
            child_functions: Vec::new(),
            locations: Vec::new(),
            location_index: HashMap::new(),
            usages: HashSet::new(),
            acquire_fences: vec![false; threads],
            sc_fences: false,
            version: 0,
            closed: false,
            closing: false,
            heap: HashMap::new(),
            frees: HashSet::new(),
            freed: HashSet::new(),
            obstacle: None,
        };
        for thread in 0..threads {
            let state = lts.machine.start(thread);
            lts.intern(thread, state);
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

    pub(crate) fn local(&self, thread: usize, state: u32) -> &LocalState {
        &self.threads[thread].states[state as usize]
    }

    /// Finds all that threads can do, taking every value ever written to a location as one that any read may return.
    /// Gives up when that is too much.
    fn close(&mut self, limit: usize) -> bool {
        // By thread, the states looked at; by location, the states that take its value, and how many values they took.
        let mut seen = Vec::new();
        let mut takers: Vec<Vec<(usize, u32)>> = Vec::new();
        let mut taken: Vec<u32> = Vec::new();
        let mut work = 0;
        loop {
            seen.resize(self.thread_count(), 0);
            takers.resize(self.locations.len(), Vec::new());
            taken.resize(self.locations.len(), 0);
            let mut todo: Vec<(usize, u32, std::ops::Range<u32>)> = Vec::new();
            for (thread, seen) in seen.iter_mut().enumerate() {
                for state in *seen..self.count(thread) as u32 {
                    let local = self.local(thread, state);
                    if local.step.is_unknown() || self.obstacle.is_some() {
                        return false;
                    }
                    if local.step.takes_value() {
                        takers[local.location as usize].push((thread, state));
                        todo.push((thread, state, 0..taken[local.location as usize]));
                    } else {
                        todo.push((thread, state, 0..self.inputs(thread, state)));
                    }
                }
                *seen = self.count(thread) as u32;
            }
            for location in 0..self.locations.len() {
                let values = self.locations[location].values.len() as u32;
                let new = std::mem::replace(&mut taken[location], values)..values;
                if !new.is_empty() {
                    todo.extend(takers[location].iter().map(|&(thread, state)| (thread, state, new.clone())));
                }
                if values as usize > VALUES_LIMIT {
                    return false;
                }
            }
            if todo.is_empty() {
                return true;
            }
            for (thread, state, inputs) in todo {
                for value in inputs {
                    self.fill(thread, state, value);
                    work += 1;
                    if work > limit {
                        return false;
                    }
                }
            }
        }
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

    /// Computes the successors of a local state for a value number.
    pub(crate) fn fill(&mut self, thread: usize, state: u32, value: u32) {
        let local = self.local(thread, state);
        let (step, location) = (local.step, local.location);
        let read = || self.locations[location as usize].values[value as usize];
        let mut successors = ALL_DISABLED;
        match step {
            Step::Load { .. } => {
                let read = read();
                successors.read = self.resume(thread, state, Answer::Read(read), 0);
                if self.observational {
                    successors.tainted = self.resume(thread, state, Answer::Read(read), 1);
                }
            }
            Step::Wait { accept, .. } => {
                let read = read();
                if accept.accepts(read) {
                    successors.read = self.resume(thread, state, Answer::Read(read), 0);
                }
            }
            Step::Store { value: written, .. } => {
                successors.update = self.resume(thread, state, Answer::Done, 0);
                successors.written = self.value(location, written);
            }
            Step::Rmw { .. } => {
                let read = read();
                successors.update = self.resume(thread, state, Answer::Updated(read), 0);
                successors.written = self.value(location, step.written(read));
            }
            Step::Cas { expected, kind, .. } => {
                let read = read();
                if read == expected {
                    successors.update = self.resume(thread, state, Answer::Updated(read), 0);
                    successors.written = self.value(location, step.written(read));
                }
                if read != expected || kind == CasKind::Weak {
                    successors.read = self.resume(thread, state, Answer::Read(read), 0);
                }
            }
            Step::BlockingCas { expected, .. } => {
                let read = read();
                if read == expected {
                    successors.update = self.resume(thread, state, Answer::Updated(read), 0);
                    successors.written = self.value(location, step.written(read));
                }
            }
            Step::FenceRmw => {
                successors.update = self.resume(thread, state, Answer::Done, 0);
                successors.written = 0;
            }
            Step::Fence { .. } => successors.read = self.resume(thread, state, Answer::Done, 0),
            Step::Choose { lo, .. } => {
                successors.read = self.resume(thread, state, Answer::Chose(lo + value as Value), 0);
            }
            Step::Spawn { func, argument, number } => {
                let child = self.child(thread, number, func);
                successors.read = self.resume(thread, state, Answer::Spawned(child as u32), 0);
                successors.written = self.begin(child, func, argument);
            }
            Step::Heap(action) => {
                let answer = match action {
                    Action::HeapSize { pointer } => Answer::Read(self.size(pointer)),
                    _ => Answer::Done,
                };
                successors.read = self.resume(thread, state, answer, 0);
            }
            Step::Unborn | Step::Blocked | Step::Failed(_) | Step::Dependent | Step::End => {}
        }
        let leads_nowhere =
            |next: u32| next == state || next < DISABLED && self.local(thread, next).step == Step::Blocked;
        if self.spins_are_waits && step.takes_value() && leads_nowhere(successors.read) {
            let location = &mut self.locations[location as usize];
            self.version += !location.reads_apart as u64;
            location.reads_apart = true;
        }
        let known = &mut self.threads[thread].states[state as usize].successors;
        if known.len() <= value as usize {
            known.resize(value as usize + 1, ALL_UNKNOWN);
        }
        known[value as usize] = successors;
    }

    pub(crate) fn known_child(&self, parent: usize, number: u32) -> Option<u32> {
        self.children.get(&(parent, number)).map(|&child| child as u32)
    }

    /// The size of an object on the heap, as long as all runs agree: where it is does not say how large it was made.
    fn size(&mut self, pointer: u64) -> Value {
        let object = self.heap.entry(pointer).or_default();
        object.asked = true;
        if object.sizes.len() == 1 {
            return object.sizes[0] as Value;
        }
        self.obstacle = Some(several_sizes(&self.machine, pointer));
        0
    }

    fn allocated(&mut self, pointer: u64, size: u64) {
        let object = self.heap.entry(pointer).or_default();
        if !object.sizes.contains(&size) {
            object.sizes.push(size);
            if object.asked && object.sizes.len() > 1 {
                self.obstacle = Some(several_sizes(&self.machine, pointer));
            }
            self.note_freed();
        }
    }

    /// The locations in an object on the heap, however large it is made in some run.
    pub(crate) fn locations_in(&self, pointer: u64) -> Vec<usize> {
        let size = self.heap.get(&pointer).and_then(|object| object.sizes.iter().max()).copied().unwrap_or(0);
        let inside =
            |at: &Address| at.pointer_and_size().is_some_and(|(at, _)| (pointer..pointer + size).contains(&at));
        let numbers = self.location_index.iter().filter(|(at, _)| inside(at)).map(|(_, &number)| number as usize);
        let mut numbers: Vec<usize> = numbers.collect();
        numbers.sort_unstable();
        numbers
    }

    /// Freeing an object is like a plain write to all of it.
    fn note_freed(&mut self) {
        let pairs: Vec<(usize, usize)> = self
            .frees
            .iter()
            .flat_map(|&(thread, pointer)| self.locations_in(pointer).into_iter().map(move |at| (thread, at)))
            .collect();
        for pair in pairs {
            self.version += self.freed.insert(pair) as u64;
        }
    }

    /// Whether reading the value would be an iteration of a spin loop, or one that an assumption rules out.
    pub(crate) fn spins(&self, thread: usize, state: u32, value: Value) -> bool {
        if !self.spins_are_waits {
            return false;
        }
        let state = &self.local(thread, state).state;
        let mut next = state.clone();
        self.machine.resume(&mut next, Answer::Read(value), 0);
        next == *state || self.machine.next(&next) == Action::Blocked
    }

    /// The number of the thread that this one makes after so many others.
    fn child(&mut self, parent: usize, number: u32, func: FuncId) -> usize {
        if let Some(&known) = self.children.get(&(parent, number)) {
            return known;
        }
        let child = self.threads.len();
        self.children.insert((parent, number), child);
        self.child_functions.push(func);
        let unborn = LocalState {
            state: ThreadState::unborn(child as u32),
            step: Step::Unborn,
            location: NOWHERE,
            successors: Vec::new(),
        };
        self.threads.push(ThreadStates { states: vec![unborn], index: HashMap::new() });
        self.acquire_fences.push(false);
        if self.threads.len() > THREADS_LIMIT {
            self.obstacle = Some(format!("the program makes more than {THREADS_LIMIT} threads"));
        }
        self.version += 1;
        child
    }

    /// The state in which a thread begins.
    fn begin(&mut self, thread: usize, func: FuncId, argument: Value) -> u32 {
        let state = self.machine.start_spawned(thread as u32, func, argument);
        let first = self.intern(thread, state);
        let unborn = &mut self.threads[thread].states[0];
        if unborn.successors.iter().all(|known| known.read != first) {
            unborn.successors.push(Successors { read: first, ..ALL_DISABLED });
        }
        first
    }

    fn resume(&mut self, thread: usize, state: u32, answer: Answer, marks: u64) -> u32 {
        let mut next = self.local(thread, state).state.clone();
        self.machine.resume(&mut next, answer, marks);
        self.intern(thread, next)
    }

    fn intern(&mut self, thread: usize, state: ThreadState) -> u32 {
        if let Some(&known) = self.threads[thread].index.get(&state) {
            return known;
        }
        let mut step = Step::of(self.model, self.machine.next(&state));
        // A load may have a stale value in no operand but its address, and then which location it reads depends on it.
        if state.used_marks() | self.machine.action_marks(&state) != 0 {
            step = Step::Dependent;
        }
        // Who waits when the program is ended is not in a deadlock.
        if state.has_exited() {
            step = Step::Blocked;
        }
        if let Step::Heap(Action::Alloc { pointer, size, .. }) = step {
            self.allocated(pointer, size);
        }
        if let Step::Heap(Action::Free { pointer }) = step
            && self.frees.insert((thread, pointer))
        {
            self.note_freed();
        }
        let location = step.address().map_or(NOWHERE, |at| self.location(at, &state));
        self.note(thread, location as usize, step);
        let states = &mut self.threads[thread];
        let number = states.states.len() as u32;
        states.index.insert(state.clone(), number);
        states.states.push(LocalState { state, step, location, successors: Vec::new() });
        number
    }

    fn location(&mut self, address: Address, state: &ThreadState) -> u32 {
        if let Some(&known) = self.location_index.get(&address) {
            return known;
        }
        if let Some(other) = self.location_index.keys().find(|&&known| known.overlaps(address)) {
            self.obstacle = Some(overlap(&self.machine, state, *other, address));
        }
        let number = self.locations.len() as u32;
        let initial = if address == SC_FENCE_CELL { 0 } else { self.machine.program().initial_value(address) };
        self.location_index.insert(address, number);
        self.locations.push(Location {
            values: vec![initial],
            index: HashMap::from([(initial, 0)]),
            critical_reads: Vec::new(),
            critical_updates: Vec::new(),
            apart: false,
            reads_apart: false,
        });
        self.version += 1;
        if !self.frees.is_empty() {
            self.note_freed();
        }
        number
    }

    fn value(&mut self, location: u32, value: Value) -> u32 {
        let location = &mut self.locations[location as usize];
        *location.index.entry(value).or_insert_with(|| {
            location.values.push(value);
            location.values.len() as u32 - 1
        })
    }

    /// Notes what a layout depends on.
    fn note(&mut self, thread: usize, location: usize, step: Step) {
        let mut usage = |reads, writes, order| {
            if self.usages.insert(Usage { thread, location, reads, writes, order }) {
                self.version += 1;
            }
        };
        match step {
            Step::Load { order, .. } | Step::Wait { order, .. } => usage(true, false, order),
            Step::Store { order, .. } => usage(false, true, order),
            Step::Rmw { order, .. } | Step::BlockingCas { order, .. } => usage(true, true, order),
            Step::Cas { success, failure, .. } => {
                usage(true, true, success);
                usage(true, false, failure);
            }
            Step::FenceRmw => {
                usage(true, true, Order { atomic: true, acquire: true, release: true, sc: false });
                // Under RA an acquire fence adds nothing to acquire reads.
                self.fence(thread, self.model != Model::Ra, false);
            }
            Step::Fence { order } => self.fence(thread, order.acquire, order.sc),
            _ => {}
        }
        match step {
            Step::Wait { accept: Accept::Exactly(v) | Accept::AllBut(v), .. } => {
                self.critical(location, v, true, false)
            }
            Step::Cas { expected, kind, .. } => self.critical(location, expected, kind == CasKind::Strong, true),
            Step::BlockingCas { expected, .. } => self.critical(location, expected, false, true),
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

    fn critical(&mut self, location: usize, value: Value, reads: bool, updates: bool) {
        let location = &mut self.locations[location];
        if location.apart {
            return;
        }
        for (set, wanted) in [(&mut location.critical_reads, reads), (&mut location.critical_updates, updates)] {
            if wanted && !set.contains(&value) {
                set.push(value);
                location.apart |= !self.closing && set.len() > CRITICAL_LIMIT;
                self.version += 1;
            }
        }
    }
}

fn overlap(machine: &Machine, state: &ThreadState, known: Address, new: Address) -> String {
    let size = |at: Address| at.pointer_and_size().map_or(0, |(_, size)| size);
    let (program, span) = (machine.program(), machine.span(state));
    let place = program.place(span).map_or(String::new(), |place| format!("{place}: "));
    let name = program.cell_name(new);
    format!(
        "{place}an access to {} bytes at `{name}` overlaps one to {} bytes; no memory model has that",
        size(new),
        size(known)
    )
}

fn several_sizes(machine: &Machine, pointer: u64) -> String {
    format!("`realloc` of {}, whose size is not the same in all runs", machine.program().pointer_name(pointer))
}
