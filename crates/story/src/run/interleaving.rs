//! The steps of a run in an order in which memory that is sequentially consistent takes them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use fencepost_graph::{EventId, Relations};

use super::Run;

/// Steps of longer runs stay as they are: relations grow with the square.
const MOST_EVENTS: usize = 2000;

impl Run<'_> {
    /// The places of the steps in such an order, as near to the one at hand as can be; `None` if there is none.
    pub(super) fn interleaving(&self) -> Option<Vec<usize>> {
        if self.graph.len() > MOST_EVENTS {
            return None;
        }
        let relations = Relations::of(&self.graph);
        let before = relations.hb_sc_step();
        if !before.is_acyclic() {
            return None;
        }
        let of_event: HashMap<EventId, usize> =
            self.steps.iter().enumerate().filter_map(|(i, step)| Some((step.event?, i))).collect();
        let mut later: Vec<Vec<usize>> = vec![Vec::new(); self.steps.len()];
        let mut waits_for = vec![0usize; self.steps.len()];
        let mut order = |first: usize, second: usize| {
            later[first].push(second);
            waits_for[second] += 1;
        };
        let mut last_of_thread: HashMap<usize, usize> = HashMap::new();
        for (i, step) in self.steps.iter().enumerate() {
            if let Some(last) = last_of_thread.insert(step.thread, i) {
                order(last, i);
            }
        }
        for (a, b) in before.pairs() {
            if let (Some(&a), Some(&b)) = (of_event.get(&a), of_event.get(&b))
                && a != b
            {
                order(a, b);
            }
        }
        let mut ready: BinaryHeap<Reverse<usize>> =
            (0..self.steps.len()).filter(|i| waits_for[*i] == 0).map(Reverse).collect();
        let mut taken = Vec::new();
        while let Some(Reverse(i)) = ready.pop() {
            taken.push(i);
            for &next in &later[i] {
                waits_for[next] -= 1;
                if waits_for[next] == 0 {
                    ready.push(Reverse(next));
                }
            }
        }
        // Steps of one thread may be at odds with its events, where a thread is shown beyond its last event.
        (taken.len() == self.steps.len()).then_some(taken)
    }
}
