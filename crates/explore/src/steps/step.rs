//! A step as an event of its thread: what it answers to the thread, and where the thread stops next.

use std::sync::Arc;

use fencepost_graph::SC_FENCE_CELL;
use fencepost_program::{Action, Address, Answer, Ordering, Value};

use super::Steps;
use super::schedule::ahead;
use crate::event::{Ahead, Event, Id, Kind, Part, Rest, Start, signal};
use crate::execution::Execution;
use crate::threads::{Origin, Token};

/// A step of which all is known but what it does to its thread and its views.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub thread: usize,
    pub kind: Kind,
    pub location: usize,
    pub at: Address,
    pub order: Ordering,
    pub value: Value,
    pub source: Option<Id>,
    pub part: Part,
    pub first_choice: bool,
    pub refused: bool,
}

impl Step {
    /// One that reads nothing.
    pub(crate) fn new(thread: usize, kind: Kind, place: (usize, Address), order: Ordering, value: Value) -> Step {
        let (location, at) = place;
        let part = Part::Whole;
        Step { thread, kind, location, at, order, value, source: None, part, first_choice: true, refused: false }
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

impl Steps<'_> {
    /// A step as the next event of its thread, which is not added yet. A write has no place in modification order yet.
    pub(crate) fn event(&self, execution: &Execution, step: Step) -> Event {
        let Step { thread, kind, location, order, value, source, part, first_choice, refused, .. } = step;
        let index = execution.threads[thread].len() as u32;
        let (prefix, views) = self.views(execution, &step, index + 1);
        let (before, action) = self.now(execution, thread);
        let answer = self.answer(execution, &step);
        let (token, action) = match answer {
            Some(answer) => {
                let token = self.threads.resume(before, answer);
                let action = self.threads.next(&token);
                (token, action)
            }
            None => (Token::clone(before), *action),
        };
        let leaves = matches!(action, Action::Wait { .. }) && self.is_ordered_barrier(&token);
        let ahead = if leaves { Ahead::Leave } else { ahead(&action) };
        let idle = match kind {
            _ if matches!(part, Part::Before(_)) => false,
            Kind::Read | Kind::AwaitRead | Kind::Fence => true,
            Kind::ExclusiveWrite => execution.last(thread).is_some_and(|read| read.value == value),
            _ => false,
        };
        let cut_off = refused || idle && self.spins(execution, thread, &token);
        let span = self.threads.span(before);
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
            barrier: self.is_ordered_barrier(before),
            refused,
            cut_off,
            rest: Arc::new(Rest { span, answer, token, action, child: self.spawned(execution, &step), prefix, views }),
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
        Some(Start::new(self.threads, Origin::Spawned { thread: step.value as usize, func, argument }))
    }

    /// The answer that resumes the thread. `None` if the thread does not resume yet: an RMW resumes it after its write,
    /// a divided access after its last part, and a value that the thread does not accept never does.
    fn answer(&self, execution: &Execution, step: &Step) -> Option<Answer> {
        if step.refused || matches!(step.part, Part::Before(_)) {
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
}
