//! Every execution that a memory model allows, each exactly once: stateless model checking.
//!
//! `explorer` builds execution graphs event by event (TruSt); `consistency` says which of them a model allows, by views
//! where that suffices and by the model's definition otherwise. Nothing here knows a model by name but those two.

mod clock;
mod coherence;
mod consistency;
mod execution;
mod explain;
mod explorer;
mod options;

use std::panic::resume_unwind;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Instant;

use fencepost_graph::Graph;
use fencepost_program::{Address, Failure, Program, Value};
use fencepost_report::{Outcome, Reason, Statistics, Verdict, Violation};

use execution::{Execution, Id};
pub use explain::against_sc;
use explorer::{Explorer, Flow, Visitor};
pub use options::{Options, Watch};

/// An execution with more events than this is taken to be one that does not end. Each event takes some of the stack.
const MAX_EVENTS: usize = 4_000;
/// What so many events need of the stack, with much to spare.
const STACK_BYTES: usize = 512 << 20;

/// The answer, and how many executions it rests on.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub verdict: Verdict,
    /// In which all threads have ended.
    pub complete: u64,
    /// In which some thread was cut off by an assumption, a wait or a spin loop.
    pub blocked: u64,
    /// Some loop went on beyond `--unroll`: the answer holds up to that bound.
    pub bounded: bool,
}

/// A complete execution.
pub struct Complete<'e, 'p> {
    explorer: &'e Explorer<'p>,
    execution: &'e Execution,
}

impl Complete<'_, '_> {
    pub fn graph(&self) -> Graph {
        self.explorer.graph(self.execution)
    }

    /// By thread, the values that it chose.
    pub fn choices(&self) -> Vec<Vec<Value>> {
        self.execution.choices()
    }

    /// The last value of a cell.
    pub fn value(&self, at: Address) -> Value {
        self.explorer.last_value(self.execution, at)
    }

    /// The registers of a thread that its function keeps to the end (`Function::observed`).
    pub fn registers(&self, thread: usize) -> &[Value] {
        self.explorer.state(self.execution, thread).observed()
    }
}

/// Visits every execution, and shows each complete one. Stops at the first violation.
pub fn explore(program: &Program, options: &Options, watch: &Watch, show: impl FnMut(&Complete) + Send) -> Exploration {
    let started = Instant::now();
    let mut run = Run {
        options,
        watch,
        started,
        show,
        complete: 0,
        blocked: 0,
        bounded: false,
        ticks: 0,
        violation: None,
        stopped: None,
    };
    on_deep_stack(|| {
        Explorer::new(program, options.model, options.unroll).run(&mut run);
    });
    let outcome = match (&run.violation, run.stopped) {
        (Some(_), _) => Outcome::Violated,
        (None, Some(reason)) => Outcome::Unknown(reason),
        (None, None) => Outcome::Holds,
    };
    let statistics = Statistics { seconds: started.elapsed().as_secs_f64(), ..Statistics::default() };
    Exploration {
        verdict: Verdict { outcome, violations: run.violation.into_iter().collect(), statistics },
        complete: run.complete,
        blocked: run.blocked,
        bounded: run.bounded,
    }
}

/// Every event of an execution is some calls deeper.
fn on_deep_stack(mut work: impl FnMut() + Send) {
    let ended = thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, &mut work);
        worker.map(|worker| worker.join())
    });
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(panic)) => resume_unwind(panic),
        // No room for such a stack: the caller's has to do.
        Err(_) => work(),
    }
}

struct Run<'a, F> {
    options: &'a Options,
    watch: &'a Watch,
    started: Instant,
    show: F,
    complete: u64,
    blocked: u64,
    bounded: bool,
    ticks: u32,
    violation: Option<Violation>,
    stopped: Option<Reason>,
}

impl<F> Run<'_, F> {
    fn stop(&mut self, reason: Reason) -> Flow {
        self.stopped = Some(reason);
        Flow::Stop
    }

    fn count(&mut self) -> Flow {
        match self.options.max_executions {
            Some(max) if self.complete + self.blocked > max => self.stop(Reason::ExecutionLimit),
            _ => Flow::GoOn,
        }
    }
}

impl<F: FnMut(&Complete)> Visitor for Run<'_, F> {
    fn tick(&mut self, events: usize) -> Flow {
        if events > MAX_EVENTS {
            return self.stop(Reason::Other(format!(
                "an execution has more than {MAX_EVENTS} events; `--unroll` bounds the loops"
            )));
        }
        self.ticks = self.ticks.wrapping_add(1);
        if self.watch.stop.load(Relaxed) {
            return self.stop(Reason::Interrupted);
        }
        // In a long execution every event takes its time.
        if self.ticks.is_multiple_of(1024) || events > 256 {
            self.watch.complete.store(self.complete, Relaxed);
            self.watch.blocked.store(self.blocked, Relaxed);
            if self.options.timeout.is_some_and(|timeout| self.started.elapsed() >= timeout) {
                return self.stop(Reason::Timeout);
            }
        }
        Flow::GoOn
    }

    fn complete(&mut self, explorer: &Explorer, execution: &Execution) -> Flow {
        self.complete += 1;
        (self.show)(&Complete { explorer, execution });
        self.count()
    }

    fn blocked(&mut self, explorer: &Explorer, execution: &Execution) -> Flow {
        self.blocked += 1;
        self.bounded |= explorer.is_bounded(execution);
        self.count()
    }

    fn failed(&mut self, explorer: &Explorer, execution: &Execution, thread: usize, failure: Failure) -> Flow {
        if failure == Failure::EndlessLocalLoop {
            return self.stop(Reason::Other("a loop without accesses to memory does not end".to_string()));
        }
        if !self.options.assertions {
            self.blocked += 1;
            return Flow::GoOn;
        }
        self.violation = Some(explain::failed(explorer, execution, thread, failure));
        Flow::Stop
    }

    fn race(&mut self, explorer: &Explorer, execution: &Execution, first: Id, second: Id) -> Flow {
        if !self.options.races {
            return Flow::GoOn;
        }
        self.violation = Some(explain::race(explorer, execution, first, second));
        Flow::Stop
    }
}
