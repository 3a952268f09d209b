//! At every access of random SC runs, these give the same answer: the definition over execution graphs, the literal location
//! clocks of paper 000 (RC20), the monitor over timestamps that `check` uses (RC11), and the clocks of this crate; with and
//! without pruning at every step.

mod common;

use common::definition::{Definition, Stale};
use common::location_clocks::LocationClocks;
use common::monitor::Monitor;
use common::platform::{RECYCLED, recycle};
use common::production::Production;
use common::trace::{self, Op, Part, Shape, parts, perform};
use fastrand::Rng;
use fencepost_clocks::{Clocks, Model, Violation, ViolationKind};

/// How many runs, times what `FENCEPOST_RUNS` says.
fn runs(usual: usize) -> usize {
    let factor = std::env::var("FENCEPOST_RUNS").ok().and_then(|f| f.parse::<usize>().ok());
    usual * factor.unwrap_or(1)
}

#[derive(Default, Debug)]
struct Tally {
    checks: usize,
    violations: usize,
    /// Accesses at which psc rules out what coherence alone would allow.
    psc: usize,
}

/// The first part that can go stale, by its kind, and the newest write that it can take.
fn expected(parts: &[(Part, Stale)]) -> Option<(ViolationKind, u64)> {
    parts.iter().find_map(|(part, stale)| {
        let &newest = stale.timestamps.last()?;
        let kind = match (part.reads, part.writes) {
            (true, false) => ViolationKind::StaleRead,
            (false, _) => ViolationKind::StaleWrite,
            (true, true) => ViolationKind::StaleRmw,
        };
        Some((kind, newest))
    })
}

fn found(violation: Option<Violation>) -> Option<(ViolationKind, u64)> {
    violation.map(|v| (v.kind, v.stale.timestamp))
}

/// Runs `run` through all analyses and compares them at every access. With `prune`, after each step all that can be
/// forgotten is.
fn compare(run: &[Op], shape: &Shape, model: Model, prune: bool, tally: &mut Tally) {
    recycle();
    let clocks = Clocks::new(model, RECYCLED, 1 << 8);
    let mut production = Production::new(&clocks, shape.threads, shape.locations, shape.syncs, 0);
    let mut definition = Definition::new(model, shape.locations, shape.syncs, 0);
    let mut location_clocks = (model == Model::Rc20).then(|| LocationClocks::new(shape.locations, shape.syncs));
    // The monitor knows neither threads that begin and end nor other synchronisation.
    let simple = shape.syncs == 0 && !shape.spawns && model == Model::Rc11;
    let mut monitor = simple.then(|| Monitor::new(shape.threads, shape.locations));
    let mut memory = vec![0; shape.locations];
    for (i, &op) in run.iter().enumerate() {
        match op {
            Op::Access { thread, location: x, attempt, value } => {
                let violation = production.violation(thread, x, attempt);
                let by_definition: Vec<_> =
                    parts(attempt).into_iter().map(|part| (part, definition.stale(thread, x, &part))).collect();
                let expected = expected(&by_definition);
                assert_eq!(found(violation), expected, "{model:?}, at the last step of {:#?}", &run[..=i]);
                if let Some(violation) = violation {
                    let missed = definition.known_in_sc(thread, x);
                    assert_eq!(violation.missed.timestamp, missed, "{model:?}, the last of {:#?}", &run[..=i]);
                }
                if let Some(location_clocks) = &location_clocks {
                    let violates = location_clocks.violates(thread, x, attempt);
                    assert_eq!(violates, expected.is_some(), "location clocks, at the last of {:#?}", &run[..=i]);
                }
                if let Some(monitor) = &monitor {
                    for (part, stale) in &by_definition {
                        let by_monitor = monitor.stale(thread, x, part);
                        assert_eq!(by_monitor, stale.timestamps, "the monitor, at the last of {:#?}", &run[..=i]);
                    }
                }
                tally.checks += 1;
                tally.violations += violation.is_some() as usize;
                tally.psc += by_definition.iter().any(|(_, stale)| stale.decided_by_psc) as usize;
                let performed = perform(attempt, memory[x], value);
                if let trace::Performed::Store(_, value) | trace::Performed::Rmw(_, value) = performed {
                    memory[x] = value;
                }
                production.access(thread, x, performed);
                definition.access(thread, x, performed);
                location_clocks.iter_mut().for_each(|l| l.access(thread, x, performed));
                monitor.iter_mut().for_each(|m| m.access(thread, x, performed));
            }
            Op::Fence { thread, order } => {
                production.fence(thread, order);
                definition.fence(thread, order);
                location_clocks.iter_mut().for_each(|l| l.fence(thread, order));
                monitor.iter_mut().for_each(|m| m.fence(thread, order));
            }
            Op::Acquire { thread, sync } => {
                production.acquire(thread, sync);
                definition.acquire(thread, sync);
                location_clocks.iter_mut().for_each(|l| l.acquire(thread, sync));
            }
            Op::Release { thread, sync } => {
                production.release(thread, sync);
                definition.release(thread, sync);
                location_clocks.iter_mut().for_each(|l| l.release(thread, sync));
            }
            Op::Spawn { thread, child } => {
                production.spawn(thread, child);
                definition.order(thread, child);
                location_clocks.iter_mut().for_each(|l| l.order(thread, child));
            }
            Op::Join { thread, child } => {
                production.join(thread, child);
                definition.order(child, thread);
                location_clocks.iter_mut().for_each(|l| l.order(child, thread));
            }
            Op::Plain { .. } => {}
        }
        if prune {
            clocks.collect();
        }
    }
}

fn agree(seed: u64, count: usize, model: Model, shape: impl Fn(&mut Rng) -> Shape) -> Tally {
    let mut random = Rng::with_seed(seed);
    let mut tally = Tally::default();
    for i in 0..count {
        let shape = shape(&mut random);
        let run = trace::random(&mut random, &shape);
        compare(&run, &shape, model, i % 2 == 1, &mut tally);
    }
    println!("{count} runs: {tally:?}");
    tally
}

fn shape(random: &mut Rng, sc: bool, sync: bool) -> Shape {
    Shape {
        threads: random.usize(2..=4),
        locations: random.usize(1..=3),
        syncs: if sync { random.usize(0..=2) } else { 0 },
        granules: 0,
        length: random.usize(6..=16),
        sc,
        values: random.bool(),
        spawns: sync && random.bool(),
        halves: false,
    }
}

#[test]
fn rc20_answers_are_those_of_the_definition_and_of_the_location_clocks() {
    let tally = agree(1, runs(12_000), Model::Rc20, |random| shape(random, false, false));
    assert!(tally.violations > 500, "too few violations to tell: {tally:?}");
}

#[test]
fn rc20_with_other_synchronisation_agrees_too() {
    let tally = agree(2, runs(8_000), Model::Rc20, |random| shape(random, false, true));
    assert!(tally.violations > 200, "too few violations to tell: {tally:?}");
}

#[test]
fn rc11_answers_are_those_of_the_definition_and_of_the_monitor() {
    let tally = agree(3, runs(20_000), Model::Rc11, |random| shape(random, true, false));
    assert!(tally.violations > 1_000 && tally.psc > 100, "too few to tell: {tally:?}");
}

#[test]
fn rc11_with_other_synchronisation_agrees_too() {
    let tally = agree(4, runs(12_000), Model::Rc11, |random| shape(random, true, true));
    assert!(tally.violations > 300 && tally.psc > 30, "too few to tell: {tally:?}");
}
