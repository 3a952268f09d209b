//! Which changes of orderings repair a program, checked before they are offered.
//!
//! A violation suggests changes that would forbid it. The cheapest is applied to the program, and an engine looks for a
//! violation again; where there is one, it suggests more. So the search goes through sets of changes from cheap to
//! expensive, and stops when it has found a few that repair the program, or after a small number of tries. A changed
//! program gets little work at first. If that is too little for all that could be a fix, these get all the work that is
//! left, until one is a fix.
//!
//! The cost of a change is what it adds to the strength of an access: from `rlx`, `acq` and `rel` cost 2, `acqrel` 3,
//! `sc` 5; an SC fence costs 8, and making a plain access atomic 6 beyond its ordering. Costs are added; of equal ones,
//! fewer changes come first.
//!
//! ```
//! use fencepost_budget::Budget;
//! use fencepost_check::{Options, Watch, check};
//! use fencepost_fixes::{Effort, Engine, Tried, sites, suggest};
//! use fencepost_frontend::parse_fp;
//! use fencepost_program::{Change, Ordering, Program};
//! use fencepost_story::Outcome;
//!
//! struct Checker;
//!
//! impl Engine for Checker {
//!     fn try_out(&mut self, changed: &Program, states: u64) -> (Tried, u64) {
//!         let options = Options { max_states: Some(states), ..Options::default() };
//!         let verdict = check(changed, &options, &Watch::default()).expect("rc11 takes every ordering");
//!         let tried = if verdict.outcome == Outcome::Holds { Tried::Repaired } else { Tried::Unknown };
//!         (tried, verdict.statistics.states.unwrap_or(0))
//!     }
//! }
//!
//! let text = "
//!     atomic x: bool, y: bool;
//!     thread left { x.store(1, rel); a = y.load(acq); }
//!     thread right { y.store(1, rel); b = x.load(acq); }";
//! let program = parse_fp("SB.fp", text)?.program;
//! let all_sc = sites(&program).map(|(site, _)| Change::Order { site, order: Ordering::SeqCst }).collect();
//! let effort = Effort { quick: 1_000, in_all: 10_000, budget: Budget::default() };
//! let fixes = suggest(&program, vec![all_sc], effort, Checker);
//! assert_eq!(fixes.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod candidates;
mod execution;
mod sites;
mod words;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::time::Duration;

use fencepost_budget::Budget;
use fencepost_program::{Change, Ordering, Program, Span};
use fencepost_story::Fix;

pub use candidates::{PlacedAccess, everywhere, fewest, singles_and_pairs, stronger_orderings};
pub use execution::{Wrong, proposals};
pub use sites::{plain_sites, sites};
use words::in_words;

/// The usual time limit for the search for fixes.
pub const USUAL_TIME: Duration = Duration::from_secs(5);

/// How many changed programs are looked at.
const TRIES: usize = 150;
/// How many fixes are offered.
const OFFERED: usize = 3;

/// Orderings for places in the source, and fences.
pub type Assignment = Vec<Change>;

/// What became of a changed program.
pub enum Tried {
    Repaired,
    /// Something is still wrong here; these changes would forbid it.
    Violated(Span, Vec<Assignment>),
    Unknown,
}

/// An engine that looks at changed programs.
pub trait Engine {
    /// Looks at a changed program, for so much work at most. Says what became of it, and how much work it was.
    fn try_out(&mut self, changed: &Program, work: u64) -> (Tried, u64);
}

/// What the search may take. What counts as work depends on the engine.
pub struct Effort {
    /// For each changed program at first.
    pub quick: u64,
    pub in_all: u64,
    pub budget: Budget,
}

struct Repair<'p, E> {
    program: &'p Program,
    engine: E,
    effort: Effort,
    tries: usize,
    /// The most for one changed program.
    patience: u64,
    done: u64,
}

/// What a search found.
#[derive(Default)]
struct Repairs {
    complete: Vec<Assignment>,
    /// The cheapest that is not known to repair the program, with what remains.
    partial: Option<(Assignment, String)>,
    /// What could not be checked to the end.
    undecided: Vec<Assignment>,
}

/// Fixes, the cheapest first. Of those that leave something, at most one is offered, and only if no other is.
pub fn suggest(program: &Program, proposed: Vec<Assignment>, effort: Effort, engine: impl Engine) -> Vec<Fix> {
    let patience = effort.quick;
    let mut repair = Repair { program, engine, effort, tries: 0, patience, done: 0 };
    let mut found = repair.search(proposed, OFFERED);
    if found.complete.is_empty() && !found.undecided.is_empty() {
        repair.patience = repair.effort.in_all;
        found.complete = repair.search(found.undecided, 1).complete;
    }
    let offered: Vec<Fix> = found.complete.iter().map(|changes| in_words(program, changes, None)).collect();
    match found.partial {
        Some((changes, remains)) if offered.is_empty() => vec![in_words(program, &changes, Some(remains))],
        _ => offered,
    }
}

impl<E: Engine> Repair<'_, E> {
    /// Searches sets of changes, starting with the proposed ones, until `wanted` of them repair the program.
    fn search(&mut self, proposed: Vec<Assignment>, wanted: usize) -> Repairs {
        let mut queue = BinaryHeap::new();
        let mut seen = BTreeSet::new();
        let mut add = |queue: &mut BinaryHeap<_>, program: &Program, changes: Assignment| {
            // An instruction of a processor has no ordering to choose.
            let fences_only = program.processor.is_some();
            if fences_only && changes.iter().any(|change| matches!(change, Change::Order { .. })) {
                return;
            }
            if seen.insert(changes.clone()) {
                queue.push(Reverse((cost(program, &changes), changes.len(), changes)));
            }
        };
        for changes in proposed {
            add(&mut queue, self.program, united(&[], &changes));
        }
        let Repairs { mut complete, mut partial, mut undecided } = Repairs::default();
        while let Some(Reverse((_, _, changes))) = queue.pop() {
            if complete.iter().any(|other| is_part(other, &changes)) {
                continue;
            }
            let remains = match self.try_out(&changes) {
                Tried::Repaired => {
                    complete.push(self.without_needless(changes));
                    if complete.len() == wanted {
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
                    format!("forbids this violation, but another remains{}", words::at(self.program, span))
                }
                Tried::Unknown => {
                    undecided.push(changes.clone());
                    "forbids this violation; whether others remain was not checked to the end".to_string()
                }
            };
            partial = partial.or(Some((changes, remains)));
            if self.tries >= TRIES || self.done >= self.effort.in_all || self.effort.budget.is_spent() {
                break;
            }
        }
        complete.sort_by_cached_key(|changes| (cost(self.program, changes), changes.len(), changes.clone()));
        complete.dedup();
        Repairs { complete, partial, undecided }
    }

    fn try_out(&mut self, changes: &[Change]) -> Tried {
        self.tries += 1;
        let left = self.effort.in_all.saturating_sub(self.done);
        let (tried, work) = self.engine.try_out(&self.program.tuned(changes), self.patience.min(left));
        self.done += work;
        tried
    }

    /// Leaves out what an earlier violation suggested and a later change made needless.
    fn without_needless(&mut self, mut changes: Assignment) -> Assignment {
        for change in changes.clone() {
            let fewer: Assignment = changes.iter().copied().filter(|&other| other != change).collect();
            if !fewer.is_empty() && matches!(self.try_out(&fewer), Tried::Repaired) {
                changes = fewer;
            }
        }
        changes
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
