//! Computes the steps that a thread takes alone, all at once.
//!
//! A search over an open program learns of a step when it reaches it, at the price of a round, and perhaps of a new
//! layout. So after a miss, the steps that follow it are computed too, as long as they concern no other thread. All of
//! them are reachable: the thread can go on alone.

use hashbrown::HashMap;

use crate::layout::Layout;
use crate::lts::{DISABLED, Lts, NOWHERE, UNKNOWN};
use crate::step::Step;

/// How many steps to look ahead, so that a thread that counts without end does not keep a search from its limits.
const STEPS_LIMIT: usize = 1 << 12;

/// A step that is not known yet: its local state, the number of the value that it takes (`u32::MAX`: any), and the
/// state in which it was missed.
#[derive(Clone, Copy)]
pub(crate) struct Miss<'s> {
    pub thread: usize,
    pub local: u32,
    pub value: u32,
    pub state: &'s [u64],
}

/// Computes the successors of a step, and of those that its thread takes alone after it. Returns the local states and
/// values that are known now.
pub(crate) fn look_ahead(lts: &mut Lts, layout: &Layout, miss: Miss) -> Vec<(usize, u32, u32)> {
    let Miss { thread, mut local, mut value, state } = miss;
    let mut filled = Vec::new();
    // What the thread has written on the way, by location.
    let mut written: HashMap<u32, u32> = HashMap::new();
    while filled.len() < STEPS_LIMIT && !lts.is_over() {
        let inputs = if value == u32::MAX { 0..lts.inputs(thread, local) } else { value..value + 1 };
        let several = inputs.len() != 1;
        value = inputs.start;
        for value in inputs {
            lts.fill(thread, local, value);
            filled.push((thread, local, value));
            if lts.is_over() {
                return filled;
            }
        }
        if several {
            break;
        }
        let (successors, location) = {
            let local = lts.local(thread, local);
            (local.successors[value as usize], local.location)
        };
        let next = match (successors.read, successors.update) {
            (read, DISABLED) if read != DISABLED => read,
            (DISABLED, update) if update != DISABLED => {
                written.insert(location, successors.written);
                update
            }
            _ => break,
        };
        let Some(input) = lone_input(lts, layout, thread, next, |location| {
            written.get(&location).copied().or_else(|| Some(layout.memory.get(location as usize)?.get(state)))
        }) else {
            break;
        };
        let known = lts.local(thread, next).successors.get(input as usize);
        if known.is_some_and(|known| known.read != UNKNOWN) {
            break;
        }
        (local, value) = (next, input);
    }
    filled
}

/// The value that the next step of a thread takes, unless it concerns other threads or may take several.
fn lone_input(
    lts: &Lts,
    layout: &Layout,
    thread: usize,
    local: u32,
    memory: impl Fn(u32) -> Option<u32>,
) -> Option<u32> {
    let next = lts.local(thread, local);
    // A location that the layout does not know is new.
    let alone = next.location == NOWHERE || !layout.tracking.shared.get(next.location as usize).is_some_and(|&s| s);
    match next.step {
        Step::FenceRmw => None,
        step if step.takes_value() => alone.then(|| memory(next.location).unwrap_or(0)),
        _ if lts.inputs(thread, local) == 1 && alone => Some(0),
        _ => None,
    }
}
