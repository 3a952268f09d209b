//! Time, memory and signals: the budget of each file, and what happens when the work does not notice that it is spent.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use fencepost_budget::{Budget, Limits, Spent, memory};

use crate::interrupt::stop_on_interrupt;
use crate::output::Output;
use crate::status::Status;

/// How long the work may take to notice that its budget is spent.
const GRACE: Duration = Duration::from_secs(1);
/// How long the last report may take. Writing it blocks if its reader is slow or stopped.
const LAST_WORDS: Duration = Duration::from_millis(500);
const INTERVAL: Duration = Duration::from_millis(10);
/// What the process may hold beyond its limit before the work has noticed.
const TOLERANCE: u64 = 16 << 20;

/// The limits of one run of a command. Each file has its own time; a signal ends them all.
#[derive(Clone)]
pub struct Session {
    run: Budget,
    timeout: Option<Duration>,
    memory: Option<u64>,
    present: Arc<Mutex<Option<Present>>>,
}

/// The file at hand.
#[derive(Clone)]
struct Present {
    budget: Budget,
    /// How the files before it ended.
    before: Status,
    /// Prints what is known of it, once.
    tell: Arc<dyn Fn(Spent) + Send + Sync>,
}

impl Session {
    /// From now on signals spend the budget, and a second one ends the process at once.
    pub fn start(timeout: Option<Duration>, memory: Option<u64>, output: &Output) -> Session {
        let session = Session { run: Budget::default(), timeout, memory, present: Arc::default() };
        let run = session.run.clone();
        stop_on_interrupt(move || run.interrupt());
        let present = Arc::clone(&session.present);
        let guard = thread::Builder::new().name("guard".into()).spawn(move || guard(&present));
        if let Err(e) = guard {
            output.complain(&format!("warning: limits may be exceeded: {e}"));
        }
        session
    }

    pub fn is_interrupted(&self) -> bool {
        self.run.is_spent()
    }

    /// Gives work its budget. If it does not end in time, `tell` says what is known, and the process ends.
    pub fn within<T>(
        &self,
        before: Status,
        tell: impl Fn(Spent) + Send + Sync + 'static,
        work: impl FnOnce(&Budget) -> T,
    ) -> T {
        memory::reset_peak();
        // By default nine tenths of what is free, so that a search ends with an answer and is not killed.
        let free = || Some(memory::resident()? + memory::available()? / 10 * 9);
        let limits = Limits { timeout: self.timeout, bytes: self.memory.or_else(free) };
        let budget = self.run.within(limits);
        let present = Present { budget: budget.clone(), before, tell: Arc::new(tell) };
        *self.present.lock().unwrap_or_else(PoisonError::into_inner) = Some(present);
        let result = work(&budget);
        *self.present.lock().unwrap_or_else(PoisonError::into_inner) = None;
        result
    }
}

/// Ends the process when the work has not noticed that its budget is spent.
fn guard(present: &Mutex<Option<Present>>) {
    loop {
        thread::sleep(INTERVAL);
        let present = present.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(present) = present
            && let Some(spent) = present.budget.spent()
            && (is_late(&present.budget) || is_too_large(&present.budget))
        {
            let (done, told) = mpsc::channel();
            let tell = Arc::clone(&present.tell);
            thread::spawn(move || {
                tell(spent);
                // The receiver is gone if this took too long.
                let _ = done.send(());
            });
            let _ = told.recv_timeout(LAST_WORDS);
            fencepost_scratch::exit(present.before.max(Status::Unknown).code().into());
        }
    }
}

fn is_late(budget: &Budget) -> bool {
    budget.spent_for().is_some_and(|since| since >= GRACE)
}

fn is_too_large(budget: &Budget) -> bool {
    let held = memory::resident().unwrap_or(0);
    budget.bytes().is_some_and(|limit| held > limit.saturating_add(limit / 8 + TOLERANCE))
}
