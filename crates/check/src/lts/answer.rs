//! Steps of a run, and what they tell a thread.

use fencepost_program::{Action, Answer, Value};

use super::{Life, Lts, Step};
use crate::index::{Index, LocalId, ValueId};

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

/// One step of a thread, with the value that it read, overwrote or chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub thread: usize,
    pub took: Took,
    pub value: ValueId,
}

impl Lts<'_> {
    /// The answer that takes a thread from a local state to the next. `None` after a part of an access that is not the
    /// last.
    pub(crate) fn answer(&self, local: LocalId, step: Move) -> Option<Answer> {
        let state = self.local(step.thread, local);
        let taken = || self.taken(state, step.value);
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
            (Took::Chose, Step::Choose { lo, .. }) => Answer::Chose(lo + Value::from(step.value.to_u32())),
            (Took::Chose, _) => Answer::Done,
            (Took::Spawned, Step::Spawn { number, .. }) => {
                Answer::Spawned(self.threads.child(step.thread, number)? as u32)
            }
            (Took::Spawned, _) => return None,
        })
    }
}
