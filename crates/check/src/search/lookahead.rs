//! Computes the steps that a thread takes alone, all at once.
//!
//! A search over an open program learns of a step when it reaches it, at the price of a round, and perhaps of a new
//! layout. So after a miss, the steps that follow it are computed too, as long as they concern no other thread. All of
//! them are reachable: the thread can go on alone.

use hashbrown::HashMap;

use crate::index::{Index, LocalId, LocationId, ValueId};
use crate::layout::Layout;
use crate::lts::{Lts, Step};

/// How many steps to look ahead, so that a thread that counts without end does not keep a search from its limits.
const STEPS_LIMIT: usize = 1 << 12;

/// A step that is not known yet: of a thread, from a local state, with a value (`None`: with each).
pub(crate) type UnknownStep = (usize, LocalId, Option<ValueId>);

/// A step that is not known yet, and the state in which it was missed.
#[derive(Clone, Copy)]
pub(crate) struct Miss<'s> {
    pub step: UnknownStep,
    pub state: &'s [u64],
}

/// Computes the successors of a step, and of those that its thread takes alone after it. Returns the local states and
/// values that are known now.
pub(crate) fn look_ahead(lts: &mut Lts, layout: &Layout, miss: Miss) -> Vec<(usize, LocalId, ValueId)> {
    let Miss { step: (thread, mut local, mut value), state } = miss;
    let mut filled = Vec::new();
    // What the thread has written on the way.
    let mut written: HashMap<LocationId, ValueId> = HashMap::new();
    while filled.len() < STEPS_LIMIT && !lts.is_over() {
        let inputs = value.map_or(0..lts.inputs(thread, local), |value| value.to_u32()..value.to_u32() + 1);
        let several = inputs.len() != 1;
        for input in inputs.clone().map(ValueId::from_u32) {
            lts.fill(thread, local, input);
            filled.push((thread, local, input));
            if lts.is_over() {
                return filled;
            }
        }
        if several {
            break;
        }
        let known = lts.local(thread, local);
        let successors = known.successors[inputs.start as usize];
        let Some(only) = successors.only() else { break };
        if let Some(location) = known.location.filter(|_| only.updates) {
            written.insert(location, successors.written());
        }
        let memory = |location| {
            let known = || Some(layout.memory.get(location)?.get(state));
            written.get(&location).copied().or_else(known).unwrap_or(ValueId::FIRST)
        };
        let Some(input) = lone_input(lts, layout, thread, only.next, memory) else { break };
        if lts.local(thread, only.next).successors(input).is_some() {
            break;
        }
        (local, value) = (only.next, Some(input));
    }
    filled
}

/// The value that the next step of a thread takes, unless it concerns other threads or may take several.
fn lone_input(
    lts: &Lts,
    layout: &Layout,
    thread: usize,
    local: LocalId,
    memory: impl Fn(LocationId) -> ValueId,
) -> Option<ValueId> {
    let next = lts.local(thread, local);
    // A location that the layout does not know is new.
    let shared = next.location.is_some_and(|location| layout.tracking.shared.get(location) == Some(&true));
    match (next.step, next.location) {
        (Step::FenceRmw, _) => None,
        (step, Some(location)) if step.takes_value() => (!shared).then(|| memory(location)),
        _ => (lts.inputs(thread, local) == 1 && !shared).then_some(ValueId::FIRST),
    }
}
