//! The successors of local states, one value at a time.

use fencepost_program::{Action, Answer, CasKind, FuncId, Value};

use super::{Life, LocalState, Lts, Next, Progress, Step, Successors};
use crate::index::{Index, LocalId, ValueId};

const THREADS_LIMIT: usize = 64;

impl Lts<'_> {
    /// Computes the successors of a local state for a value.
    pub(crate) fn fill(&mut self, thread: usize, state: LocalId, value: ValueId) {
        let successors = self.after(thread, state, value);
        let LocalState { step, location, .. } = *self.local(thread, state);
        if self.spins_are_waits && step.takes_value() && self.leads_nowhere(thread, state, successors.read) {
            self.locations.make_all_reads_critical(location.expect("a step that takes a value has a location"));
        }
        self.threads.set_successors(thread, state, value, successors);
    }

    fn after(&mut self, thread: usize, state: LocalId, value: ValueId) -> Successors {
        let local = self.local(thread, state);
        let step = local.step;
        let taken = if step.takes_value() { self.taken(local, value) } else { 0 };
        match step {
            Step::Load { .. } => self.after_load(thread, state, taken),
            Step::Wait { accept, .. } => match accept.accepts(taken) {
                true => Successors::by_reading(self.resume(thread, state, Answer::Read(taken))),
                false => Successors::NONE,
            },
            Step::Store { value: written, .. } => {
                let next = match self.after_part(local, written) {
                    Ok(progress) => self.intern(thread, local.state.clone(), progress),
                    Err(_) => self.resume(thread, state, Answer::Done),
                };
                self.by_update(thread, state, next, written)
            }
            Step::Rmw { accept, .. } => match accept.accepts(taken) {
                true => self.after_rmw(thread, state, taken),
                false => Successors::NONE,
            },
            Step::Cas { expected, kind, .. } => {
                let updated = if taken == expected { self.after_rmw(thread, state, taken) } else { Successors::NONE };
                match taken != expected || kind == CasKind::Weak {
                    true => updated.or_by_reading(self.resume(thread, state, Answer::Read(taken))),
                    false => updated,
                }
            }
            Step::FenceRmw => Successors::by_update(self.resume(thread, state, Answer::Done), ValueId::FIRST),
            Step::Fence { .. } => Successors::by_reading(self.resume(thread, state, Answer::Done)),
            Step::Choose { lo, .. } => {
                let chosen = Answer::Chose(lo + Value::from(value.to_u32()));
                Successors::by_reading(self.resume(thread, state, chosen))
            }
            Step::Spawn { func, argument, number } => {
                let child = self.child(thread, number, func);
                let next = self.resume(thread, state, Answer::Spawned(child as u32));
                Successors::by_creation(next, self.begin(child, func, argument))
            }
            Step::Heap(action) => self.after_heap_step(thread, state, action, taken),
            Step::Unborn
            | Step::Blocked
            | Step::Hangs
            | Step::Endless
            | Step::Failed(_)
            | Step::Dependent
            | Step::End => Successors::NONE,
        }
    }

    fn after_load(&mut self, thread: usize, state: LocalId, taken: Value) -> Successors {
        let local = self.local(thread, state);
        match self.after_part(local, taken) {
            Ok(progress) => Successors::by_reading(self.intern(thread, local.state.clone(), progress)),
            Err(read) => {
                let mut successors = Successors::by_reading(self.resume(thread, state, Answer::Read(read)));
                if self.observational {
                    successors.tainted = Next::to(self.resume_marked(thread, state, Answer::Read(read), 1));
                }
                successors
            }
        }
    }

    fn after_rmw(&mut self, thread: usize, state: LocalId, taken: Value) -> Successors {
        let next = self.resume(thread, state, Answer::Updated(taken));
        let written = self.local(thread, state).step.written(taken);
        self.by_update(thread, state, next, written)
    }

    fn after_heap_step(&mut self, thread: usize, state: LocalId, action: Action, taken: Value) -> Successors {
        match action {
            Action::HeapSize { .. } => {
                let size = Life::of_value(taken).map_or(0, |life| life.size);
                Successors::by_reading(self.resume(thread, state, Answer::Read(size as Value)))
            }
            Action::Free { .. } => {
                let next = self.resume(thread, state, Answer::Done);
                match Life::of_value(taken).filter(|life| !life.freed) {
                    Some(life) => self.by_update(thread, state, next, Life { freed: true, ..life }.value()),
                    // Frees need no step if memory errors are not checked.
                    None => Successors::by_reading(next),
                }
            }
            Action::Alloc { size, allocation, .. } => {
                let next = self.resume(thread, state, Answer::Done);
                self.by_update(thread, state, next, Life { size, allocation, freed: false }.value())
            }
            action => unreachable!("{action:?} is not about the heap"),
        }
    }

    /// The value with a number, of the location that a local state accesses.
    pub(super) fn taken(&self, local: &LocalState, value: ValueId) -> Value {
        self.locations[local.location.expect("a step that takes a value has a location")].value(value)
    }

    fn by_update(&mut self, thread: usize, state: LocalId, next: LocalId, written: Value) -> Successors {
        let location = self.local(thread, state).location.expect("an update has a location");
        Successors::by_update(next, self.locations.value(location, written))
    }

    /// Whether a read was an iteration of a spin loop, or one that an assumption rules out.
    fn leads_nowhere(&self, thread: usize, state: LocalId, read: Next) -> bool {
        read.state().is_some_and(|next| next == state || self.local(thread, next).step == Step::Blocked)
    }

    /// Whether reading the value would be an iteration of a spin loop, or one that an assumption rules out.
    pub(crate) fn spins(&self, thread: usize, state: LocalId, value: Value) -> bool {
        if !self.spins_are_waits {
            return false;
        }
        let local = self.local(thread, state);
        let Err(read) = self.after_part(local, value) else { return false };
        let state = &local.state;
        let mut next = state.clone();
        self.machine.resume(&mut next, Answer::Read(read), 0);
        next == *state || self.machine.next(&next) == Action::Blocked
    }

    /// The thread that `parent` creates after `number` others.
    fn child(&mut self, parent: usize, number: u32, func: FuncId) -> usize {
        if let Some(known) = self.threads.child(parent, number) {
            return known;
        }
        let child = self.threads.add_child(parent, number, func);
        self.uses.add_thread();
        if self.threads.count() > THREADS_LIMIT {
            self.obstacle = Some(format!("the program makes more than {THREADS_LIMIT} threads"));
        }
        child
    }

    /// The state in which a created thread begins.
    fn begin(&mut self, thread: usize, func: FuncId, argument: Value) -> LocalId {
        let state = self.machine.start_spawned(thread as u32, func, argument);
        let begin = self.intern(thread, state, Progress::default());
        self.threads.add_begin(thread, begin);
        begin
    }

    fn resume(&mut self, thread: usize, state: LocalId, answer: Answer) -> LocalId {
        self.resume_marked(thread, state, answer, 0)
    }

    fn resume_marked(&mut self, thread: usize, state: LocalId, answer: Answer, marks: u64) -> LocalId {
        let mut next = self.local(thread, state).state.clone();
        self.machine.resume(&mut next, answer, marks);
        self.intern(thread, next, Progress::default())
    }
}
