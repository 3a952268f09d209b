//! Races along random SC runs are those of the definition: conflicting accesses that hb does not order, of which one is
//! plain.

mod common;

use common::definition::Definition;
use common::platform::{RECYCLED, recycle};
use common::production::Production;
use common::trace::{self, Op, Shape, perform};
use fastrand::Rng;
use fencepost_clocks::{Clocks, Model};

#[derive(Default, Debug)]
struct Tally {
    accesses: usize,
    races: usize,
    missed: usize,
}

/// Compares up to the first race: what a racy read reads may count as synchronisation by definition, and a program with
/// a race has no meaning anyway. A race that is reported is always one by definition; if `exact`, the other way round
/// too.
fn compare(run: &[Op], shape: &Shape, model: Model, exact: bool, tally: &mut Tally) {
    recycle();
    let clocks = Clocks::new(model, RECYCLED, 1 << 8);
    let mut production = Production::new(&clocks, shape.threads, shape.locations, shape.syncs, shape.granules);
    let mut definition = Definition::new(model, shape.locations, shape.syncs, shape.granules);
    let mut memory = vec![0; shape.locations];
    for (i, &op) in run.iter().enumerate() {
        match op {
            Op::Plain { thread, granule, halves, writes } => {
                let found = production.plain(thread, granule, halves, writes);
                let expected = definition.plain(thread, granule, halves, writes);
                tally.accesses += 1;
                tally.races += expected as usize;
                tally.missed += (expected && found.is_none()) as usize;
                assert!(expected || found.is_none(), "no race at the last of {:#?}", &run[..=i]);
                assert!(!exact || !expected || found.is_some(), "a race at the last of {:#?}", &run[..=i]);
                if expected {
                    return;
                }
            }
            Op::Access { thread, location, attempt, value } => {
                let performed = perform(attempt, memory[location], value);
                if let trace::Performed::Store(_, value) | trace::Performed::Rmw(_, value) = performed {
                    memory[location] = value;
                }
                production.access(thread, location, performed);
                definition.access(thread, location, performed);
            }
            Op::Fence { thread, order } => {
                production.fence(thread, order);
                definition.fence(thread, order);
            }
            Op::Acquire { thread, sync } => {
                production.acquire(thread, sync);
                definition.acquire(thread, sync);
            }
            Op::Release { thread, sync } => {
                production.release(thread, sync);
                definition.release(thread, sync);
            }
            Op::Spawn { thread, child } => {
                production.spawn(thread, child);
                definition.order(thread, child);
            }
            Op::Join { thread, child } => {
                production.join(thread, child);
                definition.order(child, thread);
            }
        }
    }
}

fn shape(random: &mut Rng, threads: usize, halves: bool) -> Shape {
    Shape {
        threads,
        locations: random.usize(1..=2),
        syncs: random.usize(0..=1),
        granules: random.usize(1..=2),
        length: random.usize(6..=24),
        sc: true,
        fences: 2,
        values: random.bool(),
        spawns: false,
        halves,
    }
}

#[test]
fn with_three_threads_and_whole_granules_all_first_races_are_found() {
    let mut random = Rng::with_seed(5);
    let mut tally = Tally::default();
    for i in 0..12_000 {
        let threads = random.usize(2..=3);
        let shape = shape(&mut random, threads, false);
        let run = trace::random(&mut random, &shape);
        compare(&run, &shape, if i % 2 == 0 { Model::Rc11 } else { Model::Rc20 }, true, &mut tally);
    }
    assert!(tally.races > 2_000 && tally.races < tally.accesses / 2, "too few to tell: {tally:?}");
}

#[test]
fn with_more_accesses_than_words_no_race_is_invented_and_few_are_missed() {
    let mut random = Rng::with_seed(6);
    let mut tally = Tally::default();
    for i in 0..8_000 {
        let threads = random.usize(2..=5);
        let mut shape = shape(&mut random, threads, true);
        shape.spawns = random.bool();
        let run = trace::random(&mut random, &shape);
        compare(&run, &shape, if i % 2 == 0 { Model::Rc11 } else { Model::Rc20 }, false, &mut tally);
    }
    assert!(tally.races > 2_000, "too few to tell: {tally:?}");
    assert!(tally.missed * 50 < tally.races, "too many are missed: {tally:?}");
}
