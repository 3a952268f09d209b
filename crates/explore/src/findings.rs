//! What the workers of one exploration find, and when they stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fencepost_program::{Action, Address, Failure, Freed};
use fencepost_story::{CutOff, Reason};

use crate::event::Id;
use crate::execution::Execution;
use crate::explain::Found;
use crate::explorer::{Explorer, Flow, Overlap, Visitor};
use crate::heap::{HeapError, leak};
use crate::learned::Remedy;
use crate::races::Race;
use crate::{Options, Shown, Watch, explain};

/// An execution with more events than this is taken to be one that does not end.
const MAX_EVENTS: usize = 4_000;
/// How often a worker tells what it has counted.
const TICKS: u32 = 1024;

/// One exploration, as its workers share it.
pub(crate) struct Shared<'a> {
    options: &'a Options,
    watch: &'a Watch,
    /// Complete or blocked, if their number is limited.
    counted: AtomicU64,
    stop: AtomicBool,
    findings: Mutex<Findings>,
}

#[derive(Default)]
pub(crate) struct Findings {
    pub complete: u64,
    pub blocked: u64,
    pub events: u64,
    /// Why executions are blocked.
    pub cut_off: CutOff,
    pub found: Option<Found>,
    /// Cells that overlap, and what to do about it: the exploration must restart.
    pub overlaps: Vec<([Address; 2], Remedy)>,
    /// Further objects that can be freed: the exploration must restart.
    pub freed: Freed,
    /// The exploration must restart with all orders in which threads arrive at barriers.
    pub order_at_barriers_matters: bool,
    pub stopped: Option<Reason>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(options: &'a Options, watch: &'a Watch) -> Shared<'a> {
        watch.complete.store(0, Relaxed);
        watch.blocked.store(0, Relaxed);
        let findings = Mutex::new(Findings::default());
        Shared { options, watch, counted: AtomicU64::new(0), stop: AtomicBool::new(false), findings }
    }

    pub(crate) fn findings(self) -> Findings {
        self.findings.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Findings> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One worker's part in it.
pub(crate) struct Worker<'a, F> {
    shared: &'a Shared<'a>,
    show: Option<&'a Mutex<F>>,
    complete: u64,
    blocked: u64,
    events: u64,
    cut_off: CutOff,
    ticks: u32,
}

impl<'a, F> Worker<'a, F> {
    pub(crate) fn new(shared: &'a Shared<'a>, show: Option<&'a Mutex<F>>) -> Worker<'a, F> {
        Worker { shared, show, complete: 0, blocked: 0, events: 0, cut_off: CutOff::default(), ticks: 0 }
    }

    /// Adds what was counted since the last time.
    fn tell(&mut self) {
        let mut findings = self.shared.lock();
        findings.complete += self.complete;
        findings.blocked += self.blocked;
        findings.events += self.events;
        findings.cut_off.extend(&self.cut_off);
        (self.complete, self.blocked, self.events) = (0, 0, 0);
        self.shared.watch.complete.store(findings.complete, Relaxed);
        self.shared.watch.blocked.store(findings.blocked, Relaxed);
    }

    fn stop(&mut self, reason: Reason) -> Flow {
        self.shared.stop.store(true, Relaxed);
        self.shared.lock().stopped.get_or_insert(reason);
        Flow::Stop
    }

    fn violated(&mut self, found: Found) -> Flow {
        self.shared.stop.store(true, Relaxed);
        self.shared.lock().found.get_or_insert(found);
        Flow::Stop
    }

    /// Takes note of why an execution is blocked. One in which a thread has read an old value is like another, which
    /// tells.
    fn note_why(&mut self, explorer: &Explorer, execution: &Execution) {
        self.cut_off.bounded |= explorer.is_bounded(execution);
        let steps = explorer.steps;
        for thread in execution.made_threads() {
            match steps.action(execution, thread) {
                Action::Failed(_) => self.cut_off.fails = true,
                Action::Blocked if !steps.threads.is_out_of_bound(steps.token(execution, thread)) => {
                    let place = place(explorer, execution, thread);
                    self.cut_off.by_assumption(place.trim_end_matches(": ").to_owned());
                }
                _ => {}
            }
        }
        match explorer.stuck(execution) {
            Some(stuck) if stuck.waits => self.cut_off.waits = true,
            Some(_) => self.cut_off.endless = true,
            None => {}
        }
    }

    /// Whether executions were shown. That cannot be taken back.
    fn has_shown(&self) -> bool {
        self.show.is_some() && (self.complete > 0 || self.shared.lock().complete > 0)
    }

    /// Whether one more execution is within the limit.
    fn may_count(&self) -> bool {
        self.shared.options.max_executions.is_none_or(|max| self.shared.counted.fetch_add(1, Relaxed) < max)
    }
}

impl<F: FnMut(&Shown)> Worker<'_, F> {
    fn show(&self, explorer: &Explorer, execution: &Execution, is_complete: bool) {
        if let Some(show) = self.show {
            let mut show = show.lock().unwrap_or_else(PoisonError::into_inner);
            show(&Shown { explorer, execution, is_complete });
        }
    }
}

/// Where a thread stands in the source, to begin a message with.
fn place(explorer: &Explorer, execution: &Execution, thread: usize) -> String {
    let steps = explorer.steps;
    let span = steps.span(execution, thread);
    match steps.program.sources.get(span.file.0 as usize) {
        Some(source) if span.line > 0 => format!("{}:{}: ", source.name, span.line),
        _ => String::new(),
    }
}

impl<F> Drop for Worker<'_, F> {
    fn drop(&mut self) {
        self.tell();
    }
}

impl<F: FnMut(&Shown)> Visitor for Worker<'_, F> {
    fn tick(&mut self, events: usize) -> Flow {
        if events > MAX_EVENTS {
            return self.stop(Reason::Other(format!(
                "an execution has more than {MAX_EVENTS} events; `--unroll` bounds the loops"
            )));
        }
        if self.shared.stop.load(Relaxed) {
            return Flow::Stop;
        }
        if let Err(spent) = self.shared.options.budget.check() {
            return self.stop(spent.into());
        }
        self.ticks = self.ticks.wrapping_add(1);
        self.events += 1;
        // In a long execution every event takes its time.
        if self.ticks.is_multiple_of(TICKS) || events > 256 {
            self.tell();
        }
        Flow::GoOn
    }

    fn complete(&mut self, explorer: &Explorer, execution: &Execution) -> Flow {
        if !self.may_count() {
            return self.stop(Reason::ExecutionLimit);
        }
        if self.shared.options.leaks
            && let Some(error) = leak(execution, explorer.locations.addresses())
        {
            return self.violated(explain::heap_error(explorer, execution, error));
        }
        self.complete += 1;
        self.show(explorer, execution, true);
        Flow::GoOn
    }

    fn blocked(&mut self, explorer: &Explorer, execution: &Execution) -> Flow {
        if !self.may_count() {
            return self.stop(Reason::ExecutionLimit);
        }
        self.blocked += 1;
        if self.shared.options.show_blocked {
            self.show(explorer, execution, false);
        }
        self.note_why(explorer, execution);
        Flow::GoOn
    }

    fn deadlock(&mut self, explorer: &Explorer, execution: &Execution, stuck: &[usize]) -> Flow {
        if !self.shared.options.properties.deadlocks {
            return self.blocked(explorer, execution);
        }
        self.violated(explain::deadlock(explorer, execution, stuck))
    }

    fn failed(&mut self, explorer: &Explorer, execution: &Execution, thread: usize, failure: Failure) -> Flow {
        if failure == Failure::EndlessLocalLoop {
            return self.stop(Reason::Other("a loop without memory accesses does not end".to_string()));
        }
        if let Failure::Unsupported { .. } = failure {
            let text = failure.text(&explorer.steps.names());
            return self.stop(Reason::Unsupported(format!("{}the program {text}", place(explorer, execution, thread))));
        }
        if !self.shared.options.properties.assertions {
            return self.blocked(explorer, execution);
        }
        self.violated(explain::failed(explorer, execution, thread, failure))
    }

    fn freed(&mut self, start: u64, size: u64) -> Flow {
        self.shared.stop.store(true, Relaxed);
        self.shared.lock().freed.insert(start, size);
        Flow::Stop
    }

    fn overlap(&mut self, explorer: &Explorer, execution: &Execution, overlap: Overlap) -> Flow {
        let Overlap { thread, cells, remedy } = overlap;
        if remedy != Remedy::Nothing && !self.has_shown() {
            self.shared.stop.store(true, Relaxed);
            self.shared.lock().overlaps.push((cells, remedy));
            return Flow::Stop;
        }
        let size = |at: Address| at.pointer_and_size().map_or(0, |(_, size)| size);
        let name = explorer.steps.program.cell_name(cells[1]);
        let place = place(explorer, execution, thread);
        let (this, other) = (size(cells[1]), size(cells[0]));
        self.stop(Reason::Other(format!(
            "{place}an access to {this} bytes at `{name}` overlaps one to {other} bytes: no memory model defines this"
        )))
    }

    fn order_at_barrier_matters(&mut self) -> Flow {
        if self.has_shown() {
            return self.stop(Reason::Other(
                "the order in which threads arrive at a barrier matters only in some executions".to_owned(),
            ));
        }
        self.shared.stop.store(true, Relaxed);
        self.shared.lock().order_at_barriers_matters = true;
        Flow::Stop
    }

    fn heap_error(&mut self, explorer: &Explorer, execution: &Execution, error: HeapError) -> Flow {
        if !self.shared.options.properties.assertions {
            return Flow::GoOn;
        }
        self.violated(explain::heap_error(explorer, execution, error))
    }

    fn race(&mut self, explorer: &Explorer, execution: &Execution, race: Race, second: Id) -> Flow {
        let checked = self.shared.options.properties.races;
        if race.widened && (race.disjoint || !checked) {
            let Explorer { steps, locations, .. } = explorer;
            let is_part = |id: &Id| {
                let piece = steps.piece(execution, locations.addresses(), execution.event(*id));
                piece.role.is_widened()
            };
            let event = execution.event([second, race.other].into_iter().find(is_part).unwrap_or(second));
            let at = locations.addresses()[event.location];
            return self.stop(Reason::concurrent_parts(steps.program, event.span, at));
        }
        if !checked {
            return Flow::GoOn;
        }
        self.violated(explain::race(explorer, execution, race.other, second))
    }
}
