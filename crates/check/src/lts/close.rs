//! All that threads can do, found in advance.

use super::{Lts, VALUES_LIMIT};

impl Lts<'_> {
    /// Finds all that threads can do, taking every value ever written to a location as one that any read may return.
    /// Gives up when that is too much.
    pub(super) fn close(&mut self, limit: usize) -> bool {
        // By thread, the states looked at; by location, the states that take its value, and how many values they took.
        let mut seen = Vec::new();
        let mut takers: Vec<Vec<(usize, u32)>> = Vec::new();
        let mut taken: Vec<u32> = Vec::new();
        let mut work = 0;
        self.grown = (0..self.locations.len() as u32).collect();
        loop {
            seen.resize(self.thread_count(), 0);
            takers.resize(self.locations.len(), Vec::new());
            taken.resize(self.locations.len(), 0);
            let mut todo: Vec<(usize, u32, std::ops::Range<u32>)> = Vec::new();
            for (thread, seen) in seen.iter_mut().enumerate() {
                for state in *seen..self.count(thread) as u32 {
                    let local = self.local(thread, state);
                    if local.step.is_unknown() || self.is_over() {
                        return false;
                    }
                    if local.step.takes_value() {
                        takers[local.location as usize].push((thread, state));
                        todo.push((thread, state, 0..taken[local.location as usize]));
                    } else {
                        todo.push((thread, state, 0..self.inputs(thread, state)));
                    }
                }
                *seen = self.count(thread) as u32;
            }
            let mut grown = std::mem::take(&mut self.grown);
            grown.sort_unstable();
            grown.dedup();
            for location in grown.into_iter().map(|location| location as usize) {
                let values = self.locations[location].values.len() as u32;
                let new = std::mem::replace(&mut taken[location], values)..values;
                if !new.is_empty() {
                    todo.extend(takers[location].iter().map(|&(thread, state)| (thread, state, new.clone())));
                }
                if values as usize > VALUES_LIMIT {
                    return false;
                }
            }
            if todo.is_empty() {
                return true;
            }
            for (thread, state, inputs) in todo {
                for value in inputs {
                    self.fill(thread, state, value);
                    work += 1;
                    if work > limit || self.is_over() {
                        return false;
                    }
                }
            }
        }
    }
}
