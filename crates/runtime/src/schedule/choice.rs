//! Who is next, by a seed.

use alloc::vec::Vec;

use fencepost_wire::Schedule;

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
const TURN: u64 = 16;

pub struct Chooser {
    kind: Schedule,
    random: Random,
    steps: u64,
    /// For PCT (Burckhardt et al., ASPLOS 2010): each thread's priority, and the steps at which the running one loses its own.
    priorities: Vec<i64>,
    changes: Vec<u64>,
    /// PCT is about runs that end. After so many steps threads take turns, so that nobody waits for ever for one that it keeps
    /// from running.
    long: u64,
    /// Below all priorities given so far.
    lowest: i64,
    /// Of all choices among several threads.
    hash: u64,
}

impl Chooser {
    pub fn new(kind: Schedule, seed: u64, depth: u32, steps: u64) -> Chooser {
        let mut random = Random::new(seed);
        let changes = match kind {
            Schedule::Pct => (1..depth.min(1000)).map(|_| 1 + random.below(steps)).collect(),
            _ => Vec::new(),
        };
        let long = steps.saturating_mul(10);
        Chooser { kind, random, steps: 0, priorities: Vec::new(), changes, long, lowest: 0, hash: 0 }
    }

    pub fn add(&mut self, thread: usize) {
        if self.priorities.len() <= thread {
            self.priorities.resize(thread + 1, 0);
        }
        self.priorities[thread] = 1 + self.random.below(1 << 40) as i64;
    }

    /// A thread makes a step, or says that it waits for others.
    pub fn step(&mut self, thread: usize, gives_way: bool) {
        self.steps += 1;
        let takes_turns = self.steps > self.long && self.steps.is_multiple_of(TURN);
        if gives_way || takes_turns || self.changes.contains(&self.steps) {
            self.lowest -= 1;
            self.priorities[thread] = self.lowest;
        }
    }

    pub fn next(&mut self, ready: impl Iterator<Item = usize> + Clone) -> Option<usize> {
        let chosen = match self.kind {
            Schedule::Pct => ready.max_by_key(|&thread| self.priorities[thread]),
            _ => self.any(ready),
        }?;
        self.hash = (self.hash ^ (chosen as u64 + 1)).wrapping_mul(0x100_0000_01b3);
        Some(chosen)
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How many steps there were, and what tells this sequence of choices from others.
    pub fn summary(&self) -> (u64, u64) {
        (self.steps, self.hash)
    }

    pub fn any(&mut self, among: impl Iterator<Item = usize> + Clone) -> Option<usize> {
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

    fn run(kind: Schedule, seed: u64) -> Vec<usize> {
        let mut chooser = Chooser::new(kind, seed, 3, 100);
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
            assert_eq!(run(kind, 7), run(kind, 7));
            assert!((0..20).any(|seed| run(kind, seed) != run(kind, 7)));
        }
    }

    #[test]
    fn every_thread_gets_its_turn_at_random() {
        let choices = run(Schedule::Random, 1);
        assert!((0..4).all(|thread| choices.contains(&thread)));
    }

    #[test]
    fn pct_changes_the_running_thread_fewer_times_than_its_depth() {
        for seed in 0..100 {
            let choices = run(Schedule::Pct, seed);
            assert!(choices.windows(2).filter(|pair| pair[0] != pair[1]).count() <= 2);
        }
    }

    #[test]
    fn a_thread_that_gives_way_comes_last() {
        let mut chooser = Chooser::new(Schedule::Pct, 3, 1, 100);
        (0..3).for_each(|thread| chooser.add(thread));
        let first = chooser.next(0..3).unwrap();
        chooser.step(first, true);
        let second = chooser.next(0..3).unwrap();
        assert_ne!(first, second);
        chooser.step(second, true);
        assert!(![first, second].contains(&chooser.next(0..3).unwrap()));
    }
}
