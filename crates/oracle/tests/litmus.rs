//! The examples of papers 003 and 001, and a few that tell the models apart, with their verdicts by definition.

mod common;

use common::parse;
use fencepost_models::Model::{self, Ra, Rc11, Rc20};
use fencepost_oracle::{Bounds, fails, not_observationally_robust, not_robust, racy};

const WEAK: [Model; 3] = [Ra, Rc20, Rc11];

fn robust(text: &str, model: Model) -> bool {
    not_robust(&parse(text), model, Bounds::default()).unwrap().is_none()
}

fn observationally_robust(text: &str, model: Model) -> bool {
    not_observationally_robust(&parse(text), model, Bounds::default()).unwrap().is_none()
}

/// The models against which a program is robust.
fn robust_against(text: &str) -> Vec<Model> {
    WEAK.into_iter().filter(|&model| robust(text, model)).collect()
}

fn two_threads(declarations: &str, first: &str, second: &str) -> String {
    format!("{declarations} thread a {{ {first} }} thread b {{ {second} }}")
}

const SB: &str = "atomic x, y;
    thread a { x.store(1, rel); r = y.load(acq); }
    thread b { y.store(1, rel); r = x.load(acq); }";

const MP_RELAXED: &str = "atomic x, y;
    thread a { x.store(1, rlx); y.store(1, rlx); }
    thread b { a = y.load(rlx); if (a == 1) { b = x.load(rlx); } }";

#[test]
fn store_buffering_is_not_robust() {
    assert_eq!(robust_against(SB), []);
}

/// Paper 003 §4: robustness of graphs, not of states.
#[test]
fn store_buffering_of_the_initial_value_is_not_robust() {
    assert_eq!(robust_against(&SB.replace("store(1", "store(0")), []);
}

#[test]
fn store_buffering_with_an_sc_fence_in_each_thread_is_robust() {
    let fenced = "atomic x, y;
        thread a { x.store(1, rlx); fence(sc); r = y.load(rlx); }
        thread b { y.store(1, rlx); fence(sc); r = x.load(rlx); }";
    assert_eq!(robust_against(fenced), WEAK);
}

/// Paper 003 Ex. 3.6.
#[test]
fn store_buffering_with_rmws_of_one_location_is_robust_and_with_one_rmw_it_is_not() {
    let both = "atomic x, y, f;
        thread a { x.store(1, rel); f.fetch_add(0, acqrel); r = y.load(acq); }
        thread b { y.store(1, rel); f.fetch_add(0, acqrel); r = x.load(acq); }";
    assert_eq!(robust_against(both), WEAK);
    assert_eq!(robust_against(&both.replacen("f.fetch_add(0, acqrel);", "", 1)), []);
}

#[test]
fn store_buffering_of_sc_accesses_is_robust_against_rc11() {
    let sc = SB.replace("rel", "sc").replace("acq", "sc");
    assert_eq!(robust_against(&sc), [Rc11]);
    assert_eq!(robust_against(&sc.replacen("load(sc)", "load(acq)", 1)), []);
}

/// Paper 003 Ex. 3.2, paper 001 Ex. 3.6 and 4.2.
#[test]
fn message_passing_is_robust_if_it_synchronises() {
    assert_eq!(robust_against(MP_RELAXED), [Ra]);
    let release_acquire = two_threads(
        "atomic x, y;",
        "x.store(1, rlx); y.store(1, rel);",
        "a = y.load(acq); if (a == 1) { b = x.load(rlx); }",
    );
    assert_eq!(robust_against(&release_acquire), WEAK);
    let fences = |first: &str, second: &str| {
        two_threads(
            "atomic x, y;",
            &format!("x.store(1, rlx); {first} y.store(1, rlx);"),
            &format!("wait(y == 1, rlx); {second} b = x.load(rlx); assert(b != 0);"),
        )
    };
    assert_eq!(robust_against(&fences("fence(rel);", "fence(acq);")), WEAK);
    assert_eq!(robust_against(&fences("fence(rel);", "")), [Ra]);
    assert_eq!(robust_against(&fences("", "fence(acq);")), [Ra]);
}

#[test]
fn message_passing_fails_only_where_it_does_not_synchronise() {
    let text = |fence: &str| {
        two_threads(
            "atomic x, y;",
            &format!("x.store(1, rlx); {fence} y.store(1, rlx);"),
            "wait(y == 1, acq); b = x.load(rlx); assert(b != 0);",
        )
    };
    let fails_under = |text: &str, model| fails(&parse(text), model, Bounds::default()).unwrap().is_some();
    assert!(fails_under(&text(""), Rc20));
    assert!(fails_under(&text(""), Rc11));
    assert!(!fails_under(&text(""), Ra));
    assert!(!fails_under(&text(""), Model::Sc));
    assert!(!fails_under(&text("fence(rel);"), Rc20));
}

/// Paper 003 Ex. 3.3.
#[test]
fn independent_reads_of_independent_writes_are_robust_only_with_sc_reads_and_writes() {
    let iriw = "atomic x, y;
        thread a { x.store(1, rel); }
        thread b { y.store(1, rel); }
        thread c { r = x.load(acq); s = y.load(acq); }
        thread d { r = y.load(acq); s = x.load(acq); }";
    assert_eq!(robust_against(iriw), []);
    assert_eq!(robust_against(&iriw.replace("rel", "sc").replace("acq", "sc")), [Rc11]);
    let fenced = iriw.replace("load(acq); s", "load(acq); fence(sc); s");
    assert_eq!(robust_against(&fenced), WEAK);
}

/// Paper 003 Ex. 3.4.
#[test]
fn writes_to_two_locations_in_opposite_orders_are_not_robust_even_if_nobody_reads() {
    let text = two_threads("atomic x, y;", "x.store(1, rel); y.store(2, rel);", "y.store(1, rel); x.store(2, rel);");
    assert_eq!(robust_against(&text), []);
    assert_eq!(robust_against(&text.replace("rel", "sc")), [Rc11]);
}

/// Paper 003 Ex. 3.5.
#[test]
fn two_rmws_of_one_location_are_robust() {
    let text = two_threads("atomic x;", "(ok, r) = x.cas(0, 1, rlx);", "(ok, r) = x.cas(0, 1, rlx);");
    assert_eq!(robust_against(&text), WEAK);
}

/// BAR of paper 003 §2.3. The loops are unrolled twice.
#[test]
fn a_barrier_is_robust_with_wait_and_not_with_a_loop() {
    let wait =
        two_threads("atomic x, y;", "x.store(1, rel); wait(y == 1, acq);", "y.store(1, rel); wait(x == 1, acq);");
    assert_eq!(robust_against(&wait), WEAK);
    let looped = two_threads(
        "atomic x, y;",
        "x.store(1, rel); i = 0; r = 0; while (r != 1 && i < 2) { r = y.load(acq); i = i + 1; }",
        "y.store(1, rel); i = 0; r = 0; while (r != 1 && i < 2) { r = x.load(acq); i = i + 1; }",
    );
    assert_eq!(robust_against(&looped), []);
}

#[test]
fn an_endless_loop_is_not_called_robust_but_its_violation_is_found() {
    let endless = two_threads("atomic x, y;", "x.store(1, rel); loop { r = x.load(acq); }", "y.store(1, rel);");
    assert!(not_robust(&parse(&endless), Ra, Bounds { events: 6, graphs: 100_000 }).is_err());
    let weak = two_threads(
        "atomic x, y;",
        "x.store(1, rel); loop { r = y.load(acq); }",
        "y.store(1, rel); loop { r = x.load(acq); }",
    );
    assert!(not_robust(&parse(&weak), Ra, Bounds { events: 6, graphs: 100_000 }).unwrap().is_some());
}

/// Paper 001 Ex. 4.10: without a use, a stale read is not observed.
#[test]
fn relaxed_message_passing_is_observationally_robust_until_the_data_is_used() {
    assert!(observationally_robust(MP_RELAXED, Rc20));
    let used = MP_RELAXED.replace("b = x.load(rlx);", "b = x.load(rlx); assert(b != 0);");
    assert!(!observationally_robust(&used, Rc20));
    for use_of_data in ["y.store(b, rlx);", "if (b == 1) { c = 1; }", "assume(b == 1);", "wait(y != b, rlx);"] {
        let text = MP_RELAXED.replace("b = x.load(rlx);", &format!("b = x.load(rlx); {use_of_data}"));
        assert!(!observationally_robust(&text, Rc20), "{use_of_data}");
    }
    let copied = MP_RELAXED.replace("b = x.load(rlx);", "b = x.load(rlx); c = b + 1;");
    assert!(observationally_robust(&copied, Rc20), "a silent step only spreads the dependency");
}

/// Paper 001 Ex. 4.8 and Fig. 3, with one attempt of the reader.
#[test]
fn a_sequence_lock_is_observationally_robust_and_not_robust() {
    let seqlock = "atomic x, y, z;
        thread writer {
          z.store(1, rlx); fence(rel); x.store(1, rlx); y.store(1, rlx); z.store(2, rel);
          z.store(3, rlx); fence(rel); x.store(2, rlx); y.store(2, rlx); z.store(4, rel);
        }
        thread reader {
          s = z.load(acq);
          if (s % 2 == 0) {
            a = x.load(rlx); b = y.load(rlx); fence(acq); t = z.load(rlx);
            if (s == t) { assert(a == b); }
          }
        }";
    for model in [Rc20, Rc11] {
        assert!(!robust(seqlock, model));
        assert!(observationally_robust(seqlock, model));
        assert!(fails(&parse(seqlock), model, Bounds::default()).unwrap().is_none());
        let without_fence = seqlock.replace("fence(acq);", "");
        assert!(!observationally_robust(&without_fence, model));
        assert!(fails(&parse(&without_fence), model, Bounds::default()).unwrap().is_some());
    }
}

/// Paper 001 Ex. 4.18: a tainted read must not make its thread aware of more. The program is reconstructed from the
/// text.
#[test]
fn nested_store_buffering_is_not_observationally_robust() {
    let nested = "atomic w, x, y, z;
        thread a { x.store(1, rel); w.store(1, rel); a = z.load(acq); b = y.load(acq); if (b == 0) { a = 0; } }
        thread b { y.store(1, rel); z.store(1, rel); c = w.load(acq); d = x.load(acq); if (d == 0) { c = 0; } }";
    for model in WEAK {
        assert!(!observationally_robust(nested, model), "{model}");
    }
}

/// Paper 001 Ex. 4.19: it has a non-observational-robustness witness all the same. Reconstructed from the text.
#[test]
fn store_buffering_of_which_one_side_is_used_is_observationally_robust() {
    let one = SB.replacen("r = y.load(acq);", "r = y.load(acq); assert(r == r);", 1);
    let both = one.replacen("r = x.load(acq);", "r = x.load(acq); assert(r == r);", 1);
    for model in WEAK {
        assert!(observationally_robust(SB, model));
        assert!(observationally_robust(&one, model));
        assert!(!observationally_robust(&both, model));
    }
}

/// Paper 001 Remark 2: every graph is observationally equivalent to an SC-consistent one, and yet hbSC^dp has a cycle.
#[test]
fn a_cycle_through_a_read_that_nothing_depends_on_breaks_observational_robustness() {
    let text = "atomic x, y, z;
        thread a { x.store(1, rel); y.store(1, rel); }
        thread b { a = y.load(acq); b = z.load(acq); assert(b == b); }
        thread c { z.store(1, rel); c = x.load(acq); assert(c == c); }";
    assert!(!observationally_robust(text, Rc20));
}

/// Paper 001 Ex. 6.3, on the left.
#[test]
fn a_write_races_with_a_read_that_it_does_not_know_of() {
    let text = "nonatomic x; atomic y;
        thread a { a = x.load(na); y.store(1, rlx); }
        thread b { wait(y == 1, rlx); b = x.load(na); y.store(2, rel); }
        thread c { wait(y == 2, acq); x.store(1, na); }";
    let racy_under = |text: &str, model| racy(&parse(text), model, Bounds::default()).unwrap().is_some();
    assert!(racy_under(text, Rc20));
    assert!(racy_under(text, Rc11));
    assert!(!racy_under(text, Ra), "every atomic access synchronises");
    let synchronised = text.replace("y.store(1, rlx)", "y.store(1, rel)").replace("y == 1, rlx", "y == 1, acq");
    assert!(!racy_under(&synchronised, Rc20));
}

/// Paper 001 Remark 1: RC20 orders SC fences along po ∪ rf, RC11 only along hb.
#[test]
fn sc_fences_of_rc20_are_stronger_than_those_of_rc11() {
    let text = "atomic x, y, z;
        thread a { x.store(1, rlx); fence(sc); y.store(1, rlx); }
        thread b { a = y.load(rlx); z.store(1, rlx); }
        thread c { b = z.load(rlx); fence(sc); c = x.load(rlx); }";
    assert_eq!(robust_against(text), [Ra, Rc20]);
}

/// Where SC fences are RMWs of one location, SC must respect their order as well, as in the program that paper 001 §3.1
/// translates to.
#[test]
fn the_order_of_sc_fences_alone_can_break_robustness() {
    let text = "atomic x, y;
        thread a { x.store(1, rlx); a = y.load(rlx); }
        thread b { y.store(1, rlx); fence(sc); }
        thread c { fence(sc); b = x.load(rlx); }";
    assert_eq!(robust_against(text), [Rc11]);
    let translated = text.replace("fence(sc);", "fence(acq); f.fetch_add(0, acqrel); fence(rel);");
    assert_eq!(robust_against(&translated.replace("x, y;", "x, y, f;")), []);
}

/// C++20 dropped the part of release sequences that relaxed writes of the releasing thread extend.
#[test]
fn a_release_sequence_goes_through_rmws_only() {
    let rmw = "atomic x, y;
        thread a { x.store(1, rlx); y.store(1, rel); }
        thread b { y.fetch_add(1, rlx); }
        thread c { wait(y == 2, acq); b = x.load(rlx); }";
    assert_eq!(robust_against(rmw), WEAK);
    let own_write = "atomic x, y;
        thread a { x.store(1, rlx); y.store(1, rel); y.store(2, rlx); }
        thread c { wait(y == 2, acq); b = x.load(rlx); }";
    assert_eq!(robust_against(own_write), [Ra]);
}

#[test]
fn a_weak_cas_may_fail_on_the_value_it_expects() {
    let text = "atomic x; thread a { (ok, r) = x.cas_weak(0, 1, acqrel); assert(ok == 1); }";
    assert!(fails(&parse(text), Rc20, Bounds::default()).unwrap().is_some());
    assert!(fails(&parse(&text.replace("cas_weak", "cas")), Rc20, Bounds::default()).unwrap().is_none());
}

#[test]
fn choices_are_all_tried() {
    let text =
        "atomic x; thread a { r = choose(0..3); x.store(r, rlx); } thread b { s = x.load(rlx); assert(s != 3); }";
    assert!(fails(&parse(text), Model::Sc, Bounds::default()).unwrap().is_some());
    assert!(fails(&parse(&text.replace("s != 3", "s != 4")), Model::Sc, Bounds::default()).unwrap().is_none());
}
