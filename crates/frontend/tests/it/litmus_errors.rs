//! What users see when a litmus test is wrong, or is not ours.

use fencepost_frontend::parse_litmus;

use crate::support::errors::first_error;

#[track_caller]
fn first(text: &str, message: &str, at: &str, label: &str, help: Option<&str>) {
    first_error(parse_litmus, text, message, at, label, help);
}

/// In a thread with the parameters `atomic_int *x, int *y`.
#[track_caller]
fn statement(code: &str, message: &str, at: &str, label: &str, help: Option<&str>) {
    let text = format!("C test\n{{}}\nP0 (atomic_int *x, int *y) {{\n  int r = 0;\n  {code}\n}}\nexists (0:r=1)\n");
    first(&text, message, at, label, help);
}

#[test]
fn an_error_shows_the_line_and_a_caret() {
    let text = "C SB\n{}\nP0 (atomic_int *x) {\n  atomic_store_explicit(x, 1, memory_order_acquire);\n}\n";
    let error = parse_litmus("SB.litmus", text).map(|_| ()).expect_err("accepted");
    let expected = "\
error: a store cannot be `memory_order_acquire`
 --> SB.litmus:4:31
  |
4 |   atomic_store_explicit(x, 1, memory_order_acquire);
  |                               ^^^^^^^^^^^^^^^^^^^^ expected `memory_order_relaxed`, `memory_order_release` or `memory_order_seq_cst`
";
    assert_eq!(error.render(false), expected);
}

/// In a thread of a test for the Linux kernel, with the parameters `int *x, atomic_t *y`.
#[track_caller]
fn kernel(code: &str, message: &str, at: &str, label: &str, help: Option<&str>) {
    let text = format!("C test\n{{}}\nP0 (int *x, atomic_t *y) {{\n  int r = 0;\n  {code}\n}}\nexists (0:r=1)\n");
    first(&text, message, at, label, help);
}

#[test]
fn what_c11_has_no_counterpart_of_is_refused_in_tests_for_the_linux_kernel() {
    let rcu = "read-copy-update has no counterpart in C11";
    kernel("rcu_read_lock();", "`rcu_read_lock` is not supported", "rcu_read_lock", rcu, None);
    kernel("synchronize_rcu();", "`synchronize_rcu` is not supported", "synchronize_rcu", rcu, None);
}

#[test]
fn functions_of_the_linux_kernel_take_their_arguments() {
    let one = "expected 1 argument";
    kernel("r = READ_ONCE(*x, 1);", "`READ_ONCE` takes 1 argument, not 2", "READ_ONCE(*x, 1)", one, None);
    kernel("r = READ_ONCE(x);", "this is not a location", "x", "expected `*x`", None);
    kernel(
        "atomic_add(1, 2);",
        "this is not the address of a location",
        "2",
        "expected a parameter of the thread",
        None,
    );
    kernel(
        "atomic_frob(y);",
        "no function `atomic_frob`",
        "atomic_frob",
        "not part of <stdatomic.h>",
        Some("did you mean `atomic_init`?"),
    );
}

#[test]
fn tests_for_other_processors_are_refused() {
    first(
        "AArch64 MP\n{}\n P0 ;\n MOV W0,#1 ;\n",
        "litmus tests for `AArch64` are not supported",
        "AArch64",
        "expected `C`, `X86` or `X86_64`, and the name of the test",
        None,
    );
}

#[test]
fn functions_that_do_not_exist_get_a_suggestion() {
    statement(
        "atomic_fetch_ad(x, 1);",
        "no function `atomic_fetch_ad`",
        "atomic_fetch_ad",
        "not part of <stdatomic.h>",
        Some("did you mean `atomic_fetch_add`?"),
    );
    statement("mtx_lock(x);", "no function `mtx_lock`", "mtx_lock", "not part of <stdatomic.h>", None);
}

#[test]
fn values_and_addresses_are_told_apart() {
    statement(
        "r = x;",
        "`x` is an address, not a value",
        "x",
        "expected a value",
        Some("`*x` is the value of the location"),
    );
    statement(
        "r = atomic_load(r);",
        "`r` is a local variable, not an address",
        "r",
        "expected a parameter of the thread",
        None,
    );
    statement("*r = 1;", "`r` is a local variable, not an address", "r", "expected a parameter of the thread", None);
    statement("r = &x;", "addresses as values are not supported", "&x", "expected a number", None);
    statement("r = q;", "`q` is not declared", "q", "no variable or parameter", Some("declare it: `int q;`"));
    statement("r = atomic_store(x, 1);", "`atomic_store` has no value", "atomic_store(x, 1)", "expected a value", None);
    first("C t\n{ p=x; }\nP0 (int *p) { }\n", "addresses as values are not supported", "x", "expected a number", None);
}

#[test]
fn a_location_needs_a_parameter_in_each_thread_that_uses_it() {
    first(
        "C t\n{ flag=0; }\nP0 (int *y) { *flag = 1; }\n",
        "`flag` is not declared",
        "flag",
        "no variable or parameter",
        Some("a thread that uses the location `flag` needs the parameter `atomic_int *flag`"),
    );
}

#[test]
fn a_variable_is_declared_once_in_a_scope() {
    statement(
        "if (r) { int r = 1; }",
        "`r` is declared twice",
        "r",
        "again here",
        Some("a thread has one variable of each name, because the condition asks for it by name"),
    );
}

#[test]
fn the_condition_is_checked() {
    let test = |condition: &str| format!("C t\n{{}}\nP0 (atomic_int *x) {{\n  int r0 = 1;\n}}\n{condition}\n");
    first(
        &test("exists (0:r1=1)"),
        "P0 has no variable `r1`",
        "r1",
        "not declared in this thread",
        Some("did you mean `0:r0`?"),
    );
    first(&test("exists (1:r0=1)"), "there is no thread P1", "1", "expected the number of a thread", None);
    first(
        &test("exists (y=1)"),
        "no location `y`",
        "y",
        "not declared",
        Some("a register needs its thread before it, as in `0:r0`"),
    );
    first(&test("exists (x=)"), "expected a number, found `)`", ")", "expected a number", None);
    first(&test("exists (0:r0=1"), "expected `)`, found the end of the file", "", "expected `)`", None);
    first(
        &test("exist (x=1)"),
        "expected `exists`, `~exists`, `forall`, or another thread, found `exist`",
        "exist",
        "expected `exists`, `~exists`, `forall`, or another thread",
        None,
    );
}

#[test]
fn unsupported_c_is_named() {
    statement("for (;;) { }", "`for` is not supported in litmus tests", "for", "", None);
    statement("r += 1;", "`+=` is not supported", "+=", "write the sum out", None);
    statement("int *p;", "a local variable has to be an integer", "int *", "expected `int` or the like", None);
    statement(
        "float f;",
        "no type `float`",
        "float",
        "expected an integer type",
        Some("litmus tests may use `int`, `atomic_int`, `long`, `int32_t` and the like"),
    );
}
