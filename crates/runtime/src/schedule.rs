//! Controlled schedules: one thread runs at a time, and at each atomic access and synchronisation a seed decides who is
//! next. The same seed gives the same run, as far as the program itself does not ask for the time or for chance.
//!
//! A thread that blocks where we cannot see it (a system call, an uninstrumented library) must not stop the others: who
//! waits for a turn looks now and then whether the running thread sleeps in the kernel, and takes its turn away.

mod choice;
mod turns;

use alloc::boxed::Box;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use choice::Chooser;
use fencepost_wire::Schedule;
use turns::{Entry, Scheduler, State};

use crate::spin::SpinLock;
use crate::thread::Thread;
use crate::{runtime, sys, tls};

/// A thread's part in the schedule.
#[derive(Default)]
pub struct Slot {
    entry: Option<usize>,
    /// How often its destructors ran; see [`crate::thread`].
    pub rounds: u32,
    /// Accesses in a row that changed nothing: it may be waiting for another thread.
    idle: u32,
    /// Inside [`without_turns`].
    steady: bool,
    /// How often anyone had been woken when it got its turn. If that has changed when it is about to wait, a thread that
    /// was away has done something meanwhile, perhaps what it would wait for.
    seen: u64,
}

static WAKES: AtomicU64 = AtomicU64::new(0);
/// Threads that wait for their report to be shown. That is our doing, and no reason to let others run.
static REPORTING: AtomicU32 = AtomicU32::new(0);
static CONTROLLED: AtomicBool = AtomicBool::new(false);
static SCHEDULER: SpinLock<Option<Scheduler>> = SpinLock::new(None);

/// After so many nanoseconds, look whether the running thread sleeps.
const PATIENCE: u64 = 10_000_000;
/// So many accesses that change nothing are a thread that waits.
const IDLE: u32 = 16;

#[inline(always)]
pub fn is_controlled() -> bool {
    CONTROLLED.load(Ordering::Relaxed)
}

pub fn initialise() {
    let options = runtime::options();
    if options.schedule != Schedule::Os {
        let chooser = Chooser::new(options.schedule, options.seed, options.depth, options.steps);
        *SCHEDULER.lock() = Some(Scheduler::new(chooser));
        CONTROLLED.store(true, Ordering::Relaxed);
    }
}

/// Lets all threads run freely: the process ends, or is the child of a fork. The number of steps, and what tells this
/// schedule from others.
pub fn stop() -> (u64, u64) {
    if !CONTROLLED.swap(false, Ordering::Relaxed) {
        return (0, 0);
    }
    if let Some(scheduler) = &mut *SCHEDULER.lock() {
        for entry in &mut scheduler.entries {
            entry.turn.store(1, Ordering::Release);
            sys::futex_wake(&entry.turn, u32::MAX);
        }
        return scheduler.chooser.summary();
    }
    (0, 0)
}

pub fn before_fork() {
    SCHEDULER.hold();
}

pub fn after_fork() {
    SCHEDULER.reset();
}

/// In the creator, so that the order of threads does not depend on the system.
pub fn thread_created(thread: &mut Thread) {
    let Some(scheduler) = &mut *SCHEDULER.lock() else { return };
    let new = Entry { state: State::Ready, turn: AtomicU32::new(0), system_id: 0, timed_out: false, since: 0 };
    let index = match scheduler.entries.iter().position(|entry| entry.state == State::Ended) {
        Some(index) => {
            *scheduler.entries[index] = new;
            index
        }
        None => {
            scheduler.entries.push(Box::new(new));
            scheduler.entries.len() - 1
        }
    };
    scheduler.chooser.add(index);
    thread.scheduled.entry = Some(index);
}

/// In the thread itself, which then waits for its first turn.
pub fn thread_starts(thread: &mut Thread) {
    if !is_controlled() {
        return;
    }
    if thread.scheduled.entry.is_none() {
        thread_created(thread);
    }
    let Some(me) = thread.scheduled.entry else { return };
    {
        let Some(scheduler) = &mut *SCHEDULER.lock() else { return };
        scheduler.entries[me].system_id = sys::thread_id();
        if scheduler.running.is_none() {
            scheduler.run(me);
        }
    }
    wait_for_turn(me);
}

/// Gives up the thread's part in the schedule. Call [`Ended::tell`] when its end can be seen.
pub fn thread_ends(thread: &mut Thread) -> Ended {
    Ended { entry: thread.scheduled.entry.take(), key: core::ptr::from_mut(thread) as usize }
}

pub struct Ended {
    entry: Option<usize>,
    key: usize,
}

impl Ended {
    /// Wakes who waits for the end, and lets another thread run.
    pub fn tell(self) {
        let Some(me) = self.entry else { return };
        let Some(scheduler) = &mut *SCHEDULER.lock() else { return };
        scheduler.entries[me].state = State::Ended;
        scheduler.wake(self.key, usize::MAX);
        // If its turn was taken away, perhaps nobody could go on until now.
        if scheduler.running.is_none_or(|running| running == me) {
            scheduler.next();
        }
    }
}

/// A place where another thread may get its turn.
#[inline(always)]
pub fn point(thread: &mut Thread) {
    if is_controlled() {
        thread.scheduled.idle = 0;
        step(thread, false);
    }
}

/// An atomic access that is about to be made, or, if it changed nothing, was made.
#[inline(always)]
pub fn access_point(thread: &mut Thread) {
    if is_controlled() {
        step(thread, false);
    }
}

/// Tells whether an access changed anything. A thread that changes nothing for long lets others go first.
#[inline(always)]
pub fn accessed(thread: &mut Thread, changed: bool) {
    if !is_controlled() {
        return;
    }
    thread.scheduled.idle = if changed { 0 } else { thread.scheduled.idle + 1 };
    if thread.scheduled.idle >= IDLE {
        thread.scheduled.idle = 0;
        give_way(thread);
    }
}

/// As [`point`], with everyone else before this thread.
pub fn give_way(thread: &mut Thread) {
    if is_controlled() {
        step(thread, true);
    }
}

/// In a loop that waits: lets others go first, by the schedule or by the system.
pub fn give_way_or_yield(thread: &mut Thread) {
    if is_controlled() { give_way(thread) } else { sys::yield_now() }
}

fn step(thread: &mut Thread, gives_way: bool) {
    if thread.scheduled.steady {
        return;
    }
    if thread.scheduled.entry.is_none() {
        return thread_starts(thread);
    }
    let Some(me) = thread.scheduled.entry else { return };
    {
        let Some(scheduler) = &mut *SCHEDULER.lock() else { return };
        scheduler.entries[me].state = State::Ready;
        if scheduler.running == Some(me) || scheduler.running.is_none() {
            scheduler.chooser.step(me, gives_way);
            scheduler.next();
        }
        if scheduler.running == Some(me) {
            thread.scheduled.seen = WAKES.load(Ordering::Relaxed);
            return;
        }
    }
    wait_for_turn(me);
    thread.scheduled.seen = WAKES.load(Ordering::Relaxed);
}

/// Runs it without letting anyone else have a turn.
pub fn without_turns<T>(thread: &mut Thread, run: impl FnOnce() -> T) -> T {
    thread.scheduled.steady = true;
    let result = run();
    thread.scheduled.steady = false;
    result
}

/// Runs what may wait in the system while others have their turns.
pub fn away<T>(thread: &mut Thread, run: impl FnOnce() -> T) -> T {
    if let Some(me) = thread.scheduled.entry.filter(|_| !thread.scheduled.steady)
        && let Some(scheduler) = &mut *SCHEDULER.lock()
    {
        scheduler.entries[me].state = State::Away;
        if scheduler.running == Some(me) {
            scheduler.next();
        }
    }
    let result = run();
    point(thread);
    result
}

/// Waits until another thread wakes the key; false if, timed, nobody else could go on.
pub fn block(thread: &mut Thread, key: usize, timed: bool) -> bool {
    let Some(me) = thread.scheduled.entry.filter(|_| is_controlled()) else {
        sys::yield_now();
        return true;
    };
    {
        let Some(scheduler) = &mut *SCHEDULER.lock() else { return true };
        let wakes = WAKES.load(Ordering::Relaxed);
        if core::mem::replace(&mut thread.scheduled.seen, wakes) != wakes {
            return true;
        }
        scheduler.entries[me].timed_out = false;
        scheduler.entries[me].since = scheduler.chooser.steps();
        scheduler.entries[me].state = if timed { State::Timed(key) } else { State::Blocked(key) };
        if scheduler.running == Some(me) || scheduler.running.is_none() {
            scheduler.next();
        }
        if scheduler.running == Some(me) {
            return !scheduler.entries[me].timed_out;
        }
    }
    wait_for_turn(me);
    let Some(scheduler) = &mut *SCHEDULER.lock() else { return true };
    thread.scheduled.seen = WAKES.load(Ordering::Relaxed);
    !scheduler.entries[me].timed_out
}

/// Lets up to so many of those go on who wait for a key.
pub fn wake(key: usize, threads: usize) {
    if is_controlled()
        && let Some(scheduler) = &mut *SCHEDULER.lock()
    {
        scheduler.wake(key, threads);
        let me = tls::thread();
        if me as usize > 1 {
            // SAFETY: a thread's own record.
            unsafe { (*me).scheduled.seen = WAKES.load(Ordering::Relaxed) };
        }
    }
}

/// Lets a thread go on that waits for anything.
pub fn wake_thread(slot: &Slot) {
    if let Some(scheduler) = &mut *SCHEDULER.lock()
        && let Some(entry) = slot.entry.and_then(|index| scheduler.entries.get_mut(index))
        && matches!(entry.state, State::Blocked(_) | State::Timed(_))
    {
        entry.state = State::Ready;
    }
}

/// Shows a report, during which this thread keeps its turn.
pub fn while_reporting<T>(show: impl FnOnce() -> T) -> T {
    REPORTING.fetch_add(1, Ordering::Relaxed);
    let result = show();
    REPORTING.fetch_sub(1, Ordering::Relaxed);
    result
}

fn wait_for_turn(me: usize) {
    let turn: *const AtomicU32 = match &*SCHEDULER.lock() {
        Some(scheduler) => &scheduler.entries[me].turn,
        None => return,
    };
    // SAFETY: entries are boxed, and stay.
    let turn = unsafe { &*turn };
    while is_controlled() {
        turn.store(0, Ordering::Relaxed);
        if let Some(scheduler) = &mut *SCHEDULER.lock() {
            // Its turn was taken away before it had begun: it is not away at all.
            if scheduler.entries[me].state == State::Away {
                scheduler.entries[me].state = State::Ready;
                if scheduler.running.is_none() {
                    scheduler.next();
                }
            }
            if scheduler.running == Some(me) {
                return;
            }
        }
        if sys::futex_wait(turn, 0, Some(PATIENCE))
            && let Some(scheduler) = &mut *SCHEDULER.lock()
        {
            scheduler.look();
        }
    }
}
