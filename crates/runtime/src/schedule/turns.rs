//! Whose turn it is.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use super::choice::Chooser;
use crate::sys;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Ready,
    /// Until another thread wakes this key.
    Blocked(usize),
    /// Until the key is woken, no other thread can continue, or others have made many steps.
    Timed(usize),
    /// In the kernel, where we did not send it; it comes back by itself.
    Away,
    Ended,
}

pub(crate) struct Entry {
    pub(crate) state: State,
    /// What the owner sleeps on while it is not its turn.
    pub(crate) turn: AtomicU32,
    /// The thread's number in the system; 0 before it runs.
    pub(crate) system_id: i32,
    pub(crate) timed_out: bool,
    /// How many steps had been made when it began to wait.
    pub(crate) since: u64,
}

pub(crate) struct Turns {
    // Boxed, because threads sleep on a word in theirs while others are added.
    #[expect(clippy::vec_box)]
    pub(crate) entries: Vec<Box<Entry>>,
    pub(crate) running: Option<usize>,
    pub(crate) chooser: Chooser,
    /// How often anyone was woken.
    pub(crate) wakes: u64,
    /// Turns given so far.
    given: u64,
    seen: Seen,
}

/// What waiting threads saw of the running thread. They look at different times, and a thread that has waited for long
/// says nothing about a turn that has just begun.
#[derive(Default)]
struct Seen {
    /// Number of the turn; a new turn restarts the count.
    turn: u64,
    /// When it was first seen.
    since: u64,
    /// The processor time that the running thread had used then.
    used: u64,
}

/// A turn is left alone for so long. Nanoseconds, here and below.
const SHORT_TURN: u64 = 10_000_000;
/// If no thread has had a turn for so long, although one should, time passes.
const STALL: u64 = 50_000_000;
/// A thread that has used so much processor time in one turn may spin on a plain variable.
const SPIN: u64 = 2_000_000_000;
/// So many steps of others are longer than any timeout: others may be waiting for the one that waits for the time.
const TIMEOUT_STEPS: u64 = 5_000;

impl Turns {
    pub(crate) fn new(chooser: Chooser) -> Turns {
        Turns { entries: Vec::new(), running: None, chooser, wakes: 0, given: 0, seen: Seen::default() }
    }

    /// A new thread, in the place of one that has ended if there is one.
    pub(crate) fn add(&mut self) -> usize {
        let new = Entry { state: State::Ready, turn: AtomicU32::new(0), system_id: 0, timed_out: false, since: 0 };
        let index = match self.entries.iter().position(|entry| entry.state == State::Ended) {
            Some(index) => {
                *self.entries[index] = new;
                index
            }
            None => {
                self.entries.push(Box::new(new));
                self.entries.len() - 1
            }
        };
        self.chooser.add(index);
        index
    }

    /// The thread has ended, which others wait for.
    pub(crate) fn end(&mut self, ended: usize, key: usize) {
        self.entries[ended].state = State::Ended;
        self.wake(key, usize::MAX);
        // If its turn was taken away, perhaps no thread could continue until now.
        if self.running.is_none_or(|running| running == ended) {
            self.next();
        }
    }

    /// The thread waits for a key, and another gets its turn.
    pub(crate) fn block(&mut self, thread: usize, key: usize, timed: bool) {
        let entry = &mut self.entries[thread];
        entry.timed_out = false;
        entry.since = self.chooser.steps();
        entry.state = if timed { State::Timed(key) } else { State::Blocked(key) };
        if self.running.is_none_or(|running| running == thread) {
            self.next();
        }
    }

    /// Lets everyone run. The number of steps, and what tells this schedule from others.
    pub(crate) fn stop(&self) -> (u64, u64) {
        for entry in &self.entries {
            entry.turn.store(1, Ordering::Release);
            sys::futex_wake(&entry.turn, u32::MAX);
        }
        self.chooser.summary()
    }

    pub(crate) fn wake(&mut self, key: usize, threads: usize) {
        self.wakes += 1;
        let waiting = |entry: &Entry| entry.state == State::Blocked(key) || entry.state == State::Timed(key);
        for _ in 0..threads.min(self.entries.len()) {
            let waiters = self.entries.iter().enumerate().filter(|(_, entry)| waiting(entry)).map(|(i, _)| i);
            let Some(chosen) = self.chooser.any(waiters) else { return };
            self.entries[chosen].state = State::Ready;
        }
    }

    /// Chooses the thread that runs next.
    pub(crate) fn next(&mut self) {
        let now = self.chooser.steps();
        for entry in &mut self.entries {
            if matches!(entry.state, State::Timed(_)) && now - entry.since > TIMEOUT_STEPS {
                entry.state = State::Ready;
                entry.timed_out = true;
            }
        }
        let ready = self.entries.iter().enumerate().filter(|(_, entry)| entry.state == State::Ready).map(|(i, _)| i);
        if let Some(chosen) = self.chooser.next(ready) {
            return self.give_turn(chosen);
        }
        self.running = None;
        self.given += 1;
        if self.entries.iter().all(|entry| entry.state != State::Away) {
            self.let_time_pass();
        }
    }

    /// Lets a timeout expire, because no thread can continue.
    fn let_time_pass(&mut self) {
        let timed = self.entries.iter().enumerate().filter(|(_, entry)| matches!(entry.state, State::Timed(_)));
        if let Some(chosen) = self.chooser.any(timed.map(|(i, _)| i)) {
            self.entries[chosen].state = State::Ready;
            self.entries[chosen].timed_out = true;
            self.give_turn(chosen);
        }
    }

    pub(crate) fn give_turn(&mut self, chosen: usize) {
        self.running = Some(chosen);
        self.given += 1;
        let turn = &self.entries[chosen].turn;
        turn.store(1, Ordering::Release);
        sys::futex_wake(turn, 1);
    }

    /// Takes the turn away from a thread that sleeps in the kernel, or has had it for too long. Waiting
    /// threads call it now and then.
    pub(crate) fn look(&mut self) {
        let now = sys::now();
        let thread = self.running.map_or(0, |running| self.entries[running].system_id);
        if self.seen.turn != self.given {
            self.seen = Seen { turn: self.given, since: now, used: sys::processor_time(thread) };
            return;
        }
        let waited = now.saturating_sub(self.seen.since);
        match self.running {
            Some(running) if thread != 0 && waited >= SHORT_TURN => {
                let used = sys::processor_time(thread).saturating_sub(self.seen.used);
                if used >= SPIN || sys::is_asleep(thread) {
                    self.entries[running].state = State::Away;
                    self.next();
                }
            }
            None if waited >= STALL => {
                // A thread that was away may have woken another and gone away again.
                self.next();
                if self.running.is_none() {
                    self.let_time_pass();
                }
            }
            _ => {}
        }
    }
}
