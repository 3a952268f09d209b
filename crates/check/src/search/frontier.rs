//! The states that are left to expand, level by level.

use super::exchange::Owners;
use crate::index::StateId;

/// Owners number their states in the order of insertion, so a level is a range of numbers at each owner.
pub(super) struct Frontier {
    owners: Owners,
    /// By owner, the end of the states that were handed out for expansion, and of the current level.
    handed_out: Vec<usize>,
    level_end: Vec<usize>,
}

impl Frontier {
    /// Before the first level.
    pub(super) fn new(owners: Owners) -> Frontier {
        Frontier { owners, handed_out: vec![0; owners.count()], level_end: vec![0; owners.count()] }
    }

    /// Whether all states of the current level were handed out.
    pub(super) fn is_level_done(&self) -> bool {
        self.handed_out == self.level_end
    }

    /// Begins the next level, given the number of states of each owner. Returns false if no state is left.
    pub(super) fn next_level(&mut self, counts: impl Iterator<Item = usize>) -> bool {
        self.level_end.clear();
        self.level_end.extend(counts);
        !self.is_level_done()
    }

    /// Adds states of the current level, until there are this many or no more.
    pub(super) fn hand_out(&mut self, states: &mut Vec<StateId>, most: usize) {
        for owner in 0..self.owners.count() {
            let begin = self.handed_out[owner];
            let end = self.level_end[owner].min(begin + most.saturating_sub(states.len()));
            self.handed_out[owner] = end;
            states.extend((begin..end).map(|number| self.owners.state(owner, number as u32)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_handed_out_once_level_by_level() {
        let owners = Owners::of_bits(1);
        let mut frontier = Frontier::new(owners);
        let mut hand_out = |counts: [usize; 2], most: usize| {
            let mut rounds = Vec::new();
            let mut more = frontier.next_level(counts.into_iter());
            while more {
                let mut states = Vec::new();
                frontier.hand_out(&mut states, most);
                rounds.push(states.iter().map(|&state| owners.split(state)).collect::<Vec<_>>());
                more = !frontier.is_level_done();
            }
            rounds
        };
        assert_eq!(hand_out([1, 0], 3), [vec![(0, 0)]]);
        assert_eq!(hand_out([3, 3], 3), [vec![(0, 1), (0, 2), (1, 0)], vec![(1, 1), (1, 2)]]);
        assert_eq!(hand_out([3, 3], 3), Vec::<Vec<_>>::new());
    }
}
