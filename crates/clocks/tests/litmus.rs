//! The examples of paper 000, step by step.

mod common;

use common::platform::LEAKED;
use fencepost_clocks::{Attempt, Clocks, Extent, Granule, Location, Model, Order, Thread, ViolationKind};

fn clocks(model: Model) -> &'static Clocks {
    Box::leak(Box::new(Clocks::new(model, LEAKED, 1 << 10)))
}

fn store(c: &Clocks, t: &Thread, x: &Location, order: Order, value: u64, place: u64) -> bool {
    let mut access = c.access(t, x);
    let violation = access.check(Attempt::Store(order));
    access.store(order, value, place);
    violation.is_some()
}

fn load(c: &Clocks, t: &Thread, x: &Location, order: Order) -> bool {
    let mut access = c.access(t, x);
    let violation = access.check(Attempt::Load(order));
    access.load(order);
    violation.is_some()
}

fn two_threads(c: &Clocks) -> (&Thread, &Thread) {
    let main = c.spawn(None, 0).expect("a slot");
    (c.spawn(Some(main), 1).expect("a slot"), c.spawn(Some(main), 2).expect("a slot"))
}

/// x := 1; y || y := 1; x, with these orderings of writes and reads, and a fence between if there is one.
fn store_buffering(model: Model, write: Order, read: Order, fence: Option<Order>) -> bool {
    let c = clocks(model);
    let (a, b) = two_threads(c);
    let (x, y) = (c.location(0), c.location(0));
    let mut violated = false;
    for (thread, mine, other) in [(a, x, y), (b, y, x)] {
        violated |= store(c, thread, mine, write, 1, 0);
        if let Some(order) = fence {
            c.fence(thread, order);
        }
        violated |= load(c, thread, other, read);
    }
    violated
}

#[test]
fn store_buffering_is_reported_unless_sc_forbids_it() {
    use Order::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    for model in [Model::Rc20, Model::Rc11] {
        assert!(store_buffering(model, Relaxed, Relaxed, None));
        assert!(store_buffering(model, Release, Acquire, None));
        assert!(store_buffering(model, Relaxed, Relaxed, Some(AcqRel)));
        assert!(!store_buffering(model, Relaxed, Relaxed, Some(SeqCst)));
    }
    assert!(!store_buffering(Model::Rc11, SeqCst, SeqCst, None));
    assert!(store_buffering(Model::Rc11, SeqCst, Acquire, None));
    assert!(store_buffering(Model::Rc20, SeqCst, SeqCst, None));
}

#[test]
fn example_3_1_is_found_although_the_write_was_overwritten() {
    let c = clocks(Model::Rc11);
    let (a, b) = two_threads(c);
    let (x, y) = (c.location(0), c.location(0));
    store(c, a, x, Order::Release, 1, 11);
    load(c, a, y, Order::Acquire);
    store(c, a, x, Order::Release, 2, 13);
    store(c, b, y, Order::Release, 1, 21);
    let access = c.access(b, x);
    let violation = access.check(Attempt::Load(Order::Acquire)).expect("a violation");
    assert_eq!(violation.kind, ViolationKind::StaleRead);
    assert_eq!((violation.missed.thread, violation.missed.value, violation.missed.place), (Some(1), 1, 11));
    assert_eq!((violation.stale.thread, violation.stale.value), (None, 0));
}

#[test]
fn example_4_1_an_rmw_keeps_its_place_after_what_it_read() {
    // FADD(x); y || y := 1; x := 1 or FADD(x): only with a plain write by the first thread may the second come before
    // it.
    for (first_is_rmw, expected) in [(true, false), (false, true)] {
        let c = clocks(Model::Rc20);
        let (a, b) = two_threads(c);
        let (x, y) = (c.location(0), c.location(0));
        let mut access = c.access(a, x);
        if first_is_rmw {
            access.rmw(Order::AcqRel, 1, 0)
        } else {
            access.store(Order::Release, 1, 0)
        };
        drop(access);
        load(c, a, y, Order::Acquire);
        store(c, b, y, Order::Release, 1, 0);
        assert_eq!(store(c, b, x, Order::Release, 2, 0), expected);
    }
}

#[test]
fn example_4_2_a_wait_cares_for_its_value_only() {
    let c = clocks(Model::Rc11);
    let (a, b) = two_threads(c);
    let (x, y) = (c.location(0), c.location(0));
    store(c, a, x, Order::Release, 1, 0);
    load(c, a, y, Order::Acquire);
    store(c, b, y, Order::Release, 1, 0);
    let access = c.access(b, x);
    let wait = |value| access.check(Attempt::Wait { order: Order::Acquire, value }).is_some();
    assert!(wait(0), "the initial value may be read although it is stale");
    assert!(!wait(1), "the newest value is not stale");
    assert!(!wait(2), "nobody wrote this value");
    assert!(access.check(Attempt::Load(Order::Acquire)).is_some());
}

#[test]
fn a_reference_count_with_an_acquire_fence_has_no_race() {
    for (fence, expected) in [(Some(Order::Acquire), false), (None, true)] {
        let c = clocks(Model::Rc11);
        let (a, b) = two_threads(c);
        let (count, data) = (c.location(2), Granule::new());
        assert_eq!(c.plain_write(a, &data, Extent::WHOLE), None);
        c.access(a, count).rmw(Order::Release, 1, 0);
        c.access(b, count).rmw(Order::Relaxed, 0, 0);
        if let Some(order) = fence {
            c.fence(b, order);
        }
        assert_eq!(c.plain_write(b, &data, Extent::WHOLE).is_some(), expected);
    }
}

#[test]
fn threads_that_are_joined_give_their_slots_back() {
    let c = clocks(Model::Rc11);
    let main = c.spawn(None, 0).expect("a slot");
    for name in 1..10_000 {
        let thread = c.spawn(Some(main), name).expect("a slot");
        assert_eq!(thread.slot(), 1);
        c.finish(thread);
        c.join(main, thread);
    }
}

#[test]
fn a_slot_is_used_again_only_by_threads_that_know_the_end_of_the_last_one() {
    let c = clocks(Model::Rc11);
    let main = c.spawn(None, 0).expect("a slot");
    let joiner = c.spawn(Some(main), 1).expect("a slot");
    let ended = c.spawn(Some(main), 2).expect("a slot");
    let slot = ended.slot();
    c.finish(ended);
    c.join(joiner, ended);
    let unaware = c.spawn(Some(main), 3).expect("a slot");
    assert_ne!(unaware.slot(), slot, "main does not know that the thread has ended");
    c.finish(joiner);
    c.join(main, joiner);
    let again = [c.spawn(Some(main), 4), c.spawn(Some(main), 5)].map(|t| t.expect("a slot").slot());
    assert!(again.contains(&slot), "main knows now: {again:?}");
}
