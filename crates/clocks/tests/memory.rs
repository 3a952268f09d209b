//! Memory does not depend on the length of the run (paper 000, Ex. 7.2).

mod common;

use common::platform::LEAKED;
use fastrand::Rng;
use fencepost_clocks::{Attempt, Clocks, Model, Order, Thread};

fn clocks(model: Model) -> &'static Clocks {
    Box::leak(Box::new(Clocks::new(model, LEAKED, 1 << 10)))
}

fn threads(c: &Clocks, count: u32) -> Vec<&Thread> {
    (0..count).map(|name| c.spawn(None, name).expect("a slot")).collect()
}

/// Runs `step` `first` times, then `second` times, and returns how much memory each part took.
fn growth(c: &Clocks, first: usize, second: usize, mut step: impl FnMut(usize)) -> (usize, usize) {
    let start = c.mapped();
    (0..first).for_each(&mut step);
    let middle = c.mapped();
    (first..first + second).for_each(step);
    (middle - start, c.mapped() - middle)
}

#[test]
fn message_passing_with_ten_million_writes_takes_as_much_as_with_ten_thousand() {
    for order in [Order::Relaxed, Order::Release] {
        let c = clocks(Model::Rc11);
        let t = threads(c, 2);
        let (data, flag) = (c.location(0), c.location(0));
        let (_, grown) = growth(c, 10_000, 10_000_000, |i| {
            c.access(t[0], data).store(order, i as u64, 0);
        });
        assert_eq!(grown, 0, "{order:?}");
        c.access(t[0], flag).store(Order::Release, 1, 0);
        c.access(t[1], flag).load(Order::Acquire);
        assert_eq!(c.access(t[1], data).check(Attempt::Load(Order::Relaxed)), None);
    }
}

#[test]
fn writes_that_alternate_between_locations_are_forgotten() {
    for order in [Order::Relaxed, Order::Release, Order::SeqCst] {
        let c = clocks(Model::Rc11);
        let t = threads(c, 3);
        let x: Vec<_> = (0..3).map(|_| c.location(0)).collect();
        let (_, grown) = growth(c, 200_000, 600_000, |i| {
            c.access(t[0], x[i % 2]).store(order, i as u64, 0);
            if i % 1000 == 0 {
                c.access(t[1], x[1]).load(order);
                c.access(t[1], x[2]).rmw(order, i as u64, 0);
            }
        });
        assert_eq!(grown, 0, "{order:?}");
    }
}

#[test]
fn random_accesses_of_many_locations_by_many_threads_do_not_accumulate() {
    for (model, sc) in [(Model::Rc20, false), (Model::Rc11, true)] {
        let c = clocks(model);
        let t = threads(c, 6);
        let x: Vec<_> = (0..20).map(|_| c.location(0)).collect();
        let sync = c.sync();
        let mut random = Rng::with_seed(7);
        let orders = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
        let (first, grown) = growth(c, 300_000, 700_000, |_| {
            let (thread, location) = (t[random.usize(..6)], x[random.usize(..20)]);
            let order = orders[random.usize(..if sc { 5 } else { 4 })];
            match random.u32(..20) {
                0 => c.fence(thread, order),
                1 => c.acquire(thread, sync),
                2 => c.release(thread, sync),
                3..=9 => drop(c.access(thread, location).load(order)),
                10..=17 => drop(c.access(thread, location).store(order, random.u64(..10), 0)),
                _ => drop(c.access(thread, location).rmw(order, random.u64(..10), 0)),
            }
        });
        assert!(grown <= first / 2, "{model:?}: {first} bytes, then {grown}");
    }
}

#[test]
fn threads_and_locations_that_come_and_go_take_no_more_memory() {
    let c = clocks(Model::Rc11);
    let main = threads(c, 1)[0];
    let (_, grown) = growth(c, 2_000, 20_000, |i| {
        let x = c.location(0);
        let children: Vec<_> = (0..3).map(|n| c.spawn(Some(main), i as u32 * 3 + n).expect("a slot")).collect();
        for child in &children {
            c.access(child, x).rmw(Order::SeqCst, 1, 0);
            c.fence(child, Order::SeqCst);
            c.finish(child);
        }
        children.iter().for_each(|child| c.join(main, child));
        c.free_location(x);
    });
    assert_eq!(grown, 0);
}

#[test]
fn a_deque_with_sc_fences_takes_no_more_memory_as_it_is_used_longer() {
    let c = clocks(Model::Rc11);
    let t = threads(c, 2);
    let [top, bottom, item, taken] = [(); 4].map(|()| c.location(0));
    let (first, grown) = growth(c, 40_000, 400_000, |i| {
        let value = i as u64;
        c.access(t[0], bottom).load(Order::Relaxed);
        c.access(t[0], top).load(Order::Acquire);
        c.access(t[0], item).store(Order::Relaxed, value, 0);
        c.fence(t[0], Order::Release);
        c.access(t[0], bottom).store(Order::Relaxed, value + 1, 0);
        c.access(t[0], bottom).load(Order::Relaxed);
        c.access(t[0], bottom).store(Order::Relaxed, value, 0);
        c.fence(t[0], Order::SeqCst);
        c.access(t[0], top).load(Order::Relaxed);
        c.access(t[0], item).load(Order::Relaxed);
        c.access(t[0], top).rmw(Order::SeqCst, value, 0);
        c.access(t[0], bottom).store(Order::Relaxed, value + 1, 0);
        c.access(t[0], taken).rmw(Order::Relaxed, value, 0);
    });
    assert!(grown <= first / 2, "{first} bytes, then {grown}");
}
