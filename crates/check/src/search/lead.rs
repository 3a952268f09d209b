//! Between rounds, one worker looks at what was found and lays out the next round.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

use fencepost_story::Reason;

use super::Ending;
use super::exchange::Exchange;
use super::lookahead::UnknownStep;
use super::rounds::{Over, Round, Rounds, Totals};
use super::sink::Found;
use super::states::ReadStates;
use crate::index::StateId;

/// States of a round, by worker: few enough for the outboxes to stay in the cache.
const ROUND: usize = 512;
/// About what a local state takes, with its stack and its successors.
const LOCAL_STATE_BYTES: u64 = 400;
/// More states than an owner may insert in one round.
const ROUND_LIMIT: u32 = 1 << 24;

/// What the workers have found in a round.
#[derive(Default)]
struct Gathered {
    /// The violation of the state with the lowest number.
    found: Option<(StateId, Found)>,
    misses: BTreeMap<UnknownStep, Box<[u64]>>,
}

/// How large the search has become.
struct Size {
    states: u64,
    /// The largest number of states, local states or values. Of steps that concern no other thread, only local states
    /// and values are kept.
    counted: u64,
    bytes: u64,
}

impl<E: Exchange> Rounds<'_, '_, E> {
    pub(super) fn lead(&self) {
        let mut totals = self.totals.lock().expect("not poisoned");
        let mut round = self.round.write().expect("not poisoned");
        let states = self.states.read();
        round.states.clear();
        self.next_in_round.store(0, Relaxed);
        let gathered = self.gather(&mut totals, &mut round);
        let size = self.size(&mut totals, &states);
        totals.over = self.over(gathered, &size, &mut totals, &states);
        if totals.over.is_none() && round.states.is_empty() && totals.frontier.is_level_done() {
            (totals.states_to_level, totals.transitions_to_level) = (size.states, totals.transitions);
            match totals.frontier.next_level(states.counts()) {
                true => totals.depth += 1,
                false => totals.over = Some(Over::Ended(Ending::Exhausted)),
            }
        }
        round.over = totals.over.is_some();
        if !round.over {
            totals.frontier.hand_out(&mut round.states, ROUND * self.reports.len());
        }
    }

    /// Takes over the reports of all workers.
    fn gather(&self, totals: &mut Totals, round: &mut Round) -> Gathered {
        let mut gathered = Gathered::default();
        for report in &self.reports {
            let mut report = report.lock().expect("not poisoned");
            totals.transitions += std::mem::take(&mut report.transitions);
            totals.ends.extend(std::mem::take(&mut report.ends));
            // What is known is not looked for again.
            report.ends.some = totals.ends.some;
            report.ends.waits = totals.ends.waits;
            if let Some(new) = report.found.take()
                && gathered.found.is_none_or(|(state, _)| new.0 < state)
            {
                gathered.found = Some(new);
            }
            gathered.misses.append(&mut report.misses);
            round.states.append(&mut report.deferred);
        }
        gathered
    }

    fn size(&self, totals: &mut Totals, states: &ReadStates) -> Size {
        let lts = &self.program.read().lts;
        let local_states = lts.threads.all_states() as u64;
        let bytes = states.bytes() + self.exchange.bytes() + local_states * LOCAL_STATE_BYTES;
        totals.peak_bytes = totals.peak_bytes.max(bytes);
        let count = states.count();
        self.watch.states.store(count, Relaxed);
        self.watch.depth.store(totals.depth as u64, Relaxed);
        Size { states: count, counted: count.max(local_states).max(lts.locations.value_count() as u64), bytes }
    }

    /// Whether the search is over before all states were expanded.
    fn over(&self, gathered: Gathered, size: &Size, totals: &mut Totals, states: &ReadStates) -> Option<Over> {
        if let Some((state, found)) = gathered.found {
            return Some(Over::Ended(Ending::Found { path: states.path_to(state), found }));
        }
        let has_room = gathered.misses.is_empty() || self.program.learn(&gathered.misses, self.options);
        let obstacle = self.program.read().lts.obstacle.clone();
        if !has_room && obstacle.is_none() && !self.options.budget.is_spent() {
            return Some(Over::NoRoom);
        }
        if let Some(obstacle) = obstacle {
            return Some(Over::Ended(Ending::Stopped(Reason::Other(obstacle))));
        }
        if self.most_states.is_some_and(|most| size.states > most) {
            return Some(Over::Ended(Ending::TooManyStates));
        }
        let reason = self.limit(size, states)?;
        (totals.states_to_level, totals.transitions_to_level) = (size.states, totals.transitions);
        Some(Over::Ended(Ending::Stopped(reason)))
    }

    fn limit(&self, size: &Size, states: &ReadStates) -> Option<Reason> {
        if let Err(spent) = self.options.budget.check_size(size.bytes) {
            return Some(spent.into());
        }
        if self.options.max_states.is_some_and(|max| size.counted > max) {
            return Some(Reason::StateLimit);
        }
        // An owner must never run out of numbers within a round.
        let most = (self.states.owners().numbers() - ROUND_LIMIT) as usize;
        states.counts().any(|count| count > most).then_some(Reason::StateLimit)
    }
}
