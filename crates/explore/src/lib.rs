//! Every execution that a memory model allows, each exactly once: stateless model checking.
//!
//! `explorer` builds execution graphs event by event (TruSt), `steps` says what the events are, and `consistency` which
//! graphs a model allows. Nothing here knows a model by name but the last two.
//!
//! Both threads of this program may read 0 under RC11, but not under SC:
//!
//! ```
//! use fencepost_explore::{Options, Watch, explore};
//! use fencepost_frontend::parse_fp;
//! use fencepost_models::Model;
//!
//! let text = "
//!     atomic x: bool, y: bool;
//!     thread left { x.store(1, rel); a = y.load(acq); }
//!     thread right { y.store(1, rel); b = x.load(acq); }";
//! let program = parse_fp("SB.fp", text)?.program;
//! let mut stale = 0;
//! let exploration = explore(&program, &Options::new(Model::Rc11), &Watch::default(), |execution| {
//!     let graph = execution.graph();
//!     let zeros = graph.events().filter(|(_, event)| event.reads() && event.label.read == Some(0)).count();
//!     stale += u32::from(zeros == 2);
//!     assert_eq!(zeros == 2, !Model::Sc.consistent(&graph));
//! })?;
//! assert_eq!((exploration.complete, stale), (4, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod as_graph;
mod barriers;
mod branch;
mod clock;
mod compare;
mod consistency;
mod deadlock;
mod estimate;
mod event;
mod execution;
mod explain;
mod explorer;
mod final_states;
mod findings;
mod fixes;
mod heap;
mod learned;
mod locations;
mod narration;
mod options;
mod races;
mod reuse;
mod revisit;
mod stack;
mod steps;
#[cfg(test)]
mod tests;
mod threads;
mod workers;

use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use fencepost_graph::Graph;
use fencepost_models::Engine;
pub use fencepost_models::Refusal;
use fencepost_program::question::Observable;
use fencepost_program::{Address, Program, Value};
use fencepost_story::{Outcome, PrintedLine, Run, Statistics, Verdict};

use branch::Branch;
pub use compare::compare;
pub use estimate::estimate;
use execution::Execution;
use explorer::{Explorer, Flow};
pub use final_states::{Question, explore_final_states};
use findings::{Findings, Shared, Worker};
use learned::Learned;
use locations::Locations;
use narration::Narration;
pub use options::{Options, Watch};
use steps::Steps;
use threads::Interpreter;
pub use threads::{Origin, Threads, Token};
use workers::Pool;

/// The answer, and how many executions it rests on.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub verdict: Verdict,
    /// In which all threads have ended.
    pub complete: u64,
    /// In which some thread was cut off by an assumption, a wait or a spin loop.
    pub blocked: u64,
    /// Added in all, those of executions that led nowhere included.
    pub events: u64,
    /// Some loop went on beyond `--unroll`: the answer holds up to that bound.
    pub bounded: bool,
}

/// An execution to look at: a complete one, or if asked for, one in which some thread was cut off.
pub struct Shown<'e, 's, 'p> {
    explorer: &'e Explorer<'s, 'p>,
    execution: &'e Execution,
    is_complete: bool,
}

impl<'p> Shown<'_, '_, 'p> {
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The execution as the definitions see it. A `wait` or a blocking CAS that was cut off is not in it.
    pub fn graph(&self) -> Graph {
        match self.is_complete {
            true => self.explorer.graph(self.execution),
            false => self.explorer.graph(&self.execution.without_refused()),
        }
    }

    /// The execution with its steps, to be told.
    pub fn run(&self) -> Run<'p> {
        match self.is_complete {
            true => Narration::new(self.explorer, self.execution).run,
            false => Narration::new(self.explorer, &self.execution.without_refused()).run,
        }
    }

    /// The lines that the threads printed, if the program was read so that its output is kept.
    pub fn printed(&self) -> Vec<PrintedLine> {
        Narration::new(self.explorer, self.execution).with_output(self.explorer.steps, self.execution).run.output
    }

    /// By thread, the values that it chose.
    pub fn choices(&self) -> Vec<Vec<Value>> {
        self.execution.choices()
    }

    /// The last value of a cell.
    pub fn value(&self, at: Address) -> Value {
        self.explorer.last_value(self.execution, at)
    }

    /// The value of a register or a cell.
    pub fn observable(&self, observable: Observable) -> Value {
        match observable {
            Observable::Register { thread, reg } => {
                let index = self.explorer.steps.program.observed_index(thread, reg);
                index.and_then(|index| self.registers(thread).get(index)).copied().unwrap_or(0)
            }
            Observable::Cell(cell) => self.value(cell),
        }
    }

    /// The registers of a thread that its function keeps to the end (`Function::observed`).
    pub fn registers(&self, thread: usize) -> &[Value] {
        let steps = self.explorer.steps;
        steps.threads.observed(steps.token(self.execution, thread))
    }
}

/// Visits every execution, and shows each complete one, in no particular order if there are several jobs. Stops at the
/// first violation. Refuses a program that the model cannot take.
pub fn explore(
    program: &Program,
    options: &Options,
    watch: &Watch,
    show: impl FnMut(&Shown) + Send,
) -> Result<Exploration, Refusal> {
    explore_and(program, options, watch, Some(Mutex::new(show)))
}

/// Visits every execution and shows none: workers need not take turns.
pub fn count(program: &Program, options: &Options, watch: &Watch) -> Result<Exploration, Refusal> {
    explore_and(program, options, watch, None::<Mutex<fn(&Shown)>>)
}

/// Visits every execution of threads that something else runs, as [`explore`] does. `program` has the memory, and the
/// names of all things; its functions are not looked at. Orderings are not repaired, because there is no program to
/// change.
pub fn explore_threads(
    program: &Program,
    threads: &dyn Threads,
    options: &Options,
    watch: &Watch,
    show: impl FnMut(&Shown) + Send,
) -> Result<Exploration, Refusal> {
    let started = Instant::now();
    options.model.admit(Engine::Explore, program)?;
    let findings = findings_of(program, Some(threads), options, watch, Some(Mutex::new(show)));
    Ok(exploration(findings, started))
}

fn explore_and(
    program: &Program,
    options: &Options,
    watch: &Watch,
    show: Option<Mutex<impl FnMut(&Shown) + Send>>,
) -> Result<Exploration, Refusal> {
    let started = Instant::now();
    options.model.admit(Engine::Explore, program)?;
    let findings = all_findings(program, options, watch, show);
    let found = findings.found.clone();
    let mut exploration = exploration(findings, started);
    exploration.verdict.outcome = exploration.verdict.outcome.within(&program.bounds);
    if let (Some(time), Some(found)) = (options.fixes, found) {
        exploration.verdict.violations.iter_mut().for_each(|violation| {
            fixes::add(program, options, time, &found, violation);
        });
    }
    Ok(exploration)
}

fn all_findings(
    program: &Program,
    options: &Options,
    watch: &Watch,
    show: Option<Mutex<impl FnMut(&Shown) + Send>>,
) -> Findings {
    findings_of(program, None, options, watch, show)
}

/// Begins again as often as it must. The interpreter steps the threads if nothing else does.
fn findings_of(
    program: &Program,
    threads: Option<&dyn Threads>,
    options: &Options,
    watch: &Watch,
    show: Option<Mutex<impl FnMut(&Shown) + Send>>,
) -> Findings {
    let mut learned = Learned::nothing(options.one_order_at_barriers);
    // What was shown cannot be taken back. So a program that may make the exploration begin again is explored first
    // without showing anything.
    let mut learning = show.is_some() && program.has_flat_memory();
    loop {
        let show = show.as_ref().filter(|_| !learning);
        let findings = match threads {
            Some(threads) => {
                explore_knowing(&Steps::new(program, threads, options.model, &learned), options, watch, show)
            }
            None => {
                let threads = Interpreter::new(program, options.unroll, learned.freed.clone());
                explore_knowing(&Steps::new(program, &threads, options.model, &learned), options, watch, show)
            }
        };
        let again = findings.order_at_barriers_matters || !findings.overlaps.is_empty() || !findings.freed.is_empty();
        if !again || findings.found.is_some() || findings.stopped.is_some() {
            if std::mem::take(&mut learning) {
                continue;
            }
            return findings;
        }
        learned.one_order_at_barriers &= !findings.order_at_barriers_matters;
        findings.overlaps.into_iter().for_each(|overlap| learned.note(overlap));
        learned.freed.extend(findings.freed);
    }
}

/// Explores with what earlier, restarted explorations have learnt.
fn explore_knowing(
    steps: &Steps,
    options: &Options,
    watch: &Watch,
    show: Option<&Mutex<impl FnMut(&Shown) + Send>>,
) -> Findings {
    let shared = Shared::new(options, watch);
    let jobs = options.jobs.get();
    let pool = Pool::new(jobs, Branch::new(steps));
    let locations = Locations::default();
    let work = || {
        let mut explorer = Explorer::new(steps, options, locations.clone());
        let mut worker = Worker::new(&shared, show);
        while let Some(branch) = pool.take() {
            if explorer.explore(branch, &mut worker, |split| pool.share(split)) == Flow::Stop {
                pool.close();
                break;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(work);
        }
        work();
    });
    shared.findings()
}

fn exploration(findings: Findings, started: Instant) -> Exploration {
    let outcome = match (&findings.found, findings.stopped.clone()) {
        (Some(_), _) => Outcome::Violated,
        (None, Some(reason)) => Outcome::Unknown(reason),
        // What is said of all of no executions says nothing.
        (None, None) if findings.complete == 0 => Outcome::Unknown(findings.cut_off.reason()),
        (None, None) => Outcome::Holds,
    };
    let statistics = Statistics { seconds: started.elapsed().as_secs_f64(), ..Statistics::default() };
    Exploration {
        verdict: Verdict {
            outcome,
            violations: findings.found.map(|found| found.violation).into_iter().collect(),
            statistics,
        },
        complete: findings.complete,
        blocked: findings.blocked,
        events: findings.events,
        bounded: findings.cut_off.bounded,
    }
}
