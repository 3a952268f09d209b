//! The successors of a state, and the violations that it shows.

use crate::code::Slice;
use crate::compiled::{CompiledStep, CompiledSteps, Effect, Kind};
use crate::ends::Ends;
use crate::guard::Fault;
use crate::layout::Layout;
use crate::lookahead::Miss;
use crate::lts::{DISABLED, Move, Successors, Took, UNKNOWN};
use crate::stuck::{Stuck, stuck};

/// A violation that a state shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The next step of the thread may go stale.
    Stale {
        thread: usize,
    },
    /// The next step of the thread depends on a stale value.
    Dependent {
        thread: usize,
    },
    /// The next step of the thread is an error of memory.
    Memory {
        thread: usize,
        fault: Fault,
    },
    /// The next step of the thread, which reads or updates, races with an earlier access.
    Race {
        thread: usize,
        updates: bool,
    },
    Failed {
        thread: usize,
    },
    /// What the thread does next is not known.
    Unknown {
        thread: usize,
    },
    Deadlock,
}

/// Takes what an expansion finds.
pub(crate) trait Sink {
    fn successor(&mut self, state: &[u64], moves: &[Move]);
    fn found(&mut self, found: Found);
    /// Of the threads that are left, none has an end, and none was given up.
    fn goes_on(&mut self);
    /// The successors of a local state for a value are not known yet; the expansion is not complete.
    fn miss(&mut self, miss: Miss);
}

/// How many choices and fences are resolved within one step before they become states of their own.
const EAGER_LIMIT: usize = 256;
/// What an access that concerns no other thread counts for in it: whoever counts without end should become states soon.
const ALONE_COST: usize = 8;

/// Expands states. Holds the words that it works on, so that a step allocates nothing.
pub(crate) struct Expander<'a> {
    layout: &'a Layout,
    states: &'a CompiledSteps,
    deadlocks: bool,
    assertions: bool,
    /// What the states that were expanded show.
    pub ends: Ends,
    /// Work areas, one for each step that is being resolved.
    areas: Vec<Vec<u64>>,
    moves: Vec<Move>,
    /// Local states of the choices that are being resolved, since the last fence.
    chain: Vec<u32>,
}

impl<'a> Expander<'a> {
    pub(crate) fn new(
        layout: &'a Layout,
        states: &'a CompiledSteps,
        deadlocks: bool,
        assertions: bool,
    ) -> Expander<'a> {
        Expander {
            layout,
            states,
            deadlocks,
            assertions,
            ends: Ends::default(),
            areas: Vec::new(),
            moves: Vec::new(),
            chain: Vec::new(),
        }
    }

    pub(crate) fn expand(&mut self, state: &[u64], sink: &mut impl Sink) {
        let (layout, states) = (self.layout, self.states);
        let mut progress = false;
        let mut waiting = false;
        let mut cut_off = false;
        // Whether a thread has ended the program, and whether some failed or were given up.
        let (mut exited, mut lost) = (false, false);
        // Whether no thread is left that could end.
        let mut all_endless = true;
        let mut all_bounded = true;
        // Whether all steps only read.
        let mut quiet = true;
        for (thread, field) in layout.local.iter().enumerate() {
            let local = field.get(state);
            let compiled = &states.threads[thread][local as usize];
            match compiled.kind {
                Kind::Stopped => {
                    cut_off |= compiled.blocking;
                    exited |= compiled.exited;
                    if compiled.given_up {
                        lost = true;
                        all_bounded &= compiled.bounded;
                        self.ends.by_assumption((thread, local));
                    }
                    continue;
                }
                Kind::Hangs => {
                    waiting = true;
                    all_endless = false;
                    continue;
                }
                Kind::Endless => continue,
                Kind::Failed => {
                    if self.assertions {
                        sink.found(Found::Failed { thread });
                    }
                    self.ends.fails = true;
                    (cut_off, lost, all_bounded) = (true, true, false);
                    continue;
                }
                Kind::Unknown => {
                    sink.found(Found::Unknown { thread });
                    cut_off = true;
                    continue;
                }
                Kind::Dependent => {
                    sink.found(Found::Dependent { thread });
                    cut_off = true;
                    continue;
                }
                Kind::Fence | Kind::Choose | Kind::Spawn => {
                    progress = true;
                    all_endless &= !compiled.may_end;
                    quiet &= compiled.kind == Kind::Fence;
                    for (value, &successors) in compiled.successors.of(&states.successors).iter().enumerate() {
                        self.free_step(state, thread, compiled, successors, value as u32, sink);
                    }
                    if compiled.successors.is_empty() {
                        sink.miss(Miss { thread, local, value: u32::MAX, state });
                    }
                    continue;
                }
                Kind::Access | Kind::Write => all_endless &= !compiled.may_end,
            }
            let touch = match compiled.guard.pass(&states.guards, state) {
                Ok(touch) => touch,
                Err(fault) => {
                    sink.found(self.fault(state, thread, compiled, fault));
                    cut_off = true;
                    continue;
                }
            };
            let last = layout.last_location[thread];
            let leaves = last.mask == 0 || last.get(state) != compiled.last_location || compiled.last_location == 0;
            let stale = compiled.sc_mask != 0
                && state[compiled.sc_word as usize] & compiled.sc_mask == 0
                && self.stale(state, compiled.stale[leaves as usize]);
            if stale && (!compiled.taints || self.stale(state, compiled.unwritten[leaves as usize])) {
                sink.found(Found::Stale { thread });
            }
            let old =
                if compiled.location == u32::MAX { 0 } else { layout.memory[compiled.location as usize].get(state) };
            let input = if compiled.kind == Kind::Write { 0 } else { old };
            let Some(successors) = compiled.successors.of(&states.successors).get(input as usize) else {
                sink.miss(Miss { thread, local, value: input, state });
                progress = true;
                continue;
            };
            if successors.read == UNKNOWN {
                sink.miss(Miss { thread, local, value: input, state });
                progress = true;
                continue;
            }
            waiting |= compiled.blocking;
            cut_off |= compiled.gives_up;
            if successors.read != DISABLED {
                progress = true;
                if self.races(state, compiled.read.races) {
                    sink.found(Found::Race { thread, updates: false });
                }
                if stale && compiled.taints {
                    let area = self.copy(state);
                    self.execute(compiled.tainted, area);
                    self.execute(touch, area);
                    let step = Move { thread, took: Took::TaintedRead, value: input };
                    self.arrive(0, step, successors.tainted, sink);
                } else {
                    let area = self.copy(state);
                    self.execute(touch, area);
                    self.effect(area, thread, compiled, &compiled.read, leaves);
                    let step = Move { thread, took: Took::Read, value: input };
                    self.arrive(0, step, successors.read, sink);
                }
            }
            if successors.update != DISABLED {
                progress = true;
                quiet &= successors.written == old && (compiled.fence || compiled.kind == Kind::Access);
                if self.races(state, compiled.update.races) {
                    sink.found(Found::Race { thread, updates: true });
                }
                let area = self.copy(state);
                let by_rmw = compiled.kind == Kind::Access;
                for &(word, mask) in states.overwrite(compiled.location, by_rmw, old) {
                    self.areas[area][word as usize] |= mask;
                }
                layout.memory[compiled.location as usize].set(&mut self.areas[area], successors.written);
                self.execute(touch, area);
                self.effect(area, thread, compiled, &compiled.update, leaves);
                let step = Move { thread, took: Took::Update, value: input };
                self.arrive(0, step, successors.update, sink);
            }
        }
        match progress {
            false if lost => {
                if all_bounded && !waiting && self.ends.bounded.is_empty() {
                    self.ends.by_bounds(self.given_up(state));
                }
            }
            false if waiting && !exited => self.ends.waits |= !cut_off,
            false => self.ends.some = true,
            true if all_endless && !lost => sink.goes_on(),
            true => {}
        }
        let unknown_end = !self.ends.some && !self.ends.waits;
        if cut_off || !quiet || !(waiting || progress) || !(self.deadlocks || unknown_end) {
            return;
        }
        if !progress || self.all_stuck(state, sink) {
            self.ends.waits = true;
            if self.deadlocks {
                sink.found(Found::Deadlock);
            }
        }
    }

    /// The threads that assumptions have given up.
    fn given_up(&self, state: &[u64]) -> Vec<(usize, u32)> {
        let locals = self.layout.local.iter().enumerate().map(|(thread, field)| (thread, field.get(state)));
        locals.filter(|&(thread, local)| self.states.threads[thread][local as usize].given_up).collect()
    }

    /// Whether every thread that has not ended waits, or goes round a loop that nothing can end, and one of them waits.
    fn all_stuck(&self, state: &[u64], sink: &mut impl Sink) -> bool {
        let mut waits = false;
        let all = (0..self.layout.local.len()).all(|thread| match stuck(self.layout, self.states, state, thread) {
            Stuck::Gone | Stuck::Endless => true,
            Stuck::ForEver => {
                waits = true;
                true
            }
            Stuck::No => false,
            Stuck::Miss { local, value } => {
                sink.miss(Miss { thread, local, value, state });
                false
            }
        });
        all && waits
    }

    /// Whether the views leave a stale value that the step would take.
    #[inline]
    fn stale(&self, state: &[u64], checks: Slice) -> bool {
        checks.of(&self.states.checks).iter().any(|check| {
            let views = check.views.of(&self.states.check_views);
            views.iter().fold(check.mask, |left, &(word, shift)| left & state[word as usize] >> shift) != 0
        })
    }

    /// A thread that may miss the allocation may also miss writes to the object. A race is then the better report.
    fn fault(&self, state: &[u64], thread: usize, compiled: &CompiledStep, fault: Fault) -> Found {
        let races = |effect: &Effect| fault == Fault::Unordered && !compiled.heap && self.races(state, effect.races);
        match (races(&compiled.read), races(&compiled.update)) {
            (true, _) => Found::Race { thread, updates: false },
            (false, true) => Found::Race { thread, updates: true },
            (false, false) => Found::Memory { thread, fault },
        }
    }

    #[inline]
    fn races(&self, state: &[u64], masks: Slice) -> bool {
        masks.of(&self.states.masks).iter().any(|&(word, mask)| state[word as usize] & mask != 0)
    }

    /// Copies a state into the first work area.
    fn copy(&mut self, state: &[u64]) -> usize {
        self.copy_into(state, 0);
        0
    }

    fn copy_into(&mut self, state: &[u64], area: usize) {
        if self.areas.len() == area {
            self.areas.push(vec![0; self.layout.work_words]);
        }
        self.areas[area][..self.layout.words].copy_from_slice(&state[..self.layout.words]);
    }

    fn execute(&mut self, code: Slice, area: usize) {
        let area = &mut self.areas[area];
        for op in code.of(&self.states.compiler.ops) {
            op.run(area);
        }
    }

    fn effect(&mut self, area: usize, thread: usize, compiled: &CompiledStep, effect: &Effect, leaves: bool) {
        self.execute(effect.code[leaves as usize], area);
        if !compiled.heap {
            self.layout.last_location[thread].set(&mut self.areas[area], compiled.last_location);
        }
    }

    /// A fence, a choice, a new thread or the end of an object as a step of its own.
    fn free_step(
        &mut self,
        state: &[u64],
        thread: usize,
        compiled: &CompiledStep,
        successors: Successors,
        value: u32,
        sink: &mut impl Sink,
    ) {
        if successors.read == UNKNOWN {
            let local = self.layout.local[thread].get(state);
            sink.miss(Miss { thread, local, value, state });
            return;
        }
        let area = self.copy(state);
        let took = self.pass(area, thread, compiled, successors);
        self.arrive(0, Move { thread, took, value }, successors.read, sink);
    }

    /// The effect of a step that is no access.
    fn pass(&mut self, area: usize, thread: usize, compiled: &CompiledStep, successors: Successors) -> Took {
        match compiled.kind {
            Kind::Choose => Took::Chose,
            Kind::Spawn => {
                self.layout.local[compiled.child as usize].set(&mut self.areas[area], successors.written);
                Took::Spawned
            }
            _ => {
                self.execute(compiled.read.code[0], area);
                self.layout.last_location[thread].set(&mut self.areas[area], 0);
                Took::Fence
            }
        }
    }

    fn arrive(&mut self, area: usize, step: Move, next: u32, sink: &mut impl Sink) {
        self.moves.clear();
        self.moves.push(step);
        self.chain.clear();
        let mut budget = EAGER_LIMIT;
        if self.states.threads[step.thread][next as usize].is_eager() {
            let from = std::mem::take(&mut self.areas[area]);
            self.copy_into(&from, area + 1);
            self.areas[area] = from;
            if self.settle(area + 1, step.thread, next, &mut budget, sink) {
                return;
            }
        }
        // Nothing to resolve, or all ways lead back: the thread stays where it is.
        self.emit(area, step.thread, next, sink);
    }

    fn emit(&mut self, area: usize, thread: usize, local: u32, sink: &mut impl Sink) {
        let (layout, states) = (self.layout, self.states);
        let state = &mut self.areas[area][..layout.words];
        layout.local[thread].set(state, local);
        if let Some(futures) = &states.futures {
            futures.forget(layout, state);
        }
        sink.successor(state, &self.moves);
    }

    /// Fences, choices, new threads and accesses that concern no other thread commute with every step of other threads,
    /// so they are taken at once. A way that comes back to a choice without having done anything is not followed.
    /// `false`: no way led to a state.
    fn settle(&mut self, area: usize, thread: usize, next: u32, budget: &mut usize, sink: &mut impl Sink) -> bool {
        let states = self.states;
        let compiled = &states.threads[thread][next as usize];
        if compiled.alone {
            return self.settle_access(area, thread, next, budget, sink);
        }
        let choices = compiled.successors.of(&states.successors);
        let free = compiled.is_eager();
        if free && (choices.is_empty() || choices.iter().any(|s| s.read == UNKNOWN)) {
            sink.miss(Miss { thread, local: next, value: u32::MAX, state: &self.areas[area] });
            return true;
        }
        if !free || *budget < choices.len() {
            self.emit(area, thread, next, sink);
            return true;
        }
        *budget -= choices.len();
        if compiled.kind != Kind::Choose {
            let took = self.pass(area, thread, compiled, choices[0]);
            return self.settle_further(area, Move { thread, took, value: 0 }, choices[0].read, budget, sink);
        }
        if self.chain.contains(&next) {
            return false;
        }
        self.chain.push(next);
        let mut emitted = false;
        for (value, choice) in choices.iter().enumerate() {
            let from = std::mem::take(&mut self.areas[area]);
            self.copy_into(&from, area + 1);
            self.areas[area] = from;
            self.moves.push(Move { thread, took: Took::Chose, value: value as u32 });
            emitted |= self.settle(area + 1, thread, choice.read, budget, sink);
            self.moves.pop();
        }
        self.chain.pop();
        emitted
    }

    /// An access that concerns no other thread, unless there are two ways to take it or none.
    fn settle_access(
        &mut self,
        area: usize,
        thread: usize,
        next: u32,
        budget: &mut usize,
        sink: &mut impl Sink,
    ) -> bool {
        let (layout, states) = (self.layout, self.states);
        let compiled = &states.threads[thread][next as usize];
        let memory = layout.memory[compiled.location as usize];
        let value = if compiled.kind == Kind::Write { 0 } else { memory.get(&self.areas[area]) };
        let successors = compiled.successors.of(&states.successors).get(value as usize);
        let Some(&successors) = successors.filter(|s| s.read != UNKNOWN) else {
            sink.miss(Miss { thread, local: next, value, state: &self.areas[area] });
            return true;
        };
        let (took, after) = match (successors.read, successors.update) {
            (read, DISABLED) if read != DISABLED => (Took::Read, read),
            (DISABLED, update) if update != DISABLED => (Took::Update, update),
            _ => (Took::Read, DISABLED),
        };
        let touch = match compiled.guard.pass(&states.guards, &self.areas[area]) {
            Ok(touch) if after != DISABLED && *budget >= ALONE_COST => touch,
            // What is wrong shows in the state before it.
            _ => {
                self.emit(area, thread, next, sink);
                return true;
            }
        };
        *budget -= ALONE_COST;
        let words = &mut self.areas[area];
        if took == Took::Update {
            memory.set(words, successors.written);
        }
        if !compiled.heap {
            layout.last_location[thread].set(words, 0);
        }
        self.execute(touch, area);
        self.execute(compiled.update.code[1], area);
        self.settle_further(area, Move { thread, took, value }, after, budget, sink)
    }

    /// Goes on after a step that has been taken.
    fn settle_further(&mut self, area: usize, step: Move, next: u32, budget: &mut usize, sink: &mut impl Sink) -> bool {
        let chain = std::mem::take(&mut self.chain);
        self.moves.push(step);
        let emitted = self.settle(area, step.thread, next, budget, sink);
        self.moves.pop();
        self.chain = chain;
        emitted
    }
}
