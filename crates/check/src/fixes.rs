//! Which changes of orderings repair a program, checked before they are offered.
//!
//! A violation suggests changes that would forbid it ([`proposals`]). The cheapest is applied to the program, and the engine looks
//! for a violation again; where there is one, it suggests more. So the search goes through sets of changes from cheap to
//! expensive, and stops when it has found a few that repair the program, or after a small number of tries.
//!
//! The cost of a change is what it adds to the strength of an access: from `rlx`, `acq` and `rel` cost 2, `acqrel` 3, `sc` 5; an SC
//! fence costs 8, and making a plain access atomic 6 beyond its ordering. Costs are added; of equal ones, fewer changes come first.

mod proposals;
mod words;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::time::Duration;

use fencepost_budget::Limits;
use fencepost_models::Engine;
use fencepost_program::{Change, Ordering, Program, Span};
use fencepost_report::Fix;

use crate::expand::Found;
use crate::search::{Ending, search};
use crate::witness::Witness;
use crate::{Options, Properties, Watch};
use proposals::{proposals, sites};
use words::in_words;

/// How many changed programs are looked at, for how many states each, and for how long in all.
const TRIES: usize = 150;
const STATES: u64 = 200_000;
const TIME: Duration = Duration::from_secs(3);
/// How many fixes are offered.
const OFFERED: usize = 3;

/// Orderings for places in the source, and fences. Sorted.
type Assignment = Vec<Change>;

/// What became of a changed program.
enum Tried {
    Repaired,
    /// Something is still wrong on this line; these changes would forbid it.
    Violated(Span, Vec<Vec<Change>>),
    Unknown,
}

struct Repair<'p> {
    program: &'p Program,
    options: Options,
    tries: usize,
}

/// Fixes, the cheapest first. Of those that leave something, at most one is offered, and only if no other is.
pub(crate) fn suggest(program: &Program, options: &Options, witness: &Witness, found: Found) -> Vec<Fix> {
    let proposed = proposals(program, witness, found);
    let Properties { robustness, races, .. } = options.properties;
    let asked = Properties { robustness, races, assertions: false, deadlocks: false };
    let limits = Limits { timeout: Some(TIME), bytes: None };
    let budget = options.budget.within(limits);
    let max_states = Some(options.max_states.unwrap_or(STATES).min(STATES));
    let options = Options { properties: asked, max_states, budget, ..options.clone() };
    let mut repair = Repair { program, options, tries: 0 };
    let (complete, partial) = repair.search(proposed);
    let offered = complete.iter().map(|changes| in_words(program, changes, None));
    let offered: Vec<Fix> = offered.collect();
    match partial {
        Some((changes, remains)) if offered.is_empty() => vec![in_words(program, &changes, Some(remains))],
        _ => offered,
    }
}

impl Repair<'_> {
    /// Sets of changes that repair the program; and the cheapest that does not, with what remains.
    fn search(&mut self, proposed: Vec<Assignment>) -> (Vec<Assignment>, Option<(Assignment, String)>) {
        let mut queue = BinaryHeap::new();
        let mut seen = BTreeSet::new();
        let mut add = |queue: &mut BinaryHeap<_>, program: &Program, changes: Vec<Change>| {
            if seen.insert(changes.clone()) {
                queue.push(Reverse((cost(program, &changes), changes.len(), changes)));
            }
        };
        for changes in proposed {
            add(&mut queue, self.program, united(&[], &changes));
        }
        let (mut complete, mut partial): (Vec<Assignment>, _) = (Vec::new(), None);
        while let Some(Reverse((_, _, changes))) = queue.pop() {
            if complete.iter().any(|other| is_part(other, &changes)) {
                continue;
            }
            let remains = match self.try_out(&changes) {
                Tried::Repaired => {
                    complete.push(self.without_needless(changes));
                    if complete.len() == OFFERED {
                        break;
                    }
                    continue;
                }
                Tried::Violated(span, more) => {
                    for more in more {
                        let grown = united(&changes, &more);
                        if grown != changes {
                            add(&mut queue, self.program, grown);
                        }
                    }
                    format!("forbids this violation, but another remains at {}", words::place(self.program, span))
                }
                Tried::Unknown => {
                    "forbids this violation; whether others remain was not checked to the end".to_string()
                }
            };
            partial = partial.or(Some((changes, remains)));
            if self.tries >= TRIES || self.options.budget.is_spent() {
                break;
            }
        }
        complete.sort_by_cached_key(|changes| (cost(self.program, changes), changes.len(), changes.clone()));
        complete.dedup();
        (complete, partial)
    }

    fn try_out(&mut self, changes: &[Change]) -> Tried {
        self.tries += 1;
        let program = self.program.tuned(changes);
        if self.options.model.admit(Engine::Check, &program).is_err() {
            return Tried::Unknown;
        }
        let result = search(&program, &self.options, &Watch::default());
        match result.ending {
            Ending::Exhausted => Tried::Repaired,
            Ending::Found { found: Found::Unknown { .. }, .. } | Ending::Stopped(_) | Ending::OutOfPatience => {
                Tried::Unknown
            }
            Ending::Found { path, found } => {
                let named = program.naming(&result.compiled.lts.child_functions);
                let witness = Witness::new(&named, &result.compiled, self.options.model, &path);
                Tried::Violated(wrong(&witness, found), proposals(&program, &witness, found))
            }
        }
    }

    /// Leaves out what an earlier violation suggested and a later change made needless.
    fn without_needless(&mut self, mut changes: Vec<Change>) -> Vec<Change> {
        for change in changes.clone() {
            let fewer: Vec<Change> = changes.iter().copied().filter(|&other| other != change).collect();
            if !fewer.is_empty() && matches!(self.try_out(&fewer), Tried::Repaired) {
                changes = fewer;
            }
        }
        changes
    }
}

/// Where to look at a violation.
fn wrong(witness: &Witness, found: Found) -> Span {
    match found {
        Found::Stale { thread } | Found::Dependent { thread } | Found::Race { thread, .. } => witness.next[thread].1,
        _ => Span::default(),
    }
}

/// All changes of both, a site with one ordering.
fn united(some: &[Change], more: &[Change]) -> Vec<Change> {
    let mut united: Vec<Change> = Vec::new();
    for &change in some.iter().chain(more) {
        let is_order = |change: Change| matches!(change, Change::Order { .. });
        let same = |other: &Change| other.site() == change.site() && is_order(*other) == is_order(change);
        match united.iter().position(same) {
            Some(at) => {
                if let (Change::Order { order, .. }, Change::Order { order: new, .. }) = (&mut united[at], change) {
                    *order = order.join(new);
                }
            }
            None => united.push(change),
        }
    }
    united.sort_unstable();
    united
}

/// Whether all of one is done by the other, too.
fn is_part(part: &[Change], whole: &[Change]) -> bool {
    united(whole, part) == whole
}

fn cost(program: &Program, changes: &[Change]) -> u32 {
    let one = |change: &Change| match *change {
        Change::FenceBefore { .. } => 8,
        Change::Order { site, order } => {
            let before = sites(program).find(|(span, _)| *span == site).map_or(Ordering::Relaxed, |(_, order)| order);
            strength(order).saturating_sub(strength(before)).max(1)
        }
    };
    changes.iter().map(one).sum()
}

fn strength(order: Ordering) -> u32 {
    match order {
        Ordering::NonAtomic => 0,
        Ordering::Relaxed | Ordering::Membar(_) => 6,
        Ordering::Acquire | Ordering::Release => 8,
        Ordering::AcqRel => 9,
        Ordering::SeqCst => 11,
    }
}
