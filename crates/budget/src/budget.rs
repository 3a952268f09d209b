use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::memory;

/// How often the clock and the size of the process are looked at.
const INTERVAL: Duration = Duration::from_millis(5);
/// A smaller allocation is noticed by its effect.
const LARGE: u64 = 1 << 20;

/// Why an analysis must stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    Timeout,
    Memory,
    Interrupted,
}

impl Spent {
    const ALL: [Spent; 3] = [Spent::Timeout, Spent::Memory, Spent::Interrupted];
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub timeout: Option<Duration>,
    /// For the whole process.
    pub bytes: Option<u64>,
}

/// The time and memory that are left, shared by all clones. The default has no limits and can be interrupted.
#[derive(Clone, Debug, Default)]
pub struct Budget(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// 0, or 1 plus the index in [`Spent::ALL`]. Once set it stays.
    spent: AtomicU8,
    since: OnceLock<Instant>,
    deadline: Option<Instant>,
    bytes: Option<u64>,
    /// When this one is spent, so is its part.
    whole: Option<Budget>,
}

impl Budget {
    /// Time counts from now.
    pub fn new(limits: Limits) -> Budget {
        Budget::default().within(limits)
    }

    /// A part of this budget, with limits of its own: it is spent when either is.
    pub fn within(&self, limits: Limits) -> Budget {
        let own = limits.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let part = Budget(Arc::new(Shared {
            deadline: own.into_iter().chain(self.0.deadline).min(),
            bytes: limits.bytes.into_iter().chain(self.0.bytes).min(),
            whole: Some(self.clone()),
            ..Shared::default()
        }));
        part.0.watch();
        let watched = Arc::downgrade(&part.0);
        let watch = move || {
            while let Some(shared) = watched.upgrade()
                && !shared.watch()
            {
                let left = shared.deadline.map_or(INTERVAL, |at| at.saturating_duration_since(Instant::now()));
                drop(shared);
                thread::sleep(left.min(INTERVAL));
            }
        };
        if thread::Builder::new().name("budget".into()).spawn(watch).is_err() {
            // A system without room for a thread has none for an analysis.
            part.0.spend(Spent::Memory);
        }
        part
    }

    /// Stops whatever shares this budget. Says whether it was interrupted before.
    pub fn interrupt(&self) -> bool {
        let before = self.spent() == Some(Spent::Interrupted);
        self.0.spend(Spent::Interrupted);
        before
    }

    /// For hot loops: whether to stop.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.0.spent.load(Acquire) != 0
    }

    pub fn spent(&self) -> Option<Spent> {
        let spent = self.0.spent.load(Acquire);
        usize::from(spent).checked_sub(1).map(|index| Spent::ALL[index])
    }

    /// For everything else: `budget.check()?`.
    #[inline]
    pub fn check(&self) -> Result<(), Spent> {
        self.spent().map_or(Ok(()), Err)
    }

    /// Asked before an allocation of this size, because a large one could break the limit all by itself.
    pub fn check_room(&self, bytes: u64) -> Result<(), Spent> {
        if let Some(limit) = self.0.bytes
            && bytes >= LARGE
            && memory::resident().unwrap_or(0).saturating_add(bytes) > limit
        {
            self.0.spend(Spent::Memory);
        }
        self.check()
    }

    /// Tells how much is held at least, on systems that do not say how large a process is.
    pub fn check_size(&self, bytes: u64) -> Result<(), Spent> {
        if self.0.bytes.is_some_and(|limit| bytes > limit) {
            self.0.spend(Spent::Memory);
        }
        self.check()
    }

    /// For how long this has been spent.
    pub fn spent_for(&self) -> Option<Duration> {
        Some(self.0.since.get()?.elapsed())
    }

    /// The most that the process may hold.
    pub fn bytes(&self) -> Option<u64> {
        self.0.bytes
    }

    /// Waits for work that cannot ask, such as reading from a pipe. When the budget is spent first, the work is left to
    /// itself, so it must not hold what others need.
    pub fn wait_for<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Spent> {
        self.check()?;
        let (done, result) = mpsc::channel();
        let started = thread::Builder::new().name("input".into()).spawn(move || done.send(work()));
        if started.is_err() {
            self.0.spend(Spent::Memory);
        }
        self.receive(&result)
    }

    /// Waits for a message.
    pub(crate) fn receive<T>(&self, messages: &mpsc::Receiver<T>) -> Result<T, Spent> {
        loop {
            match messages.recv_timeout(INTERVAL) {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Timeout) => self.check()?,
                Err(RecvTimeoutError::Disconnected) => {
                    self.check()?;
                    panic!("the thread that was waited for panicked");
                }
            }
        }
    }
}

impl Shared {
    fn spend(&self, spent: Spent) {
        let value = spent as u8 + 1;
        // The first reason counts, except that a later interrupt replaces it. The time is set before the reason, so a
        // reader of the reason finds the time.
        self.since.get_or_init(Instant::now);
        match spent {
            Spent::Interrupted => self.spent.store(value, Release),
            _ => _ = self.spent.compare_exchange(0, value, Release, Relaxed),
        }
    }

    /// Looks at the clock and the size of the process. Says whether the budget is spent.
    fn watch(&self) -> bool {
        if let Some(spent) = self.whole.as_ref().and_then(Budget::spent) {
            self.spend(spent);
        } else if self.deadline.is_some_and(|at| Instant::now() >= at) {
            self.spend(Spent::Timeout);
        } else if let Some(limit) = self.bytes
            && memory::resident().is_some_and(|bytes| bytes > limit)
        {
            self.spend(Spent::Memory);
        }
        self.spent.load(Acquire) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    fn timeout(timeout: Duration) -> Limits {
        Limits { timeout: Some(timeout), bytes: None }
    }

    fn wait(budget: &Budget) -> Spent {
        loop {
            match budget.check() {
                Ok(()) => thread::yield_now(),
                Err(spent) => return spent,
            }
        }
    }

    #[test]
    fn without_limits_it_lasts_until_it_is_interrupted() {
        let budget = Budget::default();
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.check_room(u64::MAX), Ok(()));
        assert!(!budget.clone().interrupt());
        assert_eq!(budget.check(), Err(Spent::Interrupted));
        assert!(budget.interrupt(), "the second time");
    }

    #[test]
    fn time_runs_out() {
        let budget = Budget::new(timeout(Duration::from_millis(20)));
        assert_eq!(wait(&budget), Spent::Timeout);
        assert!(budget.spent_for().is_some());
        assert!(Budget::new(timeout(Duration::ZERO)).is_spent(), "at once");
    }

    #[test]
    fn the_end_of_time_is_no_limit() {
        assert!(!Budget::new(timeout(Duration::MAX)).is_spent());
    }

    #[test]
    fn the_size_of_the_process_is_limited() {
        if memory::resident().is_some() {
            assert_eq!(Budget::new(Limits { timeout: None, bytes: Some(1) }).check(), Err(Spent::Memory));
        }
        let budget = Budget::new(Limits { timeout: Some(LONG), bytes: Some(1 << 40) });
        assert_eq!(budget.check_room(1 << 20), Ok(()));
        assert_eq!(budget.check_size(1 << 40), Ok(()));
        assert_eq!(budget.check_room(1 << 40), Err(Spent::Memory).or(budget.check()), "it stays spent");
        assert_eq!(budget.clone().check_size(0), Err(Spent::Memory));
    }

    #[test]
    fn a_part_ends_with_the_whole_but_not_the_whole_with_a_part() {
        let whole = Budget::default();
        let part = whole.within(timeout(LONG)).within(Limits::default());
        assert!(whole.within(timeout(Duration::ZERO)).is_spent());
        assert!(!whole.is_spent() && !part.is_spent());
        whole.interrupt();
        assert_eq!(wait(&part), Spent::Interrupted);
        assert!(whole.within(timeout(LONG)).is_spent(), "from its beginning");
    }

    #[test]
    fn work_that_cannot_ask_is_left() {
        assert_eq!(Budget::new(timeout(LONG)).wait_for(|| 7), Ok(7));
        let (_keep, never) = mpsc::channel::<u8>();
        assert_eq!(Budget::new(timeout(INTERVAL)).wait_for(move || never.recv().ok()), Err(Spent::Timeout));
    }
}
