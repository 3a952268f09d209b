//! TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022): every consistent execution graph of a program is
//! visited exactly once, with memory for one graph and those on the way to it.
//!
//! The next event of the first thread that has one is added in every way: a read reads from each write, a write takes each
//! place in modification order. A new write may also be what an earlier read should have read: it *revisits* the
//! read. Everything added after the read that the write does not depend on is deleted, and the read reads from the
//! write. That is done only if all that goes was added in the one way that is taken to be the first, reading from or
//! being the newest write: so each graph is made in one way only.

use fencepost_graph::{Graph, SC_FENCE_CELL};
use fencepost_models::Model;
use fencepost_program::{
    Accept, Action, Address, Answer, CasKind, Failure, Machine, Ordering, Program, ThreadState, Value,
};
use hashbrown::HashMap;

use crate::coherence::coherent;
use crate::consistency::Consistency;
use crate::execution::{Event, Execution, INITIAL, Id, Kind, Views};

/// How an exploration was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    GoOn,
    Stop,
}

/// What the exploration reports.
pub(crate) trait Visitor {
    /// Called for every event that is added, with their number: whether to go on at all.
    fn tick(&mut self, events: usize) -> Flow;
    /// All threads have ended.
    fn complete(&mut self, explorer: &Explorer, execution: &Execution) -> Flow;
    /// No thread can go on, and some are cut off by an assumption.
    fn blocked(&mut self, explorer: &Explorer, execution: &Execution) -> Flow;
    /// The next step of a thread is a failure.
    fn failed(&mut self, explorer: &Explorer, execution: &Execution, thread: usize, failure: Failure) -> Flow;
    /// Two accesses race, the second one just added.
    fn race(&mut self, explorer: &Explorer, execution: &Execution, first: Id, second: Id) -> Flow;
}

pub(crate) struct Explorer<'p> {
    pub program: &'p Program,
    pub model: Model,
    pub machine: Machine<'p>,
    consistency: Consistency<'p>,
    start: Vec<ThreadState>,
    pub addresses: Vec<Address>,
    numbers: HashMap<Address, usize>,
}

/// The step that a thread takes next.
enum Next {
    Read(Reading),
    /// The write of an RMW whose read was the thread's last event.
    Update(Value),
    Write {
        at: Address,
        value: Value,
        order: Ordering,
    },
    Fence(Ordering),
    Choose {
        lo: Value,
        hi: Value,
    },
}

/// What reads: its location, and by the value read, what it becomes.
#[derive(Clone, Copy)]
struct Reading {
    at: Address,
    order: Ordering,
    failure_order: Ordering,
    how: How,
}

#[derive(Clone, Copy)]
enum How {
    Load,
    Wait(Accept),
    Update,
    Cas { expected: Value, kind: CasKind },
    BlockingCas { expected: Value },
}

impl<'p> Explorer<'p> {
    pub(crate) fn new(program: &'p Program, model: Model, unroll: Option<u32>) -> Explorer<'p> {
        let machine = unroll.map_or_else(|| Machine::new(program), |bound| Machine::unrolling(program, bound));
        let start = (0..program.threads.len()).map(|t| machine.start(t)).collect();
        Explorer {
            program,
            model,
            machine,
            consistency: Consistency { program, model },
            start,
            addresses: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    pub(crate) fn run(&mut self, visitor: &mut impl Visitor) -> Flow {
        let mut execution = Execution::new(self.program.threads.len());
        self.visit(&mut execution, visitor)
    }

    /// The state of a thread after its last event.
    pub(crate) fn state<'e>(&'e self, execution: &'e Execution, thread: usize) -> &'e ThreadState {
        execution.last(thread).map_or(&self.start[thread], |e| &e.state)
    }

    /// The execution as the definitions see it.
    pub(crate) fn graph(&self, execution: &Execution) -> Graph {
        execution.graph(self.program, &self.addresses, self.model.sc_fence_is_rmw())
    }

    /// The last value of a cell.
    pub(crate) fn last_value(&self, execution: &Execution, at: Address) -> Value {
        let writes = self.numbers.get(&at).and_then(|&location| execution.locations.get(location));
        match writes.and_then(|l| l.writes.last()) {
            Some(&last) => execution.event(last).value,
            None => self.initial_value(at),
        }
    }

    /// Whether a loop went on beyond the bound.
    pub(crate) fn is_bounded(&self, execution: &Execution) -> bool {
        (0..self.program.threads.len()).any(|t| self.state(execution, t).is_out_of_bound())
    }

    fn location(&mut self, at: Address) -> usize {
        *self.numbers.entry(at).or_insert_with(|| {
            self.addresses.push(at);
            self.addresses.len() - 1
        })
    }

    fn initial_value(&self, at: Address) -> Value {
        if at == SC_FENCE_CELL { 0 } else { self.program.initial_value(at) }
    }

    /// Explores all extensions of a consistent execution.
    fn visit(&mut self, execution: &mut Execution, visitor: &mut impl Visitor) -> Flow {
        let Some(thread) = self.schedule(execution) else { return self.end(execution, visitor) };
        match self.next(execution, thread) {
            Next::Read(reading) => self.read(execution, thread, reading, visitor),
            Next::Write { at, value, order } => {
                let location = self.location(at);
                let event = self.event(execution, thread, Kind::Write, location, order, value);
                self.write(execution, event, visitor)
            }
            Next::Update(value) => {
                let read = execution.last(thread).expect("the read of the RMW");
                let (location, order) = (read.location, read.order);
                let event = self.event(execution, thread, Kind::ExclusiveWrite, location, order, value);
                self.write(execution, event, visitor)
            }
            Next::Fence(order) => {
                let event = self.event(execution, thread, Kind::Fence, 0, order, 0);
                self.add(execution, event, visitor)
            }
            Next::Choose { lo, hi } => {
                for value in lo..=hi {
                    let mut event = self.event(execution, thread, Kind::Choice, 0, Ordering::Relaxed, value);
                    event.first_choice = value == lo;
                    if self.add(execution, event, visitor) == Flow::Stop {
                        return Flow::Stop;
                    }
                }
                Flow::GoOn
            }
        }
    }

    fn end(&mut self, execution: &Execution, visitor: &mut impl Visitor) -> Flow {
        if !self.consistency.allows_as_it_stands(execution, &self.addresses) {
            return Flow::GoOn;
        }
        if !self.model.is_extensible() {
            let mut events = 0..execution.events.len() as Id;
            let race = events.find_map(|second| Some((races_with(execution, second)?, second)));
            if let Some((first, second)) = race
                && visitor.race(self, execution, first, second) == Flow::Stop
            {
                return Flow::Stop;
            }
        }
        let mut blocked = false;
        for thread in 0..self.program.threads.len() {
            match self.machine.next(self.state(execution, thread)) {
                Action::Failed(failure) => return visitor.failed(self, execution, thread, failure),
                Action::End => {}
                // Cut off by an assumption, or by a wait that read something else.
                _ => blocked = true,
            }
        }
        if blocked { visitor.blocked(self, execution) } else { visitor.complete(self, execution) }
    }

    /// The first thread that can go on; but the write of an RMW follows its read at once.
    fn schedule(&self, execution: &Execution) -> Option<usize> {
        let threads = 0..self.program.threads.len();
        let pending = |&t: &usize| execution.last(t).is_some_and(|e| e.kind == Kind::ExclusiveRead);
        threads.clone().find(pending).or_else(|| threads.clone().find(|&t| self.can_go_on(execution, t)))
    }

    fn can_go_on(&self, execution: &Execution, thread: usize) -> bool {
        !execution.last(thread).is_some_and(|e| e.cut_off)
            && !matches!(
                self.machine.next(self.state(execution, thread)),
                Action::Blocked | Action::Failed(_) | Action::End
            )
    }

    fn next(&self, execution: &Execution, thread: usize) -> Next {
        let action = self.machine.next(self.state(execution, thread));
        if let Some(read) = execution.last(thread).filter(|e| e.kind == Kind::ExclusiveRead) {
            return Next::Update(action.written(read.value).unwrap_or(read.value));
        }
        let read = |at, order, failure_order, how| Next::Read(Reading { at, order, failure_order, how });
        match action {
            Action::Load { at, order } => read(at, order, order, How::Load),
            Action::Wait { at, accept, order } => read(at, order, order, How::Wait(accept)),
            Action::Rmw { at, order, .. } => read(at, order, order, How::Update),
            Action::Cas { at, expected, success, failure, kind, .. } => {
                read(at, success, failure, How::Cas { expected, kind })
            }
            Action::BlockingCas { at, expected, order, .. } => read(at, order, order, How::BlockingCas { expected }),
            Action::Store { at, value, order } => Next::Write { at, value, order },
            Action::Fence { order } if order.is_sc() && self.model.sc_fence_is_rmw() => {
                read(SC_FENCE_CELL, order, order, How::Update)
            }
            Action::Fence { order } => Next::Fence(order),
            Action::Choose { lo, hi } => Next::Choose { lo, hi },
            // A program that spawns threads was refused.
            Action::Spawn { .. } | Action::Blocked | Action::Failed(_) | Action::End => {
                unreachable!("the thread can go on")
            }
        }
    }

    /// An event at the end of a thread, with its views, before it reads or takes its place.
    fn event(
        &self,
        execution: &Execution,
        thread: usize,
        kind: Kind,
        location: usize,
        order: Ordering,
        value: Value,
    ) -> Event {
        let state = self.state(execution, thread);
        let last = execution.last(thread);
        Event {
            thread,
            index: execution.threads[thread].len() as u32,
            kind,
            location,
            order,
            value,
            source: INITIAL,
            position: 0,
            span: self.machine.span(state),
            state: state.clone(),
            first_choice: true,
            cut_off: false,
            prefix: last.map(|e| e.prefix.clone()).unwrap_or_default(),
            views: last.map(|e| e.views.clone()).unwrap_or_default(),
        }
    }

    /// What the event does to its views and to its thread, once its source is known.
    fn finish(&self, execution: &Execution, event: &mut Event) {
        let thread = event.thread;
        let count = event.index + 1;
        let fence_location = event.kind != Kind::Choice && self.addresses.get(event.location) == Some(&SC_FENCE_CELL);
        let order = Strength::of(self.model, event, fence_location && event.kind != Kind::Fence);
        let Views { current, acquire, release, written } = &mut event.views;
        event.prefix.set(thread, count);
        current.set(thread, count);
        acquire.set(thread, count);
        if event.kind.reads() && event.source != INITIAL {
            let source = execution.event(event.source);
            event.prefix.join(&source.prefix);
            acquire.join(&source.views.written);
            if order.acquire {
                current.join(&source.views.written);
            }
        }
        if order.acquire_fence {
            current.join(&acquire.clone());
        }
        if event.kind.writes() {
            *written = if order.release { current.clone() } else { release.clone() };
            if event.kind == Kind::ExclusiveWrite {
                let source = execution.event(execution.threads[thread][event.index as usize - 1]).source;
                if source != INITIAL {
                    written.join(&execution.event(source).views.written);
                }
            }
        }
        if order.release_fence {
            *release = current.clone();
        }
        let answer = match event.kind {
            Kind::Read | Kind::AwaitRead => Some(Answer::Read(event.value)),
            // The thread goes on after the write.
            Kind::ExclusiveRead => None,
            Kind::ExclusiveWrite if self.addresses[event.location] == SC_FENCE_CELL => Some(Answer::Done),
            Kind::ExclusiveWrite => {
                let read = execution.event(execution.threads[thread][event.index as usize - 1]);
                Some(Answer::Updated(read.value))
            }
            Kind::Write | Kind::Fence => Some(Answer::Done),
            Kind::Choice => Some(Answer::Chose(event.value)),
        };
        if let (Some(answer), false) = (answer, event.cut_off) {
            self.machine.resume(&mut event.state, answer, 0);
            event.cut_off = matches!(event.kind, Kind::Read | Kind::AwaitRead) && self.spins(execution, event);
        }
    }

    /// Whether a read has brought its thread back to where it was, with only reads on the way: an iteration of a spin
    /// loop. What comes after more such iterations also comes after fewer, so the thread is cut off.
    fn spins(&self, execution: &Execution, event: &Event) -> bool {
        let events = &execution.threads[event.thread][..event.index as usize];
        let mut before = events.len();
        loop {
            let state = match before {
                0 => &self.start[event.thread],
                n => &execution.event(events[n - 1]).state,
            };
            if event.state.is_back_at(state) {
                return true;
            }
            let read = |&id: &Id| matches!(execution.event(id).kind, Kind::Read | Kind::AwaitRead);
            if before == 0 || !read(&events[before - 1]) {
                return false;
            }
            before -= 1;
        }
    }

    /// Adds a finished event and explores what follows.
    fn add(&mut self, execution: &mut Execution, mut event: Event, visitor: &mut impl Visitor) -> Flow {
        self.finish(execution, &mut event);
        let id = execution.push(event);
        let flow = self.visit_if_allowed(execution, id, visitor);
        execution.pop();
        flow
    }

    fn visit_if_allowed(&mut self, execution: &mut Execution, added: Id, visitor: &mut impl Visitor) -> Flow {
        if visitor.tick(execution.events.len()) == Flow::Stop {
            return Flow::Stop;
        }
        if !self.consistency.allows(execution, &self.addresses, added) {
            return Flow::GoOn;
        }
        if self.model.is_extensible()
            && let Some(other) = races_with(execution, added)
            && visitor.race(self, execution, other, added) == Flow::Stop
        {
            return Flow::Stop;
        }
        self.visit(execution, visitor)
    }

    fn read(&mut self, execution: &mut Execution, thread: usize, reading: Reading, visitor: &mut impl Visitor) -> Flow {
        let location = self.location(reading.at);
        execution.location(location);
        let sources = execution.locations[location].writes.clone();
        for source in std::iter::once(INITIAL).chain(sources) {
            for event in self.readings(execution, thread, location, reading, source) {
                if self.add(execution, event, visitor) == Flow::Stop {
                    return Flow::Stop;
                }
            }
        }
        Flow::GoOn
    }

    /// The events that reading from a write can be: a weak CAS may fail or not.
    fn readings(
        &self,
        execution: &Execution,
        thread: usize,
        location: usize,
        reading: Reading,
        source: Id,
    ) -> Vec<Event> {
        let value = match source {
            INITIAL => self.initial_value(reading.at),
            source => execution.event(source).value,
        };
        let success = (Kind::ExclusiveRead, reading.order);
        let failure = (Kind::AwaitRead, reading.failure_order);
        let kinds: &[(Kind, Ordering)] = match reading.how {
            How::Load => &[(Kind::Read, reading.order)],
            How::Wait(_) => &[failure],
            How::Update => &[success],
            How::Cas { expected, kind: CasKind::Weak } if value == expected => &[success, failure],
            How::Cas { expected, .. } | How::BlockingCas { expected } => {
                if value == expected {
                    &[success]
                } else {
                    &[failure]
                }
            }
        };
        kinds
            .iter()
            .enumerate()
            .map(|(i, &(kind, order))| {
                let mut event = self.event(execution, thread, kind, location, order, value);
                event.source = source;
                event.first_choice = i == 0;
                event.cut_off = match reading.how {
                    How::Wait(accept) => !accept.accepts(value),
                    How::BlockingCas { expected } => value != expected,
                    How::Load | How::Update | How::Cas { .. } => false,
                };
                event
            })
            .collect()
    }

    fn write(&mut self, execution: &mut Execution, event: Event, visitor: &mut impl Visitor) -> Flow {
        let mut event = event;
        self.finish(execution, &mut event);
        execution.location(event.location);
        if self.place(execution, event.clone(), visitor) == Flow::Stop {
            return Flow::Stop;
        }
        // The place does not matter to which reads can be revisited.
        event.position = 1;
        let id = execution.push(event);
        let reads = execution.locations[execution.event(id).location].reads.clone();
        let mut flow = Flow::GoOn;
        for read in reads {
            if !execution.in_prefix(read, id) && self.revisit(execution, read, id, visitor) == Flow::Stop {
                flow = Flow::Stop;
                break;
            }
        }
        execution.pop();
        flow
    }

    /// Explores a write in every place of the modification order. An RMW has only one.
    fn place(&mut self, execution: &mut Execution, event: Event, visitor: &mut impl Visitor) -> Flow {
        let writes = execution.locations[event.location].writes.len() as u32;
        let places = match event.kind {
            Kind::ExclusiveWrite => {
                let read = execution.event(execution.threads[event.thread][event.index as usize - 1]);
                let position = execution.position(read.source) + 1;
                position..=position
            }
            _ => 1..=writes + 1,
        };
        for position in places {
            let id = execution.push(Event { position, ..event.clone() });
            let flow = self.visit_if_allowed(execution, id, visitor);
            execution.pop();
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::GoOn
    }

    /// Lets an earlier read read from the write that was added last.
    fn revisit(&mut self, execution: &Execution, read: Id, write: Id, visitor: &mut impl Visitor) -> Flow {
        let deleted: Vec<bool> =
            (0..=write).map(|e| e == write || e > read && !execution.in_prefix(e, write)).collect();
        let goes = |e: Id| e == read || deleted[e as usize];
        if !(read..write).filter(|&e| goes(e)).all(|e| is_maximal(execution, e, write)) {
            return Flow::GoOn;
        }
        let (mut rest, numbers) = execution.without(&deleted);
        let read = numbers[read as usize];
        let write = execution.event(write);
        let writes = rest.locations[write.location].writes.len() as u32;
        let places = match write.kind {
            Kind::ExclusiveWrite => {
                let position = rest.position(rest.event(rest.exclusive_read(write)).source) + 1;
                position..=position
            }
            _ => 1..=writes + 1,
        };
        for position in places {
            let id = rest.push(Event { position, ..write.clone() });
            let flow = if coherent(&rest, id) { self.reread(&mut rest, read, id, visitor) } else { Flow::GoOn };
            rest.pop();
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::GoOn
    }

    /// Explores the execution in which `read`, the last event of its thread, reads from `source` instead.
    fn reread(&mut self, execution: &mut Execution, read: Id, source: Id, visitor: &mut impl Visitor) -> Flow {
        let old = execution.event(read).clone();
        let (thread, location) = (old.thread, old.location);
        execution.threads[thread].pop();
        let Next::Read(reading) = self.next(execution, thread) else {
            unreachable!("the same thread read here before")
        };
        let events = self.readings(execution, thread, location, reading, source);
        execution.threads[thread].push(read);
        for mut event in events {
            self.finish(execution, &mut event);
            execution.events[read as usize] = event;
            if self.consistency.allows(execution, &self.addresses, read) && self.visit(execution, visitor) == Flow::Stop
            {
                return Flow::Stop;
            }
        }
        execution.events[read as usize] = old;
        Flow::GoOn
    }
}

/// An access that conflicts with another, one of them not atomic, and neither happens before the other.
fn races_with(execution: &Execution, added: Id) -> Option<Id> {
    let event = execution.event(added);
    if !event.kind.reads() && !event.kind.writes() {
        return None;
    }
    let location = &execution.locations[event.location];
    let reads = location.reads.iter().filter(|_| event.kind.writes());
    reads.chain(&location.writes).copied().find(|&other| {
        let first = execution.event(other);
        first.thread != event.thread
            && (!first.order.is_atomic() || !event.order.is_atomic())
            && event.views.current.get(first.thread) <= first.index
            && first.views.current.get(event.thread) <= event.index
    })
}

/// Whether an event that a revisit by `write` takes back was added in the way that is taken to be the first: nothing
/// before it reads from it, and it reads from, or is, the newest write. "Before" is what was added up to it, or is
/// before the new write along po and rf.
fn is_maximal(execution: &Execution, id: Id, write: Id) -> bool {
    let event = execution.event(id);
    let before = |other: Id| other != write && (other <= id || execution.in_prefix(other, write));
    if !event.first_choice {
        return false;
    }
    let newest = match event.kind {
        Kind::Fence | Kind::Choice => return true,
        kind if kind.reads() => event.source,
        _ => id,
    };
    let location = &execution.locations[event.location];
    if event.kind.writes() && location.reads.iter().any(|&r| execution.event(r).source == id && before(r)) {
        return false;
    }
    let position = execution.position(newest);
    location.writes.iter().rev().take_while(|&&w| execution.position(w) > position).all(|&w| !before(w))
}

/// What an ordering makes of an event under a model.
struct Strength {
    acquire: bool,
    release: bool,
    acquire_fence: bool,
    release_fence: bool,
}

impl Strength {
    fn of(model: Model, event: &Event, fence_location: bool) -> Strength {
        let ra = model == Model::Ra && event.order.is_atomic() && event.kind != Kind::Fence;
        let fence = event.kind == Kind::Fence || fence_location;
        Strength {
            acquire: ra || event.order.is_acquire(),
            release: ra || event.order.is_release(),
            acquire_fence: fence && event.order.is_acquire(),
            release_fence: fence && event.order.is_release(),
        }
    }
}
