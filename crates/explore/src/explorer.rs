//! TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022): every consistent execution graph of a program is
//! visited exactly once, with memory for one graph and those on the way to it.
//!
//! The next event of the first thread that has one is added in every way: a read reads from each write, a write takes
//! each place in modification order. A new write may also be what an earlier read should have read: it *revisits* the
//! read. Everything added after the read that the write does not depend on is deleted, and the read reads from the
//! write. That is done only if all that goes was added in the one way that is taken to be the first, reading from or
//! being the newest write: so each graph is made in one way only.
//!
//! There is no recursion: a [`Branch`] has an execution, and for each event with alternatives a [`Frame`] that says
//! what is left to try in its place. So another worker can take over what is left in the lowest frame.

use fencepost_graph::Graph;
use fencepost_program::{Action, Address, Failure, Ordering, Value};

use crate::Options;
use crate::barriers::order_matters;
use crate::branch::{Branch, Choices, Frame};
use crate::consistency::{Consistency, oldest_readable};
use crate::event::{Ahead, Event, Id, Kind, signal};
use crate::execution::Execution;
use crate::heap::{HeapError, Life, heap_error};
use crate::learned::Remedy;
use crate::locations::Locations;
use crate::races::{Race, race_with};
use crate::reuse::is_given_up;
use crate::revisit::take_back;
use crate::steps::{Next, Reading, Step, Steps};

/// Whether the exploration continues or stops.
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
    /// No thread can go on, and these wait for ever, or go round a loop without an exit. At least one waits.
    fn deadlock(&mut self, explorer: &Explorer, execution: &Execution, stuck: &[usize]) -> Flow;
    /// No thread can go on, and some are cut off by an assumption, or read something old.
    fn blocked(&mut self, explorer: &Explorer, execution: &Execution) -> Flow;
    /// The next step of a thread is a failure.
    fn failed(&mut self, explorer: &Explorer, execution: &Execution, thread: usize, failure: Failure) -> Flow;
    /// The next access of a thread shares some bytes with an earlier one, but is not to the same ones.
    fn overlap(&mut self, explorer: &Explorer, execution: &Execution, overlap: Overlap) -> Flow;
    /// An object is freed that was not known to be freed anywhere, so its memory was never allocated again.
    fn freed(&mut self, start: u64, size: u64) -> Flow;
    /// It does matter in which order threads come to a barrier, but they came in one order only.
    fn order_at_barrier_matters(&mut self) -> Flow;
    /// Something is wrong with the use of the heap.
    fn heap_error(&mut self, explorer: &Explorer, execution: &Execution, error: HeapError) -> Flow;
    /// An access races with an earlier one.
    fn race(&mut self, explorer: &Explorer, execution: &Execution, race: Race, second: Id) -> Flow;
}

/// The next access of a thread, to the second cell, and an earlier one to the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap {
    pub thread: usize,
    pub cells: [Address; 2],
    pub remedy: Remedy,
}

/// One worker.
pub(crate) struct Explorer<'s, 'p> {
    pub steps: &'s Steps<'p>,
    pub locations: Locations,
    consistency: Consistency<'p>,
}

/// What taking the next alternative led to.
pub(crate) enum Advance {
    /// A consistent execution with one more event.
    Added,
    /// An inconsistent one.
    Refused,
    Revisit(Branch),
    /// There was none left.
    Exhausted,
}

impl<'s, 'p> Explorer<'s, 'p> {
    pub(crate) fn new(steps: &'s Steps<'p>, options: &Options, locations: Locations) -> Explorer<'s, 'p> {
        Explorer { steps, locations, consistency: Consistency::new(steps.program, options) }
    }

    /// Explores a branch. `share` may take something of it for others, from time to time.
    pub(crate) fn explore(
        &mut self,
        mut branch: Branch,
        visitor: &mut impl Visitor,
        mut share: impl FnMut(&mut dyn FnMut() -> Option<Branch>),
    ) -> Flow {
        self.locations.refresh();
        if branch.frames.is_empty() && self.descend(&mut branch, visitor) == Flow::Stop {
            return Flow::Stop;
        }
        let mut branches = vec![branch];
        while let Some(branch) = branches.last_mut() {
            match self.advance(branch) {
                Advance::Exhausted => {
                    branch.frames.pop();
                    if branch.frames.is_empty() {
                        branches.pop();
                    }
                    continue;
                }
                Advance::Refused => {}
                Advance::Revisit(revisited) => branches.push(revisited),
                Advance::Added => {
                    if self.descend(branch, visitor) == Flow::Stop {
                        return Flow::Stop;
                    }
                }
            }
            let events = branches.last().map_or(0, |branch| branch.execution.len());
            if visitor.tick(events) == Flow::Stop {
                return Flow::Stop;
            }
            share(&mut || branches.iter_mut().find_map(Branch::split));
        }
        Flow::GoOn
    }

    /// The execution as the definitions see it.
    pub(crate) fn graph(&self, execution: &Execution) -> Graph {
        let Steps { program, model, .. } = *self.steps;
        execution.graph(program, self.locations.addresses(), model.sc_fence_is_rmw())
    }

    /// The last value of a cell.
    pub(crate) fn last_value(&self, execution: &Execution, at: Address) -> Value {
        self.last_write(execution, at).map_or_else(|| self.steps.initial_value(at), |write| write.value)
    }

    /// The last write to a cell; `None` is the initial one.
    pub(crate) fn last_write<'e>(&self, execution: &'e Execution, at: Address) -> Option<&'e Event> {
        let location = self.locations.find(at).and_then(|location| execution.locations.get(location));
        location.and_then(|l| l.writes.last()).map(|&last| execution.event(last))
    }

    /// Whether a loop went on beyond the bound.
    pub(crate) fn is_bounded(&self, execution: &Execution) -> bool {
        execution.made_threads().any(|t| self.steps.threads.is_out_of_bound(self.steps.token(execution, t)))
    }

    /// Takes the next alternative of the highest frame.
    pub(crate) fn advance(&mut self, branch: &mut Branch) -> Advance {
        let Branch { execution, frames } = branch;
        let Some(Frame { base, choices }) = frames.last_mut() else { return Advance::Exhausted };
        execution.truncate(*base);
        match choices {
            Choices::Read { thread, location, reading, next, variant } => loop {
                if (*next, *variant) == (0, 0) {
                    // With a value that it cannot read, a thread may go round a long loop to its next access.
                    *next = oldest_readable(execution, *thread, *location);
                }
                let source = match *next {
                    0 => None,
                    n => match execution.locations[*location].writes.get(n as usize - 1) {
                        Some(&write) => Some(write),
                        None => return Advance::Exhausted,
                    },
                };
                match self.steps.reading(execution, *thread, *location, reading, source, *variant) {
                    Some(event) => {
                        *variant += 1;
                        return self.add(execution, event);
                    }
                    None => (*next, *variant) = (*next + 1, 0),
                }
            },
            Choices::Write { event, places, next_read } => {
                if let Some(position) = places.next() {
                    return self.add(execution, Event { position, ..Event::clone(event) });
                }
                while let Some(&read) = execution.locations[event.location].reads.get(*next_read) {
                    *next_read += 1;
                    if let Some((rest, read)) = take_back(execution, read, event) {
                        return Advance::Revisit(Branch::revisit(rest, read, event));
                    }
                }
                Advance::Exhausted
            }
            Choices::Revisit { read, write, next, last, variant } => loop {
                if *next > *last {
                    return Advance::Exhausted;
                }
                let id = execution.push(Event { position: *next, ..Event::clone(write) });
                if let Some(event) = self.reread(execution, *read, id, *variant) {
                    *variant += 1;
                    execution.replace(*read, event);
                    let addresses = self.locations.addresses();
                    return match self.consistency.allows_revisit(execution, addresses, *read, id) {
                        true => Advance::Added,
                        false => Advance::Refused,
                    };
                }
                (*next, *variant) = (*next + 1, 0);
                execution.truncate(*base);
            },
            Choices::Value { thread, values, first } => match values.next() {
                None => Advance::Exhausted,
                Some(value) => {
                    let step = Step::choice(*thread, value, value == *first);
                    self.add(execution, self.steps.event(execution, step))
                }
            },
        }
    }

    /// What a read, the last event of its thread, becomes when it reads from another write.
    fn reread(&mut self, execution: &mut Execution, read: Id, source: Id, variant: u8) -> Option<Event> {
        let (thread, location) = (execution.event(read).thread, execution.event(read).location);
        execution.threads[thread].pop();
        let Next::Read(reading) = self.steps.next(execution, thread) else {
            unreachable!("the same thread read here before")
        };
        let event = self.steps.reading(execution, thread, location, &reading, Some(source), variant);
        execution.threads[thread].push(read);
        event
    }

    fn add(&mut self, execution: &mut Execution, event: Event) -> Advance {
        let id = execution.push(event);
        match self.consistency.allows(execution, self.locations.addresses(), id) {
            true => Advance::Added,
            false => Advance::Refused,
        }
    }

    /// Goes on from an execution to which an event was added, up to the next one with alternatives, or the end.
    pub(crate) fn descend(&mut self, branch: &mut Branch, visitor: &mut impl Visitor) -> Flow {
        loop {
            let execution = &mut branch.execution;
            if self.judge_last(execution, visitor) == Flow::Stop {
                return Flow::Stop;
            }
            let Some(thread) = self.steps.schedule(execution, &self.locations) else {
                return self.end(execution, visitor);
            };
            let step = self.step(execution, thread);
            if let Some((location, order)) = compared_access(&step)
                && let Some(flow) = self.overlap(execution, thread, location, order, visitor)
            {
                return flow;
            }
            let event = match step {
                Ok(event) => event,
                Err(choices) => {
                    branch.frames.push(Frame { base: branch.execution.len(), choices });
                    return Flow::GoOn;
                }
            };
            let is_barrier = event.barrier;
            if !matches!(self.add(execution, event), Advance::Added) {
                // The newest write could not be read.
                return if is_barrier { visitor.order_at_barrier_matters() } else { Flow::GoOn };
            }
            if visitor.tick(execution.len()) == Flow::Stop {
                return Flow::Stop;
            }
        }
    }

    /// Reports what the event that was added last makes wrong, or shows that was not known.
    fn judge_last(&self, execution: &Execution, visitor: &mut impl Visitor) -> Flow {
        let Some(last) = execution.len().checked_sub(1).map(Id::new) else { return Flow::GoOn };
        if self.steps.one_order_at_barriers
            && order_matters(self.steps, execution, self.locations.addresses(), last)
            && visitor.order_at_barrier_matters() == Flow::Stop
        {
            return Flow::Stop;
        }
        if self.steps.model.is_extensible() {
            if let Some(race) = race_with(self.steps, execution, self.locations.addresses(), last)
                && visitor.race(self, execution, race, last) == Flow::Stop
            {
                return Flow::Stop;
            }
            if let Some(error) = heap_error(self.steps, execution, self.locations.addresses(), last)
                && visitor.heap_error(self, execution, error) == Flow::Stop
            {
                return Flow::Stop;
            }
        }
        match self.newly_freed(execution) {
            Some((start, size)) => visitor.freed(start, size),
            None => Flow::GoOn,
        }
    }

    /// Models say nothing of accesses that overlap in part, so the exploration ends there, and may restart with the
    /// parts.
    fn overlap(
        &self,
        execution: &Execution,
        thread: usize,
        location: usize,
        order: Ordering,
        visitor: &mut impl Visitor,
    ) -> Option<Flow> {
        let other = self.locations.overlap(execution, location)?;
        let cells = [other, location].map(|l| self.locations.addresses()[l]);
        let [size, this_size] = cells.map(|at| at.pointer_and_size().map_or(0, |(_, size)| size));
        let is_atomic = |&id: &Id| execution.event(id).order.is_atomic();
        let known = &execution.locations[other];
        let known_is_atomic = known.reads.iter().chain(&known.writes).any(is_atomic);
        let (larger, larger_is_atomic, smaller_is_atomic) = match this_size > size {
            true => (cells[1], order.is_atomic(), known_is_atomic),
            false => (cells[0], known_is_atomic, order.is_atomic()),
        };
        let remedy = match (larger_is_atomic, smaller_is_atomic) {
            (false, _) => Remedy::Divide,
            (true, false) if self.steps.division.can_widen(larger) => Remedy::Widen(larger),
            (true, _) => Remedy::Nothing,
        };
        Some(visitor.overlap(self, execution, Overlap { thread, cells, remedy }))
    }

    /// The next step of a thread: the event that it is if there is one way to take it, and else the ways.
    fn step(&mut self, execution: &mut Execution, thread: usize) -> Result<Event, Choices> {
        let step = match self.steps.next(execution, thread) {
            Next::Choose { lo, hi } => return Err(Choices::Value { thread, values: lo..=hi, first: lo }),
            Next::Read(reading) => return self.read(execution, thread, reading),
            Next::Write { at, value, order, part } => {
                let location = self.locations.number(at);
                let step = Step::new(thread, Kind::Write, (location, at), order, value).with(part);
                return self.write(execution, step);
            }
            Next::Update(value) => return self.update(execution, thread, value),
            Next::Fence(order) => Step::fence(thread, order),
            Next::Spawn(child) => Step::spawn(thread, child),
            Next::Alloc { pointer, size, allocation } => {
                let alloc = Id::new(execution.len());
                execution.heap.begin(pointer, size, Life { allocation, alloc, free: None });
                Step::heap(thread, Kind::Alloc, pointer as Value)
            }
            Next::Free(pointer) => Step::heap(thread, Kind::Free, pointer as Value),
            Next::HeapSize(pointer) => {
                let size = execution.heap.object_at(pointer).map_or(0, |object| object.size);
                Step::heap(thread, Kind::HeapSize, size as Value)
            }
        };
        Ok(self.steps.event(execution, step))
    }

    fn read(&mut self, execution: &mut Execution, thread: usize, reading: Reading) -> Result<Event, Choices> {
        let location = self.locations.number(reading.at);
        execution.location(location);
        let writes = &execution.locations[location].writes;
        let only_source = if self.steps.is_at_barrier(execution, thread) {
            Some(writes.last().copied())
        } else {
            // A thread that waits for a signal goes on when it was sent, and then there is one write to read from.
            signal(reading.at).and_then(|_| writes.first().copied()).map(Some)
        };
        let event = only_source.and_then(|s| self.steps.reading(execution, thread, location, &reading, s, 0));
        event.ok_or(Choices::Read { thread, location, reading, next: 0, variant: 0 })
    }

    fn write(&mut self, execution: &mut Execution, step: Step) -> Result<Event, Choices> {
        let writes = execution.location(step.location).writes.len() as u32;
        let event = self.steps.event(execution, step);
        if event.barrier {
            return Ok(Event { position: writes + 1, ..event });
        }
        // No other write sends this signal, and no read has seen the location without it.
        if event.signal.is_some() && writes == 0 && execution.locations[step.location].reads.is_empty() {
            return Ok(Event { position: 1, ..event });
        }
        Err(Choices::Write { event: Box::new(event), places: 1..=writes + 1, next_read: 0 })
    }

    /// The write of an RMW, which comes right after the write that the RMW has read from.
    fn update(&mut self, execution: &Execution, thread: usize, value: Value) -> Result<Event, Choices> {
        let read = execution.last(thread).expect("the read of the RMW");
        let (location, order) = (read.location, read.order);
        let at = self.locations.addresses()[location];
        let position = execution.position(read.source) + 1;
        let event = self.steps.event(execution, Step::new(thread, Kind::ExclusiveWrite, (location, at), order, value));
        if event.barrier {
            return Ok(Event { position, ..event });
        }
        Err(Choices::Write { event: Box::new(event), places: position..=position, next_read: 0 })
    }

    fn end(&mut self, execution: &Execution, visitor: &mut impl Visitor) -> Flow {
        if !self.consistency.allows_as_it_stands(execution, self.locations.addresses()) {
            return Flow::GoOn;
        }
        if !self.steps.model.is_extensible() {
            let mut events = Id::range(0..execution.len());
            let addresses = self.locations.addresses();
            let race = events.find_map(|second| Some((race_with(self.steps, execution, addresses, second)?, second)));
            if let Some((race, second)) = race
                && visitor.race(self, execution, race, second) == Flow::Stop
            {
                return Flow::Stop;
            }
            let mut events = Id::range(0..execution.len());
            let error = events.find_map(|id| heap_error(self.steps, execution, self.locations.addresses(), id));
            if let Some(error) = error
                && visitor.heap_error(self, execution, error) == Flow::Stop
            {
                return Flow::Stop;
            }
        }
        let mut blocked = false;
        for thread in execution.made_threads() {
            match self.steps.action(execution, thread) {
                Action::Failed(failure) => return visitor.failed(self, execution, thread, failure),
                Action::End => {}
                _ if execution.ahead(thread) == Ahead::TellsEnd => {}
                // Cut off by an assumption, or by a wait that read something else.
                _ => blocked = true,
            }
        }
        // A thread that waits when the program ends is not cut off. One that an assumption gave up is: the execution is
        // none that the user asks about.
        let mut threads = execution.made_threads();
        let gave_up = || execution.made_threads().any(|t| is_given_up(self.steps.action(execution, t)));
        blocked &=
            !threads.any(|thread| self.steps.threads.has_exited(self.steps.token(execution, thread))) || gave_up();
        if !blocked {
            return visitor.complete(self, execution);
        }
        match self.stuck(execution) {
            Some(stuck) if stuck.waits => visitor.deadlock(self, execution, &stuck.threads),
            _ => visitor.blocked(self, execution),
        }
    }
}

/// The location and the ordering of an access that may overlap earlier ones in part. An access that can be added in one
/// way only is compared if it is a part of waiting at a barrier; signals have cells of their own.
fn compared_access(step: &Result<Event, Choices>) -> Option<(usize, Ordering)> {
    match step {
        Ok(event) => event.barrier.then_some((event.location, event.order)),
        Err(Choices::Read { location, reading, .. }) => Some((*location, reading.order)),
        Err(Choices::Write { event, .. }) => Some((event.location, event.order)),
        Err(Choices::Revisit { .. } | Choices::Value { .. }) => None,
    }
}
