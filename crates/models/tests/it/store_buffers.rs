//! The classical facts about TSO and PSO, as numbers of executions: SC, TSO, PSO.

use fencepost_models::Model;

use crate::support::count;

fn counts(threads: &[&str]) -> [usize; 3] {
    [Model::Sc, Model::Tso, Model::Pso].map(|model| count(threads, model))
}

#[test]
fn a_load_overtakes_a_store_to_another_location() {
    assert_eq!(counts(&["x.store(1, rlx); a = y.load(rlx);", "y.store(1, rlx); b = x.load(rlx);"]), [3, 4, 4]);
}

#[test]
fn no_load_overtakes_a_store_before_a_full_barrier() {
    let threads = ["x.store(1, rlx); fence(sc); a = y.load(rlx);", "y.store(1, rlx); fence(sc); b = x.load(rlx);"];
    assert_eq!(counts(&threads), [3, 3, 3]);
}

#[test]
fn a_load_overtakes_a_store_before_a_weaker_fence() {
    let threads =
        ["x.store(1, rlx); fence(acqrel); a = y.load(rlx);", "y.store(1, rlx); fence(acqrel); b = x.load(rlx);"];
    assert_eq!(counts(&threads), [3, 4, 4]);
}

#[test]
fn no_load_overtakes_an_sc_store() {
    assert_eq!(counts(&["x.store(1, sc); a = y.load(rlx);", "y.store(1, sc); b = x.load(rlx);"]), [3, 3, 3]);
}

#[test]
fn a_load_overtakes_a_release_store_even_if_it_is_sc_itself() {
    assert_eq!(counts(&["x.store(1, rel); a = y.load(sc);", "y.store(1, rel); b = x.load(sc);"]), [3, 4, 4]);
}

#[test]
fn no_load_overtakes_an_rmw() {
    let threads = ["x.exchange(1, rlx); a = y.load(rlx);", "y.exchange(1, rlx); b = x.load(rlx);"];
    assert_eq!(counts(&threads), [3, 3, 3]);
}

/// On PSO, an RMW overtakes the store before it, and the load then has overtaken the store.
#[test]
fn an_rmw_between_store_and_load_is_a_full_barrier_on_tso_only() {
    let threads = [
        "x.store(1, rlx); z.fetch_add(1, rlx); a = y.load(rlx); assume(a == 0);",
        "y.store(1, rlx); z.fetch_add(1, rlx); b = x.load(rlx); assume(b == 0);",
    ];
    assert_eq!(counts(&threads), [0, 0, 2]);
}

#[test]
fn stores_stay_in_order_on_tso_only() {
    assert_eq!(counts(&["x.store(1, rlx); y.store(1, rlx);", "a = y.load(rlx); b = x.load(rlx);"]), [3, 3, 4]);
    assert_eq!(counts(&["x.store(1, rlx); y.store(2, rlx);", "y.store(1, rlx); x.store(2, rlx);"]), [3, 3, 4]);
    assert_eq!(counts(&["x.store(2, rlx); y.store(1, rlx);", "a = y.load(rlx); x.store(1, rlx);"]), [3, 3, 4]);
}

#[test]
fn stores_stay_in_order_on_pso_with_release() {
    let reader = "a = y.load(rlx); b = x.load(rlx);";
    assert_eq!(counts(&["x.store(1, rlx); fence(rel); y.store(1, rlx);", reader]), [3, 3, 3]);
    assert_eq!(counts(&["x.store(1, rlx); y.store(1, rel);", reader]), [3, 3, 3]);
    assert_eq!(counts(&["x.store(1, rlx); y.exchange(1, rlx);", reader]), [3, 3, 4]);
    assert_eq!(counts(&["x.store(1, rlx); y.exchange(1, rel);", reader]), [3, 3, 3]);
    assert_eq!(counts(&["x.store(1, rlx); fence(acq); y.store(1, rlx);", reader]), [3, 3, 4]);
}

#[test]
fn stores_to_one_location_stay_in_order() {
    assert_eq!(counts(&["x.store(1, rlx); x.store(2, rlx);", "a = x.load(rlx); b = x.load(rlx);"]), [6, 6, 6]);
}

#[test]
fn loads_and_what_follows_them_stay_in_order() {
    assert_eq!(counts(&["a = x.load(rlx); y.store(1, rlx);", "b = y.load(rlx); x.store(1, rlx);"]), [3, 3, 3]);
}

#[test]
fn all_threads_see_stores_in_one_order() {
    let independent_reads = [
        "x.store(1, rlx);",
        "y.store(1, rlx);",
        "a = x.load(rlx); b = y.load(rlx);",
        "c = y.load(rlx); d = x.load(rlx);",
    ];
    assert_eq!(counts(&independent_reads), [15, 15, 15]);
    let causality = ["x.store(1, rlx);", "a = x.load(rlx); y.store(1, rlx);", "b = y.load(rlx); c = x.load(rlx);"];
    assert_eq!(counts(&causality), [7, 7, 7]);
}

/// Test R: the store buffer delays the last write of y beyond the read of x.
#[test]
fn a_load_overtakes_a_store_that_is_overwritten_last() {
    let threads = ["x.store(1, rlx); y.store(1, rlx);", "y.store(2, rlx); a = x.load(rlx);"];
    assert_eq!(counts(&threads), [3, 4, 4]);
}

/// Test n6 of Owens, Sarkar, Sewell 2009: a thread reads its own store before others can.
#[test]
fn a_thread_reads_its_own_store_early() {
    let threads = [
        "x.store(1, rlx); a = x.load(rlx); b = y.load(rlx); assume(a == 1); assume(b == 0);",
        "y.store(2, rlx); x.store(2, rlx);",
        "c = x.load(rlx); d = x.load(rlx); assume(c == 2); assume(d == 1);",
    ];
    assert_eq!(counts(&threads), [0, 1, 1]);
}

/// Test n4b of Owens, Sarkar, Sewell 2009.
#[test]
fn no_load_reads_from_the_future() {
    let threads =
        ["a = x.load(rlx); x.store(1, rlx); assume(a == 2);", "b = x.load(rlx); x.store(2, rlx); assume(b == 1);"];
    assert_eq!(counts(&threads), [0, 0, 0]);
}

/// Which is why TSO is not in JAM21.
#[test]
fn sc_loads_of_own_release_stores_do_not_wait_for_them() {
    let threads = [
        "x.store(1, rel); a = x.load(sc); b = y.load(sc); assume(a == 1); assume(b == 0);",
        "y.store(1, rel); c = y.load(sc); d = x.load(sc); assume(c == 1); assume(d == 0);",
    ];
    assert_eq!(counts(&threads), [0, 1, 1]);
    assert_eq!(count(&threads, Model::Jam21), 0);
}
