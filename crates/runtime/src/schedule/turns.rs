//! Whose turn it is.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use super::choice::Chooser;
use super::{REPORTING, WAKES};
use crate::sys;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    Ready,
    /// Until another thread wakes this key.
    Blocked(usize),
    /// Until then, until nobody else can go on, or until others have made many steps.
    Timed(usize),
    /// In the kernel, where we did not send it; it comes back by itself.
    Away,
    Ended,
}

pub struct Entry {
    pub state: State,
    /// What the owner sleeps on while it is not its turn.
    pub turn: AtomicU32,
    /// The thread's number in the system; 0 before it runs.
    pub system_id: i32,
    pub timed_out: bool,
    /// How many steps had been made when it began to wait.
    pub since: u64,
}

pub struct Scheduler {
    // Boxed, because threads sleep on a word in theirs while others are added.
    #[expect(clippy::vec_box)]
    pub entries: Vec<Box<Entry>>,
    pub running: Option<usize>,
    pub chooser: Chooser,
    /// Turns given so far.
    turns: u64,
    seen: Seen,
}

/// What those who wait saw when they looked at who is running. They look at different times, and someone who has waited for
/// long says nothing about a turn that has just begun.
#[derive(Default)]
struct Seen {
    /// Of the turn; another one is a reason to begin anew.
    turn: u64,
    /// When it was first seen.
    since: u64,
    /// The processor time that the running thread had used then.
    used: u64,
}

/// A turn is left alone for so long. Nanoseconds, here and below.
const SHORT: u64 = 10_000_000;
/// Nobody runs for so long, although somebody should.
const NOBODY: u64 = 50_000_000;
/// A thread that has used so much processor time in one turn may spin on a plain variable.
const SPINS: u64 = 2_000_000_000;
/// So many steps of others are longer than any timeout: others may be waiting for the one that waits for the time.
const LONG: u64 = 5_000;

impl Scheduler {
    pub fn new(chooser: Chooser) -> Scheduler {
        Scheduler { entries: Vec::new(), running: None, chooser, turns: 0, seen: Seen::default() }
    }

    pub fn wake(&mut self, key: usize, threads: usize) {
        WAKES.fetch_add(1, Ordering::Relaxed);
        let waiting = |entry: &Entry| entry.state == State::Blocked(key) || entry.state == State::Timed(key);
        for _ in 0..threads.min(self.entries.len()) {
            let waiters = self.entries.iter().enumerate().filter(|(_, entry)| waiting(entry)).map(|(i, _)| i);
            let Some(chosen) = self.chooser.any(waiters) else { return };
            self.entries[chosen].state = State::Ready;
        }
    }

    /// Chooses who runs.
    pub fn next(&mut self) {
        let now = self.chooser.steps();
        for entry in &mut self.entries {
            if matches!(entry.state, State::Timed(_)) && now - entry.since > LONG {
                entry.state = State::Ready;
                entry.timed_out = true;
            }
        }
        let ready = self.entries.iter().enumerate().filter(|(_, entry)| entry.state == State::Ready).map(|(i, _)| i);
        if let Some(chosen) = self.chooser.next(ready) {
            return self.run(chosen);
        }
        self.running = None;
        self.turns += 1;
        if self.entries.iter().all(|entry| entry.state != State::Away) {
            self.let_time_pass();
        }
    }

    /// Nobody can go on, so that a timeout comes to its end.
    fn let_time_pass(&mut self) {
        let timed = self.entries.iter().enumerate().filter(|(_, entry)| matches!(entry.state, State::Timed(_)));
        if let Some(chosen) = self.chooser.any(timed.map(|(i, _)| i)) {
            self.entries[chosen].state = State::Ready;
            self.entries[chosen].timed_out = true;
            self.run(chosen);
        }
    }

    pub fn run(&mut self, chosen: usize) {
        self.running = Some(chosen);
        self.turns += 1;
        let turn = &self.entries[chosen].turn;
        turn.store(1, Ordering::Release);
        sys::futex_wake(turn, 1);
    }

    /// Takes the turn away from a thread that sleeps in the kernel, or has had it for too long. For those who wait, now and then.
    pub fn look(&mut self) {
        if REPORTING.load(Ordering::Relaxed) > 0 {
            return;
        }
        let now = sys::now();
        let thread = self.running.map_or(0, |running| self.entries[running].system_id);
        if self.seen.turn != self.turns {
            self.seen = Seen { turn: self.turns, since: now, used: sys::processor_time(thread) };
            return;
        }
        let waited = now.saturating_sub(self.seen.since);
        match self.running {
            Some(running) if thread != 0 && waited >= SHORT => {
                let used = sys::processor_time(thread).saturating_sub(self.seen.used);
                if used >= SPINS || sys::is_asleep(thread) {
                    self.entries[running].state = State::Away;
                    self.next();
                }
            }
            None if waited >= NOBODY => {
                // Someone who was away may have woken another and gone away again.
                self.next();
                if self.running.is_none() {
                    self.let_time_pass();
                }
            }
            _ => {}
        }
    }
}
