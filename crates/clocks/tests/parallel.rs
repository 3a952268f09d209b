//! The clocks under real threads: no report on a program that is robust and has no races, in spite of collections at
//! any time; and reports on one that is not.

mod common;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use common::platform::LEAKED;
use fencepost_clocks::{Attempt, Clocks, Extent, Granule, Location, Model, Order, Thread};

/// A spin lock of the program under test: memory, and its location.
struct SpinLock<'c> {
    held: AtomicBool,
    location: &'c Location,
}

impl SpinLock<'_> {
    /// Returns whether the attempts that failed or the one that did not could be stale.
    fn lock(&self, c: &Clocks, t: &Thread) -> bool {
        loop {
            let mut access = c.access(t, self.location);
            let violation = access.check(Attempt::BlockingCas { order: Order::Acquire, expected: 0 });
            if !self.held.swap(true, Ordering::Relaxed) {
                access.rmw(Order::Acquire, 1, 0);
                return violation.is_some();
            }
            drop(access);
            std::thread::yield_now();
        }
    }

    fn unlock(&self, c: &Clocks, t: &Thread) -> bool {
        let mut access = c.access(t, self.location);
        let violation = access.check(Attempt::Store(Order::Release));
        self.held.store(false, Ordering::Relaxed);
        access.store(Order::Release, 0, 0);
        violation.is_some()
    }
}

/// Each of four threads locks and touches plain memory; if `careless`, the last one does not lock.
fn critical_sections(model: Model, careless: bool) -> (u32, u32) {
    let c: &'static Clocks = Box::leak(Box::new(Clocks::new(model, LEAKED, 1 << 20)));
    let main = c.spawn(None, 0).expect("a slot");
    let lock = SpinLock { held: AtomicBool::new(false), location: c.location(0) };
    let granules: Vec<Granule> = (0..8).map(|_| Granule::new()).collect();
    let (violations, races) = (AtomicU32::new(0), AtomicU32::new(0));
    let threads: Vec<_> = (1..=4).map(|name| c.spawn(Some(main), name).expect("a slot")).collect();
    std::thread::scope(|scope| {
        for &thread in &threads {
            let (lock, granules, violations, races) = (&lock, &granules, &violations, &races);
            scope.spawn(move || {
                for i in 0..4_000usize {
                    let locks = !careless || thread.name() != 4;
                    if locks && lock.lock(c, thread) {
                        violations.fetch_add(1, Ordering::Relaxed);
                    }
                    let granule = &granules[i % 8];
                    let read = c.plain_read(thread, granule, Extent::WHOLE);
                    let write = c.plain_write(thread, granule, Extent::WHOLE);
                    races.fetch_add((read.is_some() || write.is_some()) as u32, Ordering::Relaxed);
                    if locks && lock.unlock(c, thread) {
                        violations.fetch_add(1, Ordering::Relaxed);
                    }
                    if i % 500 == 0 {
                        c.collect();
                    }
                }
                c.finish(thread);
            });
        }
    });
    threads.iter().for_each(|thread| c.join(main, thread));
    let after = granules.iter().filter(|g| c.plain_write(main, g, Extent::WHOLE).is_some()).count();
    assert_eq!(after, 0, "what the threads did happens before their join");
    (violations.into_inner(), races.into_inner())
}

#[test]
fn a_correct_lock_is_silent() {
    for model in [Model::Rc20, Model::Rc11] {
        assert_eq!(critical_sections(model, false), (0, 0), "{model:?}");
    }
}

#[test]
fn forgotten_locks_are_found() {
    let (_, races) = critical_sections(Model::Rc11, true);
    assert!(races > 0);
}

#[test]
fn collections_do_not_wait_for_accesses_that_report_races() {
    let c: &'static Clocks = Box::leak(Box::new(Clocks::new(Model::Rc11, LEAKED, 1 << 20)));
    let threads: Vec<_> = (0..3).map(|name| c.spawn(None, name).expect("a slot")).collect();
    let (x, granule) = (c.location(0), Granule::new());
    let races = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for &thread in &threads[..2] {
            let (granule, races) = (&granule, &races);
            scope.spawn(move || {
                for i in 0..20_000 {
                    let race = c.access(thread, x).shadowed(granule, Extent::WHOLE).store(Order::Relaxed, i, 0);
                    c.plain_write(thread, granule, Extent::WHOLE);
                    races.fetch_add(race.is_some() as u32, Ordering::Relaxed);
                }
            });
        }
        scope.spawn(|| (0..200).for_each(|_| c.collect()));
    });
    assert!(races.into_inner() > 0);
}

#[test]
fn numbers_that_restart_at_any_time_invent_no_race() {
    let c: &'static Clocks = Box::leak(Box::new(Clocks::new(Model::Rc11, LEAKED, 128)));
    let main = c.spawn(None, 0).expect("a slot");
    let mutex = std::sync::Mutex::new(());
    let sync = c.sync();
    let granules: Vec<Granule> = (0..8).map(|_| Granule::new()).collect();
    let (races, restarts) = (AtomicU32::new(0), AtomicU32::new(0));
    let threads: Vec<_> = (1..=4).map(|name| c.spawn(Some(main), name).expect("a slot")).collect();
    std::thread::scope(|scope| {
        for &thread in &threads {
            let (mutex, granules, races, restarts) = (&mutex, &granules, &races, &restarts);
            scope.spawn(move || {
                for i in 0..20_000usize {
                    let guard = mutex.lock();
                    c.acquire(thread, sync);
                    for granule in [&granules[i % 8], &granules[i / 3 % 8]] {
                        let race = c.plain_write(thread, granule, Extent::WHOLE);
                        races.fetch_add(u32::from(race.is_some()), Ordering::Relaxed);
                    }
                    c.release(thread, sync);
                    drop(guard);
                    if c.intervals_are_used_up() {
                        c.restart_intervals(|| {
                            granules.iter().for_each(Granule::clear);
                            restarts.fetch_add(1, Ordering::Relaxed);
                        });
                    }
                }
            });
        }
    });
    assert!(restarts.into_inner() > 100, "numbers run out often");
    assert_eq!(races.into_inner(), 0);
}
