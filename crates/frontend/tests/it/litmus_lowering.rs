//! What C litmus code becomes.

use fencepost_frontend::{Input, parse_litmus};
use fencepost_program::question::{Condition, Observable, Proposition, Quantifier, Term};
use fencepost_program::{Address, CasKind, Inst, Operand, Ordering, Reg, Ty};

fn input(text: &str) -> Input {
    parse_litmus("test.litmus", text).unwrap_or_else(|error| panic!("{error}"))
}

/// The code of a thread with the parameters `atomic_int *x, int *y, int *a`, where `a` has three cells.
fn code(body: &str) -> Vec<Inst> {
    let text = format!("C test\n{{ int a[3] = {{1, 2, 3}}; }}\nP0 (atomic_int *x, int *y, int *a) {{\n{body}\n}}\n");
    input(&text).program.functions[0].code.clone()
}

fn orders(code: &[Inst]) -> Vec<Ordering> {
    let order = |inst: &Inst| match inst {
        Inst::Load { order, .. } | Inst::Store { order, .. } | Inst::Rmw { order, .. } | Inst::Fence { order } => {
            Some(*order)
        }
        _ => None,
    };
    code.iter().filter_map(order).collect()
}

fn condition(text: &str) -> Condition {
    let test = format!("C test\n{{}}\nP0 (atomic_int *x, int *y) {{ int r0 = 1; int r1 = 2; }}\n{text}\n");
    input(&test).condition.expect("a condition")
}

/// In a final state with x=1, y=2, 0:r0=3, 0:r1=4.
fn holds(text: &str) -> bool {
    condition(text).proposition.holds(&|observable| match observable {
        Observable::Cell(Address(at)) => at as i64 + 1,
        Observable::Register { reg: Reg(reg), .. } => reg as i64 + 3,
    })
}

#[test]
fn the_example_of_the_litmus_document_is_a_test() {
    let document = include_str!("../../../../docs/reference/litmus.md");
    let input = input(document.split("```").nth(1).expect("an example").trim_start());
    assert_eq!(input.program.threads.len(), 2);
    assert_eq!(input.condition.expect("a condition").text, "exists (0:r0=0 /\\ 1:r0=0)");
}

#[test]
fn functions_without_an_ordering_are_seq_cst() {
    let code = code("atomic_store(x, 1); int r = atomic_load(x); r = atomic_exchange(x, 2); atomic_fetch_add(x, 1);");
    assert_eq!(orders(&code), [Ordering::SeqCst; 4]);
}

#[test]
fn plain_accesses_are_seq_cst_on_atomic_types_and_nonatomic_on_others() {
    assert_eq!(orders(&code("*x = 1; int r = *x;")), [Ordering::SeqCst; 2]);
    assert_eq!(orders(&code("*y = 1; int r = *y;")), [Ordering::NonAtomic; 2]);
}

#[test]
fn one_location_may_be_atomic_for_one_thread_and_not_for_another() {
    let input = input("C t\n{}\nP0 (atomic_int *x) { *x = 1; }\nP1 (int *x) { *x = 2; }\n");
    assert_eq!(orders(&input.program.functions[0].code), [Ordering::SeqCst]);
    assert_eq!(orders(&input.program.functions[1].code), [Ordering::NonAtomic]);
    assert!(input.program.objects[0].atomic);
}

#[test]
fn a_relaxed_fence_is_nothing_and_consume_is_acquire() {
    assert_eq!(code("atomic_thread_fence(memory_order_relaxed);"), []);
    assert_eq!(orders(&code("int r = atomic_load_explicit(x, memory_order_consume);")), [Ordering::Acquire]);
}

#[test]
fn accesses_in_one_expression_run_from_left_to_right() {
    let code = code("int r = *y + atomic_load_explicit(x, memory_order_acquire);");
    assert_eq!(orders(&code), [Ordering::NonAtomic, Ordering::Acquire]);
    assert!(matches!(code[2], Inst::Arithmetic { dst: Reg(0), .. }), "{code:?}");
}

#[test]
fn the_right_side_of_a_conjunction_is_not_read_if_the_left_decides() {
    let code = code("int r = *x && *y;");
    let loads: Vec<usize> = (0..code.len()).filter(|&pc| matches!(code[pc], Inst::Load { .. })).collect();
    let branch = code.iter().position(|inst| matches!(inst, Inst::Branch { .. })).expect("a branch");
    assert!(loads[0] < branch && branch < loads[1], "{code:?}");
}

#[test]
fn a_cas_keeps_its_expected_value_in_a_local_variable() {
    let code = code("int e = 1; int r = atomic_compare_exchange_weak(x, &e, 2);");
    let Some(Inst::Cas { old, expected, desired, kind, success, failure, .. }) = code.get(1) else {
        panic!("{code:?}")
    };
    assert_eq!((*old, *expected, *desired), (Some(Reg(0)), Operand::Reg(Reg(0)), Operand::Const(2)));
    assert_eq!((*kind, *success, *failure), (CasKind::Weak, Ordering::SeqCst, Ordering::SeqCst));
}

#[test]
fn a_cas_with_a_shared_expected_value_reads_it_and_writes_it_back_on_failure() {
    let code = code("atomic_compare_exchange_strong_explicit(x, y, 2, memory_order_release, memory_order_relaxed);");
    let [
        Inst::Load { order: Ordering::NonAtomic, .. },
        Inst::Cas { .. },
        Inst::Branch { yes, no: 3, .. },
        Inst::Store { order: Ordering::NonAtomic, .. },
    ] = code[..]
    else {
        panic!("{code:?}")
    };
    assert_eq!(yes as usize, code.len());
}

#[test]
fn array_cells_are_reached_by_index_and_by_addition() {
    let code = code("a[1] = 5; *(a + 2) = 6; int r = atomic_load_explicit(&a[1], memory_order_relaxed);");
    let index = |inst: &Inst| match inst {
        Inst::Store { place, .. } | Inst::Load { place, .. } => place.operand(),
        other => panic!("{other:?}"),
    };
    assert_eq!(code.iter().map(index).collect::<Vec<_>>(), [1, 2, 1].map(Operand::Const));
}

#[test]
fn stars_after_parentheses_are_code_and_comments_elsewhere() {
    let input = input(
        "C t (* a comment { *)\n\"a text {\"\nKey=Value {\n(* more *)\n{ (* x=1; *) x=2; }\n\
         P0 (int *x) { /* c */ int r = 0; if (*x) r = 1; // c\n }\n(* end *) exists (0:r=1) (* bad *)\n",
    );
    assert_eq!(input.program.objects[0].init, [2]);
    assert!(matches!(input.program.functions[0].code[1], Inst::Load { .. }));
    assert_eq!(input.header, [("title".into(), "t".into()), ("Key".into(), "Value {".into())]);
}

#[test]
fn the_initial_state_gives_values_types_and_registers() {
    let input = input(
        "C t\n{ x=1; [y]=-2; atomic_int z=3; int v[2]={4,5}; uint8_t w = 256; 0:r0=7; }\nP0 (atomic_int *x, int *y) { }\nexists (0:r0=7)\n",
    );
    let program = &input.program;
    let init: Vec<&[i64]> = program.objects.iter().map(|object| object.init.as_slice()).collect();
    assert_eq!(init, [&[1][..], &[-2], &[3], &[4, 5], &[0]]);
    assert_eq!(program.objects[0].ty, Ty::Range { lo: i32::MIN as i64, hi: i32::MAX as i64 });
    assert!(program.objects[0].atomic && !program.objects[1].atomic && program.objects[2].atomic);
    assert!(matches!(program.functions[0].code[0], Inst::Copy { dst: Reg(0), a: Operand::Const(7), .. }));
}

#[test]
fn any_value_but_0_becomes_1_in_a_bool() {
    let input =
        input("C t\n{ atomic_bool x = 2; }\nP0 (atomic_bool *x) { atomic_store(x, 2); bool b = 4; }\nexists (x=1)\n");
    assert_eq!(input.program.objects[0].init, [1]);
    assert!(matches!(input.program.functions[0].code[0], Inst::Store { value: Operand::Const(1), .. }));
    assert!(matches!(input.program.functions[0].code[1], Inst::Copy { a: Operand::Const(1), .. }));
}

#[test]
fn conditions_have_their_quantifiers() {
    assert_eq!(condition("exists x=1").quantifier, Quantifier::Exists);
    assert_eq!(condition("~exists (x=1)").quantifier, Quantifier::NotExists);
    assert_eq!(condition("forall (x=1)").quantifier, Quantifier::Forall);
    assert_eq!(condition("(x=1)").quantifier, Quantifier::Exists);
    assert_eq!(condition("exists\n  (x=1 /\\\n   y=2)").text, "exists (x=1 /\\ y=2)");
    assert!(condition("forall true").holds(3, 3) && !condition("forall true").holds(2, 3));
    assert!(condition("exists true").holds(1, 3) && !condition("exists true").holds(0, 3));
    assert!(condition("~exists true").holds(0, 3) && !condition("~exists true").holds(1, 3));
}

#[test]
fn propositions_bind_as_in_herd() {
    assert!(holds("exists x=1 \\/ y=9 /\\ x=9"));
    assert!(!holds("exists (x=1 \\/ y=9) /\\ x=9"));
    assert!(holds("exists not (x=2) /\\ ~ y=9"));
    assert!(holds("exists x=2 => y=9"));
    assert!(holds("exists 0:r0=3 /\\ P0:r1 == 4 /\\ x != 2 /\\ [y] <> 3"));
    assert!(!holds("exists false") && holds("exists true"));
}

#[test]
fn two_observables_may_be_compared() {
    let proposition = condition("exists 0:r0=0:r1").proposition;
    let register = |reg| Term::Observable(Observable::Register { thread: 0, reg: Reg(reg) });
    assert_eq!(proposition, Proposition::Equal(register(0), register(1)));
}

#[test]
fn locations_and_filter_are_kept() {
    let input = input("C t\n{}\nP0 (int *x) { int r0 = *x; }\nlocations [x; 0:r0;]\nfilter x=0\nexists (0:r0=0)\n");
    assert_eq!(input.observed[0], ("x".to_owned(), Observable::Cell(Address(0))));
    assert_eq!(input.observed[1].0, "0:r0");
    assert!(input.filter.is_some());
    assert_eq!(input.observing().functions[0].observed, [Reg(0)]);
    assert!(input.program.functions[0].observed.is_empty());
}

#[test]
fn a_test_for_the_linux_kernel_says_that_its_model_is_another() {
    let kernel = input("C t\n{}\nP0 (int *x) { WRITE_ONCE(*x, 1); }\n").program;
    assert!(kernel.assumptions.iter().any(|assumption| assumption.contains("Linux kernel")), "{kernel:?}");
    let other = input("C t\n{}\nP0 (atomic_int *x) { atomic_store(x, 1); }\n").program;
    assert!(other.assumptions.is_empty());
}

#[test]
fn functions_of_both_libraries_are_told_apart_by_the_test() {
    let kernel = input("C t\n{}\nP0 (atomic_t *x) { int r = atomic_fetch_add_relaxed(4, x); }\n").program;
    assert!(matches!(kernel.functions[0].code[0], Inst::Rmw { operand: Operand::Const(4), .. }));
    let c11 = code("int r = atomic_fetch_add(x, 4);");
    assert!(matches!(c11[0], Inst::Rmw { operand: Operand::Const(4), order: Ordering::SeqCst, .. }));
}
