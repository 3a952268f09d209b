//! The successors of a state, and the violations that it shows.

use super::ends::Ends;
use super::lookahead::Miss;
use super::outlook::Outlook;
use super::sink::{Found, Sink};
use crate::compiled::{CompiledStep, CompiledSteps, Effect, Fault, Kind, Masks, Slice, StaleCheck, WordOp};
use crate::index::{Index, LocalId, ValueId};
use crate::layout::Layout;
use crate::lts::{Move, Successors, Took};

/// Expands states. Holds the words that it works on, so that a step allocates nothing.
pub(crate) struct Expander<'a> {
    pub(super) layout: &'a Layout,
    pub(super) steps: &'a CompiledSteps,
    pub(super) deadlocks: bool,
    assertions: bool,
    /// What the states that were expanded show.
    pub ends: Ends,
    /// Work areas, one for each step that is being resolved.
    pub(super) areas: Vec<Vec<u64>>,
    pub(super) moves: Vec<Move>,
    /// Local states of the choices that are being resolved, since the last fence.
    pub(super) chain: Vec<LocalId>,
}

/// The next step of a thread in a state.
#[derive(Clone, Copy)]
struct Turn<'a> {
    state: &'a [u64],
    thread: usize,
    local: LocalId,
    step: &'a CompiledStep,
}

/// What a state says about an access.
#[derive(Clone, Copy)]
struct Circumstances {
    /// Operations of the monitors that the guard asks for.
    touch: Slice<WordOp>,
    /// The thread's last event was not on the same location.
    leaves: bool,
    stale: bool,
    /// The value of the location, and the value that the step takes.
    old: ValueId,
    input: ValueId,
}

impl<'a> Expander<'a> {
    pub(crate) fn new(layout: &'a Layout, steps: &'a CompiledSteps, deadlocks: bool, assertions: bool) -> Expander<'a> {
        Expander {
            layout,
            steps,
            deadlocks,
            assertions,
            ends: Ends::default(),
            areas: Vec::new(),
            moves: Vec::new(),
            chain: Vec::new(),
        }
    }

    pub(crate) fn expand(&mut self, state: &[u64], sink: &mut impl Sink) {
        let (layout, steps) = (self.layout, self.steps);
        let mut outlook = Outlook::new();
        for (thread, field) in layout.local.iter().enumerate() {
            let local = field.get(state);
            let turn = Turn { state, thread, local, step: &steps.threads[thread][local] };
            match turn.step.kind {
                Kind::Access | Kind::Write => self.access(turn, &mut outlook, sink),
                Kind::Fence | Kind::Choose | Kind::Spawn => self.free_steps(turn, &mut outlook, sink),
                _ => self.no_step(turn, &mut outlook, sink),
            }
        }
        self.conclude(state, &outlook, sink);
    }

    /// A thread that has no step.
    fn no_step(&mut self, turn: Turn, outlook: &mut Outlook, sink: &mut impl Sink) {
        let Turn { thread, local, step, .. } = turn;
        match step.kind {
            Kind::Hangs => {
                outlook.waiting = true;
                outlook.all_endless = false;
            }
            Kind::Endless => {}
            Kind::Failed => {
                if self.assertions {
                    sink.found(Found::Failed { thread });
                }
                self.ends.fails = true;
                (outlook.cut_off, outlook.lost, outlook.all_bounded) = (true, true, false);
            }
            Kind::Unknown => {
                sink.found(Found::Unknown { thread });
                outlook.cut_off = true;
            }
            Kind::Dependent => {
                sink.found(Found::Dependent { thread });
                outlook.cut_off = true;
            }
            _ => {
                outlook.cut_off |= step.blocking;
                outlook.exited |= step.exited;
                if step.given_up {
                    outlook.lost = true;
                    outlook.all_bounded &= step.bounded;
                    self.ends.by_assumption((thread, local));
                }
            }
        }
    }

    /// Fences, choices and new threads, which always have a step.
    fn free_steps(&mut self, turn: Turn, outlook: &mut Outlook, sink: &mut impl Sink) {
        let Turn { state, thread, local, step } = turn;
        outlook.progress = true;
        outlook.all_endless &= !step.may_end;
        outlook.quiet &= step.kind == Kind::Fence;
        let steps = self.steps;
        let successors = step.successors.of(&steps.successors);
        if successors.is_empty() {
            sink.miss(Miss { step: (thread, local, None), state });
        }
        for (value, &successors) in (0..).map(ValueId::from_u32).zip(successors) {
            let Some(next) = successors.read.state() else {
                sink.miss(Miss { step: (thread, local, Some(value)), state });
                continue;
            };
            let area = self.copy(state);
            let took = self.pass(area, thread, step, successors);
            self.arrive(area, Move { thread, took, value }, next, sink);
        }
    }

    #[inline(always)]
    fn access(&mut self, turn: Turn, outlook: &mut Outlook, sink: &mut impl Sink) {
        let Turn { state, thread, local, step } = turn;
        let (layout, steps) = (self.layout, self.steps);
        outlook.all_endless &= !step.may_end;
        let touch = match step.guard.pass(&steps.guards, state) {
            Ok(touch) => touch,
            Err(fault) => {
                sink.found(self.fault(turn, fault));
                outlook.cut_off = true;
                return;
            }
        };
        let last = layout.last_location[thread];
        let leaves = last.mask == 0 || last.get(state) != step.last_location || step.last_location == 0;
        let stale = step.sc_mask != 0
            && state[step.sc_word as usize] & step.sc_mask == 0
            && self.stale(state, step.stale[leaves as usize]);
        if stale && (!step.taints || self.stale(state, step.unwritten[leaves as usize])) {
            sink.found(Found::Stale { thread });
        }
        let old = step.location.get().map_or(ValueId::FIRST, |location| layout.memory[location].get(state));
        let input = if step.kind == Kind::Write { ValueId::FIRST } else { old };
        let Some(successors) = steps.successors(step, input) else {
            sink.miss(Miss { step: (thread, local, Some(input)), state });
            outlook.progress = true;
            return;
        };
        outlook.waiting |= step.blocking;
        outlook.cut_off |= step.may_give_up;
        let circumstances = Circumstances { touch, leaves, stale, old, input };
        if let Some(next) = successors.read.state() {
            outlook.progress = true;
            self.read(turn, circumstances, next, successors, sink);
        }
        if let Some(next) = successors.update.state() {
            outlook.progress = true;
            outlook.quiet &= successors.written() == old && (step.fence || step.kind == Kind::Access);
            self.update(turn, circumstances, next, successors, sink);
        }
    }

    #[inline(always)]
    fn read(
        &mut self,
        turn: Turn,
        circumstances: Circumstances,
        next: LocalId,
        successors: Successors,
        sink: &mut impl Sink,
    ) {
        let Turn { state, thread, step, .. } = turn;
        let Circumstances { touch, leaves, stale, input, .. } = circumstances;
        if self.races(state, step.read.races) {
            sink.found(Found::Race { thread, updates: false });
        }
        let area = self.copy(state);
        match successors.tainted.state().filter(|_| stale && step.taints) {
            Some(tainted) => {
                self.execute(step.tainted, area);
                self.execute(touch, area);
                self.arrive(area, Move { thread, took: Took::TaintedRead, value: input }, tainted, sink);
            }
            None => {
                self.execute(touch, area);
                self.effect(area, turn, &step.read, leaves);
                self.arrive(area, Move { thread, took: Took::Read, value: input }, next, sink);
            }
        }
    }

    #[inline(always)]
    fn update(
        &mut self,
        turn: Turn,
        circumstances: Circumstances,
        next: LocalId,
        successors: Successors,
        sink: &mut impl Sink,
    ) {
        let Turn { state, thread, step, .. } = turn;
        let Circumstances { touch, leaves, old, input, .. } = circumstances;
        if self.races(state, step.update.races) {
            sink.found(Found::Race { thread, updates: true });
        }
        let area = self.copy(state);
        if let Some(location) = step.location.get() {
            let words = &mut self.areas[area];
            for &(word, mask) in self.steps.overwrite(location, step.kind == Kind::Access, old) {
                words[word as usize] |= mask;
            }
            self.layout.memory[location].set(words, successors.written());
        }
        self.execute(touch, area);
        self.effect(area, turn, &step.update, leaves);
        self.arrive(area, Move { thread, took: Took::Update, value: input }, next, sink);
    }

    /// Whether the views leave a stale value that the step would take.
    #[inline]
    fn stale(&self, state: &[u64], checks: Slice<StaleCheck>) -> bool {
        checks.of(&self.steps.checks).iter().any(|check| {
            let views = check.views.of(&self.steps.check_views);
            views.iter().fold(check.mask, |left, &(word, shift)| left & state[word as usize] >> shift) != 0
        })
    }

    /// A thread that may miss the allocation may also miss writes to the object. A race is then the better report.
    fn fault(&self, turn: Turn, fault: Fault) -> Found {
        let Turn { state, thread, step, .. } = turn;
        let races = |effect: &Effect| fault == Fault::Unordered && !step.heap && self.races(state, effect.races);
        match (races(&step.read), races(&step.update)) {
            (true, _) => Found::Race { thread, updates: false },
            (false, true) => Found::Race { thread, updates: true },
            (false, false) => Found::Memory { thread, fault },
        }
    }

    #[inline]
    fn races(&self, state: &[u64], masks: Masks) -> bool {
        masks.of(&self.steps.masks).iter().any(|&(word, mask)| state[word as usize] & mask != 0)
    }

    /// Copies a state into the first work area.
    fn copy(&mut self, state: &[u64]) -> usize {
        self.copy_into(state, 0);
        0
    }

    pub(super) fn copy_into(&mut self, state: &[u64], area: usize) {
        if self.areas.len() == area {
            self.areas.push(vec![0; self.layout.work_words]);
        }
        self.areas[area][..self.layout.words].copy_from_slice(&state[..self.layout.words]);
    }

    pub(super) fn execute(&mut self, code: Slice<WordOp>, area: usize) {
        let area = &mut self.areas[area];
        for op in code.of(&self.steps.compiler.ops) {
            op.apply(area);
        }
    }

    fn effect(&mut self, area: usize, turn: Turn, effect: &Effect, leaves: bool) {
        self.execute(effect.code[leaves as usize], area);
        if !turn.step.heap {
            self.layout.last_location[turn.thread].set(&mut self.areas[area], turn.step.last_location);
        }
    }
}
