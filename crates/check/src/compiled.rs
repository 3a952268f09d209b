//! For each local state, all that a step needs to know, compiled for one layout.

use fencepost_monitor::{Access, Recorder, View};
use fencepost_program::{Accept, Action, CasKind};

use crate::cells::Classes;
use crate::code::{Compiler, Slice, compile, extend, touch};
use crate::future::Futures;
use crate::guard::{Guard, Guards, is_of_another, touch_life};
use crate::layout::Layout;
use crate::lts::{ALL_UNKNOWN, LocalState, Lts, NOWHERE, Successors};
use crate::step::Step;
use crate::{Options, Properties};
use fencepost_models::Strength;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Takes the value of its location; which of its successors exist says what it can do.
    Access,
    /// The same, but has nothing to take a value from: a store or an SC fence as an RMW.
    Write,
    Fence,
    Choose,
    /// Makes a thread.
    Spawn,
    /// No step: not made yet, ended, or cut off by an assumption.
    Stopped,
    /// No step, and never one: see [`Step::Hangs`].
    Hangs,
    /// No step, but it does not wait either: see [`Step::Endless`].
    Endless,
    Failed,
    /// What the thread does next is not known.
    Unknown,
    Dependent,
}

/// Some bits that all of some views may miss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaleCheck {
    pub mask: u64,
    /// Words and shifts.
    pub views: Slice,
}

/// What a read, or an update, does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effect {
    /// The monitors' operations, if the thread's last event was on the same location, and if not.
    pub code: [Slice; 2],
    /// Accesses that it would race with: words and masks.
    pub races: Slice,
}

pub(crate) struct CompiledStep {
    pub kind: Kind,
    /// A `wait` or blocking RMW, which has no step while memory holds another value; or cut off by an assumption.
    pub blocking: bool,
    /// Cut off by an assumption.
    pub given_up: bool,
    /// The same, in a loop that has no other end.
    pub bounded: bool,
    /// The thread has ended the program.
    pub exited: bool,
    pub location: u32,
    /// The thread that is made.
    pub child: u32,
    /// An access to a location that no other thread accesses, or that nobody writes. To allocate an object is one too:
    /// who does not know of it cannot know the object.
    pub alone: bool,
    /// An SC fence as an RMW.
    pub fence: bool,
    /// It waits for what may never be, and that is no deadlock.
    pub gives_up: bool,
    /// The code of the thread leads from here to its end.
    pub may_end: bool,
    /// Begins or ends an object, or asks for its size: the location is the life of the object, and it is no event.
    pub heap: bool,
    pub guard: Guard,
    /// What the field of the thread's last location becomes.
    pub last_location: u32,
    /// Whether the thread knows the last write along SC-happens-before: a word, and a bit that is then clear.
    pub sc_word: u16,
    pub sc_mask: u64,
    /// The step goes stale if one of these has a bit left: as in [`Effect::code`], by the thread's last event.
    pub stale: [Slice; 2],
    /// A stale read taints the register instead of being a violation.
    pub taints: bool,
    /// The same as `stale`, for what even such a read must not be able to read: memory to which nothing was written.
    pub unwritten: [Slice; 2],
    pub read: Effect,
    pub update: Effect,
    pub tainted: Slice,
    pub successors: Slice,
}

impl CompiledStep {
    /// Whether the step commutes with every step of other threads, and is taken at once.
    #[inline(always)]
    pub(crate) fn is_eager(&self) -> bool {
        self.alone || matches!(self.kind, Kind::Fence | Kind::Choose | Kind::Spawn)
    }
}

/// The compiled program: nothing here changes during a search, except that local states found on the way are added.
#[derive(Default)]
pub(crate) struct CompiledSteps {
    pub threads: Vec<Vec<CompiledStep>>,
    pub compiler: Compiler,
    pub checks: Vec<StaleCheck>,
    pub check_views: Vec<(u16, u8)>,
    pub masks: Vec<(u16, u64)>,
    pub guards: Guards,
    pub successors: Vec<Successors>,
    /// By location, whether an RMW overwrites, and the number of the old value: what every view may miss from then on.
    overwrites: Vec<[Vec<Slice>; 2]>,
    pub futures: Option<Futures>,
    /// By location, how many values were known when stale values were last told from those that make a thread spin.
    judged: Vec<usize>,
}

impl CompiledSteps {
    pub(crate) fn new(lts: &Lts, layout: &Layout, options: &Options) -> CompiledSteps {
        let mut states = CompiledSteps {
            threads: (0..lts.thread_count()).map(|_| Vec::new()).collect(),
            compiler: Compiler::default(),
            checks: Vec::new(),
            check_views: Vec::new(),
            masks: Vec::new(),
            guards: Guards::new(lts.thread_count()),
            successors: Vec::new(),
            overwrites: (0..lts.locations.len()).map(|_| [Vec::new(), Vec::new()]).collect(),
            futures: (options.forget && lts.closed).then(|| Futures::new(lts, layout)),
            judged: lts.locations.iter().map(|location| location.values.len()).collect(),
        };
        states.extend(lts, layout, options);
        states
    }

    /// Adds what the threads have been found to do since.
    pub(crate) fn extend(&mut self, lts: &Lts, layout: &Layout, options: &Options) {
        for thread in 0..lts.thread_count() {
            for state in self.threads[thread].len() as u32..lts.count(thread) as u32 {
                self.guards.add_locals(lts, thread, lts.local(thread, state));
                let step = self.compile(lts, layout, options, thread, state);
                self.threads[thread].push(step);
            }
        }
        self.judge_new_values(lts, layout, options);
        for location in 0..lts.locations.len() {
            for by_rmw in [false, true] {
                for value in self.overwrites[location][by_rmw as usize].len()..lts.locations[location].values.len() {
                    let masks = overwrite(layout, location, by_rmw, value as u32);
                    let masks = extend(&mut self.masks, masks);
                    self.overwrites[location][by_rmw as usize].push(masks);
                }
            }
        }
    }

    /// A value that has turned up since may make threads spin.
    fn judge_new_values(&mut self, lts: &Lts, layout: &Layout, options: &Options) {
        let values = |location: usize| lts.locations[location].values.len();
        let new =
            |location: usize| lts.locations[location].all_reads_critical && self.judged[location] < values(location);
        let new: Vec<bool> = (0..self.judged.len()).map(new).collect();
        if new.contains(&true) {
            for thread in 0..self.threads.len() {
                for state in 0..self.threads[thread].len() {
                    let location = self.threads[thread][state].location;
                    if location != NOWHERE && new[location as usize] {
                        self.threads[thread][state] = self.compile(lts, layout, options, thread, state as u32);
                    }
                }
            }
        }
        self.judged = (0..self.judged.len()).map(values).collect();
    }

    /// Takes over the successors of a local state for a value after [`Lts::fill`].
    pub(crate) fn refresh(&mut self, lts: &Lts, thread: usize, state: u32, value: u32) {
        let filled = &lts.local(thread, state).successors;
        let compiled = &mut self.threads[thread][state as usize];
        if let Some(known) = compiled.successors.of_mut(&mut self.successors).get_mut(value as usize) {
            *known = filled[value as usize];
            return;
        }
        // An access takes values one after the other: room to spare, or the pool would grow with their square.
        let room = if compiled.kind == Kind::Access { filled.len().next_power_of_two() } else { filled.len() };
        let spare = std::iter::repeat_n(ALL_UNKNOWN, room - filled.len());
        compiled.successors = extend(&mut self.successors, filled.iter().copied().chain(spare));
    }

    /// The bits to set when a write of value number `old` is overwritten.
    #[inline(always)]
    pub(crate) fn overwrite(&self, location: u32, by_rmw: bool, old: u32) -> &[(u16, u64)] {
        self.overwrites[location as usize][by_rmw as usize][old as usize].of(&self.masks)
    }

    fn compile(&mut self, lts: &Lts, layout: &Layout, options: &Options, thread: usize, state: u32) -> CompiledStep {
        let local = lts.local(thread, state);
        let step = local.step;
        let mut compiled = CompiledStep {
            kind: match step {
                step if step.takes_value() => Kind::Access,
                Step::Store { .. } | Step::FenceRmw | Step::Heap(_) => Kind::Write,
                Step::Fence { .. } => Kind::Fence,
                Step::Choose { .. } => Kind::Choose,
                Step::Spawn { .. } => Kind::Spawn,
                Step::Unborn | Step::End | Step::Blocked => Kind::Stopped,
                Step::Hangs => Kind::Hangs,
                Step::Endless => Kind::Endless,
                step if step.is_unknown() => Kind::Unknown,
                Step::Failed(_) => Kind::Failed,
                _ => Kind::Dependent,
            },
            blocking: step.may_wait() || step == Step::Blocked,
            given_up: step == Step::Blocked && !local.state.has_exited(),
            bounded: lts.machine().bounded_by(&local.state).is_some(),
            exited: local.state.has_exited(),
            location: local.location,
            child: match step {
                Step::Spawn { number, .. } => lts.known_child(thread, number).unwrap_or(NOWHERE),
                _ => NOWHERE,
            },
            alone: local.location != NOWHERE && is_alone(lts, layout, thread, local),
            fence: step == Step::FenceRmw,
            gives_up: step.takes_freed_object(),
            may_end: lts.machine().may_end(&local.state),
            heap: matches!(step, Step::Heap(_)),
            guard: self.guards.guard(&mut self.compiler, lts, layout, options, thread, local),
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
        if let Step::Fence { order } = step {
            let mut recorder = Recorder::default();
            layout.tracking.plan.fence(&mut recorder, thread, order.acquire, order.release, order.sc);
            compiled.read.code = [extend(&mut self.compiler.ops, compile(layout, &recorder.operations)); 2];
        }
        if let Step::Heap(Action::Alloc { .. } | Action::Free { .. }) = step {
            let ops = touch_life(layout, thread, local.location, true);
            compiled.update.code = [extend(&mut self.compiler.ops, ops); 2];
        } else if local.location != NOWHERE && !compiled.heap {
            self.accesses(layout, options.properties, thread, step, &mut compiled);
            self.stale_checks(lts, layout, options.properties, (thread, state), step, &mut compiled);
        }
        compiled
    }

    fn accesses(
        &mut self,
        layout: &Layout,
        properties: Properties,
        thread: usize,
        step: Step,
        compiled: &mut CompiledStep,
    ) {
        let location = compiled.location as usize;
        compiled.last_location = match layout.tracking.monitored[location] {
            Some(monitored) if layout.tracking.plan.tracks_runs() => monitored as u32 + 1,
            _ => 0,
        };
        let (read, update) = match step {
            Step::Load { order, .. } | Step::Wait { order, .. } => (Some(order), None),
            Step::Store { order, .. } | Step::Rmw { order, .. } => (None, Some(order)),
            Step::Cas { success, failure, .. } => (Some(failure), Some(success)),
            _ => (None, Some(Strength { atomic: true, acquire: true, release: true, sc: false })),
        };
        let updates_read = !matches!(step, Step::Store { .. });
        let fenced = step == Step::FenceRmw;
        if let Some(order) = read {
            compiled.read = self.effect(layout, properties, thread, location, (true, false), order, false);
            if compiled.taints
                && let Some(location) = layout.tracking.monitored[location]
            {
                let access = access(thread, location, (true, false), order, false);
                compiled.tainted = self.compiler.access(layout, access, true);
            }
        }
        if let Some(order) = update {
            compiled.update = self.effect(layout, properties, thread, location, (updates_read, true), order, fenced);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn effect(
        &mut self,
        layout: &Layout,
        properties: Properties,
        thread: usize,
        location: usize,
        (reads, writes): (bool, bool),
        order: Strength,
        fenced: bool,
    ) -> Effect {
        let mut effect = Effect::default();
        let mut before = Vec::new();
        if let Some(cells) = &layout.tracking.races[location] {
            let (conflicts, touched) = cells.of_access(thread, writes, order.atomic);
            if properties.races {
                let bits = conflicts.into_iter().map(|cell| layout.tracking.race_bit(cell));
                let masks = layout.masks(layout.tracking.plan.hb_view(thread), bits);
                effect.races = extend(&mut self.masks, masks);
            }
            if let Some(cell) = touched {
                before.extend(touch(layout, thread, cell));
            }
        }
        for leaves in [false, true] {
            let mut ops = before.clone();
            let fence = |acquire, release| {
                let mut recorder = Recorder::default();
                layout.tracking.plan.fence(&mut recorder, thread, acquire, release, false);
                compile(layout, &recorder.operations)
            };
            if fenced {
                ops.extend(fence(true, false));
            }
            if let Some(location) = layout.tracking.monitored[location] {
                let leaves = leaves && layout.tracking.plan.tracks_runs();
                let access = access(thread, location, (reads, writes), order, leaves);
                let code = self.compiler.access(layout, access, false);
                if !fenced && before.is_empty() {
                    effect.code[leaves as usize] = code;
                    if !layout.tracking.plan.tracks_runs() {
                        effect.code = [code; 2];
                    }
                    continue;
                }
                ops.extend_from_slice(code.of(&self.compiler.ops));
            }
            if fenced {
                ops.extend(fence(false, true));
            }
            effect.code[leaves as usize] = extend(&mut self.compiler.ops, ops);
        }
        effect
    }

    /// The labels that the program enables here, each with the classes of stale values that it would accept (Thm 5.3 of
    /// paper 003; ERR-SC of paper 001 Fig. 5).
    fn stale_checks(
        &mut self,
        lts: &Lts,
        layout: &Layout,
        properties: Properties,
        (thread, state): (usize, u32),
        step: Step,
        compiled: &mut CompiledStep,
    ) {
        let Some(monitored) = layout.tracking.monitored[compiled.location as usize] else { return };
        let stale = &layout.tracking.stale[monitored];
        let Some(sc_bit) = stale.sc_bit else { return };
        if !properties.robustness && !compiled.taints {
            return;
        }
        (compiled.sc_word, compiled.sc_mask) = layout.masks(layout.tracking.plan.sc_view(thread), [sc_bit])[0];
        let values = &lts.locations[compiled.location as usize].values;
        // A value has two numbers if it is also that of memory to which nothing was written.
        let numbers = |value| (0..values.len()).filter(move |&n| values[n] == value).map(|n| n as u32);
        let bits = |classes: &Classes, accept: Accept| -> Vec<u32> {
            let of = |value| numbers(value).filter_map(|n| classes.bit(n)).collect::<Vec<u32>>();
            match accept {
                Accept::Any => classes.all().collect(),
                Accept::Exactly(value) => of(value),
                Accept::AllBut(value) => {
                    let not = of(value);
                    classes.all().filter(|bit| !not.contains(bit)).collect()
                }
                // Every value has a class of its own.
                Accept::AtLeast(_) => {
                    let accepted = (0..values.len()).filter(|&n| accept.accepts(values[n]));
                    accepted.filter_map(|n| classes.bit(n as u32)).collect()
                }
            }
        };
        // Of the values that a read would accept, those that make it a useless iteration of a loop do not count.
        let spins: Vec<u32> = match step {
            Step::Load { .. } | Step::Cas { .. } if lts.locations[compiled.location as usize].all_reads_critical => {
                let spins = |n: &usize| lts.spins(thread, state, values[*n]);
                (0..values.len()).filter(spins).filter_map(|n| stale.reads.bit(n as u32)).collect()
            }
            _ => Vec::new(),
        };
        let reads = |accept| bits(&stale.reads, accept).into_iter().filter(|bit| !spins.contains(bit)).collect();
        let mut labels: Vec<(Strength, Vec<u32>)> = Vec::new();
        match step {
            Step::Load { order, .. } if order.atomic => labels.push((order, reads(Accept::Any))),
            Step::Wait { accept, order, .. } => labels.push((order, bits(&stale.reads, accept))),
            Step::Store { order, .. } if order.atomic => labels.push((order, bits(&stale.updates, Accept::Any))),
            Step::Rmw { accept, order, .. } => labels.push((order, bits(&stale.updates, accept))),
            Step::Cas { expected, success, failure, kind, .. } => {
                labels.push((success, bits(&stale.updates, Accept::Exactly(expected))));
                let fails = if kind == CasKind::Weak { Accept::Any } else { Accept::AllBut(expected) };
                labels.push((failure, reads(fails)));
            }
            _ => {}
        }
        for leaves in [false, true] {
            let mut checks = Vec::new();
            for (order, bits) in &labels {
                let access = access(thread, monitored, (true, false), *order, leaves);
                let views = layout.tracking.plan.rules_out(&access);
                self.check(layout, &views, bits, &mut checks);
            }
            compiled.stale[leaves as usize] = extend(&mut self.checks, checks);
            if let Step::Load { order, .. } = step
                && compiled.taints
                && lts.local(thread, state).uses_value
                && lts.locations[compiled.location as usize].unwritten
            {
                let views = layout.tracking.plan.rules_out(&access(thread, monitored, (true, false), order, leaves));
                let mut checks = Vec::new();
                let nothing: Vec<u32> = stale.reads.bit(0).into_iter().collect();
                self.check(layout, &views, &nothing, &mut checks);
                compiled.unwritten[leaves as usize] = extend(&mut self.checks, checks);
            }
        }
    }

    fn check(&mut self, layout: &Layout, views: &[View], bits: &[u32], checks: &mut Vec<StaleCheck>) {
        let chunks = bits.iter().map(|bit| bit / 64 + 1).max().unwrap_or(0);
        for chunk in 0..chunks {
            let mask = bits.iter().filter(|&bit| bit / 64 == chunk).fold(0, |mask, bit| mask | 1 << (bit % 64));
            if mask == 0 {
                continue;
            }
            let fields = views.iter().map(|v| layout.rows[v.0 as usize][chunk as usize]);
            let views = extend(&mut self.check_views, fields.map(|f| (f.word, f.shift)));
            checks.push(StaleCheck { mask, views });
        }
    }
}

/// Whether the step of a local state concerns no other thread.
fn is_alone(lts: &Lts, layout: &Layout, thread: usize, local: &LocalState) -> bool {
    match local.step {
        Step::Heap(Action::Alloc { .. }) => true,
        Step::FenceRmw => false,
        // The other thread may return.
        step if step.address().is_some_and(|at| is_of_another(thread, at)) => false,
        _ => {
            let shared = |location: u32| layout.tracking.shared[location as usize];
            !shared(local.location) && !lts.lives_around(local.location).into_iter().any(shared)
        }
    }
}

fn access(thread: usize, location: usize, (reads, writes): (bool, bool), order: Strength, leaves: bool) -> Access {
    let Strength { acquire, release, sc, .. } = order;
    Access { thread, location, reads, writes, acquire, release, sc, leaves }
}

fn overwrite(layout: &Layout, location: usize, by_rmw: bool, old: u32) -> Vec<(u16, u64)> {
    let Some(monitored) = layout.tracking.monitored[location] else { return Vec::new() };
    let stale = &layout.tracking.stale[monitored];
    let mut masks: Vec<(u16, u64)> = Vec::new();
    for view in (0..layout.tracking.plan.scratch().0).map(View) {
        let bits: Vec<u32> = if layout.tracking.is_sc_view(view) {
            stale.sc_bit.into_iter().collect()
        } else {
            stale.reads.bit(old).into_iter().chain(if by_rmw { None } else { stale.updates.bit(old) }).collect()
        };
        for (word, mask) in layout.masks(view, bits) {
            match masks.iter_mut().find(|(known, _)| *known == word) {
                Some((_, known)) => *known |= mask,
                None => masks.push((word, mask)),
            }
        }
    }
    masks
}
