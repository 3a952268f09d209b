//! What the views say along a run is what the definitions say of its execution graph.

use fastrand::Rng;
use fencepost_graph::{EventId, EventLabel, Graph, Relation, Relations};
use fencepost_models::Model;
use fencepost_monitor::{Cell, Needs, Timestamps};
use fencepost_program::{Address, Span};
use fencepost_testing::{at_least, seeds, trials};

use crate::run::{Monitor, Run, Step};

fn address(location: usize) -> Address {
    Address(location as u64)
}

fn label(step: Step) -> EventLabel {
    match step {
        Step::Fence { order, .. } => EventLabel::fence(order),
        Step::Access { location, reads, writes, order, .. } => {
            let at = address(location);
            match (reads, writes) {
                (true, false) => EventLabel::read(order, at, 0),
                (false, _) => EventLabel::write(order, at, 0),
                (true, true) => EventLabel::rmw(order, at, 0, 0),
            }
        }
    }
}

/// The writes to the step's location after which RC11 allows it and SC does not, by their numbers in mo.
fn stale(graph: &Graph, step: Step) -> Vec<u32> {
    let Some(location) = step.location() else { return Vec::new() };
    let writes = graph.writes(address(location));
    let is_stale = |write: EventId| {
        let extended = graph.extended(step.thread() as u32, label(step), Some(write));
        Model::Rc11.consistent(&extended) && !Model::Sc.consistent(&extended)
    };
    (0..).zip(writes).filter(|&(_, &write)| is_stale(write)).map(|(number, _)| number).collect()
}

/// The greatest number of an event that is an event of the thread, or related to one.
fn newest(graph: &Graph, thread: usize, events: &[EventId], related: &Relation) -> u32 {
    let reaches = |event: EventId| {
        let mut of_thread = graph.thread(thread as u32);
        of_thread.any(|(other, _)| event == other || related.contains(event, other))
    };
    events.iter().rposition(|&event| reaches(event)).unwrap_or(0) as u32
}

/// The views of each thread know what the relations lead to an event of the thread.
fn compare_views(graph: &Graph, monitor: &Monitor<Timestamps>, run: &Run, noted: &[EventId], at: impl Fn() -> String) {
    let r = Relations::of(graph);
    let (hb, hb_sc) = (Model::Rc11.hb(&r), r.hb_sc());
    let aware = &hb | &r.rf | r.rf.then(&hb);
    for thread in 0..run.threads {
        let (sc_view, hb_view) = (monitor.plan.sc_view(thread), monitor.plan.hb_view(thread));
        for location in 0..run.locations {
            let (cell, writes) = (Cell(location as u32), graph.writes(address(location)));
            let known = |view| monitor.views.known(view, cell);
            assert_eq!(known(sc_view), newest(graph, thread, writes, &hb_sc), "hbSC: {}", at());
            assert_eq!(known(hb_view), newest(graph, thread, writes, &aware), "rf?;hb?: {}", at());
        }
        let known = monitor.views.known(hb_view, race_cell(run));
        assert_eq!(known, newest(graph, thread, noted, &hb), "hb: {}", at());
    }
}

fn race_cell(run: &Run) -> Cell {
    Cell(run.locations as u32)
}

/// `T_c` and Bad against `T_SC`: see `docs/reference/psc.md`.
#[test]
fn stale_steps_and_views_along_a_run_are_those_of_its_graph() {
    let (mut stale_steps, mut missed) = (0, 0);
    for seed in seeds(trials(20_000)) {
        let mut random = Rng::with_seed(seed);
        let run = Run::random(&mut random, 14);
        let mut monitor = Monitor::<Timestamps>::new(Needs::all(run.threads, run.locations, 1));
        let mut graph = Graph::initial((0..run.locations).map(|location| (address(location), 0)));
        // The initial write comes before all accesses that the race cell notes.
        let mut noted = vec![EventId(0)];
        for (number, &step) in run.steps.iter().enumerate() {
            let at = || format!("seed {seed}: step {number} of {run:#?}");
            let expected = stale(&graph, step);
            assert_eq!(monitor.stale(step), expected, "{}", at());
            stale_steps += expected.len();
            let last = step.location().map(|location| *graph.writes(address(location)).last().expect("a write"));
            let event = graph.push(step.thread() as u32, label(step), Span::default(), last);
            if step.location().is_some() && random.u8(..3) == 0 {
                noted.push(event);
                monitor.touch(step.thread(), race_cell(&run));
            }
            monitor.take(step);
            // Relations take most of the time.
            if seed % 8 == 0 {
                compare_views(&graph, &monitor, &run, &noted, at);
                let known = |&thread: &usize| monitor.views.known(monitor.plan.hb_view(thread), race_cell(&run));
                let last = noted.len() as u32 - 1;
                missed += (0..run.threads).filter(|thread| known(thread) < last).count();
            }
        }
    }
    let enough = stale_steps as u64 > at_least(300, 20_000) && missed as u64 > at_least(10_000, 20_000);
    assert!(enough, "{stale_steps} {missed}");
}
