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
}

/// How often a running thread may be looked at without having given way: it may spin on a plain variable.
const LOOKS: u32 = 100;
/// So many steps of others are longer than any timeout: others may be waiting for the one that waits for the time.
const LONG: u64 = 5_000;

impl Scheduler {
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
        let turn = &self.entries[chosen].turn;
        turn.store(1, Ordering::Release);
        sys::futex_wake(turn, 1);
    }

    /// Whether the running thread sleeps in the kernel, or has had its turn for too long.
    pub fn takes_turn_away(&mut self, looks: u32) {
        if REPORTING.load(Ordering::Relaxed) > 0 {
            return;
        }
        match self.running {
            Some(running) => {
                let entry = &mut self.entries[running];
                if entry.system_id != 0 && (sys::is_asleep(entry.system_id) || looks % LOOKS == LOOKS - 1) {
                    entry.state = State::Away;
                    self.next();
                }
            }
            None if looks > 2 => {
                // Someone who was away may have woken another and gone away again.
                self.next();
                if self.running.is_none() {
                    self.let_time_pass();
                }
            }
            None => {}
        }
    }
}
