//! Executions without an end: all threads that are left have code that leads to no end, and none was given up.

use fencepost_budget::Budget;
use hashbrown::HashMap;

use super::Compiled;
use super::expand::Expander;
use super::lookahead::Miss;
use super::sink::{Found, Sink};
use super::table::Table;
use crate::lts::Move;

/// The successors of a state, and whether only threads without an end are left in it.
#[derive(Default)]
struct Collector {
    successors: Vec<Box<[u64]>>,
    goes_on: bool,
}

impl Sink for Collector {
    fn successor(&mut self, state: &[u64], _: &[Move]) {
        self.successors.push(state.into());
    }
    fn found(&mut self, _: Found) {}
    fn goes_on(&mut self) {
        self.goes_on = true;
    }
    fn miss(&mut self, _: Miss) {}
}

/// Whether some run stays for ever in states in which only threads without an end are left. `tables` has all states.
pub(super) fn goes_on_for_ever(compiled: &Compiled, tables: &[Table], budget: &Budget) -> bool {
    let mut expander = Expander::new(&compiled.layout, &compiled.steps, false, false);
    let mut numbers: HashMap<Box<[u64]>, usize> = HashMap::new();
    let mut successors: Vec<Vec<Box<[u64]>>> = Vec::new();
    for state in tables.iter().flat_map(|table| (0..table.len() as u32).map(|index| table.state(index))) {
        if budget.is_spent() {
            return false;
        }
        let mut collector = Collector::default();
        expander.expand(state, &mut collector);
        if collector.goes_on {
            numbers.insert(state.into(), successors.len());
            successors.push(collector.successors);
        }
    }
    // Removes states without a successor, until each state that is left has one.
    let mut left = vec![0; successors.len()];
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); successors.len()];
    for (from, to) in successors.iter().enumerate() {
        for &to in to.iter().filter_map(|to| numbers.get(to)) {
            left[from] += 1;
            predecessors[to].push(from);
        }
    }
    let mut work: Vec<usize> = (0..left.len()).filter(|&state| left[state] == 0).collect();
    let mut gone = 0;
    while let Some(state) = work.pop() {
        gone += 1;
        for &before in &predecessors[state] {
            left[before] -= 1;
            if left[before] == 0 {
                work.push(before);
            }
        }
    }
    gone < successors.len()
}
