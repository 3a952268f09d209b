//! Which locks of the library a thread holds. Giving up a lock that the thread does not hold is an error: POSIX leaves
//! it undefined. (A mutex that knows its owner refuses it before it comes to that.)

use crate::{Action, Address, Answer, Failure, Machine, Misuse, Ordering, Service, ThreadState};

impl Machine<'_> {
    /// Takes note of a lock that the next step of the thread takes or gives up, before the step is taken.
    pub(crate) fn note_lock(&self, state: &mut ThreadState, answer: Answer) {
        match self.service(state) {
            Some(Service::Lock) if matches!(answer, Answer::Updated(_)) => {
                if let Action::Rmw { at, order, .. } | Action::Cas { at, success: order, .. } = self.next(state)
                    && order == Ordering::Acquire
                {
                    state.held.push(at);
                    // The order in which locks were taken tells nothing.
                    state.held.sort_unstable();
                }
            }
            Some(Service::Unlock) => {
                if let Some(held) = self.gives_up(state).and_then(|at| state.held.iter().position(|&held| held == at)) {
                    state.held.remove(held);
                }
            }
            _ => {}
        }
    }

    /// The failure of a thread that is about to give up a lock that it does not hold.
    pub(crate) fn unlocks_wrongly(&self, state: &ThreadState) -> Option<Failure> {
        let at = self.gives_up(state)?;
        (!state.held.contains(&at)).then_some(Failure::Misuse(Misuse::NotHeld))
    }

    /// The lock that the next step gives up, by the write of the lock itself. Other writes keep account of a recursive
    /// one.
    fn gives_up(&self, state: &ThreadState) -> Option<Address> {
        if state.stuck.is_some() || self.service(state) != Some(Service::Unlock) {
            return None;
        }
        match self.next(state) {
            Action::Store { at, order: Ordering::Release, .. } | Action::Rmw { at, order: Ordering::Release, .. } => {
                Some(at)
            }
            _ => None,
        }
    }
}
