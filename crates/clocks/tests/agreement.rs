//! At every access of random SC runs, these give the same answer: the definition over execution graphs, the literal
//! location clocks of paper 000 (RC20), the monitor over timestamps that `check` uses (RC11), and the clocks of this
//! crate; with and without pruning at every step.

mod common;

use common::cycles;
use common::definition::Definition;
use common::location_clocks::LocationClocks;
use common::monitor::Monitor;
use common::platform::{RECYCLED, recycle};
use common::production::Production;
use common::trace::{self, Op, Part, Shape, parts, perform};
use fastrand::Rng;
use fencepost_clocks::{Clocks, Model, Violation, ViolationKind};
use fencepost_testing::{at_least, trials};

fn runs(usual: usize) -> usize {
    trials(usual as u64) as usize
}

fn enough(violations: usize, usual: usize) -> usize {
    at_least(violations as u64, usual as u64) as usize
}

#[derive(Default, Debug)]
struct Tally {
    checks: usize,
    violations: usize,
    /// Accesses at which psc rules out what coherence alone would allow.
    psc: usize,
    /// Loads that were not recorded, because they change nothing.
    left_out: usize,
}

/// The first part that can go stale, by its kind, and the newest write that it can take.
fn expected(parts: &[Part], stale: &[Vec<u64>]) -> Option<(ViolationKind, u64)> {
    parts.iter().zip(stale).find_map(|(part, stale)| {
        let &newest = stale.last()?;
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

/// How a run is compared.
#[derive(Clone, Copy)]
struct How {
    model: Model,
    /// With the definition too, which takes long.
    by_definition: bool,
    /// After how many steps of sixteen all that can be forgotten is; otherwise, each location forgets what the last
    /// collection allows.
    collections: Option<u32>,
}

/// Runs `run` through all analyses and compares them at every access.
fn compare(run: &[Op], shape: &Shape, how: How, random: &mut Rng, tally: &mut Tally) {
    let model = how.model;
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
                let at = || format!("{model:?}, at the last step of {:#?}", &run[..=i]);
                let parts = parts(attempt);
                if let Some(location_clocks) = &location_clocks {
                    let violates = location_clocks.violates(thread, x, attempt);
                    assert_eq!(violation.is_some(), violates, "by the location clocks: {}", at());
                }
                if let Some(monitor) = &monitor {
                    let stale: Vec<_> = parts.iter().map(|part| monitor.stale(thread, x, part)).collect();
                    assert_eq!(found(violation), expected(&parts, &stale), "by the monitor: {}", at());
                }
                if how.by_definition {
                    let stale: Vec<_> = parts.iter().map(|part| definition.stale(thread, x, part)).collect();
                    tally.psc += stale.iter().any(|stale| stale.decided_by_psc) as usize;
                    let stale: Vec<_> = stale.into_iter().map(|stale| stale.timestamps).collect();
                    assert_eq!(found(violation), expected(&parts, &stale), "by definition: {}", at());
                    if let Some(violation) = violation {
                        assert_eq!(violation.missed.timestamp, definition.known_in_sc(thread, x), "{}", at());
                    }
                }
                tally.checks += 1;
                tally.violations += violation.is_some() as usize;
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
        if let Some(often) = how.collections {
            if random.u32(..16) < often { clocks.collect() } else { production.prune() }
        }
    }
    tally.left_out += production.left_out.get();
}

type Generator = fn(&mut Rng, &Shape) -> Vec<Op>;

fn agree(seed: u64, count: usize, model: Model, run: Generator, shape: impl Fn(&mut Rng) -> Shape) -> Tally {
    agree_as(seed, count, How { model, by_definition: true, collections: None }, run, shape)
}

fn agree_as(seed: u64, count: usize, how: How, run: Generator, shape: impl Fn(&mut Rng) -> Shape) -> Tally {
    let mut random = Rng::with_seed(seed);
    let mut tally = Tally::default();
    for _ in 0..count {
        let shape = shape(&mut random);
        let run = run(&mut random, &shape);
        let collections = random.bool().then(|| random.u32(0..=16));
        compare(&run, &shape, How { collections, ..how }, &mut random, &mut tally);
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
        fences: random.u32(0..=6),
        values: random.bool(),
        spawns: sync && random.bool(),
        halves: false,
    }
}

#[test]
fn rc20_answers_are_those_of_the_definition_and_of_the_location_clocks() {
    let tally = agree(1, runs(12_000), Model::Rc20, trace::random, |random| shape(random, false, false));
    assert!(tally.violations > enough(500, 12_000), "too few violations to tell: {tally:?}");
}

#[test]
fn rc20_with_other_synchronisation_agrees_too() {
    let tally = agree(2, runs(8_000), Model::Rc20, trace::random, |random| shape(random, false, true));
    assert!(tally.violations > enough(200, 8_000), "too few violations to tell: {tally:?}");
}

#[test]
fn rc11_answers_are_those_of_the_definition_and_of_the_monitor() {
    let tally = agree(3, runs(12_000), Model::Rc11, trace::random, |random| shape(random, true, false));
    assert!(tally.violations > enough(1_000, 12_000) && tally.psc > enough(50, 12_000), "too few to tell: {tally:?}");
}

fn cycle(random: &mut Rng, sc: bool) -> Shape {
    let threads = random.usize(2..=4);
    Shape { threads, locations: threads, fences: random.u32(0..=12), ..shape(random, sc, false) }
}

#[test]
fn rc20_answers_around_critical_cycles_agree() {
    let tally = agree(6, runs(8_000), Model::Rc20, cycles::random, |random| cycle(random, false));
    assert!(tally.violations > enough(1_000, 8_000), "too few violations to tell: {tally:?}");
}

#[test]
fn rc11_answers_around_critical_cycles_agree() {
    let tally = agree(7, runs(24_000), Model::Rc11, cycles::random, |random| cycle(random, true));
    assert!(
        tally.violations > enough(1_000, 24_000) && tally.psc > enough(1_000, 24_000),
        "too few to tell: {tally:?}"
    );
}

#[test]
fn rc11_with_other_synchronisation_agrees_too() {
    let tally = agree(4, runs(12_000), Model::Rc11, trace::random, |random| shape(random, true, true));
    assert!(tally.violations > enough(300, 12_000) && tally.psc > enough(30, 12_000), "too few to tell: {tally:?}");
}

/// Long enough for histories to be pruned over and over; too long for the definition, but the others agree with it.
fn long(random: &mut Rng, sc: bool) -> Shape {
    Shape {
        length: random.usize(40..=120),
        fences: random.u32(0..=3),
        locations: random.usize(2..=4),
        ..shape(random, sc, false)
    }
}

#[test]
fn rc20_answers_in_long_runs_are_those_of_the_location_clocks_whatever_is_pruned() {
    let how = How { model: Model::Rc20, by_definition: false, collections: None };
    let tally = agree_as(8, runs(12_000), how, trace::random, |random| long(random, false));
    assert!(
        tally.violations > enough(10_000, 12_000) && tally.left_out > enough(10_000, 12_000),
        "too few to tell: {tally:?}"
    );
}

#[test]
fn rc11_answers_in_long_runs_are_those_of_the_monitor_whatever_is_pruned() {
    let how = How { model: Model::Rc11, by_definition: false, collections: None };
    let tally = agree_as(9, runs(12_000), how, trace::random, |random| long(random, true));
    assert!(
        tally.violations > enough(10_000, 12_000) && tally.left_out > enough(500, 12_000),
        "too few to tell: {tally:?}"
    );
}
