//! Shadow memory, by hand: extents, atomic accesses among plain ones, numbers of intervals that run out.

mod common;

use common::platform::LEAKED;
use fencepost_clocks::{Clocks, Extent, Granule, Model, Order, Race, Thread, Touch};

fn clocks(intervals: u32) -> &'static Clocks {
    Box::leak(Box::new(Clocks::new(Model::Rc11, LEAKED, intervals)))
}

fn two_threads(c: &Clocks) -> (&Thread, &Thread) {
    (c.spawn(None, 10).expect("a slot"), c.spawn(None, 20).expect("a slot"))
}

#[test]
fn only_accesses_of_the_same_bytes_race() {
    for (first, second, expected) in [
        ((0, 4), (4, 4), false),
        ((0, 8), (7, 1), true),
        ((2, 2), (0, 1), false),
        ((2, 2), (3, 1), true),
        ((0, 1), (0, 1), true),
    ] {
        let c = clocks(64);
        let (a, b) = two_threads(c);
        let granule = Granule::new();
        let extent = |(address, size)| Extent::of(address, size).expect("aligned");
        assert_eq!(c.plain_write(a, &granule, extent(first)), None);
        assert_eq!(c.plain_read(b, &granule, extent(second)).is_some(), expected, "{first:?} {second:?}");
    }
}

#[test]
fn an_extent_knows_its_bytes_and_refuses_what_crosses() {
    for size in [1, 2, 4, 8] {
        for offset in (0..8).step_by(size) {
            assert_eq!(Extent::of(0x1000 + offset, size).map(Extent::range), Some((offset, size)));
        }
    }
    for (address, size) in [(1, 2), (6, 4), (4, 8), (0, 3), (0, 16), (0, 0)] {
        assert_eq!(Extent::of(address, size), None);
    }
}

#[test]
fn any_bytes_of_a_granule_are_an_extent() {
    let c = clocks(64);
    let (a, b) = two_threads(c);
    for offset in 0..8 {
        for length in 1..=8 - offset {
            let extent = Extent::within(offset, length);
            assert_eq!(extent.range(), (offset, length));
            for byte in 0..8 {
                let granule = Granule::new();
                assert_eq!(c.plain_write(a, &granule, extent), None);
                let one = Extent::within(byte, 1);
                let races = (offset..offset + length).contains(&byte);
                assert_eq!(c.plain_read(b, &granule, one).is_some(), races, "{offset}, {length}, {byte}");
            }
        }
    }
}

#[test]
fn a_range_is_touched_and_given_back_like_its_granules() {
    let c = clocks(64);
    let (a, b) = two_threads(c);
    let granules: Vec<Granule> = (0..5).map(|_| Granule::new()).collect();
    let races = |thread, touch| {
        let mut races = Vec::new();
        let is_new = c.touch_range(thread, &granules, touch, |i, _| races.push(i));
        (is_new, races)
    };
    assert_eq!(races(a, Touch::Read), (true, vec![]));
    assert_eq!(races(a, Touch::Read), (false, vec![]));
    assert_eq!(races(b, Touch::Read), (true, vec![]));
    assert!(c.plain_write(b, &granules[3], Extent::within(2, 3)).is_some());
    let mut raced = Vec::new();
    c.free_range(a, &granules[1..], |i, race| raced.push((i, race.thread)));
    assert_eq!(raced, [(0, Some(20)), (1, Some(20)), (2, Some(20)), (3, Some(20))]);
    assert_eq!(races(b, Touch::Write), (true, vec![0]), "what was given back is forgotten");
}

#[test]
fn a_race_says_who_made_the_earlier_access_and_how() {
    let c = clocks(64);
    let (a, b) = two_threads(c);
    let granule = Granule::new();
    let extent = Extent::of(4, 4).expect("aligned");
    c.plain_read(a, &granule, extent);
    let race = c.plain_write(b, &granule, Extent::WHOLE);
    let expected = Race { slot: a.slot(), thread: Some(10), after: 1, earlier: Touch::Read, extent };
    assert_eq!(race, Some(expected));
}

#[test]
fn atomic_accesses_race_with_plain_ones_only() {
    let c = clocks(64);
    let (a, b) = two_threads(c);
    let (x, granule) = (c.location(0), Granule::new());
    assert_eq!(c.access(a, x).shadowed(&granule, Extent::WHOLE).store(Order::Relaxed, 1, 0), None);
    assert_eq!(c.access(b, x).shadowed(&granule, Extent::WHOLE).store(Order::Relaxed, 2, 0), None);
    assert!(c.plain_read(a, &granule, Extent::WHOLE).is_some(), "the other's store is not ordered");
}

#[test]
fn a_plain_write_is_remembered_behind_later_atomic_ones() {
    let c = clocks(64);
    let (a, b) = two_threads(c);
    let (x, granule) = (c.location(0), Granule::new());
    assert_eq!(c.plain_write(a, &granule, Extent::WHOLE), None);
    assert_eq!(c.access(a, x).shadowed(&granule, Extent::WHOLE).store(Order::Relaxed, 1, 0), None);
    assert!(c.access(b, x).shadowed(&granule, Extent::WHOLE).store(Order::Relaxed, 2, 0).is_some());
}

#[test]
fn an_acquire_load_is_ordered_after_what_it_acquires() {
    let c = clocks(64);
    let (a, b) = two_threads(c);
    let (x, granule) = (c.location(0), Granule::new());
    assert_eq!(c.plain_write(a, &granule, Extent::WHOLE), None);
    assert_eq!(c.access(a, x).shadowed(&granule, Extent::WHOLE).store(Order::Release, 1, 0), None);
    assert_eq!(c.access(b, x).shadowed(&granule, Extent::WHOLE).load(Order::Acquire), None);
    assert_eq!(c.plain_write(b, &granule, Extent::WHOLE), None);
}

#[test]
fn a_cleared_granule_knows_nothing() {
    let c = clocks(64);
    let (a, b) = two_threads(c);
    let granule = Granule::new();
    c.plain_write(a, &granule, Extent::WHOLE);
    granule.clear();
    assert_eq!(c.plain_write(b, &granule, Extent::WHOLE), None);
}

#[test]
fn when_intervals_run_out_races_are_found_again_after_a_restart() {
    let c = clocks(16);
    let (a, b) = two_threads(c);
    let sync = c.sync();
    for round in 0..5 {
        let granule = Granule::new();
        // A thread takes a quarter of so few numbers at once, and uses them up.
        let mut left = 4;
        while left > 0 {
            left -= u32::from(c.intervals_are_used_up());
            c.release(a, sync);
            c.plain_write(a, &granule, Extent::WHOLE);
        }
        c.release(a, sync);
        let other = Granule::new();
        assert_eq!(c.plain_write(a, &other, Extent::WHOLE), None, "round {round}");
        assert_eq!(c.plain_read(b, &other, Extent::WHOLE), None, "not remembered, round {round}");
        c.restart_intervals(|| other.clear());
        assert_eq!(c.plain_write(a, &other, Extent::WHOLE), None, "round {round}");
        assert!(c.plain_write(b, &other, Extent::WHOLE).is_some(), "round {round}");
    }
}
