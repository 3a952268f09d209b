//! Schedulers whose choices are fixed, with threads of the test.

use std::sync::Mutex;
use std::thread::scope;

use super::{Chooser, Scheduler, Slot};

type Body<'a> = &'a (dyn Fn(&Scheduler, &mut Slot) + Sync);

/// Runs threads under a scheduler. The first is there from the start, and creates the others before its first step.
/// Returns the summary of the schedule.
fn run(choices: &[usize], bodies: &[Body]) -> (u64, u64) {
    let scheduler = Scheduler::new();
    scheduler.start(Some(Chooser::script(choices)));
    let ends = |slot: &mut Slot| scheduler.thread_ends(slot, 0).tell();
    let mut slots: Vec<Slot> = bodies.iter().map(|_| Slot::default()).collect();
    scheduler.thread_starts(&mut slots[0]);
    slots[1..].iter_mut().for_each(|slot| scheduler.thread_created(slot));
    scope(|scope| {
        let mut threads = slots.iter_mut().zip(bodies);
        let first = threads.next();
        for (slot, body) in threads {
            let scheduler = &scheduler;
            scope.spawn(move || {
                scheduler.thread_starts(slot);
                body(scheduler, slot);
                ends(slot);
            });
        }
        if let Some((slot, body)) = first {
            body(&scheduler, slot);
            ends(slot);
        }
    });
    scheduler.stop()
}

/// Each of two threads makes two steps: who made them, in order.
fn steps(choices: &[usize]) -> (Vec<usize>, (u64, u64)) {
    let log = Mutex::new(Vec::new());
    let body = |thread: usize| {
        let log = &log;
        move |scheduler: &Scheduler, slot: &mut Slot| {
            for _ in 0..2 {
                log.lock().unwrap().push(thread);
                scheduler.point(slot);
            }
        }
    };
    let summary = run(choices, &[&body(0), &body(1)]);
    (log.into_inner().unwrap(), summary)
}

#[test]
fn threads_run_as_they_are_chosen() {
    assert_eq!(steps(&[1, 0, 1, 0, 1]).0, [0, 1, 0, 1]);
    assert_eq!(steps(&[0, 0, 1]).0, [0, 0, 1, 1]);
    assert_eq!(steps(&[1, 1, 1, 0]).0, [0, 1, 1, 0]);
}

#[test]
fn schedulers_do_not_share_what_they_know() {
    let scripts: [&[usize]; 3] = [&[1, 0, 1, 0, 1], &[0, 0, 1], &[1, 1, 1, 0]];
    let alone = scripts.map(steps);
    let together = scope(|scope| scripts.map(|script| scope.spawn(|| steps(script))).map(|run| run.join().unwrap()));
    assert_eq!(together, alone);
    // Four points, and a hash that tells the schedules apart.
    assert!(alone.iter().all(|(_, summary)| summary.0 == 4), "{alone:?}");
    assert!(alone[0].1 != alone[1].1 && alone[1].1 != alone[2].1 && alone[0].1 != alone[2].1, "{alone:?}");
}

#[test]
fn a_thread_that_blocks_goes_on_when_it_is_woken() {
    const KEY: usize = 5;
    let log = Mutex::new(Vec::new());
    let say = |what: &'static str| log.lock().unwrap().push(what);
    let wakes = |scheduler: &Scheduler, slot: &mut Slot| {
        // The other one is chosen whenever it can go on.
        scheduler.point(slot);
        say("before");
        scheduler.wake(Some(slot), KEY + 1, usize::MAX);
        scheduler.point(slot);
        say("wake");
        scheduler.wake(Some(slot), KEY, usize::MAX);
        scheduler.point(slot);
        say("after");
    };
    let blocks = |scheduler: &Scheduler, slot: &mut Slot| {
        say("block");
        assert!(scheduler.block(slot, KEY, false));
        say("woken");
    };
    run(&[1; 20], &[&wakes, &blocks]);
    assert_eq!(log.into_inner().unwrap(), ["block", "before", "wake", "woken", "after"]);
}

#[test]
fn time_passes_when_nobody_else_can_go_on() {
    let alone = |scheduler: &Scheduler, slot: &mut Slot| {
        assert!(!scheduler.block(slot, 5, true));
    };
    run(&[], &[&alone]);
}

#[test]
fn without_turns_nobody_else_runs() {
    let log = Mutex::new(Vec::new());
    let steady = |scheduler: &Scheduler, slot: &mut Slot| {
        scheduler.without_turns(slot, || log.lock().unwrap().push(0));
        log.lock().unwrap().push(1);
        scheduler.point(slot);
    };
    let other = |_: &Scheduler, _: &mut Slot| log.lock().unwrap().push(2);
    run(&[1, 1], &[&steady, &other]);
    assert_eq!(log.into_inner().unwrap(), [0, 1, 2]);
}

#[test]
fn without_a_chooser_threads_run_freely() {
    let scheduler = Scheduler::new();
    scheduler.start(None);
    let mut slot = Slot::default();
    scheduler.thread_starts(&mut slot);
    scheduler.point(&mut slot);
    assert!(!scheduler.is_controlled());
    assert_eq!(scheduler.stop(), (0, 0));
}
