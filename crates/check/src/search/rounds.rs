//! One search, in rounds: workers expand some states of the current level, then each owner inserts the successors that
//! are its own. No worker waits for another within a round, and the verdict and the counts do not depend on the number
//! of workers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Barrier, Mutex, RwLock};

use fencepost_story::CutOff;

use super::endless::goes_on_for_ever;
use super::ends::Ends;
use super::exchange::{Exchange, Outbox};
use super::expand::Expander;
use super::frontier::Frontier;
use super::lookahead::{Miss, UnknownStep};
use super::program::SharedProgram;
use super::sink::{Found, Sink};
use super::states::States;
use super::table::Table;
use super::{Compiled, Ending};
use crate::index::StateId;
use crate::lts::Move;
use crate::{Options, Watch};

/// States of a chunk, which a worker takes at once.
const CHUNK: usize = 64;

pub(super) struct Rounds<'a, 'p, E> {
    pub(super) options: &'a Options,
    /// Maximum number of states.
    pub(super) most_states: Option<u64>,
    pub(super) watch: &'a Watch,
    pub(super) program: SharedProgram<'p>,
    pub(super) states: States,
    pub(super) exchange: E,
    /// By worker.
    pub(super) reports: Vec<Mutex<Report>>,
    pub(super) round: RwLock<Round>,
    pub(super) next_in_round: AtomicUsize,
    barrier: Barrier,
    pub(super) totals: Mutex<Totals>,
}

/// The states to expand in one round, and whether the search is over.
#[derive(Default)]
pub(super) struct Round {
    pub states: Vec<StateId>,
    pub over: bool,
}

/// What all rounds have found so far.
pub(super) struct Totals {
    pub frontier: Frontier,
    pub depth: u32,
    pub transitions: u64,
    /// States and transitions up to the current level. Within a level, what was expanded depends on the workers.
    pub states_to_level: u64,
    pub transitions_to_level: u64,
    pub peak_bytes: u64,
    pub over: Option<Over>,
    pub ends: Ends,
}

/// How a search is over.
pub(super) enum Over {
    Ended(Ending),
    /// Something turned up that the layout has no room for.
    NoRoom,
}

pub(super) struct SearchTotals<'p> {
    pub over: Over,
    pub compiled: Compiled<'p>,
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    pub peak_bytes: u64,
    /// Why no execution completes, if none does.
    pub cut_off: Option<CutOff>,
    pub tables: Vec<Table>,
}

/// What a worker found in a round, besides successors.
#[derive(Default)]
pub(super) struct Report {
    pub transitions: u64,
    /// The violation of the state with the lowest number.
    pub found: Option<(StateId, Found)>,
    /// The steps that were missed, each with the first state that missed it.
    pub misses: BTreeMap<UnknownStep, Box<[u64]>>,
    /// States whose expansion missed something.
    pub deferred: Vec<StateId>,
    pub ends: Ends,
}

/// Collects the successors of one state.
struct Collector<'b> {
    outbox: &'b mut Outbox,
    report: &'b mut Report,
    parent: StateId,
    missed: bool,
}

impl Sink for Collector<'_> {
    #[inline]
    fn successor(&mut self, state: &[u64], _moves: &[Move]) {
        self.outbox.push(self.parent, state);
        self.report.transitions += 1;
    }

    fn found(&mut self, found: Found) {
        if self.report.found.is_none_or(|(state, _)| self.parent < state) {
            self.report.found = Some((self.parent, found));
        }
    }

    fn goes_on(&mut self) {}

    fn miss(&mut self, miss: Miss) {
        self.missed = true;
        self.report.misses.entry(miss.step).or_insert_with(|| miss.state.into());
    }
}

impl<'a, 'p, E: Exchange> Rounds<'a, 'p, E> {
    pub(super) fn new(
        compiled: Compiled<'p>,
        exchange: E,
        tables: Vec<Table>,
        options: &'a Options,
        most_states: Option<u64>,
        watch: &'a Watch,
    ) -> Rounds<'a, 'p, E> {
        let workers = options.jobs.max(1);
        let owners = exchange.owners();
        // Every thread at its first local state, every location at its first value, every view empty.
        let first = vec![0; compiled.layout.words];
        let totals = Totals {
            frontier: Frontier::new(owners),
            depth: 0,
            transitions: 0,
            states_to_level: 0,
            transitions_to_level: 0,
            peak_bytes: 0,
            over: None,
            ends: Ends::default(),
        };
        Rounds {
            options,
            most_states,
            watch,
            program: SharedProgram::new(compiled),
            states: States::new(owners, &first, tables),
            exchange,
            reports: (0..workers).map(|_| Mutex::default()).collect(),
            round: RwLock::default(),
            next_in_round: AtomicUsize::new(0),
            barrier: Barrier::new(workers),
            totals: Mutex::new(totals),
        }
    }

    pub(super) fn search(self) -> SearchTotals<'p> {
        self.lead();
        std::thread::scope(|scope| {
            for worker in 1..self.reports.len() {
                let rounds = &self;
                scope.spawn(move || rounds.work(worker));
            }
            self.work(0);
        });
        let totals = self.totals.into_inner().expect("workers have ended");
        let compiled = self.program.into_inner();
        let tables = self.states.into_tables();
        let over = totals.over.expect("workers end when the search is over");
        let mut cut_off = totals.ends.cut_off(&compiled.lts);
        // This expands all states again, so it comes last.
        if cut_off.is_some()
            && matches!(over, Over::Ended(Ending::Exhausted))
            && goes_on_for_ever(&compiled, &tables, &self.options.budget)
        {
            cut_off = None;
        }
        SearchTotals {
            over,
            cut_off,
            compiled,
            states: totals.states_to_level,
            transitions: totals.transitions_to_level,
            depth: totals.depth,
            peak_bytes: totals.peak_bytes,
            tables,
        }
    }

    fn work(&self, worker: usize) {
        loop {
            if self.round.read().expect("not poisoned").over {
                return;
            }
            self.expand(worker);
            self.barrier.wait();
            self.insert(worker);
            if self.barrier.wait().is_leader() {
                self.lead();
            }
            self.barrier.wait();
        }
    }

    /// Expands states of the round, and sends their successors.
    fn expand(&self, worker: usize) {
        let compiled = self.program.read();
        let round = self.round.read().expect("not poisoned");
        let states = self.states.read();
        let mut report = self.reports[worker].lock().expect("not poisoned");
        let mut outbox = self.exchange.outbox(worker);
        let properties = self.options.properties;
        let mut expander =
            Expander::new(&compiled.layout, &compiled.steps, properties.deadlocks, properties.assertions);
        expander.ends = std::mem::take(&mut report.ends);
        'round: loop {
            let start = self.next_in_round.fetch_add(CHUNK, Relaxed).min(round.states.len());
            let chunk = &round.states[start..round.states.len().min(start + CHUNK)];
            if chunk.is_empty() {
                break;
            }
            for &state in chunk {
                // States that are left out are not missed: the leader sees the spent budget too, and ends the search.
                if self.options.budget.is_spent() {
                    break 'round;
                }
                outbox.keep();
                let transitions = report.transitions;
                let mut collector =
                    Collector { outbox: &mut outbox, report: &mut report, parent: state, missed: false };
                expander.expand(states.words(state), &mut collector);
                if collector.missed {
                    outbox.take_back();
                    report.transitions = transitions;
                    report.deferred.push(state);
                }
            }
        }
        report.ends = std::mem::take(&mut expander.ends);
        self.exchange.send(worker, outbox);
    }

    /// Lets some owners insert the successors that were sent to them.
    fn insert(&self, worker: usize) {
        let words = self.program.read().layout.words;
        for owner in (worker..self.states.owners().count()).step_by(self.reports.len()) {
            let mut table = self.states.of_owner(owner);
            self.exchange.receive(owner, |batch| {
                if self.options.budget.check_room(table.growth(batch.len(words))).is_ok() {
                    table.insert_all(batch);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use fencepost_models::{Engine, Model};
    use fencepost_program::Program;
    use fencepost_testing::files;

    use super::super::exchange::SharedMemory;
    use super::super::exchange::tests::Queues;
    use super::*;
    use crate::compiled::{CompiledSteps, Source};
    use crate::layout::{Focus, Layout};
    use crate::lts::Lts;

    /// What a search says that does not depend on the order in which it visits the states of a level.
    #[derive(Debug, PartialEq, Eq)]
    enum Summary {
        Exhausted { states: u64, transitions: u64, depth: u32 },
        Found { states: u64, transitions: u64, path: usize },
        TooManyStates { states: u64, transitions: u64 },
        Other,
    }

    fn search<E: Exchange>(
        program: &Program,
        options: &Options,
        most_states: Option<u64>,
        exchange: impl Fn(usize) -> E,
    ) -> Summary {
        let mut lts = Lts::new(program, options);
        loop {
            let layout = Layout::new(&lts, options, Focus::Everything);
            let steps = CompiledSteps::new(Source { lts: &lts, layout: &layout, options });
            let exchange = exchange(layout.words);
            let compiled = Compiled { lts, layout, steps };
            let totals = Rounds::new(compiled, exchange, Vec::new(), options, most_states, &Watch::default()).search();
            let SearchTotals { states, transitions, depth, .. } = totals;
            return match totals.over {
                Over::NoRoom => {
                    lts = totals.compiled.lts.restarted(options);
                    continue;
                }
                Over::Ended(Ending::Exhausted) => Summary::Exhausted { states, transitions, depth },
                Over::Ended(Ending::Found { path, .. }) => {
                    assert_eq!(path.len(), depth as usize, "the path is a shortest one");
                    Summary::Found { states, transitions, path: path.len() }
                }
                Over::Ended(Ending::TooManyStates) => Summary::TooManyStates { states, transitions },
                Over::Ended(_) => Summary::Other,
            };
        }
    }

    /// The answer, which does not depend on workers, owners and their exchange.
    fn search_in_all_ways(program: &Program, most_states: Option<u64>, options: impl Fn(usize) -> Options) -> Summary {
        let expected = search(program, &options(1), most_states, |_| SharedMemory::new(1));
        for jobs in [1, 3] {
            for bits in [0, 1, 5] {
                let answer = search(program, &options(jobs), most_states, |words| Queues::new(bits, words));
                assert_eq!(answer, expected, "{jobs} workers, {bits} bits");
            }
            let answer = search(program, &options(jobs), most_states, |_| SharedMemory::new(jobs));
            assert_eq!(answer, expected, "{jobs} workers");
        }
        expected
    }

    #[test]
    fn what_is_counted_up_to_a_bound_does_not_depend_on_the_workers() {
        let file =
            files("ra", &["fp"]).into_iter().find(|file| file.ends_with("lamport2-3-ra.fp")).expect("it is there");
        let program = fencepost_frontend::read(&file).unwrap_or_else(|e| panic!("{e}")).program;
        let options = |jobs| Options { model: Model::Ra, jobs, ..Options::default() };
        for most in [5_000, 20_000] {
            let answer = search_in_all_ways(&program, Some(most), options);
            assert!(matches!(answer, Summary::TooManyStates { .. }), "{answer:?}");
        }
    }

    #[test]
    fn the_answer_does_not_depend_on_the_owners_of_states_and_their_exchange() {
        let (mut exhausted, mut found) = (0, 0);
        for file in files("examples", &["fp"]) {
            let program = fencepost_frontend::read(&file).unwrap_or_else(|e| panic!("{e}")).program;
            for (model, closure) in [(Model::Ra, 200_000), (Model::Rc11, 200_000), (Model::Rc11, 0)] {
                if model.admit(Engine::Check, &program).is_err() {
                    continue;
                }
                let options = |jobs| Options { model, closure, jobs, ..Options::default() };
                match search_in_all_ways(&program, None, options) {
                    Summary::Exhausted { .. } => exhausted += 1,
                    Summary::Found { .. } => found += 1,
                    Summary::TooManyStates { .. } | Summary::Other => {}
                }
            }
        }
        assert!(exhausted > 20 && found > 20, "{exhausted} searches end, and {found} find something");
    }
}
