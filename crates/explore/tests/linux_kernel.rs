//! A compare-exchange of the Linux kernel is a full barrier if it succeeds, and none if it fails.

use fencepost_explore::{Options, Watch, explore};
use fencepost_frontend::parse_litmus;
use fencepost_models::Model;
use fencepost_program::Program;
use fencepost_program::question::{Observable, Proposition, Term};

fn program(before: &str) -> Program {
    let text = format!(
        "C t\n{{ int z = 0; }}\nP0 (int *x, int *y, int *z) {{\n  WRITE_ONCE(*x, 1);\n  {before}\n  int r0 = READ_ONCE(*y);\n}}\n\
         P1 (int *x, int *y) {{\n  WRITE_ONCE(*y, 1);\n  smp_mb();\n  int r0 = READ_ONCE(*x);\n}}\n\
         exists (0:r0=0 /\\ 1:r0=0)\n"
    );
    parse_litmus("test.litmus", &text).unwrap_or_else(|e| panic!("{e}")).observing()
}

/// Whether both threads can miss the other's store, and in how many executions.
fn explored(before: &str) -> (bool, u64) {
    let program = program(before);
    let mut missed = false;
    let found = explore(&program, &Options::new(Model::Rc11), &Watch::default(), |shown| {
        missed |= shown.registers(0)[0] == 0 && shown.registers(1)[0] == 0;
    });
    (missed, found.expect("taken").complete)
}

#[test]
fn a_compare_exchange_is_a_barrier_only_if_it_succeeds() {
    assert_eq!(explored("int r1 = cmpxchg(z, 0, 1);"), (false, 3));
    assert_eq!(explored("int r1 = cmpxchg(z, 2, 1);"), (true, 4));
    assert_eq!(explored("int r1 = cmpxchg_relaxed(z, 0, 1);"), (true, 4));
    assert_eq!(explored("int r1 = atomic_add_unless(z, 1, 5);"), (false, 3));
    assert_eq!(explored("int r1 = atomic_add_unless(z, 1, 0);"), (true, 4));
}

#[test]
fn a_lock_that_is_tried_is_taken_or_not() {
    let text = "C t\n{ }\nP0 (spinlock_t *l, int *x) { int r = spin_trylock(l); if (r) { *x = 1; spin_unlock(l); } }\n\
                P1 (spinlock_t *l, int *x) { spin_lock(l); *x = 2; spin_unlock(l); }\nexists (0:r=0)\n";
    let input = parse_litmus("test.litmus", text).unwrap_or_else(|e| panic!("{e}"));
    let condition = input.condition.clone().expect("a condition").proposition;
    let program = input.observing();
    let Proposition::Equal(Term::Observable(Observable::Register { thread, reg }), _) = condition else {
        panic!("{condition:?}")
    };
    let index = program.observed_index(thread, reg).expect("observed");
    let (mut taken, mut not) = (0, 0);
    let found = explore(&program, &Options::new(Model::Rc11), &Watch::default(), |shown| {
        if shown.registers(thread)[index] == 1 { taken += 1 } else { not += 1 }
    });
    assert!(found.expect("taken").verdict.violations.is_empty());
    assert!(taken > 0 && not > 0, "{taken} and {not}");
}
