//! What a state shows about ends: whether executions complete there, wait for ever or are cut off.

use super::expand::Expander;
use super::lookahead::Miss;
use super::sink::{Found, Sink};
use super::stuck::{Stuck, stuck};
use crate::index::LocalId;

/// What the threads of a state can do, all together.
pub(super) struct Outlook {
    /// Some thread has a step.
    pub progress: bool,
    /// Some thread waits, or may.
    pub waiting: bool,
    /// Some thread was stopped by what is reported or assumed otherwise, so that nothing is said about deadlocks.
    pub cut_off: bool,
    /// Some thread has ended the program.
    pub exited: bool,
    /// Some thread failed or was given up.
    pub lost: bool,
    /// No thread is left that could end.
    pub all_endless: bool,
    /// All threads that were given up are in loops that only assumptions bound.
    pub all_bounded: bool,
    /// All steps only read.
    pub quiet: bool,
}

impl Outlook {
    /// Before any thread was looked at.
    pub(super) fn new() -> Outlook {
        Outlook {
            progress: false,
            waiting: false,
            cut_off: false,
            exited: false,
            lost: false,
            all_endless: true,
            all_bounded: true,
            quiet: true,
        }
    }
}

impl Expander<'_> {
    /// Notes what a state shows about ends, and finds deadlocks.
    #[inline]
    pub(super) fn conclude(&mut self, state: &[u64], outlook: &Outlook, sink: &mut impl Sink) {
        match outlook.progress {
            false if outlook.lost => {
                if outlook.all_bounded && !outlook.waiting && self.ends.bounded.is_empty() {
                    self.ends.by_bounds(self.given_up(state));
                }
            }
            false if outlook.waiting && !outlook.exited => self.ends.waits |= !outlook.cut_off,
            false => self.ends.some = true,
            true if outlook.all_endless && !outlook.lost => sink.goes_on(),
            true => {}
        }
        let unknown_end = !self.ends.some && !self.ends.waits;
        let may_be_stuck = !outlook.cut_off && outlook.quiet && (outlook.waiting || outlook.progress);
        if !may_be_stuck || !(self.deadlocks || unknown_end) {
            return;
        }
        if !outlook.progress || self.all_stuck(state, sink) {
            self.ends.waits = true;
            if self.deadlocks {
                sink.found(Found::Deadlock);
            }
        }
    }

    /// The threads that assumptions have given up.
    fn given_up(&self, state: &[u64]) -> Vec<(usize, LocalId)> {
        let locals = self.layout.local.iter().enumerate().map(|(thread, field)| (thread, field.get(state)));
        locals.filter(|&(thread, local)| self.steps.threads[thread][local].given_up).collect()
    }

    /// Whether every thread that has not ended waits, or repeats a loop that nothing can end, and one of them waits.
    fn all_stuck(&self, state: &[u64], sink: &mut impl Sink) -> bool {
        let mut waits = false;
        let all = (0..self.layout.local.len()).all(|thread| match stuck(self.layout, self.steps, state, thread) {
            Stuck::Gone | Stuck::Endless => true,
            Stuck::ForEver => {
                waits = true;
                true
            }
            Stuck::No => false,
            Stuck::Miss { local, value } => {
                sink.miss(Miss { step: (thread, local, Some(value)), state });
                false
            }
        });
        all && waits
    }
}
