//! The successors of local states, one value at a time.

use fencepost_program::{Action, Answer, CasKind, FuncId, ThreadState, Value};
use hashbrown::HashTable;

use super::{
    ALL_DISABLED, ALL_UNKNOWN, DISABLED, Life, LocalState, Lts, NOWHERE, Progress, Successors, THREADS_LIMIT,
    ThreadStates,
};
use crate::step::Step;

impl Lts<'_> {
    /// Computes the successors of a local state for a value number.
    pub(crate) fn fill(&mut self, thread: usize, state: u32, value: u32) {
        let local = self.local(thread, state);
        let (step, location) = (local.step, local.location);
        let read = || self.locations[location as usize].values[value as usize];
        let mut successors = ALL_DISABLED;
        match step {
            Step::Load { .. } => match self.after_part(local, read()) {
                Ok(progress) => successors.read = self.intern(thread, local.state.clone(), progress),
                Err(read) => {
                    successors.read = self.resume(thread, state, Answer::Read(read), 0);
                    if self.observational {
                        successors.tainted = self.resume(thread, state, Answer::Read(read), 1);
                    }
                }
            },
            Step::Wait { accept, .. } => {
                let read = read();
                if accept.accepts(read) {
                    successors.read = self.resume(thread, state, Answer::Read(read), 0);
                }
            }
            Step::Store { value: written, .. } => {
                successors.update = match self.after_part(local, written) {
                    Ok(progress) => self.intern(thread, local.state.clone(), progress),
                    Err(_) => self.resume(thread, state, Answer::Done, 0),
                };
                successors.written = self.value(location, written);
            }
            Step::Rmw { accept, .. } => {
                let read = read();
                if accept.accepts(read) {
                    successors.update = self.resume(thread, state, Answer::Updated(read), 0);
                    successors.written = self.value(location, step.written(read));
                }
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
            Step::Heap(Action::HeapSize { .. }) => {
                let size = Life::of_value(read()).map_or(0, |life| life.size);
                successors.read = self.resume(thread, state, Answer::Read(size as Value), 0);
            }
            Step::Heap(Action::Free { .. }) => {
                let freed = Life::of_value(read()).filter(|life| !life.freed).map(|life| Life { freed: true, ..life });
                let next = self.resume(thread, state, Answer::Done, 0);
                match freed {
                    Some(life) => (successors.update, successors.written) = (next, self.value(location, life.value())),
                    // Frees need no step if memory errors are not checked.
                    None => successors.read = next,
                }
            }
            Step::Heap(Action::Alloc { size, allocation, .. }) => {
                successors.update = self.resume(thread, state, Answer::Done, 0);
                successors.written = self.value(location, Life { size, allocation, freed: false }.value());
            }
            Step::Heap(action) => unreachable!("{action:?} is not about the heap"),
            Step::Unborn
            | Step::Blocked
            | Step::Hangs
            | Step::Endless
            | Step::Failed(_)
            | Step::Dependent
            | Step::End => {}
        }
        let leads_nowhere =
            |next: u32| next == state || next < DISABLED && self.local(thread, next).step == Step::Blocked;
        if self.spins_are_waits && step.takes_value() && leads_nowhere(successors.read) {
            let location = &mut self.locations[location as usize];
            self.version += !location.all_reads_critical as u64;
            location.all_reads_critical = true;
        }
        let known = &mut self.threads[thread].states[state as usize].successors;
        if known.len() <= value as usize {
            known.resize(value as usize + 1, ALL_UNKNOWN);
        }
        known[value as usize] = successors;
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

    /// The thread that `parent` creates as its `number`th.
    fn child(&mut self, parent: usize, number: u32, func: FuncId) -> usize {
        if let Some(&known) = self.children.get(&(parent, number)) {
            return known;
        }
        let child = self.threads.len();
        self.children.insert((parent, number), child);
        self.child_functions.push(func);
        let unborn = LocalState {
            state: ThreadState::unborn(child as u32),
            progress: Progress::default(),
            action: Action::End,
            uses_value: false,
            step: Step::Unborn,
            location: NOWHERE,
            successors: Vec::new(),
        };
        self.threads.push(ThreadStates { states: vec![unborn], index: HashTable::new() });
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
        let first = self.intern(thread, state, Progress::default());
        let unborn = &mut self.threads[thread].states[0];
        if unborn.successors.iter().all(|known| known.read != first) {
            unborn.successors.push(Successors { read: first, ..ALL_DISABLED });
        }
        first
    }

    fn resume(&mut self, thread: usize, state: u32, answer: Answer, marks: u64) -> u32 {
        let mut next = self.local(thread, state).state.clone();
        self.machine.resume(&mut next, answer, marks);
        self.intern(thread, next, Progress::default())
    }
}
