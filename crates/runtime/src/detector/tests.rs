//! Detectors that are fed by hand, each with threads and addresses of its own.

use std::sync::{Arc, Mutex, Once};

use fencepost_clocks::{Attempt, Extent, Order, Touch};
use fencepost_wire::{Kind, Operation, Options, Ordering, Report};

use super::{Detector, Effect, Request};
use crate::report::{Answer, Sink};
use crate::shadow;
use crate::thread::Thread;

struct Collected(Arc<Mutex<Vec<Report>>>);

impl Sink for Collected {
    fn show(&self, report: Report) -> Answer {
        self.0.lock().unwrap().push(report);
        Answer::Shown
    }
}

/// A detector, what it reports, and the addresses that it may follow.
struct Bench {
    detector: &'static Detector,
    reports: Arc<Mutex<Vec<Report>>>,
    base: usize,
}

impl Bench {
    fn new(options: &Options) -> Bench {
        static SHADOW: Once = Once::new();
        static BASES: Mutex<usize> = Mutex::new(0x7e00_0000_0000);
        SHADOW.call_once(|| assert!(shadow::reserve()));
        let mut next = BASES.lock().unwrap();
        *next += 1 << 20;
        let reports = Arc::new(Mutex::new(Vec::new()));
        let detector = Detector::new(options, Box::new(Collected(Arc::clone(&reports)))).unwrap();
        Bench { detector: Box::leak(Box::new(detector)), reports, base: *next }
    }

    /// Two threads that know nothing of each other.
    fn threads(&self) -> [&'static mut Thread; 2] {
        [1, 2].map(|number| self.thread(None, number))
    }

    fn thread(&self, parent: Option<&Thread>, number: u32) -> &'static mut Thread {
        Box::leak(Box::new(Thread::new(self.detector, parent, number)))
    }

    fn kinds(&self) -> Vec<Kind> {
        self.reports.lock().unwrap().iter().map(|report| report.kind).collect()
    }
}

fn touch(thread: &mut Thread, address: usize, touch: Touch, caller: usize) {
    thread.detector.plain_access(thread, address, Extent::of(address, 4).unwrap(), touch, caller);
}

fn store_of_size(thread: &mut Thread, address: usize, size: u8, order: Order, caller: usize) {
    let operation = Operation::Store;
    let request = Request { operation, address, size, attempt: Attempt::Store(order), caller };
    let effect = Effect { reads: false, writes: Some(1), order, changed: true };
    thread.detector.access(thread, &request, || 0, || ((), Some(effect)));
}

fn store(thread: &mut Thread, address: usize, order: Order, caller: usize) {
    store_of_size(thread, address, 4, order, caller);
}

fn load(thread: &mut Thread, address: usize, order: Order, caller: usize) {
    let attempt = Attempt::Load(order);
    let request = Request { operation: Operation::Load, address, size: 4, attempt, caller };
    thread.detector.access(thread, &request, || 0, || ((), Some(Effect::read(order))));
}

#[test]
fn two_writes_that_nothing_orders_are_one_race_with_both_places() {
    let bench = Bench::new(&Options::default());
    let [first, second] = bench.threads();
    for _ in 0..2 {
        touch(first, bench.base, Touch::Write, 0x100);
        touch(second, bench.base, Touch::Write, 0x200);
    }
    let reports = bench.reports.lock().unwrap();
    let [report] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!(report.kind, Kind::Race);
    let [later, earlier] = &report.accesses[..] else { panic!("{report:?}") };
    assert_eq!((later.thread, later.operation, &later.stack[..]), (Some(2), Operation::Write, &[0x200][..]));
    assert_eq!((earlier.thread, earlier.address, &earlier.stack[..]), (Some(1), bench.base as u64, &[0x100][..]));
    assert_eq!(bench.detector.reports().shown(), 1);
}

/// One thread writes and stores a flag, the other loads the flag and reads.
fn message(store_order: Order, load_order: Order) -> Vec<Kind> {
    let bench = Bench::new(&Options { robustness: false, ..Options::default() });
    let [writer, reader] = bench.threads();
    touch(writer, bench.base, Touch::Write, 1);
    store(writer, bench.base + 64, store_order, 2);
    load(reader, bench.base + 64, load_order, 3);
    touch(reader, bench.base, Touch::Read, 4);
    bench.kinds()
}

#[test]
fn a_release_store_and_an_acquire_load_order_what_is_around_them() {
    assert_eq!(message(Order::Release, Order::Acquire), []);
    assert_eq!(message(Order::SeqCst, Order::SeqCst), []);
    assert_eq!(message(Order::Relaxed, Order::Acquire), [Kind::Race]);
    assert_eq!(message(Order::Release, Order::Relaxed), [Kind::Race]);
}

/// Store buffering, one thread after the other: the load may miss the store of the other thread.
fn store_buffering(write: Order, read: Order) -> Vec<Report> {
    let bench = Bench::new(&Options::default());
    let [first, second] = bench.threads();
    let (x, y) = (bench.base, bench.base + 64);
    store(first, x, write, 1);
    load(first, y, read, 2);
    store(second, y, write, 3);
    load(second, x, read, 4);
    bench.reports.lock().unwrap().clone()
}

#[test]
fn a_load_that_may_miss_a_store_is_a_stale_read_unless_both_are_seq_cst() {
    let reports = store_buffering(Order::Release, Order::Acquire);
    let [report] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!(report.kind, Kind::StaleRead);
    let [load, missed] = &report.accesses[..] else { panic!("{report:?}") };
    assert_eq!((load.operation, load.ordering, &load.stack[..]), (Operation::Load, Some(Ordering::Acquire), &[4][..]));
    assert_eq!((missed.operation, missed.thread), (Operation::Store, Some(1)));
    assert_eq!((missed.ordering, &missed.stack[..]), (Some(Ordering::Release), &[1][..]));
    assert_eq!(store_buffering(Order::SeqCst, Order::SeqCst), []);
}

#[test]
fn detectors_do_not_share_what_they_know() {
    let benches = [0, 1].map(|_| Bench::new(&Options { robustness: false, ..Options::default() }));
    let mut threads = benches.each_ref().map(Bench::threads);
    // The same numbers and the same places in the code, in turn. Only the second releases to the other thread.
    for (bench, [writer, _]) in benches.iter().zip(&mut threads) {
        touch(writer, bench.base, Touch::Write, 1);
    }
    threads[1][0].detector.release(threads[1][0], benches[1].base + 64);
    for (bench, [_, reader]) in benches.iter().zip(&mut threads) {
        reader.detector.acquire(reader, bench.base + 64);
        touch(reader, bench.base, Touch::Read, 2);
    }
    assert_eq!(benches.each_ref().map(Bench::kinds), [vec![Kind::Race], vec![]]);
    assert_eq!(benches.each_ref().map(|bench| bench.detector.reports().shown()), [1, 0]);
}

#[test]
fn creation_and_join_order_threads() {
    let bench = Bench::new(&Options::default());
    let parent = bench.thread(None, 0);
    touch(parent, bench.base, Touch::Write, 1);
    let child = bench.thread(Some(parent), 1);
    touch(child, bench.base, Touch::Write, 2);
    bench.detector.end_thread(&child.clock);
    bench.detector.join_thread(parent, &child.clock);
    touch(parent, bench.base, Touch::Write, 3);
    assert_eq!(bench.kinds(), []);
}

#[test]
fn what_is_forgotten_or_not_followed_is_in_no_race() {
    let bench = Bench::new(&Options::default());
    let [first, second] = bench.threads();
    touch(first, bench.base, Touch::Write, 1);
    bench.detector.forget(bench.base, 8);
    touch(second, bench.base, Touch::Write, 2);
    {
        // As a signal handler that interrupts the runtime.
        let _inside = first.enter_runtime();
        touch(first, bench.base, Touch::Write, 3);
    }
    assert_eq!(bench.kinds(), []);
    touch(first, bench.base, Touch::Write, 4);
    assert_eq!(bench.kinds(), [Kind::Race]);
}

#[test]
fn sizes_that_overlap_are_noted_once_and_are_no_violation() {
    let bench = Bench::new(&Options::default());
    let [first, second] = bench.threads();
    store_of_size(first, bench.base, 8, Order::Relaxed, 1);
    for _ in 0..2 {
        store_of_size(second, bench.base + 4, 4, Order::Relaxed, 2);
    }
    assert_eq!(bench.kinds(), [Kind::MixedSize]);
    assert_eq!(bench.detector.reports().shown(), 0);
    assert_eq!([first.inside.get(), second.inside.get()], [0, 0]);
}

#[test]
fn what_the_options_turn_off_is_not_reported() {
    let bench = Bench::new(&Options { races: false, robustness: false, ..Options::default() });
    let [first, second] = bench.threads();
    for thread in [first, second] {
        touch(thread, bench.base, Touch::Write, 1);
        store(thread, bench.base + 64, Order::Relaxed, 2);
        load(thread, bench.base + 128, Order::Relaxed, 3);
    }
    assert_eq!(bench.kinds(), []);
}
