//! The monitors over timestamps agree with the definitions along random SC runs: at every access, the stale writes that
//! RC11 allows and SC does not are those between what the thread is aware of and what SC makes it know
//! (`T_c` and Bad against `T_SC`).

use fencepost_graph::{EventId, EventKind, EventLabel, Graph};
use fencepost_models::Model;
use fencepost_monitor::{Access, Cell, Needs, Plan, Timestamps};
use fencepost_program::{Address, Ordering, Span};
use fencepost_testing::{at_least, trials};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn one_of<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// One random event: its thread and label without values.
fn random_label(random: &mut Random, locations: u64) -> EventLabel {
    use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    let at = Address(random.below(locations));
    match random.below(12) {
        0..=4 => EventLabel::read(random.one_of(&[Relaxed, Acquire, SeqCst, SeqCst]), at, 0),
        5..=8 => EventLabel::write(random.one_of(&[Relaxed, Release, SeqCst, SeqCst]), at, 0),
        9 => EventLabel::rmw(random.one_of(&[Relaxed, Acquire, Release, AcqRel, SeqCst]), at, 0, 0),
        _ => EventLabel::fence(random.one_of(&[Acquire, Release, AcqRel, SeqCst, SeqCst])),
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
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut checks, mut stale) = (0, 0);
    for _ in 0..trials(20_000) {
        let (threads, locations) = (2 + random.below(4), 1 + random.below(3));
        let mut graph = Graph::initial((0..locations).map(|l| (Address(l), 0)));
        let mut monitor = Monitor::new(threads as usize, locations as usize);
        let mut run = Vec::new();
        for _ in 0..4 + random.below(11) {
            let thread = random.below(threads) as u32;
            let label = random_label(&mut random, locations);
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
