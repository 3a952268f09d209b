//! When a step goes stale.

use fencepost_models::Strength;
use fencepost_monitor::View;
use fencepost_program::{Accept, CasKind, Value};

use super::code::{Slice, extend};
use super::compile::access;
use super::step::{CompiledStep, StaleCheck};
use super::{CompiledSteps, Source};
use crate::index::{Index, LocalId, LocationId, ValueId};
use crate::layout::{Classes, Layout, Stale};
use crate::lts::Step;

/// The stale values that a step would take, as bits of a view.
struct Labels<'a> {
    values: &'a [Value],
    stale: &'a Stale,
    /// Bits of values that make the step a useless iteration of a loop.
    spins: Vec<u32>,
}

impl CompiledSteps {
    /// Adds the checks of the labels that the program enables (Thm 5.3 of paper 003; ERR-SC of paper 001 Fig. 5).
    pub(super) fn add_stale_checks(
        &mut self,
        source: Source,
        (thread, state): (usize, LocalId),
        location: LocationId,
        compiled: &mut CompiledStep,
    ) {
        let Source { lts, layout, options } = source;
        let Some(monitored) = layout.tracking.monitored[location] else { return };
        let stale = &layout.tracking.stale[monitored];
        let Some(sc_bit) = stale.sc_bit else { return };
        if !options.properties.robustness && !compiled.taints {
            return;
        }
        (compiled.sc_word, compiled.sc_mask) = layout.masks(layout.tracking.plan.sc_view(thread), [sc_bit])[0];
        let local = lts.local(thread, state);
        let step = local.step;
        let labels = Labels { values: &lts.locations[location].values, stale, spins: spins(source, thread, state) };
        let labels = labels.of(step);
        let unwritten = match step {
            Step::Load { order, .. } if compiled.taints && local.uses_value && lts.locations[location].unwritten => {
                Some((order, Vec::from_iter(stale.reads.bit(ValueId::FIRST))))
            }
            _ => None,
        };
        for leaves in [false, true] {
            let mut checks = |labels: &[(Strength, Vec<u32>)]| {
                let mut checks = Vec::new();
                for (order, bits) in labels {
                    let access = access(thread, monitored, (true, false), *order, leaves);
                    self.check(layout, &layout.tracking.plan.rules_out(&access), bits, &mut checks);
                }
                extend(&mut self.checks, checks)
            };
            compiled.stale[leaves as usize] = checks(&labels);
            compiled.unwritten[leaves as usize] = checks(unwritten.as_slice());
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
            let views: Slice<(u16, u8)> = extend(&mut self.check_views, fields.map(|f| (f.word, f.shift)));
            checks.push(StaleCheck { mask, views });
        }
    }
}

/// The bits of the values that the program would accept, but that make a read a useless iteration of a loop.
fn spins(source: Source, thread: usize, state: LocalId) -> Vec<u32> {
    let Source { lts, layout, .. } = source;
    let local = lts.local(thread, state);
    let Some(location) = local.location else { return Vec::new() };
    let known = &lts.locations[location];
    let (Step::Load { .. } | Step::Cas { .. }, true, Some(monitored)) =
        (local.step, known.all_reads_critical, layout.tracking.monitored[location])
    else {
        return Vec::new();
    };
    let reads = &layout.tracking.stale[monitored].reads;
    let spins = |&(_, &value): &(usize, &Value)| lts.spins(thread, state, value);
    let values = known.values.iter().enumerate();
    values.filter(spins).filter_map(|(number, _)| reads.bit(ValueId::from_index(number))).collect()
}

impl Labels<'_> {
    /// The labels of a step: the ordering of each, and the stale values that it would take.
    fn of(&self, step: Step) -> Vec<(Strength, Vec<u32>)> {
        let (reads, updates) = (&self.stale.reads, &self.stale.updates);
        match step {
            Step::Load { order, .. } if order.atomic => vec![(order, self.reads(Accept::Any))],
            Step::Wait { accept, order, .. } => vec![(order, self.bits(reads, accept))],
            Step::Store { order, .. } if order.atomic => vec![(order, self.bits(updates, Accept::Any))],
            Step::Rmw { accept, order, .. } => vec![(order, self.bits(updates, accept))],
            Step::Cas { expected, success, failure, kind, .. } => {
                let fails = if kind == CasKind::Weak { Accept::Any } else { Accept::AllBut(expected) };
                vec![(success, self.bits(updates, Accept::Exactly(expected))), (failure, self.reads(fails))]
            }
            _ => Vec::new(),
        }
    }

    fn reads(&self, accept: Accept) -> Vec<u32> {
        let mut bits = self.bits(&self.stale.reads, accept);
        bits.retain(|bit| !self.spins.contains(bit));
        bits
    }

    fn bits(&self, classes: &Classes, accept: Accept) -> Vec<u32> {
        let of = |accepted: &dyn Fn(Value) -> bool| -> Vec<u32> {
            // A value has two numbers if it is also that of memory to which nothing was written.
            let numbers = (0..self.values.len()).filter(|&number| accepted(self.values[number]));
            numbers.filter_map(|number| classes.bit(ValueId::from_index(number))).collect()
        };
        match accept {
            Accept::Any => classes.all().collect(),
            Accept::Exactly(value) => of(&|other| other == value),
            Accept::AllBut(value) => {
                let not = of(&|other| other == value);
                classes.all().filter(|bit| !not.contains(bit)).collect()
            }
            // Every value has a class of its own.
            Accept::AtLeast(_) => of(&|value| accept.accepts(value)),
        }
    }
}
