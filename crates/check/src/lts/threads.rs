//! The interned local states of threads.

use std::hash::BuildHasher;

use fencepost_program::{Action, FuncId, ThreadState};
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use super::Step;
use super::parts::Progress;
use crate::index::{Index, IndexVec, LocalId, LocationId, ValueId};

/// The local state after a step with some value, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Next(u32);

impl Next {
    /// Not computed yet.
    pub(crate) const UNKNOWN: Next = Next(u32::MAX);
    /// The step cannot be taken with this value.
    pub(crate) const DISABLED: Next = Next(u32::MAX - 1);

    pub(crate) fn to(state: LocalId) -> Next {
        Next(state.to_u32())
    }

    #[inline(always)]
    pub(crate) fn is_unknown(self) -> bool {
        self == Next::UNKNOWN
    }

    /// The state, if there is one and it is known.
    #[inline(always)]
    pub(crate) fn state(self) -> Option<LocalId> {
        if self.0 < Next::DISABLED.0 { Some(LocalId::from_u32(self.0)) } else { None }
    }
}

/// The successors of a local state for one value: what it read, what it overwrote, or what it chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Successors {
    pub read: Next,
    /// After reading a value that may be stale.
    pub tainted: Next,
    pub update: Next,
    /// What an update writes, or where a thread that is made begins.
    output: u32,
}

const _: () = assert!(size_of::<Successors>() == 16, "a search reads successors at every step");

impl Successors {
    /// Not computed yet.
    pub(crate) const UNKNOWN: Successors =
        Successors { read: Next::UNKNOWN, tainted: Next::UNKNOWN, update: Next::UNKNOWN, output: u32::MAX };
    /// No step can be taken with this value.
    pub(crate) const NONE: Successors =
        Successors { read: Next::DISABLED, tainted: Next::DISABLED, update: Next::DISABLED, output: u32::MAX };

    pub(super) fn by_reading(next: LocalId) -> Successors {
        Successors { read: Next::to(next), ..Successors::NONE }
    }

    /// Adds a successor that reads without updating.
    pub(super) fn or_by_reading(self, next: LocalId) -> Successors {
        Successors { read: Next::to(next), ..self }
    }

    pub(super) fn by_update(next: LocalId, written: ValueId) -> Successors {
        Successors { update: Next::to(next), output: written.to_u32(), ..Successors::NONE }
    }

    pub(super) fn by_creation(next: LocalId, begin: LocalId) -> Successors {
        Successors { read: Next::to(next), output: begin.to_u32(), ..Successors::NONE }
    }

    #[inline(always)]
    pub(crate) fn is_unknown(self) -> bool {
        self.read.is_unknown()
    }

    /// The value that an update writes.
    #[inline(always)]
    pub(crate) fn written(self) -> ValueId {
        ValueId::from_u32(self.output)
    }

    /// The local state in which the created thread begins.
    #[inline(always)]
    pub(crate) fn begin(self) -> LocalId {
        LocalId::from_u32(self.output)
    }

    /// The only successor: `None` if there is none, or several.
    #[inline(always)]
    pub(crate) fn only(self) -> Option<Only> {
        match (self.read.state(), self.update.state()) {
            (Some(next), None) => Some(Only { next, updates: false }),
            (None, Some(next)) => Some(Only { next, updates: true }),
            _ => None,
        }
    }
}

/// The only successor of a local state for a value, and whether it is that of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Only {
    pub next: LocalId,
    pub updates: bool,
}

pub(crate) struct LocalState {
    pub state: ThreadState,
    pub(super) progress: Progress,
    /// What the thread does next, as the program says it.
    pub action: Action,
    /// Whether the program uses the value that it reads here, so that something must have been written there.
    pub uses_value: bool,
    pub step: Step,
    pub location: Option<LocationId>,
    /// By value; a step that takes no value has one entry. For a thread that has not been created yet, the states in
    /// which it may begin.
    pub successors: Vec<Successors>,
}

impl LocalState {
    /// The successors for a value, unless they are not known.
    pub(crate) fn successors(&self, value: ValueId) -> Option<Successors> {
        self.successors.get(value.index()).copied().filter(|known| !known.is_unknown())
    }
}

#[derive(Default)]
struct ThreadStates {
    states: IndexVec<LocalId, LocalState>,
    /// The numbers of the states, by what they are.
    index: HashTable<LocalId>,
}

/// Where a new local state belongs.
pub(super) struct Vacancy {
    thread: usize,
    hash: u64,
}

pub(crate) struct Threads {
    threads: Vec<ThreadStates>,
    /// The threads that are created along the way, by their creator and how many it created before.
    children: HashMap<(usize, u32), usize>,
    /// The function that each of them was first found to execute.
    pub child_functions: Vec<FuncId>,
    hasher: DefaultHashBuilder,
}

impl Threads {
    pub(super) fn new(count: usize) -> Threads {
        Threads {
            threads: (0..count).map(|_| ThreadStates::default()).collect(),
            children: HashMap::new(),
            child_functions: Vec::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.threads.len()
    }

    /// How many states of a thread are known.
    pub(crate) fn states(&self, thread: usize) -> usize {
        self.threads[thread].states.len()
    }

    /// How many local states are known.
    pub(crate) fn all_states(&self) -> usize {
        self.threads.iter().map(|thread| thread.states.len()).sum()
    }

    /// The numbers of the known states of a thread.
    pub(crate) fn locals(&self, thread: usize) -> impl Iterator<Item = LocalId> + use<> {
        self.threads[thread].states.indices()
    }

    pub(crate) fn local(&self, thread: usize, state: LocalId) -> &LocalState {
        &self.threads[thread].states[state]
    }

    /// The thread that `parent` creates after `number` others, if it is known that it does.
    pub(crate) fn child(&self, parent: usize, number: u32) -> Option<usize> {
        self.children.get(&(parent, number)).copied()
    }

    pub(super) fn find(&self, thread: usize, state: &ThreadState, progress: Progress) -> Result<LocalId, Vacancy> {
        let hash = self.hasher.hash_one((state, progress));
        let ThreadStates { states, index } = &self.threads[thread];
        let same = |&known: &LocalId| states[known].state == *state && states[known].progress == progress;
        index.find(hash, same).copied().ok_or(Vacancy { thread, hash })
    }

    pub(super) fn add(&mut self, vacancy: Vacancy, state: LocalState) -> LocalId {
        let ThreadStates { states, index } = &mut self.threads[vacancy.thread];
        let number = states.push(state);
        let hash_of = |known: &LocalId| self.hasher.hash_one((&states[*known].state, states[*known].progress));
        index.insert_unique(vacancy.hash, number, hash_of);
        number
    }

    pub(super) fn set_successors(&mut self, thread: usize, state: LocalId, value: ValueId, successors: Successors) {
        let known = &mut self.threads[thread].states[state].successors;
        if known.len() <= value.index() {
            known.resize(value.index() + 1, Successors::UNKNOWN);
        }
        known[value.index()] = successors;
    }

    /// Adds a thread that `parent` creates after `number` others. It exists from the start, and has not begun.
    pub(super) fn add_child(&mut self, parent: usize, number: u32, func: FuncId) -> usize {
        let child = self.threads.len();
        self.children.insert((parent, number), child);
        self.child_functions.push(func);
        let unborn = LocalState {
            state: ThreadState::unborn(child as u32),
            progress: Progress::default(),
            action: Action::End,
            uses_value: false,
            step: Step::Unborn,
            location: None,
            successors: Vec::new(),
        };
        self.threads.push(ThreadStates { states: [unborn].into_iter().collect(), index: HashTable::new() });
        child
    }

    /// A created thread may begin in this state.
    pub(super) fn add_begin(&mut self, thread: usize, begin: LocalId) {
        let unborn = &mut self.threads[thread].states[LocalId::FIRST];
        let begin = Successors::by_reading(begin);
        if !unborn.successors.contains(&begin) {
            unborn.successors.push(begin);
        }
    }
}
