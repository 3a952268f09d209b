//! How the next step of a thread becomes an event: what it reads or writes, what it is aware of, and the thread after
//! it.

use std::sync::{Arc, Mutex, PoisonError};

use fencepost_graph::SC_FENCE_CELL;
use fencepost_models::Model;
use fencepost_program::{
    Accept, Action, Address, Allocation, Answer, CasKind, Division, Freed, FuncId, Machine, Ordering, Program, Service,
    ThreadState, Value, part_of,
};

use hashbrown::HashMap;

use crate::Options;
use crate::event::{Ahead, Event, INITIAL, Id, Kind, Part, Rest, Start, ended_thread, signal};
use crate::execution::Execution;
use crate::learned::Learned;
use crate::locations::Locations;

/// The program, as all workers see it.
pub(crate) struct Steps<'p> {
    pub program: &'p Program,
    pub model: Model,
    pub machine: Machine<'p>,
    pub division: Division,
    /// Whether memory can be allocated again, and which.
    pub reuses_memory: bool,
    pub freed: Freed,
    /// The threads that run from the start, before their first events.
    pub start: Vec<Start>,
    /// Threads come to barriers in one order only, see `barriers`.
    pub one_order_at_barriers: bool,
    /// Some local variables may be known to other threads.
    pub has_shared_locals: bool,
    /// The numbers of spawned threads, by creator and its number of earlier threads: the same in all executions.
    children: Mutex<HashMap<(usize, u32), (usize, FuncId)>>,
}

/// The step that a thread takes next.
pub(crate) enum Next {
    Read(Reading),
    /// The write of an RMW whose read was the thread's last event.
    Update(Value),
    Write {
        at: Address,
        value: Value,
        order: Ordering,
        part: Part,
    },
    Fence(Ordering),
    Choose {
        lo: Value,
        hi: Value,
    },
    /// The number of the new thread.
    Spawn(usize),
    Alloc {
        pointer: u64,
        size: u64,
        allocation: Allocation,
    },
    Free(u64),
    HeapSize(u64),
}

/// A step of which all is known but what it does to its thread and its views.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub thread: usize,
    pub kind: Kind,
    pub location: usize,
    pub at: Address,
    pub order: Ordering,
    pub value: Value,
    pub source: Id,
    part: Part,
    first_choice: bool,
    refused: bool,
}

impl Step {
    /// One that reads nothing.
    pub(crate) fn new(thread: usize, kind: Kind, place: (usize, Address), order: Ordering, value: Value) -> Step {
        let (location, at) = place;
        let part = Part::Whole;
        Step { thread, kind, location, at, order, value, source: INITIAL, part, first_choice: true, refused: false }
    }

    pub(crate) fn with(self, part: Part) -> Step {
        Step { part, ..self }
    }

    pub(crate) fn fence(thread: usize, order: Ordering) -> Step {
        Step::new(thread, Kind::Fence, NOWHERE, order, 0)
    }

    pub(crate) fn spawn(thread: usize, child: usize) -> Step {
        Step::new(thread, Kind::Spawn, NOWHERE, Ordering::Relaxed, child as Value)
    }

    /// Something about an object on the heap.
    pub(crate) fn heap(thread: usize, kind: Kind, value: Value) -> Step {
        Step::new(thread, kind, NOWHERE, Ordering::Relaxed, value)
    }

    pub(crate) fn choice(thread: usize, value: Value, is_first: bool) -> Step {
        Step { first_choice: is_first, ..Step::new(thread, Kind::Choice, NOWHERE, Ordering::Relaxed, value) }
    }
}

/// The place of what accesses none.
const NOWHERE: (usize, Address) = (0, Address(0));

/// What reads: its location, and by the value read, what it becomes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub at: Address,
    pub order: Ordering,
    failure_order: Ordering,
    how: How,
    part: Part,
}

#[derive(Clone, Copy, Debug)]
enum How {
    Load,
    Wait(Accept),
    Update(Accept),
    Cas { expected: Value, kind: CasKind },
}

impl<'p> Steps<'p> {
    pub(crate) fn new(program: &'p Program, options: &Options, learned: &Learned) -> Steps<'p> {
        let Options { model, unroll, .. } = *options;
        let one_order_at_barriers = learned.one_order_at_barriers && has_barriers(program);
        let (division, freed) = (learned.division.clone(), learned.freed.clone());
        let machine = unroll.map_or_else(|| Machine::new(program), |bound| Machine::unrolling(program, bound));
        let machine = machine.reusing(freed.clone());
        let start = (0..program.threads.len()).map(|t| machine.start(t));
        let start = start.map(|state| before_first_event(&machine, state)).collect();
        let has_shared_locals = program.has_shared_locals();
        let children = Mutex::default();
        let reuses_memory = program.reuses_memory();
        Steps {
            program,
            model,
            machine,
            division,
            reuses_memory,
            freed,
            start,
            one_order_at_barriers,
            has_shared_locals,
            children,
        }
    }

    /// The state of a thread after its last event. The thread has been made.
    pub(crate) fn state<'e>(&'e self, execution: &'e Execution, thread: usize) -> &'e ThreadState {
        self.shared_state(execution, thread)
    }

    fn shared_state<'e>(&'e self, execution: &'e Execution, thread: usize) -> &'e Arc<ThreadState> {
        self.now(execution, thread).0
    }

    /// What a thread wants to do after its last event.
    pub(crate) fn action(&self, execution: &Execution, thread: usize) -> Action {
        *self.now(execution, thread).1
    }

    fn now<'e>(&'e self, execution: &'e Execution, thread: usize) -> (&'e Arc<ThreadState>, &'e Action) {
        match (execution.last(thread), &execution.starts[thread]) {
            (Some(event), _) => (&event.rest.state, &event.rest.action),
            (None, Some(start)) => (&start.state, &start.action),
            (None, None) => unreachable!("thread {thread} was not made yet"),
        }
    }

    /// The state of a thread before an event of it.
    pub(crate) fn state_before<'e>(&self, execution: &'e Execution, event: &Event) -> Option<&'e ThreadState> {
        match event.index {
            0 => execution.starts[event.thread].as_ref().map(|start| &*start.state),
            index => Some(&execution.event(execution.threads[event.thread][index as usize - 1]).state),
        }
    }

    /// Whether a read was the program's own use of a value.
    pub(crate) fn uses_value(&self, execution: &Execution, event: &Event) -> bool {
        self.state_before(execution, event).is_some_and(|before| self.machine.uses_value(before))
    }

    /// Whether the thread's next step is a part of waiting at a barrier, and threads come to it in one order only.
    pub(crate) fn is_at_barrier(&self, execution: &Execution, thread: usize) -> bool {
        self.one_order_at_barriers && self.machine.is_at_barrier(self.state(execution, thread))
    }

    /// The thread that `thread` creates as its `number`th.
    fn child(&self, thread: usize, number: u32, func: FuncId) -> usize {
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        let next = self.start.len() + children.len();
        children.entry((thread, number)).or_insert((next, func)).0
    }

    /// The program with names for the threads that were spawned.
    pub(crate) fn named_program(&self) -> Program {
        let children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        let mut children: Vec<(usize, FuncId)> = children.values().copied().collect();
        children.sort_unstable_by_key(|&(thread, _)| thread);
        self.program.naming(&children.iter().map(|&(_, func)| func).collect::<Vec<_>>())
    }

    pub(crate) fn initial_value(&self, at: Address) -> Value {
        if at == SC_FENCE_CELL { 0 } else { self.program.initial_value(at) }
    }

    /// The first thread that does not read next, or else the first one that can go on: a read that comes after the
    /// writes need not be revisited by them. But the write of an RMW follows its read at once, and the end of a thread
    /// is told only to the thread that joins it.
    pub(crate) fn schedule(&self, execution: &Execution, locations: &Locations) -> Option<usize> {
        let (mut reads, mut others) = (None, None);
        for thread in 0..execution.starts.len() {
            if execution.last(thread).is_some_and(|event| event.kind == Kind::ExclusiveRead) {
                return Some(thread);
            }
            match execution.ahead(thread) {
                Ahead::Nothing | Ahead::TellsEnd => {}
                Ahead::Signal(signal) if !execution.has_signal(signal) => {
                    let ended = ended_thread(signal)
                        .filter(|&t| t < execution.starts.len() && execution.ahead(t) == Ahead::TellsEnd);
                    others = others.or(ended);
                }
                Ahead::Leave if !self.may_leave(execution, thread, locations) => {}
                Ahead::Read => reads = reads.or(Some(thread)),
                Ahead::Leave | Ahead::Signal(_) | Ahead::Other => others = others.or(Some(thread)),
            }
        }
        others.or(reads)
    }

    /// Whether all have come to the barrier at which a thread waits.
    fn may_leave(&self, execution: &Execution, thread: usize, locations: &Locations) -> bool {
        let Action::Wait { at, accept, .. } = self.action(execution, thread) else { return false };
        let location = locations.find(at).and_then(|location| execution.locations.get(location));
        let newest = location.and_then(|l| l.writes.last());
        accept.accepts(newest.map_or_else(|| self.initial_value(at), |&write| execution.event(write).value))
    }

    /// The next step of a thread that can go on.
    pub(crate) fn next(&self, execution: &Execution, thread: usize) -> Next {
        let action = self.action(execution, thread);
        if let Some(read) = execution.last(thread).filter(|e| e.kind == Kind::ExclusiveRead) {
            return Next::Update(action.written(read.value).unwrap_or(read.value));
        }
        let read =
            |at, order, failure_order, how| Next::Read(Reading { at, order, failure_order, how, part: Part::Whole });
        match action {
            Action::Load { at, order } => {
                let (at, part) = self.next_part(execution, thread, at, order);
                Next::Read(Reading { at, order, failure_order: order, how: How::Load, part })
            }
            Action::Wait { at, accept, order } => read(at, order, order, How::Wait(accept)),
            Action::Rmw { at, accept, order, .. } => read(at, order, order, How::Update(accept)),
            Action::Cas { at, expected, success, failure, kind, .. } => {
                read(at, success, failure, How::Cas { expected, kind })
            }
            Action::Store { at: whole, value, order } => {
                let (at, part) = self.next_part(execution, thread, whole, order);
                let value = if part == Part::Whole { value } else { part_of(value, whole, at) };
                Next::Write { at, value, order, part }
            }
            Action::Fence { order } if order.is_sc() && self.model.sc_fence_is_rmw() => {
                read(SC_FENCE_CELL, order, order, How::Update(Accept::Any))
            }
            Action::Fence { order } => Next::Fence(order),
            Action::Choose { lo, .. } if self.woke_for_nothing(execution, thread) => Next::Choose { lo, hi: lo },
            Action::Choose { lo, hi } => Next::Choose { lo, hi },
            Action::Spawn { func, number, .. } => Next::Spawn(self.child(thread, number, func)),
            Action::Alloc { pointer, size, allocation } => Next::Alloc { pointer, size, allocation },
            Action::Free { pointer } => Next::Free(pointer),
            Action::HeapSize { pointer } => Next::HeapSize(pointer),
            Action::Blocked | Action::Hangs | Action::Endless | Action::Failed(_) | Action::End => {
                unreachable!("the thread can go on")
            }
        }
    }

    /// What reading from a write can be. A weak CAS that reads what it expects may succeed or fail: two variants.
    pub(crate) fn reading(
        &self,
        execution: &Execution,
        thread: usize,
        location: usize,
        reading: &Reading,
        source: Id,
        variant: u8,
    ) -> Option<Event> {
        let value = match source {
            INITIAL => self.initial_value(reading.at),
            source => execution.event(source).value,
        };
        let success = (Kind::ExclusiveRead, reading.order);
        let failure = (Kind::AwaitRead, reading.failure_order);
        let (kind, order) = match (reading.how, variant) {
            (How::Load, 0) => (Kind::Read, reading.order),
            (How::Wait(_), 0) => failure,
            (How::Update(accept), 0) if accept.accepts(value) => success,
            (How::Cas { expected, .. }, 0) if value == expected => success,
            (How::Update(_) | How::Cas { .. }, 0) => failure,
            (How::Cas { expected, kind: CasKind::Weak }, 1) if value == expected => failure,
            _ => return None,
        };
        // It waited for the one write that it accepts.
        if let How::Wait(accept) = reading.how
            && signal(reading.at).is_some()
            && !accept.accepts(value)
        {
            return None;
        }
        let refused = match reading.how {
            How::Wait(accept) | How::Update(accept) => !accept.accepts(value),
            How::Load | How::Cas { .. } => false,
        };
        let first_choice = variant == 0;
        let Reading { at, part, .. } = *reading;
        let step = Step { thread, kind, location, at, order, value, source, part, first_choice, refused };
        Some(self.event(execution, step))
    }

    /// A step as the next event of its thread, which is not added yet. A write has no place in modification order yet.
    pub(crate) fn event(&self, execution: &Execution, step: Step) -> Event {
        let Step { thread, kind, location, order, value, source, part, first_choice, refused, .. } = step;
        let index = execution.threads[thread].len() as u32;
        let (prefix, views) = self.views(execution, &step, index + 1);
        let (before, action) = self.now(execution, thread);
        let (state, action) = match self.answer(execution, &step) {
            Some(answer) if !refused => {
                let mut state = ThreadState::clone(before);
                self.machine.resume(&mut state, answer, 0);
                let action = self.machine.next(&state);
                (Arc::new(state), action)
            }
            _ => (Arc::clone(before), *action),
        };
        let mut ahead = ahead(&action);
        if self.one_order_at_barriers && matches!(action, Action::Wait { .. }) && self.machine.is_at_barrier(&state) {
            ahead = Ahead::Leave;
        }
        let idle = match kind {
            _ if matches!(part, Part::Before(_)) => false,
            Kind::Read | Kind::AwaitRead | Kind::Fence => true,
            Kind::ExclusiveWrite => execution.last(thread).is_some_and(|read| read.value == value),
            _ => false,
        };
        let cut_off = refused || idle && self.spins(execution, thread, &state);
        let span = self.machine.span(before);
        Event {
            thread,
            index,
            kind,
            location,
            order,
            value,
            source,
            position: 0,
            ahead,
            signal: if kind == Kind::Write { signal(step.at) } else { None },
            first_choice,
            part,
            barrier: self.one_order_at_barriers && self.machine.is_at_barrier(before),
            refused,
            cut_off,
            rest: Arc::new(Rest { span, state, action, child: self.spawned(execution, &step), prefix, views }),
        }
    }

    /// The thread that a step makes.
    fn spawned(&self, execution: &Execution, step: &Step) -> Option<Start> {
        if step.kind != Kind::Spawn {
            return None;
        }
        let Action::Spawn { func, argument, .. } = self.action(execution, step.thread) else {
            unreachable!("the step was made for this action")
        };
        let state = self.machine.start_spawned(step.value as u32, func, argument);
        Some(before_first_event(&self.machine, state))
    }

    /// What the thread is told. `None` for the read of an RMW: the thread goes on after the write; and for a part of an
    /// access that is not the last.
    fn answer(&self, execution: &Execution, step: &Step) -> Option<Answer> {
        if let Part::Before(_) = step.part {
            return None;
        }
        Some(match step.kind {
            Kind::Read | Kind::AwaitRead => match step.part {
                Part::Last(number) => Answer::Read(self.joined(execution, step, number)),
                _ => Answer::Read(step.value),
            },
            Kind::ExclusiveRead => return None,
            Kind::ExclusiveWrite if step.at == SC_FENCE_CELL => Answer::Done,
            Kind::ExclusiveWrite => Answer::Updated(execution.last(step.thread)?.value),
            Kind::Write | Kind::Fence | Kind::Alloc | Kind::Free => Answer::Done,
            Kind::HeapSize => Answer::Read(step.value),
            Kind::Choice => Answer::Chose(step.value),
            Kind::Spawn => Answer::Spawned(step.value as u32),
        })
    }

    /// Whether a step has brought its thread back to where it was, and all that the thread did on the way are reads,
    /// fences and RMWs that write what they read: an iteration of a spin loop. An execution without these events, whose
    /// RMWs' readers read what the RMWs have read, is consistent too, as relations only shrink, and its values are the
    /// same. So what comes after more such iterations also comes after fewer, and the thread is cut off.
    fn spins(&self, execution: &Execution, thread: usize, now: &ThreadState) -> bool {
        self.iteration(execution, thread, execution.threads[thread].len(), now).is_some()
    }

    /// Where the iteration starts that has brought a thread back to where it was, by its first events and one more.
    pub(crate) fn iteration(
        &self,
        execution: &Execution,
        thread: usize,
        count: usize,
        now: &ThreadState,
    ) -> Option<usize> {
        let events = &execution.threads[thread][..count];
        let mut before = count;
        loop {
            let state = match (before, &execution.starts[thread]) {
                (0, Some(start)) => &start.state,
                (0, None) => return None,
                (n, _) => &execution.event(events[n - 1]).state,
            };
            if now.is_back_at(state) {
                return Some(before);
            }
            if before == 0 {
                return None;
            }
            let last = execution.event(events[before - 1]);
            before -= match last.kind {
                Kind::Read | Kind::AwaitRead | Kind::Fence => 1,
                // The read of the RMW that is about to write.
                Kind::ExclusiveRead if before == events.len() => 1,
                Kind::ExclusiveWrite if execution.event(events[before - 2]).value == last.value => 2,
                _ => return None,
            };
        }
    }
}

fn has_barriers(program: &Program) -> bool {
    program.functions.iter().any(|function| function.service == Some(Service::Barrier))
}

fn before_first_event(machine: &Machine, state: ThreadState) -> Start {
    let action = machine.next(&state);
    Start { ahead: ahead(&action), action, state: Arc::new(state) }
}

fn ahead(action: &Action) -> Ahead {
    match *action {
        Action::Store { at, .. } if signal(at).and_then(ended_thread).is_some() => Ahead::TellsEnd,
        Action::Blocked | Action::Hangs | Action::Endless | Action::Failed(_) | Action::End => Ahead::Nothing,
        Action::Wait { at, .. } => signal(at).map_or(Ahead::Read, Ahead::Signal),
        Action::Load { .. } | Action::Rmw { .. } | Action::Cas { .. } => Ahead::Read,
        Action::Store { .. }
        | Action::Fence { .. }
        | Action::Choose { .. }
        | Action::Spawn { .. }
        | Action::Alloc { .. }
        | Action::Free { .. }
        | Action::HeapSize { .. } => Ahead::Other,
    }
}
