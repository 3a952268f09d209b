//! Compiles the next step of a local state.

use fencepost_models::Strength;
use fencepost_monitor::{Access, Recorder};
use fencepost_program::Action;

use super::code::{Slice, WordOp, compile, extend, touch};
use super::guard::{is_of_another, touch_life};
use super::step::{CompiledStep, Effect, Kind};
use super::{CompiledSteps, Source};
use crate::index::{LocalId, LocationId};
use crate::layout::Layout;
use crate::lts::{LocalState, Step};

/// An access of a thread to a location, as the monitors see it.
#[derive(Clone, Copy)]
struct Accessing {
    thread: usize,
    location: LocationId,
    reads: bool,
    writes: bool,
    order: Strength,
    /// An SC fence as an RMW, between an acquire and a release fence.
    fenced: bool,
    /// It is to a part of the cell only.
    widened: bool,
}

impl CompiledSteps {
    pub(super) fn compile(&mut self, source: Source, thread: usize, state: LocalId) -> CompiledStep {
        let Source { lts, layout, options } = source;
        let local = lts.local(thread, state);
        let step = local.step;
        let child = match step {
            Step::Spawn { number, .. } => lts.threads.child(thread, number).map(|child| child as u32),
            _ => None,
        };
        let mut compiled = CompiledStep {
            kind: Kind::of(step),
            blocking: step.may_wait() || step == Step::Blocked,
            given_up: step == Step::Blocked && !local.state.has_exited(),
            bounded: lts.machine().bounded_by(&local.state).is_some(),
            exited: local.state.has_exited(),
            location: local.location.into(),
            child: child.into(),
            private: local.location.is_some_and(|location| is_private(source, thread, local, location)),
            fence: step == Step::FenceRmw,
            may_give_up: step.takes_freed_object() || lts.machine().may_time_out(&local.state),
            may_end: lts.machine().may_end(&local.state),
            heap: matches!(step, Step::Heap(_)),
            guard: self.guards.guard(&mut self.compiler, source, thread, local),
            last_location: 0,
            sc_word: 0,
            sc_mask: 0,
            stale: [Slice::default(); 2],
            taints: options.observational && matches!(step, Step::Load { .. }),
            unwritten: [Slice::default(); 2],
            read: Effect::default(),
            update: Effect::default(),
            tainted: Slice::default(),
            successors: extend(&mut self.successors, local.successors.iter().copied()),
        };
        match (step, local.location) {
            (Step::Fence { order }, _) => {
                let mut recorder = Recorder::default();
                layout.tracking.plan.fence(&mut recorder, thread, order.acquire, order.release, order.sc);
                compiled.read.code = [extend(&mut self.compiler.ops, compile(layout, &recorder.operations)); 2];
            }
            (Step::Heap(Action::Alloc { .. } | Action::Free { .. }), Some(life)) => {
                let ops = touch_life(layout, thread, life, true);
                compiled.update.code = [extend(&mut self.compiler.ops, ops); 2];
            }
            (Step::Heap(_), _) => {}
            (_, Some(location)) => {
                self.add_effects(source, thread, local, location, &mut compiled);
                self.add_stale_checks(source, (thread, state), location, &mut compiled);
            }
            _ => {}
        }
        compiled
    }

    /// What the monitors do at an access.
    fn add_effects(
        &mut self,
        source: Source,
        thread: usize,
        local: &LocalState,
        location: LocationId,
        compiled: &mut CompiledStep,
    ) {
        let step = local.step;
        let tracking = &source.layout.tracking;
        compiled.last_location = match tracking.monitored[location] {
            Some(monitored) if tracking.plan.tracks_last_location() => monitored as u32 + 1,
            _ => 0,
        };
        let (read, update) = match step {
            Step::Load { order, .. } | Step::Wait { order, .. } => (Some(order), None),
            Step::Store { order, .. } | Step::Rmw { order, .. } => (None, Some(order)),
            Step::Cas { success, failure, .. } => (Some(failure), Some(success)),
            _ => (None, Some(Step::FENCE_RMW)),
        };
        let widened = source.lts.piece(local).is_some_and(|piece| piece.role.is_widened());
        let accessing =
            |reads, writes, order, fenced| Accessing { thread, location, reads, writes, order, fenced, widened };
        if let Some(order) = read {
            compiled.read = self.effect(source, accessing(true, false, order, false));
            if compiled.taints
                && let Some(monitored) = tracking.monitored[location]
            {
                let access = access(thread, monitored, (true, false), order, false);
                compiled.tainted = self.compiler.access(source.layout, access, true);
            }
        }
        if let Some(order) = update {
            let reads = !matches!(step, Step::Store { .. });
            compiled.update = self.effect(source, accessing(reads, true, order, step == Step::FenceRmw));
        }
    }

    fn effect(&mut self, source: Source, accessing: Accessing) -> Effect {
        let Accessing { thread, location, writes, order, .. } = accessing;
        let layout = source.layout;
        let mut effect = Effect::default();
        let mut before = Vec::new();
        if let Some(cells) = &layout.tracking.races[location] {
            let (conflicts, touched) = cells.of_access(thread, writes, order.atomic);
            if source.options.properties.races || accessing.widened {
                let bits = conflicts.into_iter().map(|cell| layout.tracking.race_bit(cell));
                let masks = layout.masks(layout.tracking.plan.hb_view(thread), bits);
                effect.races = extend(&mut self.masks, masks);
            }
            if let Some(cell) = touched {
                before.extend(touch(layout, thread, cell));
            }
        }
        effect.code = match layout.tracking.plan.tracks_last_location() {
            true => [false, true].map(|leaves| self.operations(layout, accessing, leaves, &before)),
            false => [self.operations(layout, accessing, false, &before); 2],
        };
        effect
    }

    /// The operations of the monitors at an access, after some others. `leaves`: see [`Access::leaves`].
    fn operations(&mut self, layout: &Layout, accessing: Accessing, leaves: bool, before: &[WordOp]) -> Slice<WordOp> {
        let Accessing { thread, location, reads, writes, order, fenced, .. } = accessing;
        let code = layout.tracking.monitored[location].map(|monitored| {
            let access = access(thread, monitored, (reads, writes), order, leaves);
            self.compiler.access(layout, access, false)
        });
        if let Some(code) = code
            && !fenced
            && before.is_empty()
        {
            return code;
        }
        let fence = |acquire, release| {
            let mut recorder = Recorder::default();
            if fenced {
                layout.tracking.plan.fence(&mut recorder, thread, acquire, release, false);
            }
            compile(layout, &recorder.operations)
        };
        let mut ops = before.to_vec();
        ops.extend(fence(true, false));
        ops.extend_from_slice(code.unwrap_or_default().of(&self.compiler.ops));
        ops.extend(fence(false, true));
        extend(&mut self.compiler.ops, ops)
    }
}

/// Whether no other thread can observe the step of a local state.
fn is_private(source: Source, thread: usize, local: &LocalState, location: LocationId) -> bool {
    match local.step {
        Step::Heap(Action::Alloc { .. }) => true,
        Step::FenceRmw => false,
        // The other thread may return.
        step if step.address().is_some_and(|at| is_of_another(thread, at)) => false,
        _ => {
            let shared = |location: LocationId| source.layout.tracking.shared[location];
            !shared(location) && !source.lts.lives_around(location).into_iter().any(shared)
        }
    }
}

pub(super) fn access(
    thread: usize,
    location: usize,
    (reads, writes): (bool, bool),
    order: Strength,
    leaves: bool,
) -> Access {
    let Strength { acquire, release, sc, .. } = order;
    Access { thread, location, reads, writes, acquire, release, sc, leaves }
}
