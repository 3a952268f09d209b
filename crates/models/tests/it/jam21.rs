//! JAM21 on the programs of paper 004: Table 6.1, the worked examples of its §6.1, and the compilation of its program
//! 4.1.

use fencepost_graph::Graph;
use fencepost_models::Model;
use fencepost_program::{Address, Value};

use crate::support::{count, graphs, row};

#[test]
fn volatile_2_2w_may_end_with_both_first_writes() {
    assert_eq!(row(&["x.store(1, sc); y.store(2, sc);", "y.store(1, sc); x.store(2, sc);"]), (3, 4));
}

#[test]
fn fenced_2_2w_may_end_with_both_first_writes() {
    let threads = ["x.store(1, rlx); fence(sc); y.store(2, rlx);", "y.store(1, rlx); fence(sc); x.store(2, rlx);"];
    assert_eq!(row(&threads), (3, 4));
}

#[test]
fn half_volatile_half_fenced_2_2w_may_end_with_both_first_writes() {
    let threads = ["x.store(1, sc); y.store(2, sc);", "y.store(1, rlx); fence(sc); x.store(2, rlx);"];
    assert_eq!(row(&threads), (3, 4));
}

#[test]
fn sb_rfis_has_an_execution_less_than_in_rc11() {
    assert_eq!(row(&SB_RFIS), (4, 3));
}

#[test]
fn peter_z_has_an_execution_more_than_in_rc11() {
    let threads = [
        "x.store(1, rlx); fence(sc); a = y.load(rlx);",
        "y.store(1, rlx); z.store(1, rel);",
        "b = z.load(acq); fence(sc); c = x.load(rlx);",
    ];
    assert_eq!(row(&threads), (7, 8));
}

#[test]
fn z6_acq_has_an_execution_more_than_in_rc11() {
    let threads = [
        "x.store(1, rlx); fence(sc); y.store(1, rlx);",
        "a = y.load(acq); z.store(1, rlx);",
        "z.store(2, rlx); fence(sc); b = x.load(rlx);",
    ];
    assert_eq!(row(&threads), (7, 8));
}

#[test]
fn w_rwc_has_an_execution_more_than_in_rc11() {
    assert_eq!(row(&W_RWC), (7, 8));
}

/// Table 6.1 has 2 for JAM21, the two modification orders of y. The definition has none: see `docs/reference/jam21.md`.
#[test]
fn wwr_2wr_has_no_execution_by_the_definition() {
    let threads = [
        "x.store(1, sc); y.store(1, sc); a = z.load(sc); assume(a == 0);",
        "z.store(1, sc); b = y.load(sc); assume(b == 2);",
        "y.store(2, sc); c = x.load(sc); assume(c == 0);",
    ];
    assert_eq!(row(&threads), (0, 0));
}

/// The linearisation that `docs/reference/jam21.md` derives for WWR+2WR: y = 2, x = 1, y = 1, z = 1. Each of the reads
/// alone is possible.
#[test]
fn wwr_2wr_has_executions_if_any_of_its_reads_is_free() {
    let threads = |a, b, c| {
        let t1 = format!("x.store(1, sc); y.store(1, sc); a = z.load(sc); {a}");
        let t2 = format!("z.store(1, sc); b = y.load(sc); {b}");
        let t3 = format!("y.store(2, sc); c = x.load(sc); {c}");
        count(&[&t1, &t2, &t3], Model::Jam21)
    };
    let (a, b, c) = ("assume(a == 0);", "assume(b == 2);", "assume(c == 0);");
    assert!(threads(a, b, "") > 0 && threads(a, "", c) > 0 && threads("", b, c) > 0);
}

const SB_RFIS: [&str; 2] =
    ["x.store(1, rel); a = x.load(sc); b = y.load(sc);", "y.store(1, rel); c = y.load(sc); d = x.load(sc);"];

/// Graph 6.1.
#[test]
fn volatile_reads_of_own_writes_make_them_known_to_later_volatile_reads() {
    let threads = [
        format!("{} assume(a == 1); assume(b == 0);", SB_RFIS[0]),
        format!("{} assume(c == 1); assume(d == 0);", SB_RFIS[1]),
    ];
    assert_eq!(row(&[&threads[0], &threads[1]]), (1, 0));
}

/// Graph 6.2.
#[test]
fn a_fence_that_reads_from_put_after_another_knows_what_that_one_knew() {
    let threads = [
        "a = y.load(rlx); fence(sc); b = z.load(rlx); assume(a == 1); assume(b == 0);",
        "z.store(1, rlx); fence(sc); x.store(1, rlx);",
        "c = x.load(rlx); y.store(1, rlx); assume(c == 1);",
    ];
    assert_eq!(row(&threads), (1, 0));
}

const W_RWC: [&str; 3] = [
    "x.store(1, rlx); z.store(1, rel);",
    "a = z.load(acq); fence(sc); b = y.load(rlx);",
    "y.store(1, rlx); fence(sc); c = x.load(rlx);",
];

/// Graph 6.3.
#[test]
fn what_precedes_a_release_write_is_not_known_to_a_fence_after_its_acquire_read() {
    let threads = [
        W_RWC[0].to_owned(),
        format!("{} assume(a == 1); assume(b == 0);", W_RWC[1]),
        format!("{} assume(c == 0);", W_RWC[2]),
    ];
    assert_eq!(row(&[&threads[0], &threads[1], &threads[2]]), (0, 1));
}

/// Graph 6.4: the writes to x and y are overwritten by those before them in the other thread.
#[test]
fn writes_that_nothing_reads_are_not_ordered_between_threads() {
    let threads = ["x.store(1, sc); y.store(2, sc);", "y.store(1, sc); x.store(2, sc);"];
    let last = |graph: &Graph, at| -> Option<Value> { graph.event(*graph.writes(Address(at)).last()?).label.written };
    let weak: Vec<Graph> =
        graphs(&threads, Model::Jam21).into_iter().filter(|graph| !Model::Rc11.consistent(graph)).collect();
    assert_eq!(weak.len(), 1);
    assert_eq!((last(&weak[0], 0), last(&weak[0], 1)), (Some(1), Some(1)));
}

/// Program 4.1 as the accesses stand in Java.
#[test]
fn program_4_1_is_sequentially_consistent_if_all_its_accesses_are_volatile() {
    let threads = [
        "x.store(2, sc); a = y.load(sc); assume(a == 0);",
        "y.store(1, sc);",
        "b = y.load(sc); assume(b == 1); x.store(1, sc);",
        "c = x.load(sc); assume(c == 1); d = x.load(sc); assume(d == 2);",
    ];
    assert_eq!(count(&threads, Model::Jam21), 0);
}

/// Program 4.1 for Power with relaxed accesses, as in appendix D: hwsync is an SC fence, lwsync an acquire-release
/// fence.
fn compiled_program_4_1(before_the_write_of_x: &str) -> usize {
    let writer = format!("b = y.load(rlx); assume(b == 1); {before_the_write_of_x} x.store(1, rlx);");
    let threads = [
        "x.store(2, rlx); fence(sc); a = y.load(rlx); assume(a == 0);",
        "y.store(1, rlx);",
        &writer,
        "c = x.load(rlx); assume(c == 1); fence(sc); d = x.load(rlx); assume(d == 2);",
    ];
    count(&threads, Model::Jam21)
}

#[test]
fn program_4_1_has_its_non_sc_execution_under_the_wrong_compilation_scheme() {
    assert_eq!(compiled_program_4_1("fence(acqrel);"), 1);
}

#[test]
fn program_4_1_is_sequentially_consistent_under_the_repaired_compilation_scheme() {
    assert_eq!(compiled_program_4_1("fence(sc);"), 0);
}

/// Nothing but volint orders the write of an RMW after its read, so what the read knows is passed on only by a volatile
/// one.
#[test]
fn an_rmw_is_a_read_and_a_write() {
    let stale_reads = |order| {
        let update = format!("y.fetch_add(1, {order});");
        let threads = [
            "x.store(1, rlx); fence(sc); y.store(1, rlx);",
            &update,
            "a = y.load(rlx); assume(a == 2); b = z.load(acq); c = x.load(rlx); assume(c == 0);",
        ];
        count(&threads, Model::Jam21)
    };
    assert_eq!(["rlx", "acq", "rel", "acqrel", "sc"].map(stale_reads), [1, 1, 1, 1, 0]);
}

/// The write of x enters the linearisation only with the next volatile access of its thread. Then it precedes, through
/// rf and po, the volatile accesses of the third thread, which must know it; without, it need not.
#[test]
pub fn a_volatile_access_can_forbid_what_came_before_it() {
    let executions = |next| {
        let writer = format!("x.store(1, sc); {next}");
        let threads = [
            &writer,
            "a = x.load(rlx); assume(a == 1); y.store(1, rlx);",
            "b = y.load(rlx); assume(b == 1); z.store(1, sc); c = x.load(sc); assume(c == 0);",
        ];
        row(&threads)
    };
    assert_eq!(executions(""), (1, 1));
    assert_eq!(executions("d = x.load(rlx);"), (1, 1));
    assert_eq!(executions("d = x.load(sc);"), (1, 0));
}

/// corw is `vo ; po` by the letter: the event between may be on any location. The read of y makes the write of x, which
/// follows it, come after all that the read knows.
#[test]
fn a_write_comes_after_what_the_reads_before_it_know() {
    let threads = [
        "x.store(2, rlx); fence(sc); y.store(1, rlx);",
        "a = y.load(rlx); assume(a == 1); x.store(1, rlx);",
        "b = x.load(rlx); c = x.load(rlx); assume(b == 1); assume(c == 2);",
    ];
    assert_eq!(row(&threads), (1, 0));
}

/// What the note on the row `qu` in `docs/reference/jam21.md` says in small: ra passes over the acquire reads, and rf
/// need not synchronise.
#[test]
fn accesses_around_an_acquire_read_are_ordered() {
    let threads = [
        "x.store(1, rlx); a = z.load(acq); y.store(1, rlx);",
        "b = y.load(rlx); c = z.load(acq); d = x.load(rlx); assume(b == 1); assume(d == 0);",
    ];
    assert_eq!(row(&threads), (1, 0));
}

/// svo: the reader passes on what it knows by ra, and does not synchronise.
#[test]
fn accesses_around_an_access_between_release_and_acquire_fences_are_ordered() {
    let stale_reads = |after_the_access| {
        let writer = format!("x.store(1, rlx); fence(rel); z.store(1, rlx); {after_the_access} y.store(1, rlx);");
        let reader = "a = y.load(rlx); b = z.load(acq); c = x.load(rlx); assume(a == 1); assume(c == 0);";
        row(&[&writer, reader])
    };
    assert_eq!(stale_reads("fence(acq);"), (1, 0));
    assert_eq!(stale_reads(""), (1, 1));
    assert_eq!(stale_reads("fence(rel);"), (1, 1));
}
