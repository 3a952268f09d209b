//! The threads of a program, as an exploration steps them.
//!
//! An exploration goes back and forth between executions, so it must be able to resume a thread from any point at which
//! the thread ever stopped. [`Threads`] is all that it knows of them: a thread starts, wants to do something next,
//! resumes with an answer, and runs again from its start with all the answers it was given. Points are named by
//! [`Token`]s. The [`Interpreter`] keeps the whole state of a thread in its token. Threads that cannot be copied would
//! keep their answers there, and run again to return to a point.

mod interpreter;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use fencepost_program::{Action, Answer, FuncId, Names, Service, Span, ThreadState, Value, Waiting};

pub(crate) use interpreter::Interpreter;

/// A point in the run of a thread, between two of its steps. Only the [`Threads`] that made it know what it contains.
#[derive(Clone)]
pub struct Token(Content);

/// The usual content has its own variant, because explorations look at it several times for each event.
#[derive(Clone)]
enum Content {
    State(Arc<ThreadState>),
    Other(Arc<dyn Any + Send + Sync>),
}

impl Token {
    pub fn new(content: impl Any + Send + Sync) -> Token {
        Token(Content::Other(Arc::new(content)))
    }

    /// The content, which must be of this type.
    pub fn get<T: Any>(&self) -> &T {
        match &self.0 {
            Content::Other(content) => content.downcast_ref(),
            Content::State(_) => None,
        }
        .expect("threads are asked about their own tokens only")
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Token")
    }
}

/// How a thread comes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It runs from the start; its number in [`fencepost_program::Program::threads`].
    Program { thread: usize },
    /// Another thread created it with [`Action::Spawn`].
    Spawned { thread: usize, func: FuncId, argument: Value },
}

/// The threads of a program. What a thread does depends on its origin and on the answers that it was given, and on
/// nothing else.
///
/// The first four methods are needed. The others say more about a point: with their default answers an exploration is
/// right, but follows spin loops instead of cutting them off, and has less to tell.
pub trait Threads: Sync {
    /// The point before the first step of a thread.
    fn start(&self, origin: Origin) -> Token;

    /// What a thread wants to do next.
    fn next(&self, at: &Token) -> Action;

    /// The point that a thread reaches when its next step is answered.
    fn resume(&self, at: &Token, answer: Answer) -> Token;

    /// Runs a thread again. Returns what it prints before its first step, and after each answer.
    fn replay(&self, origin: Origin, answers: &[Answer]) -> Vec<String>;

    /// Where the next step stands in the source.
    fn span(&self, _at: &Token) -> Span {
        Span::default()
    }

    /// Whether two points of a thread are the same, but for what the thread did between them.
    fn is_back_at(&self, _now: &Token, _earlier: &Token) -> bool {
        false
    }

    /// The function of a library that the next step is part of.
    fn service(&self, _at: &Token) -> Option<Service> {
        None
    }

    /// Whether the next step does not depend on which of these two results its library function returns.
    fn ignores_result(&self, _at: &Token, _results: [Value; 2]) -> bool {
        false
    }

    /// Whether the next step, a read, uses its value for more than a copy.
    fn uses_value(&self, _at: &Token) -> bool {
        true
    }

    /// Whether the thread can reach its end from here.
    fn may_end(&self, _at: &Token) -> bool {
        true
    }

    /// Whether the thread is in a function that waits for a limited time or reads the time.
    fn may_time_out(&self, _at: &Token) -> bool {
        false
    }

    /// Whether the thread has ended the whole program.
    fn has_exited(&self, _at: &Token) -> bool {
        false
    }

    /// Whether a loop of the thread went on beyond the bound.
    fn is_out_of_bound(&self, _at: &Token) -> bool {
        false
    }

    /// Whether local variables may have come or gone between two points of a thread.
    fn has_other_locals(&self, _at: &Token, _other: &Token) -> bool {
        false
    }

    /// Whether these bytes of the thread's stack belong to a local variable that is alive.
    fn has_local(&self, _at: &Token, _pointer: u64, _size: u8) -> bool {
        true
    }

    /// The values that are shown of a thread that has ended.
    fn observed<'t>(&self, _at: &'t Token) -> &'t [Value] {
        &[]
    }

    /// What a blocked thread waits for.
    fn waiting(&self, names: &Names, at: &Token) -> Waiting {
        Waiting::of_action(names, &self.next(at))
    }

    /// Whether the next step is in the code of a library. Reports leave out what it does for itself.
    fn is_in_library(&self, _at: &Token) -> bool {
        false
    }

    /// Whether the next step is in code from a header of the system.
    fn is_in_header(&self, _at: &Token) -> bool {
        false
    }
}
