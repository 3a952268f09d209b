use std::sync::Arc;

use fencepost_program::{Action, Answer, Freed, Machine, Names, Program, Service, Span, ThreadState, Value, Waiting};

use super::{Content, Origin, Threads, Token};

/// Threads that are stepped by a [`Machine`]. A token is the state of a thread, so nothing runs twice.
pub(crate) struct Interpreter<'p> {
    machine: Machine<'p>,
}

impl<'p> Interpreter<'p> {
    pub(crate) fn new(program: &'p Program, unroll: Option<u32>, freed: Freed) -> Interpreter<'p> {
        let machine = unroll.map_or_else(|| Machine::new(program), |bound| Machine::unrolling(program, bound));
        Interpreter { machine: machine.reusing(freed) }
    }
}

fn start(machine: &Machine, origin: Origin) -> ThreadState {
    match origin {
        Origin::Program { thread } => machine.start(thread),
        Origin::Spawned { thread, func, argument } => machine.start_spawned(thread as u32, func, argument),
    }
}

fn token(state: ThreadState) -> Token {
    Token(Content::State(Arc::new(state)))
}

fn state(at: &Token) -> &ThreadState {
    match &at.0 {
        Content::State(state) => state,
        Content::Other(_) => unreachable!("the interpreter is asked about its own tokens only"),
    }
}

impl Threads for Interpreter<'_> {
    fn start(&self, origin: Origin) -> Token {
        token(start(&self.machine, origin))
    }

    fn next(&self, at: &Token) -> Action {
        self.machine.next(state(at))
    }

    fn resume(&self, at: &Token, answer: Answer) -> Token {
        let mut state = state(at).clone();
        self.machine.resume(&mut state, answer, 0);
        token(state)
    }

    fn replay(&self, origin: Origin, answers: &[Answer]) -> Vec<String> {
        let machine = self.machine.printing();
        let mut state = start(&machine, origin);
        let mut printed = vec![machine.take_printed()];
        printed.extend(answers.iter().map(|&answer| {
            machine.resume(&mut state, answer, 0);
            machine.take_printed()
        }));
        printed
    }

    fn span(&self, at: &Token) -> Span {
        self.machine.span(state(at))
    }

    fn is_back_at(&self, now: &Token, earlier: &Token) -> bool {
        state(now).is_back_at(state(earlier))
    }

    fn service(&self, at: &Token) -> Option<Service> {
        self.machine.service(state(at))
    }

    fn ignores_result(&self, at: &Token, [one, other]: [Value; 2]) -> bool {
        self.machine.returned(state(at), one) == self.machine.returned(state(at), other)
    }

    fn uses_value(&self, at: &Token) -> bool {
        self.machine.uses_value(state(at))
    }

    fn may_end(&self, at: &Token) -> bool {
        self.machine.may_end(state(at))
    }

    fn may_time_out(&self, at: &Token) -> bool {
        self.machine.may_time_out(state(at))
    }

    fn has_exited(&self, at: &Token) -> bool {
        state(at).has_exited()
    }

    fn is_out_of_bound(&self, at: &Token) -> bool {
        state(at).is_out_of_bound()
    }

    fn has_other_locals(&self, at: &Token, other: &Token) -> bool {
        state(at).has_other_calls(state(other))
    }

    fn has_local(&self, at: &Token, pointer: u64, size: u8) -> bool {
        self.machine.has_local(state(at), pointer, size)
    }

    fn observed<'t>(&self, at: &'t Token) -> &'t [Value] {
        state(at).observed()
    }

    fn waiting(&self, names: &Names, at: &Token) -> Waiting {
        self.machine.waiting(names, state(at), &self.next(at))
    }

    fn is_in_library(&self, at: &Token) -> bool {
        self.machine.is_in_library(state(at))
    }

    fn is_in_header(&self, at: &Token) -> bool {
        self.machine.is_in_header(state(at))
    }
}
