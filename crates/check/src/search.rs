//! Breadth-first search over all states, so that a violation comes with a shortest run. It looks for violations at all
//! locations at once, or at one location at a time.

mod endless;
mod ends;
mod exchange;
mod expand;
mod frontier;
mod lead;
mod lookahead;
mod outlook;
mod program;
mod rounds;
mod settle;
mod sink;
mod states;
mod stuck;
mod table;

use fencepost_program::Program;
use fencepost_story::{CutOff, Reason};

use crate::compiled::{CompiledSteps, Source};
use crate::layout::{Focus, Layout};
use crate::lts::Lts;
use crate::{Options, Properties, Watch};
use exchange::SharedMemory;
pub(crate) use expand::Expander;
pub(crate) use lookahead::Miss;
use rounds::{Over, Rounds, SearchTotals};
pub(crate) use sink::{Found, Sink};
use table::Table;

/// The program compiled for one search.
pub(crate) struct Compiled<'p> {
    pub lts: Lts<'p>,
    pub layout: Layout,
    pub steps: CompiledSteps,
}

pub(crate) enum Ending {
    /// Every reachable state was expanded.
    Exhausted,
    Stopped(Reason),
    /// Too many states to search for everything at once.
    TooManyStates,
    /// The states from the first one to the one that shows a violation.
    Found {
        path: Vec<Vec<u64>>,
        found: Found,
    },
}

pub(crate) struct SearchResult<'p> {
    pub ending: Ending,
    pub compiled: Compiled<'p>,
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    pub peak_bytes: u64,
    /// Why no execution completes, if none does.
    pub cut_off: Option<CutOff>,
    /// Memory for the next search.
    tables: Vec<Table>,
}

pub(crate) fn search<'p>(program: &'p Program, options: &Options, watch: &Watch) -> SearchResult<'p> {
    if !options.observational {
        return search_by_location(program, options, watch);
    }
    // A robust program is observationally robust, because it reads nothing stale. Stale reads are followed further only
    // if it is not.
    let plain = Options { observational: false, ..options.clone() };
    let result = search_by_location(program, &plain, watch);
    if !matches!(result.ending, Ending::Found { found: Found::Stale { .. }, .. }) {
        return result;
    }
    // A stale read of one location changes what its thread learns of others, so all are searched for at once.
    search_for(Lts::new(program, options), Focus::Everything, None, result.tables, options, watch)
}

fn search_by_location<'p>(program: &'p Program, options: &Options, watch: &Watch) -> SearchResult<'p> {
    // All that threads can do is often endless, although a run has little of it. So the first attempt is a small one.
    if options.closure > QUICK_CLOSURE {
        let quick = Options { closure: QUICK_CLOSURE, ..options.clone() };
        let lts = Lts::new(program, &quick);
        if !lts.closed {
            let result = search_for(lts, Focus::Everything, Some(QUICK_STATES), Vec::new(), options, watch);
            if !matches!(result.ending, Ending::TooManyStates) {
                return result;
            }
        }
    }
    let lts = Lts::new(program, options);
    let focuses = if lts.closed { Focus::all(&lts, options) } else { Vec::new() };
    // This suffices for small state spaces and shallow violations.
    let together = if focuses.len() < 2 { None } else { Some(options.together) };
    let mut result = search_for(lts, Focus::Everything, together, Vec::new(), options, watch);
    let Ending::TooManyStates = result.ending else { return result };
    // Each of these searches visits all states of memory and threads, so one of them is enough to look for deadlocks.
    let without_deadlocks = Properties { deadlocks: false, ..options.properties };
    let others = Options { properties: without_deadlocks, ..options.clone() };
    for (number, focus) in focuses.into_iter().enumerate() {
        let SearchResult { compiled, states, transitions, depth, peak_bytes, tables, .. } = result;
        let options = if number == 0 { options } else { &others };
        let next = search_for(compiled.lts, focus, None, tables, options, watch);
        result = SearchResult {
            states: states + next.states,
            transitions: transitions + next.transitions,
            depth: depth.max(next.depth),
            peak_bytes: peak_bytes.max(next.peak_bytes),
            ..next
        };
        if !matches!(result.ending, Ending::Exhausted) {
            break;
        }
    }
    result
}

/// The limits of the first attempt: local steps that are computed in advance, and states that are visited if they do
/// not suffice.
const QUICK_CLOSURE: usize = 10_000;
const QUICK_STATES: u64 = 10_000;

/// Searches with the monitors of a focus. If something turns up that the layout has no room for, the search starts
/// again with a larger one.
fn search_for<'p>(
    mut lts: Lts<'p>,
    focus: Focus,
    most_states: Option<u64>,
    mut tables: Vec<Table>,
    options: &Options,
    watch: &Watch,
) -> SearchResult<'p> {
    let (mut peak_bytes, mut spent) = (0, 0);
    loop {
        let layout = Layout::new(&lts, options, focus);
        if layout.is_too_large {
            let reason = "threads share too much memory: a state of the search would have more than four million bits";
            let compiled = Compiled { lts, layout, steps: CompiledSteps::default() };
            let ending = Ending::Stopped(Reason::Other(reason.into()));
            let cut_off = None;
            return SearchResult {
                ending,
                compiled,
                states: spent,
                transitions: 0,
                depth: 0,
                peak_bytes,
                cut_off,
                tables,
            };
        }
        let steps = CompiledSteps::new(Source { lts: &lts, layout: &layout, options });
        // Searches that were started over count too.
        let left = most_states.map(|most| most.saturating_sub(spent));
        let compiled = Compiled { lts, layout, steps };
        let exchange = SharedMemory::new(options.jobs.max(1));
        let totals = Rounds::new(compiled, exchange, tables, options, left, watch).search();
        peak_bytes = totals.peak_bytes.max(peak_bytes);
        match totals.over {
            Over::Ended(ending) => {
                let SearchTotals { compiled, states, transitions, depth, cut_off, tables, .. } = totals;
                return SearchResult { ending, compiled, states, transitions, depth, peak_bytes, cut_off, tables };
            }
            Over::NoRoom => (lts, tables) = (totals.compiled.lts.restarted(options), totals.tables),
        }
        spent += totals.states + lts.threads.all_states() as u64;
    }
}
