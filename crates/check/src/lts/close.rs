//! All that threads can do, found in advance.

use std::ops::Range;

use super::Lts;
use crate::index::{Index, IndexVec, LocalId, LocationId, ValueId};

/// A location with more values than this is taken to have endlessly many.
const VALUES_LIMIT: usize = 260;

/// Steps to compute: a local state, and the numbers of the values that it takes.
type Steps = (usize, LocalId, Range<u32>);

/// What a closure has looked at. It ends when a round finds nothing new.
#[derive(Default)]
struct Closure {
    /// By thread, the number of local states.
    states: Vec<usize>,
    /// By location, the local states that take its value, and the number of values that they took.
    takers: IndexVec<LocationId, (Vec<(usize, LocalId)>, u32)>,
}

impl Lts<'_> {
    /// Finds all that threads can do. A read is taken to return any value that is ever written to its location. Returns
    /// false if that takes too many steps: `left` is the number of those that it may still take.
    pub(super) fn close(&mut self, left: &mut usize) -> bool {
        let mut closure = Closure::default();
        loop {
            let Some(mut steps) = closure.new_states(self) else { return false };
            if !closure.new_values(self, &mut steps) {
                return false;
            }
            if steps.is_empty() {
                return true;
            }
            for (thread, state, values) in steps {
                for value in values {
                    self.fill(thread, state, ValueId::from_u32(value));
                    if *left == 0 || self.is_over() {
                        return false;
                    }
                    *left -= 1;
                }
            }
        }
    }
}

impl Closure {
    /// The steps of local states that were found since the last round. `None` if one of them is not known.
    fn new_states(&mut self, lts: &Lts) -> Option<Vec<Steps>> {
        self.states.resize(lts.threads.count(), 0);
        self.takers.resize_with(lts.locations.len(), Default::default);
        let mut steps = Vec::new();
        for (thread, seen) in self.states.iter_mut().enumerate() {
            for state in lts.threads.locals(thread).skip(*seen) {
                let local = lts.local(thread, state);
                if local.step.is_unknown() || lts.is_over() {
                    return None;
                }
                let values = match local.location.filter(|_| local.step.takes_value()) {
                    Some(location) => {
                        let (takers, taken) = &mut self.takers[location];
                        takers.push((thread, state));
                        *taken
                    }
                    None => lts.inputs(thread, state),
                };
                steps.push((thread, state, 0..values));
            }
            *seen = lts.threads.states(thread);
        }
        Some(steps)
    }

    /// Adds the steps with values that were found since the last round. Returns false if a location has too many.
    fn new_values(&mut self, lts: &mut Lts, steps: &mut Vec<Steps>) -> bool {
        for location in lts.locations.take_grown() {
            let (takers, taken) = &mut self.takers[location];
            let values = lts.locations[location].values.len() as u32;
            let new = std::mem::replace(taken, values)..values;
            if !new.is_empty() {
                steps.extend(takers.iter().map(|&(thread, state)| (thread, state, new.clone())));
            }
            if values as usize > VALUES_LIMIT {
                return false;
            }
        }
        true
    }
}
