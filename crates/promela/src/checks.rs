//! When a step may go wrong, as conditions on the views.

use fencepost_monitor::{Access, Cell};
use fencepost_program::{Accept, Comparison, Value};

use crate::monitors::{CHUNK, Monitors, chunk_mask, chunk_of, mask_text};
use crate::text::literal;
use fencepost_check::{Classes, Index, LocationId, ValueId};
use fencepost_models::Strength;

/// Which values a step accepts, where they may be the value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Accepted {
    Known(Accept),
    Computed(Comparison, String),
}

impl Monitors<'_> {
    /// When a step that would take a value of its location might take a stale one (paper 003 Thm. 5.3; ERR-SC of
    /// paper 001 Fig. 5). `None`: never.
    pub(crate) fn stale(
        &self,
        thread: usize,
        number: LocationId,
        order: Strength,
        updates: bool,
        accept: &Accepted,
    ) -> Option<String> {
        let tracking = self.tracking();
        let monitored = tracking.monitored[number]?;
        let stale = &tracking.stale[monitored];
        let (sc_view, _) = &self.views[tracking.plan.sc_view(thread).0 as usize][chunk_of(stale.sc_bit?)];
        let aware = format!("!({sc_view} & {})", mask_text(&[stale.sc_bit?]));
        let classes = if updates { &stale.updates } else { &stale.reads };
        let all: Vec<u32> = classes.all().collect();
        let access = |leaves| {
            let Strength { acquire, release, sc, .. } = order;
            Access { thread, location: monitored, reads: true, writes: false, acquire, release, sc, leaves }
        };
        let missed = |leaves: bool| {
            let views = tracking.plan.rules_out(&access(leaves));
            let chunks = all.iter().map(|bit| bit / CHUNK).max().map_or(0, |k| k + 1);
            let parts = (0..chunks).filter_map(|k| {
                let mask = self.accepted(number, classes, accept, k)?;
                let views = views.iter().map(|v| self.views[v.0 as usize][k as usize].0.clone());
                Some(format!("({} & {mask})", views.collect::<Vec<_>>().join(" & ")))
            });
            let parts: Vec<String> = parts.collect();
            (!parts.is_empty()).then(|| parts.join(" || "))
        };
        let leaving = missed(true)?;
        if !tracking.plan.tracks_last_location() || missed(false).as_ref() == Some(&leaving) {
            return Some(format!("{aware} && ({leaving})"));
        }
        let run = format!("{} == {}", self.runs[thread], monitored + 1);
        Some(format!("{aware} && (({run}) -> ({}) : ({leaving}))", missed(false)?))
    }

    /// The bits of the values that a step accepts, within one chunk, as an expression. `None`: none.
    fn accepted(&self, number: LocationId, classes: &Classes, accept: &Accepted, k: u32) -> Option<String> {
        let all = chunk_mask(&classes.all().collect::<Vec<_>>(), k);
        let (accept, expr) = match accept {
            Accepted::Known(accept) => (*accept, None),
            Accepted::Computed(comparison, expr) => (Accept::Any, Some((*comparison, expr))),
        };
        let values = &self.facts.location(number).values;
        let of = |value: Value| {
            let number = values.iter().position(|&v| v == value);
            let bit = number.and_then(|number| classes.bit(ValueId::from_index(number)));
            bit.map_or(0, |bit| chunk_mask(&[bit], k))
        };
        let mask_of = |accept: Accept| match accept {
            Accept::Any => all,
            Accept::Exactly(value) => of(value),
            Accept::AllBut(value) => all & !of(value),
            // Every value has a class of its own.
            Accept::AtLeast(_) => values.iter().filter(|&&v| accept.accepts(v)).fold(0, |mask, &v| mask | of(v)),
        };
        let mask = mask_of(accept);
        if mask == 0 {
            return None;
        }
        let Some((comparison, expr)) = expr else { return Some(mask.to_string()) };
        if comparison == Comparison::Ge {
            let part = |&v: &Value| (of(v) != 0).then(|| format!("({expr} <= {} -> {} : 0)", literal(v), of(v)));
            return Some(format!("({})", values.iter().filter_map(part).collect::<Vec<_>>().join(" | ")));
        }
        // The step compares with critical values only, or else is refused.
        let location = self.facts.location(number);
        let critical = |v: &&Value| {
            location.all_critical || location.critical_reads.contains(v) || location.critical_updates.contains(v)
        };
        let otherwise = if comparison == Comparison::Ne { all } else { 0 };
        let nested = values.iter().filter(critical).rev().fold(otherwise.to_string(), |rest, &value| {
            let mask = mask_of(comparison.accept(value));
            format!("({expr} == {} -> {mask} : {rest})", literal(value))
        });
        Some(nested)
    }

    /// The values that a step may compare with; `None`: any.
    pub(crate) fn critical(&self, number: LocationId, reads: bool, updates: bool) -> Option<Vec<Value>> {
        let location = self.facts.location(number);
        if location.all_critical || self.tracking().monitored[number].is_none() {
            return None;
        }
        let (of_reads, of_updates) = (&location.critical_reads, &location.critical_updates);
        Some(match (reads, updates) {
            (true, true) => of_reads.iter().filter(|v| of_updates.contains(v)).copied().collect(),
            (true, false) => of_reads.clone(),
            _ => of_updates.clone(),
        })
    }

    /// When an access races with an earlier one, and the race cell that it touches itself.
    pub(crate) fn race(
        &self,
        thread: usize,
        number: LocationId,
        writes: bool,
        atomic: bool,
    ) -> (Option<String>, Option<Cell>) {
        let tracking = self.tracking();
        let Some(cells) = &tracking.races[number] else { return (None, None) };
        let (conflicts, touched) = cells.of_access(thread, writes, atomic);
        let bits: Vec<u32> = conflicts.into_iter().map(|cell| tracking.race_bit(cell)).collect();
        let view = &self.views[tracking.plan.hb_view(thread).0 as usize];
        let parts = view.iter().enumerate().filter_map(|(k, (name, _))| {
            let mask = chunk_mask(&bits, k as u32);
            (mask != 0).then(|| format!("({name} & {mask})"))
        });
        let parts: Vec<String> = parts.collect();
        ((!parts.is_empty()).then(|| parts.join(" || ")), touched)
    }
}
