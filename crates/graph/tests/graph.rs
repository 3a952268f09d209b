//! Graphs are built as the papers build them, and their relations are those of the papers.

use fencepost_graph::{EventId, EventLabel, Graph, Relation, Relations, races};
use fencepost_program::Ordering::{self, *};
use fencepost_program::{Address, Span};

const X: Address = Address(0);
const Y: Address = Address(1);

fn initial() -> Graph {
    Graph::initial([(X, 0), (Y, 0)])
}

fn add(graph: &mut Graph, thread: u32, label: EventLabel, predecessor: Option<EventId>) -> EventId {
    graph.push(thread, label, Span::default(), predecessor)
}

fn pairs(relation: &Relation) -> Vec<(u32, u32)> {
    relation.pairs().map(|(a, b)| (a.0, b.0)).collect()
}

/// Message passing with the given orderings: x := 1; y := 1 || a := y (1); b := x (0).
fn message_passing(write: Ordering, read: Ordering) -> Graph {
    let mut g = initial();
    add(&mut g, 0, EventLabel::write(Relaxed, X, 1), Some(EventId(0)));
    let flag = add(&mut g, 0, EventLabel::write(write, Y, 1), Some(EventId(1)));
    add(&mut g, 1, EventLabel::read(read, Y, 1), Some(flag));
    add(&mut g, 1, EventLabel::read(Relaxed, X, 0), Some(EventId(0)));
    g
}

#[test]
fn a_write_goes_right_after_its_predecessor_in_modification_order() {
    let mut g = initial();
    let first = add(&mut g, 0, EventLabel::write(Relaxed, X, 1), Some(EventId(0)));
    let second = add(&mut g, 1, EventLabel::write(Relaxed, X, 2), Some(EventId(0)));
    assert_eq!(g.writes(X), [EventId(0), second, first]);
    assert_eq!(g.writes(Address(7)), []);
    g.pop();
    assert_eq!(g.writes(X), [EventId(0), first]);
}

#[test]
fn an_rmw_reads_from_its_predecessor_and_follows_it() {
    let g = initial().extended(0, EventLabel::rmw(AcqRel, X, 0, 1), Some(EventId(0)));
    assert_eq!(g.source(EventId(2)), Some(EventId(0)));
    assert_eq!(g.writes(X), [EventId(0), EventId(2)]);
    let relations = Relations::of(&g);
    assert!(relations.fr.is_empty(), "an RMW is not from-read before itself");
}

#[test]
fn program_order_starts_with_initialisation_and_follows_serial_numbers() {
    let g = message_passing(Release, Acquire);
    let serials: Vec<u32> = g.thread(1).map(|(_, e)| e.serial).collect();
    assert_eq!(serials, [0, 1]);
    let po = Relations::of(&g).po;
    assert_eq!(pairs(&po), [(0, 2), (0, 3), (0, 4), (0, 5), (1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (4, 5)]);
}

#[test]
fn release_and_acquire_synchronise() {
    let sw = |write, read| pairs(&Relations::of(&message_passing(write, read)).sw());
    assert_eq!(sw(Release, Acquire), [(3, 4)]);
    assert_eq!(sw(Release, Relaxed), []);
    assert_eq!(sw(Relaxed, Acquire), []);
    assert_eq!(sw(SeqCst, SeqCst), [(3, 4)]);
}

#[test]
fn under_release_acquire_every_atomic_read_synchronises() {
    let g = message_passing(Relaxed, Relaxed);
    assert!(Relations::of(&g).hb_ra().contains(EventId(3), EventId(4)));
    let g = message_passing(NonAtomic, NonAtomic);
    assert!(!Relations::of(&g).hb_ra().contains(EventId(3), EventId(4)));
}

#[test]
fn fences_synchronise_through_relaxed_accesses_around_them() {
    let mut g = initial();
    add(&mut g, 0, EventLabel::fence(Release), None);
    let flag = add(&mut g, 0, EventLabel::write(Relaxed, X, 1), Some(EventId(0)));
    add(&mut g, 1, EventLabel::read(Relaxed, X, 1), Some(flag));
    add(&mut g, 1, EventLabel::fence(Acquire), None);
    assert_eq!(pairs(&Relations::of(&g).sw()), [(2, 5)]);
}

#[test]
fn release_sequences_pass_through_rmws_but_not_through_later_writes_of_the_thread() {
    let mut g = initial();
    let release = add(&mut g, 0, EventLabel::write(Release, X, 1), Some(EventId(0)));
    let rmw = add(&mut g, 1, EventLabel::rmw(Relaxed, X, 1, 2), Some(release));
    add(&mut g, 2, EventLabel::read(Acquire, X, 2), Some(rmw));
    assert_eq!(pairs(&Relations::of(&g).sw()), [(2, 4)]);

    let mut g = initial();
    let release = add(&mut g, 0, EventLabel::write(Release, X, 1), Some(EventId(0)));
    let relaxed = add(&mut g, 0, EventLabel::write(Relaxed, X, 2), Some(release));
    add(&mut g, 1, EventLabel::read(Acquire, X, 2), Some(relaxed));
    assert!(Relations::of(&g).sw().is_empty());
}

#[test]
fn an_sc_fence_that_is_an_rmw_is_also_an_acquire_and_a_release_fence() {
    let mut g = Graph::initial([(X, 0), (Y, 0), (fencepost_graph::SC_FENCE_CELL, 0)]);
    let first = add(&mut g, 0, EventLabel::sc_fence_rmw(), Some(EventId(2)));
    let flag = add(&mut g, 0, EventLabel::write(Relaxed, X, 1), Some(EventId(0)));
    add(&mut g, 1, EventLabel::read(Relaxed, X, 1), Some(flag));
    let second = add(&mut g, 1, EventLabel::sc_fence_rmw(), Some(first));
    let sw = Relations::of(&g).sw();
    assert_eq!(pairs(&sw), [(first.0, second.0)]);
    let third = add(&mut g, 2, EventLabel::sc_fence_rmw(), Some(second));
    assert!(Relations::of(&g).hb().contains(first, third), "SC fences are ordered among themselves");
}

#[test]
fn reads_that_nothing_depends_on_have_no_from_read_in_the_observational_order() {
    let mut g = message_passing(Relaxed, Relaxed);
    assert!(Relations::of(&g).hb_sc().contains(EventId(5), EventId(5)));
    assert!(Relations::of(&g).hb_sc_dp().is_irreflexive());
    g.event_mut(EventId(5)).used = true;
    assert!(!Relations::of(&g).hb_sc_dp().is_irreflexive());
}

#[test]
fn an_await_read_always_has_its_from_read_in_the_observational_order() {
    let mut g = message_passing(Relaxed, Relaxed);
    g.pop();
    add(&mut g, 1, EventLabel::await_read(Relaxed, X, 0), Some(EventId(0)));
    assert!(!Relations::of(&g).hb_sc_dp().is_irreflexive());
}

#[test]
fn a_race_needs_a_conflict_a_nonatomic_access_and_no_happens_before() {
    let racy = |data: Ordering, write, read| {
        let mut g = initial();
        let w = add(&mut g, 0, EventLabel::write(data, X, 1), Some(EventId(0)));
        let flag = add(&mut g, 0, EventLabel::write(write, Y, 1), Some(EventId(1)));
        add(&mut g, 1, EventLabel::read(read, Y, 1), Some(flag));
        add(&mut g, 1, EventLabel::read(data, X, 1), Some(w));
        let hb = Relations::of(&g).hb();
        races(&g, &hb)
    };
    assert_eq!(racy(NonAtomic, Relaxed, Relaxed), [(EventId(2), EventId(5))]);
    assert_eq!(racy(NonAtomic, Release, Acquire), []);
    assert_eq!(racy(Relaxed, Relaxed, Relaxed), []);
}

#[test]
fn an_atomic_access_races_with_a_nonatomic_one_of_the_same_location() {
    let g = initial().extended(0, EventLabel::rmw(AcqRel, X, 0, 1), Some(EventId(0)));
    let g = g.extended(1, EventLabel::read(NonAtomic, X, 0), Some(EventId(0)));
    assert_eq!(races(&g, &Relations::of(&g).hb()), [(EventId(2), EventId(3))]);
}

#[test]
fn the_canonical_form_forgets_the_order_of_addition() {
    let left = EventLabel::write(Relaxed, X, 1);
    let right = EventLabel::write(Relaxed, Y, 1);
    let one = initial().extended(0, left, Some(EventId(0))).extended(1, right, Some(EventId(1)));
    let two = initial().extended(1, right, Some(EventId(1))).extended(0, left, Some(EventId(0)));
    assert_eq!(one.canonical(), two.canonical());
    let other = initial().extended(1, left, Some(EventId(0))).extended(0, right, Some(EventId(1)));
    assert_ne!(one.canonical(), other.canonical());
}

#[test]
fn graphs_of_hundreds_of_events_have_the_same_relations() {
    let mut g = initial();
    let mut last = EventId(0);
    for i in 0..300 {
        last = add(&mut g, i % 3, EventLabel::rmw(AcqRel, X, i as i64, i as i64 + 1), Some(last));
    }
    let relations = Relations::of(&g);
    assert!(relations.hb().contains(EventId(2), last));
    assert!(relations.hb_sc_step().is_acyclic());
    assert_eq!(relations.mo.pairs().count(), 301 * 300 / 2);
}
