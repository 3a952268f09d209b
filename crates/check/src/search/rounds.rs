//! One search, in rounds: workers expand some states of the current level into buffers, then each worker adds what
//! falls into its own part of the table. Tables are split by hash, so nobody waits for anybody within a round, and the
//! verdict and the counts do not depend on the number of workers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Barrier, Mutex, RwLock};

use fencepost_story::{CutOff, Reason};
use hashbrown::HashMap;

use super::endless::goes_on_for_ever;
use super::{Compiled, Ending};
use crate::ends::Ends;
use crate::expand::{Expander, Found, Sink};
use crate::lookahead::{Miss, look_ahead};
use crate::lts::Move;
use crate::table::{Table, hash};
use crate::{Options, Watch};

/// Bits of a state's number that name the part of the table; the rest counts within the part.
const PART_BITS: u32 = 4;
const PARTS: usize = 1 << PART_BITS;
const IN_PART: u32 = u32::MAX >> PART_BITS;
const NO_PARENT: u32 = u32::MAX;
/// States to a round and worker: few enough for the buffers to stay in the cache.
const ROUND: usize = 512;
const CHUNK: usize = 64;
/// About what a local state takes, with its stack and its successors.
const LOCAL_STATE_BYTES: u64 = 400;

pub(super) struct Run<'a, 'p> {
    options: &'a Options,
    /// Maximum number of states.
    most_states: Option<u64>,
    watch: &'a Watch,
    parts: Vec<RwLock<Table>>,
    compiled: RwLock<Compiled<'p>>,
    /// By worker.
    buffers: Vec<RwLock<Buffer>>,
    round: RwLock<Round>,
    next_in_round: AtomicUsize,
    barrier: Barrier,
    totals: Mutex<Totals>,
}

/// The states to expand in one round, and whether to go on.
#[derive(Default)]
struct Round {
    states: Vec<u32>,
    over: bool,
}

#[derive(Default)]
struct Totals {
    /// By part, the end of what has been given out for expansion, and the end of the current level.
    given: Vec<usize>,
    level_end: Vec<usize>,
    depth: u32,
    /// States up to the current level.
    states_to_level: u64,
    transitions: u64,
    peak_bytes: u64,
    ending: Option<Ending>,
    restart: bool,
    ends: Ends,
}

pub(super) struct SearchTotals<'p> {
    /// `None`: start again with a new layout.
    pub ending: Option<Ending>,
    pub compiled: Compiled<'p>,
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    pub peak_bytes: u64,
    /// Why no execution goes to its end, if none does.
    pub cut_off: Option<CutOff>,
    pub tables: Vec<Table>,
}

/// What a worker found in a round.
#[derive(Default)]
struct Buffer {
    /// By part: hash, parent and words of each successor.
    successors: Vec<Vec<u64>>,
    transitions: u64,
    found: Option<(u32, Found)>,
    /// By thread, local state and value: the first state that missed it.
    misses: HashMap<(usize, u32, u32), Box<[u64]>>,
    /// States whose expansion missed something.
    deferred: Vec<u32>,
    ends: Ends,
}

/// Collects the successors of one state.
struct Collector<'b> {
    buffer: &'b mut Buffer,
    parent: u32,
    missed: bool,
    parts: usize,
    /// Where the state's successors begin, to take them back after a miss.
    marks: [usize; PARTS],
}

impl Sink for Collector<'_> {
    #[inline]
    fn successor(&mut self, state: &[u64], _moves: &[Move]) {
        let hash = hash(state);
        let successors = &mut self.buffer.successors[part_of(hash, self.parts)];
        successors.push(hash);
        successors.push(self.parent as u64);
        successors.extend_from_slice(state);
        self.buffer.transitions += 1;
    }

    fn found(&mut self, found: Found) {
        let earlier = self.buffer.found.as_ref().is_some_and(|(state, _)| *state <= self.parent);
        if !earlier {
            self.buffer.found = Some((self.parent, found));
        }
    }

    fn goes_on(&mut self) {}

    fn miss(&mut self, miss: Miss) {
        self.missed = true;
        let Miss { thread, local, value, state } = miss;
        self.buffer.misses.entry((thread, local, value)).or_insert_with(|| state.into());
    }
}

#[inline]
fn part_of(hash: u64, parts: usize) -> usize {
    hash as usize & (parts - 1)
}

impl<'a, 'p> Run<'a, 'p> {
    pub(super) fn new(
        compiled: Compiled<'p>,
        tables: Vec<Table>,
        options: &'a Options,
        most_states: Option<u64>,
        watch: &'a Watch,
    ) -> Run<'a, 'p> {
        let jobs = options.jobs.max(1);
        let parts = if jobs == 1 { 1 } else { PARTS };
        let words = compiled.layout.words;
        let mut tables = tables.into_iter();
        let mut table = || tables.next().map_or_else(|| Table::new(words), |table| table.emptied(words));
        let run = Run {
            options,
            most_states,
            watch,
            parts: (0..parts).map(|_| RwLock::new(table())).collect(),
            compiled: RwLock::new(compiled),
            buffers: (0..jobs)
                .map(|_| RwLock::new(Buffer { successors: vec![Vec::new(); parts], ..Buffer::default() }))
                .collect(),
            round: RwLock::default(),
            next_in_round: AtomicUsize::new(0),
            barrier: Barrier::new(jobs),
            totals: Mutex::new(Totals { given: vec![0; parts], level_end: vec![0; parts], ..Totals::default() }),
        };
        // The first state: every thread at its first, every location at its first value, every view empty.
        let state = vec![0; words];
        let hash = hash(&state);
        run.parts[part_of(hash, parts)].write().expect("no worker yet").insert(&state, hash, NO_PARENT);
        run
    }

    pub(super) fn run(self) -> SearchTotals<'p> {
        self.lead();
        std::thread::scope(|scope| {
            for worker in 1..self.buffers.len() {
                let run = &self;
                scope.spawn(move || run.work(worker));
            }
            self.work(0);
        });
        let totals = self.totals.into_inner().expect("workers have ended");
        let compiled = self.compiled.into_inner().expect("workers have ended");
        let tables: Vec<Table> = self.parts.into_iter().map(|t| t.into_inner().expect("workers have ended")).collect();
        let mut cut_off = totals.ends.cut_off(&compiled.lts);
        // This expands all states again, so it comes last.
        if cut_off.is_some()
            && matches!(totals.ending, Some(Ending::Exhausted))
            && goes_on_for_ever(&compiled, &tables, &self.options.budget)
        {
            cut_off = None;
        }
        SearchTotals {
            cut_off,
            ending: if totals.restart { None } else { totals.ending },
            compiled,
            states: totals.states_to_level,
            transitions: totals.transitions,
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

    fn expand(&self, worker: usize) {
        let compiled = self.compiled.read().expect("not poisoned");
        let round = self.round.read().expect("not poisoned");
        let tables: Vec<_> = self.parts.iter().map(|t| t.read().expect("not poisoned")).collect();
        let mut buffer = self.buffers[worker].write().expect("not poisoned");
        let properties = self.options.properties;
        let mut expander =
            Expander::new(&compiled.layout, &compiled.states, properties.deadlocks, properties.assertions);
        expander.ends = std::mem::take(&mut buffer.ends);
        loop {
            let start = self.next_in_round.fetch_add(CHUNK, Relaxed);
            if start >= round.states.len() {
                buffer.ends = std::mem::take(&mut expander.ends);
                return;
            }
            for &number in &round.states[start..round.states.len().min(start + CHUNK)] {
                // What is left out is not missed: the leader sees it too, and ends the search.
                if self.options.budget.is_spent() {
                    return;
                }
                let (part, index) = split(number, tables.len());
                let mut collector = Collector {
                    parts: tables.len(),
                    parent: number,
                    missed: false,
                    marks: std::array::from_fn(|p| buffer.successors.get(p).map_or(0, Vec::len)),
                    buffer: &mut buffer,
                };
                expander.expand(tables[part].state(index), &mut collector);
                if collector.missed {
                    for (successors, mark) in collector.buffer.successors.iter_mut().zip(collector.marks) {
                        successors.truncate(mark);
                    }
                    buffer.deferred.push(number);
                }
            }
        }
    }

    fn insert(&self, worker: usize) {
        let words = self.compiled.read().expect("not poisoned").layout.words;
        let buffers: Vec<_> = self.buffers.iter().map(|b| b.read().expect("not poisoned")).collect();
        for part in (worker..self.parts.len()).step_by(self.buffers.len()) {
            let mut table = self.parts[part].write().expect("not poisoned");
            for buffer in &buffers {
                let successors = &buffer.successors[part];
                let growth = table.growth(successors.len() / (words + 2));
                if self.options.budget.check_room(growth).is_err() {
                    continue;
                }
                let mut ahead = successors.chunks_exact(words + 2);
                for record in ahead.by_ref().take(8) {
                    table.prefetch(record[0]);
                }
                for record in successors.chunks_exact(words + 2) {
                    if let Some(record) = ahead.next() {
                        table.prefetch(record[0]);
                    }
                    table.insert(&record[2..], record[0], record[1] as u32);
                }
            }
        }
    }

    /// Between rounds, one worker looks at what was found and lays out the next round.
    fn lead(&self) {
        let mut totals = self.totals.lock().expect("not poisoned");
        let mut round = self.round.write().expect("not poisoned");
        let tables: Vec<_> = self.parts.iter().map(|t| t.write().expect("not poisoned")).collect();
        round.states.clear();
        self.next_in_round.store(0, Relaxed);
        let mut found: Option<(u32, Found)> = None;
        let mut misses = BTreeMap::new();
        let mut buffered = 0;
        for buffer in &self.buffers {
            let mut buffer = buffer.write().expect("not poisoned");
            totals.transitions += std::mem::take(&mut buffer.transitions);
            totals.ends.extend(std::mem::take(&mut buffer.ends));
            // What is known is not looked for again.
            buffer.ends.some = totals.ends.some;
            buffer.ends.waits = totals.ends.waits;
            if let Some(new) = buffer.found.take()
                && found.is_none_or(|(state, _)| new.0 < state)
            {
                found = Some(new);
            }
            misses.extend(buffer.misses.drain());
            round.states.append(&mut buffer.deferred);
            for successors in &mut buffer.successors {
                buffered += successors.capacity() as u64 * 8;
                successors.clear();
            }
        }
        let states: u64 = tables.iter().map(|t| t.len() as u64).sum();
        let (local_states, values) = {
            let lts = &self.compiled.read().expect("not poisoned").lts;
            (lts.local_state_count() as u64, lts.value_count() as u64)
        };
        let bytes = tables.iter().map(|t| t.bytes()).sum::<u64>() + buffered + local_states * LOCAL_STATE_BYTES;
        totals.peak_bytes = totals.peak_bytes.max(bytes);
        self.watch.states.store(states, Relaxed);
        self.watch.depth.store(totals.depth as u64, Relaxed);
        if let Some((state, found)) = found {
            let mut path = vec![state];
            while let Some(parent) = parent(&tables, path[path.len() - 1]) {
                path.push(parent);
            }
            let words = |&number: &u32| {
                let (part, index) = split(number, tables.len());
                tables[part].state(index).to_vec()
            };
            let path = path.iter().rev().map(words).collect();
            totals.ending = Some(Ending::Found { path, found });
            round.over = true;
            return;
        }
        if !misses.is_empty() && !self.fill(misses) && self.obstacle().is_none() && !self.options.budget.is_spent() {
            totals.restart = true;
            round.over = true;
            return;
        }
        if let Some(obstacle) = self.obstacle() {
            totals.ending = Some(Ending::Stopped(Reason::Other(obstacle)));
            round.over = true;
            return;
        }
        if self.most_states.is_some_and(|most| states > most) {
            totals.ending = Some(Ending::TooManyStates);
            round.over = true;
            return;
        }
        // Of steps that concern no other thread, only local states and values are kept.
        if let Some(reason) = self.limit(states.max(local_states).max(values), bytes, &tables) {
            totals.states_to_level = states;
            totals.ending = Some(Ending::Stopped(reason));
            round.over = true;
            return;
        }
        if round.states.is_empty() && totals.given == totals.level_end {
            for (end, table) in totals.level_end.iter_mut().zip(&tables) {
                *end = table.len();
            }
            totals.states_to_level = states;
            if totals.given == totals.level_end {
                totals.ending = Some(Ending::Exhausted);
                round.over = true;
                return;
            }
            totals.depth += 1;
        }
        let room = ROUND * self.buffers.len();
        for part in 0..tables.len() {
            let end = totals.level_end[part].min(totals.given[part] + room.saturating_sub(round.states.len()));
            let given = std::mem::replace(&mut totals.given[part], end);
            round.states.extend((given..end).map(|index| join(part, index as u32, tables.len())));
        }
    }

    /// Computes successors that an expansion missed. `false`: the layout has no room for them.
    fn fill(&self, misses: BTreeMap<(usize, u32, u32), Box<[u64]>>) -> bool {
        let mut compiled = self.compiled.write().expect("not poisoned");
        let Compiled { lts, layout, states } = &mut *compiled;
        let mut filled = Vec::new();
        for (&(thread, local, value), state) in &misses {
            filled.append(&mut look_ahead(lts, layout, Miss { thread, local, value, state }));
        }
        if lts.is_over() || !layout.fits(lts) {
            return false;
        }
        states.extend(lts, layout, self.options);
        for (thread, local, value) in filled {
            states.refresh(lts, thread, local, value);
        }
        true
    }

    fn obstacle(&self) -> Option<String> {
        self.compiled.read().expect("not poisoned").lts.obstacle.clone()
    }

    fn limit(&self, states: u64, bytes: u64, tables: &[impl std::ops::Deref<Target = Table>]) -> Option<Reason> {
        if let Err(spent) = self.options.budget.check_size(bytes) {
            return Some(spent.into());
        }
        if self.options.max_states.is_some_and(|max| states > max) {
            return Some(Reason::StateLimit);
        }
        // A part must never run out of numbers within a round.
        let most = if tables.len() == 1 { NO_PARENT } else { IN_PART } - (1 << 24);
        tables.iter().any(|t| t.len() as u32 > most).then_some(Reason::StateLimit)
    }
}

fn split(number: u32, parts: usize) -> (usize, u32) {
    if parts == 1 { (0, number) } else { ((number >> (32 - PART_BITS)) as usize, number & IN_PART) }
}

fn join(part: usize, index: u32, parts: usize) -> u32 {
    if parts == 1 { index } else { (part as u32) << (32 - PART_BITS) | index }
}

fn parent(tables: &[impl std::ops::Deref<Target = Table>], number: u32) -> Option<u32> {
    let (part, index) = split(number, tables.len());
    let parent = tables[part].parent(index);
    (parent != NO_PARENT).then_some(parent)
}
