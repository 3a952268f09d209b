//! Threads that are not interpreted are explored like those that are: the same programs as Rust closures and as text.
//!
//! A closure cannot be copied in the middle of its run, as a native thread cannot. So its token has the answers that it
//! was given, and it runs again from its start to get back there.

use std::collections::BTreeSet;

use fencepost_explore::{Exploration, Options, Origin, Shown, Threads, Token, explore, explore_threads};
use fencepost_frontend::parse_fp;
use fencepost_models::{Engine, Model};
use fencepost_program::{Action, Address, Answer, CasKind, Failure, Ordering, Program, Ty, Update, UpdateOp, Value};

use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

/// What a closure is at when its answers end.
type Stops = Action;

type Body = fn(&mut Run) -> Result<(), Stops>;

/// One run of a closure from its start.
struct Run<'a> {
    cells: &'a [Address],
    answers: std::slice::Iter<'a, Answer>,
    printed: Vec<String>,
}

impl Run<'_> {
    fn take(&mut self, action: Action) -> Result<Answer, Stops> {
        let answer = self.answers.next().ok_or(action)?;
        self.printed.push(String::new());
        Ok(*answer)
    }

    fn load(&mut self, cell: usize, order: Ordering) -> Result<Value, Stops> {
        match self.take(Action::Load { at: self.cells[cell], order })? {
            Answer::Read(value) => Ok(value),
            answer => panic!("{answer:?} does not answer a load"),
        }
    }

    fn store(&mut self, cell: usize, value: Value, order: Ordering) -> Result<(), Stops> {
        let answer = self.take(Action::Store { at: self.cells[cell], value, order })?;
        assert_eq!(answer, Answer::Done);
        Ok(())
    }

    fn fence(&mut self, order: Ordering) -> Result<(), Stops> {
        let answer = self.take(Action::Fence { order })?;
        assert_eq!(answer, Answer::Done);
        Ok(())
    }

    fn fetch_add(&mut self, cell: usize, operand: Value, order: Ordering) -> Result<Value, Stops> {
        let update = Update { op: UpdateOp::Add, operand, ty: Ty::Int };
        let action = Action::Rmw { at: self.cells[cell], accept: fencepost_program::Accept::Any, update, order };
        match self.take(action)? {
            Answer::Updated(value) => Ok(value),
            answer => panic!("{answer:?} does not answer an update"),
        }
    }

    /// Whether it has succeeded.
    fn cas(&mut self, cell: usize, expected: Value, desired: Value, order: Ordering) -> Result<bool, Stops> {
        let (at, kind) = (self.cells[cell], CasKind::Strong);
        match self.take(Action::Cas { at, expected, desired, success: order, failure: Relaxed, kind })? {
            Answer::Updated(_) => Ok(true),
            Answer::Read(_) => Ok(false),
            answer => panic!("{answer:?} does not answer a CAS"),
        }
    }

    fn assert(&self, condition: bool) -> Result<(), Stops> {
        if condition { Ok(()) } else { Err(Action::Failed(Failure::Assertion)) }
    }
}

/// A thread, and the answers that it was given.
struct History {
    thread: usize,
    answers: Vec<Answer>,
}

struct Closures {
    cells: Vec<Address>,
    bodies: Vec<Body>,
}

impl Closures {
    /// Where the answers lead, and what was printed on the way.
    fn run(&self, thread: usize, answers: &[Answer]) -> (Action, Vec<String>) {
        let mut run = Run { cells: &self.cells, answers: answers.iter(), printed: vec![String::new()] };
        let stopped = self.bodies[thread](&mut run);
        (stopped.err().unwrap_or(Action::End), run.printed)
    }
}

impl Threads for Closures {
    fn start(&self, origin: Origin) -> Token {
        let Origin::Program { thread } = origin else { panic!("closures create no threads") };
        Token::new(History { thread, answers: Vec::new() })
    }

    fn next(&self, at: &Token) -> Action {
        let History { thread, answers } = at.get();
        self.run(*thread, answers).0
    }

    fn resume(&self, at: &Token, answer: Answer) -> Token {
        let History { thread, answers } = at.get();
        let answers = answers.iter().copied().chain([answer]).collect();
        Token::new(History { thread: *thread, answers })
    }

    fn replay(&self, origin: Origin, answers: &[Answer]) -> Vec<String> {
        let Origin::Program { thread } = origin else { panic!("closures create no threads") };
        self.run(thread, answers).1
    }
}

/// The graphs of an exploration with the final values, and what it says of the program.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    outcome: &'static str,
    messages: Vec<String>,
    counts: (u64, u64),
    executions: BTreeSet<String>,
}

fn seen(explored: impl FnOnce(&mut (dyn FnMut(&Shown) + Send)) -> Exploration, cells: &[Address]) -> Seen {
    let mut executions = BTreeSet::new();
    let exploration = explored(&mut |shown| {
        let values: Vec<Value> = cells.iter().map(|&at| shown.value(at)).collect();
        let new = executions.insert(format!("{values:?} {:?}", shown.graph().canonical()));
        assert!(new, "an execution was shown twice");
    });
    Seen {
        outcome: exploration.verdict.outcome.name(),
        messages: exploration.verdict.violations.into_iter().map(|violation| violation.message).collect(),
        counts: (exploration.complete, exploration.blocked),
        executions,
    }
}

fn program(text: &str) -> Program {
    parse_fp("threads.fp", text).unwrap_or_else(|e| panic!("{e}")).program
}

/// Explores a program under all models: once its text, and once the closures with the text's declarations and threads
/// that do nothing.
fn compare(declarations: &str, threads: &[(&str, &str, Body)]) -> Vec<Seen> {
    let texts = threads.iter().map(|(name, text, _)| format!("thread {name} {{ {text} }}\n"));
    let interpreted = program(&format!("{declarations}\n{}", texts.collect::<String>()));
    let names = threads.iter().map(|(name, ..)| format!("thread {name} {{ }}\n"));
    let memory = program(&format!("{declarations}\n{}", names.collect::<String>()));
    let cells: Vec<Address> = memory.cells().collect();
    let closures = Closures { cells: cells.clone(), bodies: threads.iter().map(|&(.., body)| body).collect() };
    let models = Model::admitting(Engine::Explore, &interpreted);
    let compared = models.map(|model| {
        let options = Options { compare_with_definition: true, ..Options::new(model) };
        let watch = Default::default();
        let expected = seen(|show| explore(&interpreted, &options, &watch, show).unwrap(), &cells);
        let found = seen(|show| explore_threads(&memory, &closures, &options, &watch, show).unwrap(), &cells);
        assert_eq!(found, expected, "under {model}");
        found
    });
    compared.collect()
}

#[test]
fn store_buffering_by_closures() {
    let seen = compare(
        "atomic x, y, a, b;",
        &[
            ("left", "x.store(1, rlx); r = y.load(rlx); a.store(r, rlx);", |run| {
                run.store(0, 1, Relaxed)?;
                let r = run.load(1, Relaxed)?;
                run.store(2, r, Relaxed)
            }),
            ("right", "y.store(1, rlx); fence(sc); r = x.load(acq); b.store(r, rlx);", |run| {
                run.store(1, 1, Relaxed)?;
                run.fence(SeqCst)?;
                let r = run.load(0, Acquire)?;
                run.store(3, r, Relaxed)
            }),
        ],
    );
    assert!(seen.iter().any(|seen| seen.counts == (4, 0)), "weak memory allows four outcomes");
    assert!(seen.iter().any(|seen| seen.counts == (3, 0)), "SC allows three");
}

#[test]
fn increments_by_closures() {
    let increment: (&str, Body) = ("x.fetch_add(1, rlx);", |run| run.fetch_add(0, 1, Relaxed).map(drop));
    let threads = ["one", "two", "three", "four"].map(|name| (name, increment.0, increment.1));
    assert!(compare("atomic x;", &threads).iter().all(|seen| seen.counts == (24, 0)));
}

#[test]
fn races_and_failures_of_closures_are_found() {
    let taken: Body = |run| match run.cas(0, 0, 1, AcqRel)? {
        true => run.store(1, 7, Ordering::NonAtomic),
        false => Ok(()),
    };
    let text = "r = x.cas(0, 1, acqrel, rlx); if (r == 0) { y.store(7, na); }";
    let won = compare("atomic x; nonatomic y;", &[("left", text, taken), ("right", text, taken)]);
    assert!(won.iter().all(|seen| seen.outcome == "holds"), "only one of them writes");
    let racing = compare(
        "atomic x; nonatomic y;",
        &[("left", text, taken), ("right", "r = y.load(na);", |run| run.load(1, Ordering::NonAtomic).map(drop))],
    );
    assert!(racing.iter().all(|seen| seen.outcome == "violated"), "{racing:?}");
    let failing = compare(
        "atomic x, y;",
        &[
            ("left", "x.store(1, rlx); y.store(1, rel);", |run| {
                run.store(0, 1, Relaxed)?;
                run.store(1, 1, Release)
            }),
            ("right", "r = y.load(rlx); s = x.load(rlx); assert(r <= s);", |run| {
                let (r, s) = (run.load(1, Relaxed)?, run.load(0, Relaxed)?);
                run.assert(r <= s)
            }),
        ],
    );
    assert!(failing.iter().any(|seen| seen.outcome == "violated"));
    assert!(failing.iter().any(|seen| seen.outcome == "holds"), "under SC it holds");
}

#[test]
fn a_thread_is_never_given_a_value_older_than_what_it_knows() {
    let reads_again: Body = |run| {
        let (r, s) = (run.load(0, Relaxed)?, run.load(0, Relaxed)?);
        assert!(r <= s, "a read of {s} after one of {r} is not coherent");
        Ok(())
    };
    let reads_its_own: Body = |run| {
        run.store(0, 1, Relaxed)?;
        assert_eq!(run.load(0, Relaxed)?, 1, "the thread has overwritten what was there before");
        Ok(())
    };
    let seen = compare(
        "atomic x;",
        &[
            ("reader", "r = x.load(rlx); s = x.load(rlx);", reads_again),
            ("writer", "x.store(1, rlx); r = x.load(rlx);", reads_its_own),
        ],
    );
    assert!(seen.iter().all(|seen| seen.counts == (3, 0)), "{seen:?}");
}
