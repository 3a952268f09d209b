//! Picks the next thread, by a seed.

use alloc::vec::Vec;

use fencepost_wire::{Options, Schedule};

/// The generator is xorshift64*, which needs no library and is the same everywhere.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        // Any seed but 0 will do, and neighbours should not look alike.
        let mut random = Random((seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9) | 1);
        random.below(2);
        random
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((u128::from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)) * u128::from(limit)) >> 64) as u64
    }
}

/// Steps of a thread at a time, when threads take turns.
const STEPS_IN_TURN: u64 = 16;

enum Strategy {
    Random,
    /// PCT.
    Priorities,
    /// These, one after another, and then the first that can go on.
    #[cfg(test)]
    Script(alloc::collections::VecDeque<usize>),
}

pub(crate) struct Chooser {
    strategy: Strategy,
    random: Random,
    steps: u64,
    /// For PCT (Burckhardt et al., ASPLOS 2010): each thread's priority, and the steps at which the running one loses
    /// its own.
    priorities: Vec<i64>,
    changes: Vec<u64>,
    /// PCT is about runs that end. After this number of steps threads take turns, so that no thread waits for ever for
    /// one that it keeps from running.
    long: u64,
    /// Below all priorities given so far.
    lowest: i64,
    /// Of all choices among several threads.
    hash: u64,
}

impl Chooser {
    /// None if the system chooses.
    pub(crate) fn new(options: &Options) -> Option<Chooser> {
        let Options { schedule, seed, depth, steps, .. } = *options;
        let mut random = Random::new(seed);
        let (strategy, changes) = match schedule {
            Schedule::Os => return None,
            Schedule::Random => (Strategy::Random, Vec::new()),
            Schedule::Pct => (Strategy::Priorities, (1..depth.min(1000)).map(|_| 1 + random.below(steps)).collect()),
        };
        let long = steps.saturating_mul(10);
        Some(Chooser { strategy, random, steps: 0, priorities: Vec::new(), changes, long, lowest: 0, hash: 0 })
    }

    /// Makes these choices, and then always the first.
    #[cfg(test)]
    pub(crate) fn script(choices: &[usize]) -> Chooser {
        let random = Chooser::new(&Options { schedule: Schedule::Random, ..Options::default() }).unwrap();
        Chooser { strategy: Strategy::Script(choices.iter().copied().collect()), ..random }
    }

    pub(crate) fn add(&mut self, thread: usize) {
        if self.priorities.len() <= thread {
            self.priorities.resize(thread + 1, 0);
        }
        self.priorities[thread] = 1 + self.random.below(1 << 40) as i64;
    }

    /// A thread makes a step, or says that it waits for others.
    pub(crate) fn step(&mut self, thread: usize, gives_way: bool) {
        self.steps += 1;
        let takes_turns = self.steps > self.long && self.steps.is_multiple_of(STEPS_IN_TURN);
        if gives_way || takes_turns || self.changes.contains(&self.steps) {
            self.lowest -= 1;
            self.priorities[thread] = self.lowest;
        }
    }

    pub(crate) fn next(&mut self, ready: impl Iterator<Item = usize> + Clone) -> Option<usize> {
        let chosen = match &mut self.strategy {
            Strategy::Priorities => ready.max_by_key(|&thread| self.priorities[thread]),
            Strategy::Random => self.any(ready),
            #[cfg(test)]
            Strategy::Script(script) => match ready.clone().find(|thread| script.front() == Some(thread)) {
                Some(_) => script.pop_front(),
                None => ready.min(),
            },
        }?;
        self.hash = (self.hash ^ (chosen as u64 + 1)).wrapping_mul(0x100_0000_01b3);
        Some(chosen)
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// How many steps there were, and what tells this sequence of choices from others.
    pub(crate) fn summary(&self) -> (u64, u64) {
        (self.steps, self.hash)
    }

    pub(crate) fn any(&mut self, among: impl Iterator<Item = usize> + Clone) -> Option<usize> {
        let count = among.clone().count() as u64;
        if count == 0 {
            return None;
        }
        let chosen = if count == 1 { 0 } else { self.random.below(count) };
        among.clone().nth(chosen as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chooser(schedule: Schedule, seed: u64, depth: u32) -> Chooser {
        Chooser::new(&Options { schedule, seed, depth, steps: 100, ..Options::default() }).unwrap()
    }

    fn choices(schedule: Schedule, seed: u64) -> Vec<usize> {
        let mut chooser = chooser(schedule, seed, 3);
        (0..4).for_each(|thread| chooser.add(thread));
        let mut running = 0;
        (0..100)
            .map(|_| {
                chooser.step(running, false);
                running = chooser.next(0..4).unwrap();
                running
            })
            .collect()
    }

    #[test]
    fn the_same_seed_makes_the_same_choices_and_another_makes_others() {
        for kind in [Schedule::Random, Schedule::Pct] {
            assert_eq!(choices(kind, 7), choices(kind, 7));
            assert!((0..20).any(|seed| choices(kind, seed) != choices(kind, 7)));
        }
    }

    #[test]
    fn every_thread_gets_its_turn_at_random() {
        let choices = choices(Schedule::Random, 1);
        assert!((0..4).all(|thread| choices.contains(&thread)));
    }

    #[test]
    fn pct_changes_the_running_thread_fewer_times_than_its_depth() {
        for seed in 0..100 {
            let choices = choices(Schedule::Pct, seed);
            assert!(choices.windows(2).filter(|pair| pair[0] != pair[1]).count() <= 2);
        }
    }

    #[test]
    fn a_thread_that_gives_way_comes_last() {
        let mut chooser = chooser(Schedule::Pct, 3, 1);
        (0..3).for_each(|thread| chooser.add(thread));
        let first = chooser.next(0..3).unwrap();
        chooser.step(first, true);
        let second = chooser.next(0..3).unwrap();
        assert_ne!(first, second);
        chooser.step(second, true);
        assert!(![first, second].contains(&chooser.next(0..3).unwrap()));
    }
}
