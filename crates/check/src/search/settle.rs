//! Steps that are taken at once, together with the step before them.
//!
//! Fences, choices, new threads and accesses that no other thread can observe commute with every step of other threads.

use super::expand::Expander;
use super::lookahead::Miss;
use super::sink::Sink;
use crate::compiled::{CompiledStep, Kind};
use crate::index::{Index, LocalId, ValueId};
use crate::lts::{Move, Successors, Took};

/// How many choices and fences are resolved within one step before they become states of their own.
const EAGER_LIMIT: usize = 256;
/// What a private access costs of [`EAGER_LIMIT`]: a thread that counts without end should become states soon.
const PRIVATE_COST: usize = 8;

impl Expander<'_> {
    /// A step that has been taken in a work area leads to a local state: passes on the states that it leads to.
    pub(super) fn arrive(&mut self, area: usize, step: Move, next: LocalId, sink: &mut impl Sink) {
        self.moves.clear();
        self.moves.push(step);
        self.chain.clear();
        let mut budget = EAGER_LIMIT;
        if self.steps.threads[step.thread][next].is_eager() {
            let next_area = self.copy_to_next(area);
            if self.settle(next_area, step.thread, next, &mut budget, sink) {
                return;
            }
        }
        // Nothing to resolve, or all choices lead back: the thread stays where it is.
        self.emit(area, step.thread, next, sink);
    }

    /// The effect of a step that is no access.
    pub(super) fn pass(&mut self, area: usize, thread: usize, compiled: &CompiledStep, successors: Successors) -> Took {
        match compiled.kind {
            Kind::Choose => Took::Chose,
            Kind::Spawn => {
                let child = compiled.child.get().expect("the created thread is known with the successors");
                self.layout.local[child as usize].set(&mut self.areas[area], successors.begin());
                Took::Spawned
            }
            _ => {
                self.execute(compiled.read.code[0], area);
                self.layout.last_location[thread].set(&mut self.areas[area], 0);
                Took::Fence
            }
        }
    }

    fn emit(&mut self, area: usize, thread: usize, local: LocalId, sink: &mut impl Sink) {
        let (layout, steps) = (self.layout, self.steps);
        let state = &mut self.areas[area][..layout.words];
        layout.local[thread].set(state, local);
        if let Some(futures) = &steps.futures {
            futures.forget(layout, state);
        }
        sink.successor(state, &self.moves);
    }

    /// Copies a work area to the one after it.
    fn copy_to_next(&mut self, area: usize) -> usize {
        let from = std::mem::take(&mut self.areas[area]);
        self.copy_into(&from, area + 1);
        self.areas[area] = from;
        area + 1
    }

    /// Takes the steps from a local state that commute with all steps of other threads. A sequence of choices that
    /// comes back to the first is not followed. Returns false if nothing led to a state.
    fn settle(&mut self, area: usize, thread: usize, next: LocalId, budget: &mut usize, sink: &mut impl Sink) -> bool {
        let steps = self.steps;
        let compiled = &steps.threads[thread][next];
        if compiled.private {
            return self.settle_access(area, thread, next, budget, sink);
        }
        let choices = compiled.successors.of(&steps.successors);
        let free = compiled.is_eager();
        if free && (choices.is_empty() || choices.iter().any(|choice| choice.is_unknown())) {
            sink.miss(Miss { step: (thread, next, None), state: &self.areas[area] });
            return true;
        }
        if !free || *budget < choices.len() {
            self.emit(area, thread, next, sink);
            return true;
        }
        *budget -= choices.len();
        if compiled.kind != Kind::Choose {
            let took = self.pass(area, thread, compiled, choices[0]);
            let step = Move { thread, took, value: ValueId::FIRST };
            return match choices[0].read.state() {
                Some(next) => self.settle_further(area, step, next, budget, sink),
                None => false,
            };
        }
        if self.chain.contains(&next) {
            return false;
        }
        self.chain.push(next);
        let mut emitted = false;
        for (number, choice) in choices.iter().enumerate() {
            let Some(chosen) = choice.read.state() else { continue };
            let next_area = self.copy_to_next(area);
            self.moves.push(Move { thread, took: Took::Chose, value: ValueId::from_index(number) });
            emitted |= self.settle(next_area, thread, chosen, budget, sink);
            self.moves.pop();
        }
        self.chain.pop();
        emitted
    }

    /// A private access, unless several steps are possible, or none.
    fn settle_access(
        &mut self,
        area: usize,
        thread: usize,
        next: LocalId,
        budget: &mut usize,
        sink: &mut impl Sink,
    ) -> bool {
        let (layout, steps) = (self.layout, self.steps);
        let compiled = &steps.threads[thread][next];
        let memory = layout.memory[compiled.location.get().expect("a private access has a location")];
        let value = if compiled.kind == Kind::Write { ValueId::FIRST } else { memory.get(&self.areas[area]) };
        let Some(successors) = steps.successors(compiled, value) else {
            sink.miss(Miss { step: (thread, next, Some(value)), state: &self.areas[area] });
            return true;
        };
        let (only, touch) = match (successors.only(), compiled.guard.pass(&steps.guards, &self.areas[area])) {
            (Some(only), Ok(touch)) if *budget >= PRIVATE_COST => (only, touch),
            // A fault shows in the state before the step.
            _ => {
                self.emit(area, thread, next, sink);
                return true;
            }
        };
        *budget -= PRIVATE_COST;
        let words = &mut self.areas[area];
        if only.updates {
            memory.set(words, successors.written());
        }
        if !compiled.heap {
            layout.last_location[thread].set(words, 0);
        }
        self.execute(touch, area);
        self.execute(compiled.update.code[1], area);
        let took = if only.updates { Took::Update } else { Took::Read };
        self.settle_further(area, Move { thread, took, value }, only.next, budget, sink)
    }

    /// Goes on after a step that has been taken.
    fn settle_further(
        &mut self,
        area: usize,
        step: Move,
        next: LocalId,
        budget: &mut usize,
        sink: &mut impl Sink,
    ) -> bool {
        let chain = std::mem::take(&mut self.chain);
        self.moves.push(step);
        let emitted = self.settle(area, step.thread, next, budget, sink);
        self.moves.pop();
        self.chain = chain;
        emitted
    }
}
