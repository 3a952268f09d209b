//! The monitors over timestamps agree with the definitions along random SC runs: at every access, the stale writes that
//! RC11 allows and SC does not are those between what the thread is aware of and what SC makes it know
//! (`T_c` and Bad against `T_SC`).

use fencepost_graph::{EventId, EventKind, EventLabel, Graph};
use fencepost_models::Model;
use fencepost_monitor::{Access, Cell, Needs, Plan, Timestamps};
use fencepost_program::{Address, Ordering, Span};
use fencepost_testing::{at_least, trials};

fn one_of<T: Copy>(rng: &mut fastrand::Rng, from: &[T]) -> T {
    from[rng.usize(..from.len())]
}

/// One random event: its thread and label without values.
fn random_label(rng: &mut fastrand::Rng, locations: u64) -> EventLabel {
    use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    let at = Address(rng.u64(..locations));
    match rng.u64(..12) {
        0..=4 => EventLabel::read(one_of(rng, &[Relaxed, Acquire, SeqCst, SeqCst]), at, 0),
        5..=8 => EventLabel::write(one_of(rng, &[Relaxed, Release, SeqCst, SeqCst]), at, 0),
        9 => EventLabel::rmw(one_of(rng, &[Relaxed, Acquire, Release, AcqRel, SeqCst]), at, 0, 0),
        _ => EventLabel::fence(one_of(rng, &[Acquire, Release, AcqRel, SeqCst, SeqCst])),
    }
}

fn by_definition(graph: &Graph, thread: u32, label: EventLabel) -> Vec<usize> {
    let writes = graph.writes(label.address.expect("an access"));
    let stale = |&predecessor: &EventId| {
        let extended = graph.extended(thread, label, Some(predecessor));
        Model::Rc11.consistent(&extended) && !Model::Sc.consistent(&extended)
    };
    (0..writes.len() - 1).filter(|&i| stale(&writes[i])).collect()
}

struct Monitor {
    plan: Plan,
    clocks: Timestamps,
    /// By thread, the location of its last event.
    last: Vec<Option<usize>>,
}

impl Monitor {
    fn new(threads: usize, locations: usize) -> Monitor {
        let plan = Plan::new(Needs::all(threads, locations, 0));
        let clocks = Timestamps::new(plan.views(), locations);
        Monitor { plan, clocks, last: vec![None; threads] }
    }

    fn access(&self, thread: usize, label: &EventLabel) -> Access {
        let location = label.address.expect("an access").0 as usize;
        let order = label.order;
        Access {
            thread,
            location,
            reads: label.kind != EventKind::Write,
            writes: label.kind != EventKind::Read,
            acquire: order.is_acquire(),
            release: order.is_release(),
            sc: order.is_sc(),
            leaves: self.last[thread] != Some(location),
        }
    }

    fn stale(&self, graph: &Graph, thread: usize, label: &EventLabel) -> Vec<usize> {
        let access = self.access(thread, label);
        let cell = Cell(access.location as u32);
        let known = |view| self.clocks.known(view, cell) as usize;
        let from = self.plan.rules_out(&access).into_iter().map(known).max().unwrap_or(0);
        let to = known(self.plan.sc_view(thread));
        let writes = graph.writes(label.address.expect("an access"));
        let free = |i: usize| !access.writes || !graph.event(writes[i + 1]).is_rmw();
        (from..to).filter(|&i| free(i)).collect()
    }

    fn step(&mut self, thread: usize, label: &EventLabel) {
        if label.kind == EventKind::Fence {
            let order = label.order;
            let (acquire, release) = (order.is_acquire(), order.is_release());
            self.plan.fence(&mut self.clocks, thread, acquire, release, order.is_sc());
            self.last[thread] = None;
            return;
        }
        let access = self.access(thread, label);
        if access.writes {
            self.clocks.overwrite(Cell(access.location as u32));
        }
        self.plan.access(&mut self.clocks, &access);
        self.last[thread] = Some(access.location);
    }
}

#[test]
fn stale_writes_along_random_runs_are_those_of_the_definition() {
    let mut rng = fastrand::Rng::with_seed(0x2545_f491_4f6c_dd1d);
    let (mut checks, mut stale) = (0, 0);
    for _ in 0..trials(20_000) {
        let (threads, locations) = (2 + rng.u64(..4), 1 + rng.u64(..3));
        let mut graph = Graph::initial((0..locations).map(|l| (Address(l), 0)));
        let mut monitor = Monitor::new(threads as usize, locations as usize);
        let mut run = Vec::new();
        for _ in 0..4 + rng.u64(..11) {
            let thread = rng.u64(..threads) as u32;
            let label = random_label(&mut rng, locations);
            run.push((thread, label));
            if label.kind != EventKind::Fence {
                let definition = by_definition(&graph, thread, label);
                let clocks = monitor.stale(&graph, thread as usize, &label);
                checks += 1;
                stale += !definition.is_empty() as u64;
                assert_eq!(clocks, definition, "at the last event of {run:?}");
            }
            monitor.step(thread as usize, &label);
            let last = label.address.and_then(|at| graph.writes(at).last().copied());
            graph.push(thread, label, Span::default(), last);
        }
    }
    assert!(stale > at_least(300, 20_000), "{stale} of {checks} accesses could go stale: too few to tell");
}
