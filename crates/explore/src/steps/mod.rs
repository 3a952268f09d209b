//! How the next step of a thread becomes an event: what it reads or writes, what it is aware of, and the thread after
//! it.

mod next;
mod parts;
mod reading;
mod schedule;
mod spin;
mod step;
mod views;
mod wakeups;

use std::sync::{Mutex, MutexGuard, PoisonError};

use fencepost_graph::SC_FENCE_CELL;
use fencepost_models::Model;
use fencepost_program::{Action, Address, Division, Freed, FuncId, Names, Program, Service, Span, Value, Waiting};
use hashbrown::HashMap;

use crate::event::{Event, Start};
use crate::execution::Execution;
use crate::learned::Learned;
use crate::threads::{Origin, Threads, Token};
pub(crate) use next::Next;
pub(crate) use reading::Reading;
pub(crate) use schedule::ahead;
pub(crate) use step::Step;

/// The program, as all workers see it.
pub(crate) struct Steps<'p> {
    pub program: &'p Program,
    pub model: Model,
    pub threads: &'p dyn Threads,
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

impl<'p> Steps<'p> {
    /// `program` has the memory and the names; what its threads do is up to `threads`.
    pub(crate) fn new(program: &'p Program, threads: &'p dyn Threads, model: Model, learned: &Learned) -> Steps<'p> {
        let starts = (0..program.threads.len()).map(|thread| Start::new(threads, Origin::Program { thread }));
        Steps {
            program,
            model,
            threads,
            division: learned.division.clone(),
            reuses_memory: program.reuses_memory(),
            freed: learned.freed.clone(),
            start: starts.collect(),
            one_order_at_barriers: learned.one_order_at_barriers && has_barriers(program),
            has_shared_locals: program.has_shared_locals(),
            children: Mutex::default(),
        }
    }

    /// Where a thread stands after its last event. The thread has been made.
    pub(crate) fn token<'e>(&self, execution: &'e Execution, thread: usize) -> &'e Token {
        self.now(execution, thread).0
    }

    /// What a thread wants to do after its last event.
    pub(crate) fn action(&self, execution: &Execution, thread: usize) -> Action {
        *self.now(execution, thread).1
    }

    fn now<'e>(&self, execution: &'e Execution, thread: usize) -> (&'e Token, &'e Action) {
        match (execution.last(thread), &execution.starts[thread]) {
            (Some(event), _) => (&event.rest.token, &event.rest.action),
            (None, Some(start)) => (&start.token, &start.action),
            (None, None) => unreachable!("thread {thread} was not made yet"),
        }
    }

    /// Where a thread stood before an event of it.
    pub(crate) fn token_before<'e>(&self, execution: &'e Execution, event: &Event) -> Option<&'e Token> {
        self.before(execution, event).map(|(token, _)| token)
    }

    /// Where a thread stood before an event of it, and what it wanted to do.
    pub(crate) fn before<'e>(&self, execution: &'e Execution, event: &Event) -> Option<(&'e Token, &'e Action)> {
        match event.index.checked_sub(1) {
            None => execution.starts[event.thread].as_ref().map(|start| (&start.token, &start.action)),
            Some(last) => {
                let last = execution.event(execution.threads[event.thread][last as usize]);
                Some((&last.rest.token, &last.rest.action))
            }
        }
    }

    /// Whether a read was the program's own use of a value.
    pub(crate) fn uses_value(&self, execution: &Execution, event: &Event) -> bool {
        self.token_before(execution, event).is_some_and(|before| self.threads.uses_value(before))
    }

    /// Whether the thread's next step is a part of waiting at a barrier, and threads come to it in one order only.
    pub(crate) fn is_at_barrier(&self, execution: &Execution, thread: usize) -> bool {
        self.one_order_at_barriers && self.is_ordered_barrier(self.token(execution, thread))
    }

    /// Whether a step is a part of waiting at a barrier, and threads come to it in one order only.
    fn is_ordered_barrier(&self, at: &Token) -> bool {
        self.one_order_at_barriers && self.threads.service(at) == Some(Service::Barrier)
    }

    /// Where the next step of a thread stands in the source.
    pub(crate) fn span(&self, execution: &Execution, thread: usize) -> Span {
        self.threads.span(self.token(execution, thread))
    }

    /// What a blocked thread waits for.
    pub(crate) fn waiting(&self, names: &Names, execution: &Execution, thread: usize) -> Waiting {
        self.threads.waiting(names, self.token(execution, thread))
    }

    /// The thread that `thread` creates as its `number`th.
    fn child(&self, thread: usize, number: u32, func: FuncId) -> usize {
        let mut children = self.children();
        let next = self.start.len() + children.len();
        children.entry((thread, number)).or_insert((next, func)).0
    }

    /// The names of the program, and of the threads that were spawned.
    pub(crate) fn names(&self) -> Names<'p> {
        let mut children: Vec<(usize, FuncId)> = self.children().values().copied().collect();
        children.sort_unstable_by_key(|&(thread, _)| thread);
        Names::with_threads(self.program, &children.iter().map(|&(_, func)| func).collect::<Vec<_>>())
    }

    fn children(&self) -> MutexGuard<'_, HashMap<(usize, u32), (usize, FuncId)>> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn initial_value(&self, at: Address) -> Value {
        if at == SC_FENCE_CELL { 0 } else { self.program.initial_value(at) }
    }
}

fn has_barriers(program: &Program) -> bool {
    program.functions.iter().any(|function| function.service == Some(Service::Barrier))
}
