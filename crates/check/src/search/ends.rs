//! Whether some execution completes. If none does, a verdict about all executions says nothing.

use fencepost_program::Machine;
use fencepost_story::CutOff;

use crate::index::LocalId;
use crate::lts::Lts;

/// A local state of a thread.
type Local = (usize, LocalId);

/// What the states of a search show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    /// In some state all threads have ended, or only threads without an end are left and are not given up.
    pub some: bool,
    /// Local states in which assumptions give up executions.
    pub assumptions: Vec<Local>,
    /// Sets of such local states of threads without an end. In each set, nothing else keeps an execution from going on
    /// for ever. If the assumptions let these threads pass before, they are only bounds.
    pub bounded: Vec<Vec<Local>>,
    pub waits: bool,
    pub fails: bool,
}

/// Maximum number of sets in [`Ends::bounded`].
const SETS_LIMIT: usize = 64;

impl Ends {
    pub(crate) fn by_assumption(&mut self, at: Local) {
        if !self.assumptions.contains(&at) {
            self.assumptions.push(at);
        }
    }

    pub(crate) fn by_bounds(&mut self, at: Vec<Local>) {
        if self.bounded.len() < SETS_LIMIT && !self.bounded.contains(&at) {
            self.bounded.push(at);
        }
    }

    pub(crate) fn extend(&mut self, other: Ends) {
        self.some |= other.some;
        self.waits |= other.waits;
        self.fails |= other.fails;
        other.bounded.into_iter().for_each(|at| self.by_bounds(at));
        other.assumptions.into_iter().for_each(|at| self.by_assumption(at));
    }

    /// Why no execution completes.
    pub(crate) fn cut_off(&self, lts: &Lts) -> Option<CutOff> {
        let is_bound = |&(thread, local): &Local| {
            let machine = lts.machine();
            let Some(bound) = machine.bounded_by(&lts.local(thread, local).state) else { return false };
            lts.threads.locals(thread).any(|state| machine.has_passed(&lts.local(thread, state).state, bound))
        };
        // Where no thread is ever stopped, executions go on for ever, although the code of their threads has an end.
        let nothing_stops = self.assumptions.is_empty() && !self.waits && !self.fails;
        if self.some || nothing_stops || self.bounded.iter().any(|at| at.iter().all(is_bound)) {
            return None;
        }
        let mut cut_off = CutOff { waits: self.waits, fails: self.fails, ..CutOff::default() };
        for &(thread, local) in &self.assumptions {
            cut_off.by_assumption(source_line(lts.machine(), lts, thread, local));
        }
        Some(cut_off)
    }
}

fn source_line(machine: &Machine, lts: &Lts, thread: usize, local: LocalId) -> String {
    let span = machine.span(&lts.local(thread, local).state);
    match machine.program().sources.get(span.file.0 as usize) {
        Some(source) if span.line > 0 => format!("{}:{}", source.name, span.line),
        _ => String::new(),
    }
}
