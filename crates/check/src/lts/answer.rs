//! Steps of a run, and what they tell a thread.

use fencepost_program::{Action, Answer, Value};

use super::{Life, Lts};
use crate::step::Step;

/// How a thread took a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Took {
    Read,
    TaintedRead,
    Update,
    Fence,
    Chose,
    Spawned,
}

/// One step: of which thread, how, and with the number of which value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub thread: usize,
    pub took: Took,
    pub value: u32,
}

impl Lts<'_> {
    /// The answer that takes a thread on from a local state; nothing after a part of an access that is not the last.
    pub(crate) fn answer(&self, local: u32, step: Move) -> Option<Answer> {
        let state = self.local(step.thread, local);
        let taken = || self.locations[state.location as usize].values[step.value as usize];
        Some(match (step.took, state.step) {
            (Took::Read | Took::TaintedRead, Step::Load { .. }) => Answer::Read(self.after_part(state, taken()).err()?),
            (Took::Read, Step::Heap(Action::HeapSize { .. })) => {
                Answer::Read(Life::of_value(taken()).map_or(0, |life| life.size) as Value)
            }
            (Took::Read, Step::Heap(_)) => Answer::Done,
            (Took::Read | Took::TaintedRead, _) => Answer::Read(taken()),
            (Took::Update, Step::Store { value, .. }) => {
                self.after_part(state, value).err()?;
                Answer::Done
            }
            (Took::Update, Step::FenceRmw | Step::Heap(_)) | (Took::Fence, _) => Answer::Done,
            (Took::Update, _) => Answer::Updated(taken()),
            (Took::Chose, Step::Choose { lo, .. }) => Answer::Chose(lo + Value::from(step.value)),
            (Took::Chose, _) => Answer::Done,
            (Took::Spawned, Step::Spawn { number, .. }) => Answer::Spawned(self.known_child(step.thread, number)?),
            (Took::Spawned, _) => return None,
        })
    }
}
