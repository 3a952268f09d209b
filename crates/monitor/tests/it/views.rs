//! What the views of a plan say does not depend on the lattice, nor on views that no later step reads.

use fastrand::Rng;
use fencepost_monitor::{Cell, Needs, Plan, Timestamps, View};
use fencepost_testing::{at_least, seeds, trials};

use crate::lattices::StaleSets;
use crate::run::{Monitor, Run, Step};

/// Race cells of the runs.
const RACE_CELLS: usize = 2;

fn runs(usual: u64) -> impl Iterator<Item = (u64, Run, Rng)> {
    seeds(trials(usual)).map(|seed| {
        let mut random = Rng::with_seed(seed);
        (seed, Run::random(&mut random, 24), random)
    })
}

fn all(run: &Run) -> Needs {
    Needs::all(run.threads, run.locations, RACE_CELLS)
}

#[test]
fn a_set_of_stale_values_has_the_writes_from_the_last_known_to_the_last() {
    for (seed, run, mut random) in runs(500) {
        let mut clocks = Monitor::<Timestamps>::new(all(&run));
        let mut sets = Monitor::<StaleSets>::new(all(&run));
        for &step in &run.steps {
            if random.u8(..4) == 0 {
                let cell = Cell((run.locations + random.usize(..RACE_CELLS)) as u32);
                clocks.touch(step.thread(), cell);
                sets.touch(step.thread(), cell);
            }
            assert_eq!(clocks.stale(step), sets.stale(step), "seed {seed}: {step:?} in {run:#?}");
            clocks.take(step);
            sets.take(step);
            for view in (0..sets.plan.scratch().0).map(View) {
                for cell in (0..sets.views.now.len() as u32).map(Cell) {
                    let stale: Vec<u32> = (clocks.views.known(view, cell)..clocks.views.now(cell)).collect();
                    let set = &sets.views.views[view.0 as usize][cell.0 as usize];
                    assert_eq!(*set, stale, "seed {seed}: {view:?} of {cell:?} after {step:?} in {run:#?}");
                }
            }
        }
    }
}

#[test]
fn a_plan_for_what_a_run_needs_gives_the_answers_of_one_with_all_views() {
    let (mut stale, mut spared) = (0, 0);
    for (seed, run, _) in runs(1000) {
        let mut with_all = Monitor::<Timestamps>::new(all(&run));
        let mut needed = Monitor::<Timestamps>::new(run.needs(RACE_CELLS));
        spared += with_all.plan.views() - needed.plan.views();
        for &step in &run.steps {
            assert_eq!(needed.stale(step), with_all.stale(step), "seed {seed}: {step:?} in {run:#?}");
            stale += needed.stale(step).len();
            with_all.take(step);
            needed.take(step);
        }
    }
    assert!(stale as u64 > at_least(500, 1000) && spared as u64 > at_least(10_000, 1000), "{stale} {spared}");
}

#[test]
fn each_view_belongs_to_one_thread_or_one_location() {
    for (seed, run, _) in runs(200) {
        for needs in [all(&run), run.needs(RACE_CELLS)] {
            let plan = Plan::new(needs);
            let of_threads = (0..run.threads).flat_map(|thread| plan.thread_views(thread));
            let of_locations = (0..run.locations).flat_map(|location| plan.location_views(location));
            let mut views: Vec<u32> = of_threads.chain(of_locations).map(|view| view.0).collect();
            views.sort_unstable();
            assert_eq!(views, (0..plan.scratch().0).collect::<Vec<u32>>(), "seed {seed}");
            assert_eq!(plan.sc_views() + plan.hb_views() + plan.psc_views(), plan.scratch().0, "seed {seed}");
        }
    }
}

/// The views that no step of the rest of a run reads.
fn unread(plan: &Plan, run: &Run, rest: &[Step]) -> Vec<View> {
    let any = |holds: &dyn Fn(Step) -> bool| rest.iter().any(|&step| holds(step));
    let is_fence = |step: Step| step.location().is_none();
    let mut views = Vec::new();
    for thread in 0..run.threads {
        if !any(&|step| step.thread() == thread && !is_fence(step)) {
            views.extend(plan.thread_views(thread));
        }
        if !any(&|step| step.thread() == thread && is_fence(step) && step.strength().acquire) {
            views.extend(plan.acquire_views(thread));
        }
        if !any(&|step| step.thread() == thread && step.writes() && !step.strength().release) {
            views.extend(plan.release_views(thread));
        }
    }
    for location in 0..run.locations {
        if !any(&|step| step.location() == Some(location)) {
            views.extend(plan.location_views(location));
        }
        if !any(&|step| step.location() == Some(location) && step.reads()) {
            views.extend(plan.written_views(location));
        }
    }
    views
}

#[test]
fn views_that_no_later_step_reads_can_hold_anything() {
    let (mut stale, mut changed) = (0, 0);
    for (seed, run, mut random) in runs(1000) {
        let needs = if random.bool() { all(&run) } else { run.needs(RACE_CELLS) };
        let mut kept = Monitor::<StaleSets>::new(needs.clone());
        let mut forgotten = Monitor::<StaleSets>::new(needs);
        for (number, &step) in run.steps.iter().enumerate() {
            assert_eq!(forgotten.stale(step), kept.stale(step), "seed {seed}: {step:?} in {run:#?}");
            stale += kept.stale(step).len();
            kept.take(step);
            forgotten.take(step);
            let rest = &run.steps[number + 1..];
            let views = unread(&forgotten.plan, &run, rest);
            let now = forgotten.views.now.clone();
            for view in views {
                for (set, &now) in forgotten.views.views[view.0 as usize].iter_mut().zip(&now) {
                    let other: Vec<u32> = (0..now).filter(|_| random.bool()).collect();
                    changed += usize::from(*set != other);
                    *set = other;
                }
            }
            // Nothing about a location matters once it is not accessed any more.
            for location in 0..run.locations {
                if rest.iter().all(|step| step.location() != Some(location)) {
                    let now = now[location];
                    let views = &mut forgotten.views.views[..];
                    views.iter_mut().for_each(|view| view[location] = (0..now).filter(|_| random.bool()).collect());
                }
            }
        }
    }
    assert!(stale as u64 > at_least(500, 1000) && changed as u64 > at_least(10_000, 1000), "{stale} {changed}");
}
