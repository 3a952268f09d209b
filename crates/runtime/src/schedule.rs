//! Controlled schedules: one thread runs at a time, and at each atomic access and synchronisation a seed picks the
//! next one. The same seed gives the same run, unless the program itself asks for the time or for random numbers.
//!
//! A thread that blocks where we cannot see it (a system call, an uninstrumented library) must not stop the others. So
//! threads that wait for a turn check now and then whether the running thread sleeps in the kernel, and take its turn.
//!
//! A [`Scheduler`] is a value, and knows threads by their [`Slot`]. The functions here are those of the runtime's own
//! scheduler.

mod choice;
#[cfg(test)]
mod tests;
mod turns;

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

pub(crate) use choice::Chooser;
use turns::{State, Turns};

use crate::runtime::ROOT;
use crate::spin::SpinLock;
use crate::sys;
use crate::thread::Thread;

/// A thread's part in the schedule.
#[derive(Default)]
pub(crate) struct Slot {
    entry: Option<usize>,
    /// Accesses in a row that changed nothing: it may be waiting for another thread.
    idle: u32,
    /// Inside [`Scheduler::without_turns`].
    steady: bool,
    /// How often anyone had been woken when it got its turn. If that has changed when it is about to wait, a thread
    /// that was away has done something meanwhile, perhaps what it would wait for.
    seen: u64,
}

/// How often a thread that waits for its turn looks whether the running one sleeps, in nanoseconds.
const LOOK_EVERY: u64 = 10_000_000;
/// After this many accesses in a row that change nothing, a thread waits for another.
const IDLE_ACCESSES: u32 = 16;

pub(crate) struct Scheduler {
    is_controlled: AtomicBool,
    /// Threads that wait for their report to be shown. That is our doing, and no reason to let others run.
    reporting: AtomicU32,
    turns: SpinLock<Option<Turns>>,
}

impl Scheduler {
    /// Threads run as the system lets them.
    pub(crate) const fn new() -> Scheduler {
        Scheduler { is_controlled: AtomicBool::new(false), reporting: AtomicU32::new(0), turns: SpinLock::new(None) }
    }

    /// Lets threads take turns from now on, if there is someone to choose.
    pub(crate) fn start(&self, chooser: Option<Chooser>) {
        if let Some(chooser) = chooser {
            *self.turns.lock() = Some(Turns::new(chooser));
            self.is_controlled.store(true, Ordering::Relaxed);
        }
    }

    #[inline(always)]
    pub(crate) fn is_controlled(&self) -> bool {
        self.is_controlled.load(Ordering::Relaxed)
    }

    /// Lets all threads run freely: the process ends, or is the child of a fork. The number of steps, and what tells
    /// this schedule from others.
    pub(crate) fn stop(&self) -> (u64, u64) {
        if !self.is_controlled.swap(false, Ordering::Relaxed) {
            return (0, 0);
        }
        self.turns.lock().as_ref().map_or((0, 0), Turns::stop)
    }

    pub(crate) fn before_fork(&self) {
        self.turns.hold();
    }

    pub(crate) fn after_fork(&self) {
        self.turns.reset();
    }

    /// In the creator, so that the order of threads does not depend on the system.
    pub(crate) fn thread_created(&self, slot: &mut Slot) {
        if let Some(turns) = &mut *self.turns.lock() {
            slot.entry = Some(turns.add());
        }
    }

    /// In the thread itself, which then waits for its first turn.
    pub(crate) fn thread_starts(&self, slot: &mut Slot) {
        if !self.is_controlled() {
            return;
        }
        if slot.entry.is_none() {
            self.thread_created(slot);
        }
        let Some(me) = slot.entry else { return };
        {
            let Some(turns) = &mut *self.turns.lock() else { return };
            turns.entries[me].system_id = sys::thread_id();
            if turns.running.is_none() {
                turns.give_turn(me);
            }
        }
        self.wait_for_turn(me);
    }

    /// Gives up the thread's part in the schedule. Call [`Ended::tell`] when its end can be seen; `key` is what others
    /// wait for.
    pub(crate) fn thread_ends(&self, slot: &mut Slot, key: usize) -> Ended<'_> {
        Ended { scheduler: self, entry: slot.entry.take(), key }
    }

    /// A place where another thread may get its turn.
    #[inline(always)]
    pub(crate) fn point(&self, slot: &mut Slot) {
        if self.is_controlled() {
            slot.idle = 0;
            self.step(slot, false);
        }
    }

    /// An atomic access that is about to be made, or, if it changed nothing, was made.
    #[inline(always)]
    pub(crate) fn access_point(&self, slot: &mut Slot) {
        if self.is_controlled() {
            self.step(slot, false);
        }
    }

    /// Tells whether an access changed anything. A thread that changes nothing for long lets others go first.
    #[inline(always)]
    pub(crate) fn accessed(&self, slot: &mut Slot, changed: bool) {
        if !self.is_controlled() {
            return;
        }
        slot.idle = if changed { 0 } else { slot.idle + 1 };
        if slot.idle >= IDLE_ACCESSES {
            slot.idle = 0;
            self.give_way(slot);
        }
    }

    /// As [`Scheduler::point`], with everyone else before this thread.
    pub(crate) fn give_way(&self, slot: &mut Slot) {
        if self.is_controlled() {
            self.step(slot, true);
        }
    }

    fn step(&self, slot: &mut Slot, gives_way: bool) {
        if slot.steady {
            return;
        }
        let Some(me) = slot.entry else { return self.thread_starts(slot) };
        let has_turn = {
            let Some(turns) = &mut *self.turns.lock() else { return };
            turns.entries[me].state = State::Ready;
            if turns.running.is_none_or(|running| running == me) {
                turns.chooser.step(me, gives_way);
                turns.next();
            }
            slot.seen = turns.wakes;
            turns.running == Some(me)
        };
        if !has_turn {
            self.wait_for_turn(me);
            self.see(slot);
        }
    }

    /// Notes how often anyone was woken.
    fn see(&self, slot: &mut Slot) {
        if let Some(turns) = &*self.turns.lock() {
            slot.seen = turns.wakes;
        }
    }

    /// Calls it without letting anyone else have a turn.
    pub(crate) fn without_turns<T>(&self, slot: &mut Slot, call: impl FnOnce() -> T) -> T {
        slot.steady = true;
        let result = call();
        slot.steady = false;
        result
    }

    /// Calls what may wait in the system while others have their turns.
    pub(crate) fn away<T>(&self, slot: &mut Slot, call: impl FnOnce() -> T) -> T {
        if let Some(me) = slot.entry.filter(|_| !slot.steady)
            && let Some(turns) = &mut *self.turns.lock()
        {
            turns.entries[me].state = State::Away;
            if turns.running == Some(me) {
                turns.next();
            }
        }
        let result = call();
        self.point(slot);
        result
    }

    /// Waits until another thread wakes the key. Returns false if the wait is timed and no other thread could continue.
    pub(crate) fn block(&self, slot: &mut Slot, key: usize, timed: bool) -> bool {
        let Some(me) = slot.entry.filter(|_| self.is_controlled()) else {
            sys::yield_now();
            return true;
        };
        {
            let Some(turns) = &mut *self.turns.lock() else { return true };
            if core::mem::replace(&mut slot.seen, turns.wakes) != turns.wakes {
                return true;
            }
            turns.block(me, key, timed);
            if turns.running == Some(me) {
                return !turns.entries[me].timed_out;
            }
        }
        self.wait_for_turn(me);
        let Some(turns) = &mut *self.turns.lock() else { return true };
        slot.seen = turns.wakes;
        !turns.entries[me].timed_out
    }

    /// Wakes up to `threads` threads that wait for a key. The thread that does it, if it is known, has seen that.
    pub(crate) fn wake(&self, by: Option<&mut Slot>, key: usize, threads: usize) {
        if self.is_controlled()
            && let Some(turns) = &mut *self.turns.lock()
        {
            turns.wake(key, threads);
            if let Some(slot) = by {
                slot.seen = turns.wakes;
            }
        }
    }

    /// Lets a thread go on that waits for anything.
    pub(crate) fn wake_thread(&self, slot: &Slot) {
        if let Some(turns) = &mut *self.turns.lock()
            && let Some(entry) = slot.entry.and_then(|index| turns.entries.get_mut(index))
            && matches!(entry.state, State::Blocked(_) | State::Timed(_))
        {
            entry.state = State::Ready;
        }
    }

    /// Shows a report, during which this thread keeps its turn.
    pub(crate) fn while_reporting<T>(&self, show: impl FnOnce() -> T) -> T {
        self.reporting.fetch_add(1, Ordering::Relaxed);
        let result = show();
        self.reporting.fetch_sub(1, Ordering::Relaxed);
        result
    }

    fn wait_for_turn(&self, me: usize) {
        let turn: *const AtomicU32 = match &*self.turns.lock() {
            Some(turns) => &turns.entries[me].turn,
            None => return,
        };
        // SAFETY: entries are boxed, and stay.
        let turn = unsafe { &*turn };
        while self.is_controlled() {
            turn.store(0, Ordering::Relaxed);
            if let Some(turns) = &mut *self.turns.lock() {
                // Its turn was taken away before it had begun: it is not away at all.
                if turns.entries[me].state == State::Away {
                    turns.entries[me].state = State::Ready;
                    if turns.running.is_none() {
                        turns.next();
                    }
                }
                if turns.running == Some(me) {
                    return;
                }
            }
            if sys::futex_wait(turn, 0, Some(LOOK_EVERY))
                && let Some(turns) = &mut *self.turns.lock()
                && self.reporting.load(Ordering::Relaxed) == 0
            {
                turns.look();
            }
        }
    }
}

pub(crate) struct Ended<'a> {
    scheduler: &'a Scheduler,
    entry: Option<usize>,
    key: usize,
}

impl Ended<'_> {
    /// Wakes all threads that are joining this one, then yields the turn.
    pub(crate) fn tell(self) {
        if let Some(me) = self.entry
            && let Some(turns) = &mut *self.scheduler.turns.lock()
        {
            turns.end(me, self.key);
        }
    }
}

#[inline(always)]
pub(crate) fn is_controlled() -> bool {
    ROOT.scheduler.is_controlled()
}

#[inline(always)]
pub(crate) fn point(thread: &mut Thread) {
    ROOT.scheduler.point(&mut thread.scheduled);
}

pub(crate) fn give_way(thread: &mut Thread) {
    ROOT.scheduler.give_way(&mut thread.scheduled);
}

/// In a loop that waits: lets others go first, by the schedule or by the system.
pub(crate) fn give_way_or_yield(thread: &mut Thread) {
    if is_controlled() { give_way(thread) } else { sys::yield_now() }
}

pub(crate) fn without_turns<T>(thread: &mut Thread, call: impl FnOnce() -> T) -> T {
    ROOT.scheduler.without_turns(&mut thread.scheduled, call)
}

pub(crate) fn away<T>(thread: &mut Thread, call: impl FnOnce() -> T) -> T {
    ROOT.scheduler.away(&mut thread.scheduled, call)
}

pub(crate) fn block(thread: &mut Thread, key: usize, timed: bool) -> bool {
    ROOT.scheduler.block(&mut thread.scheduled, key, timed)
}

pub(crate) fn wake(by: Option<&mut Thread>, key: usize, threads: usize) {
    ROOT.scheduler.wake(by.map(|thread| &mut thread.scheduled), key, threads);
}
