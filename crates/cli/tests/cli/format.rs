use crate::support::{ROBUST, Sandbox};

const UNTIDY: &str = "atomic x:bool;thread t{x.store( 1,rel );}";

#[test]
fn fmt_prints_and_leaves_the_file_alone() {
    let sandbox = Sandbox::new("fmt-print", &[("a.fp", UNTIDY)]);
    let ran = sandbox.run(&["fmt", "a.fp"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "atomic x: bool;\n\nthread t {\n  x.store(1, rel);\n}\n");
    assert_eq!(sandbox.read("a.fp"), UNTIDY);
}

#[test]
fn fmt_check_exits_1_for_what_is_not_formatted() {
    let sandbox = Sandbox::new("fmt-check", &[("a.fp", UNTIDY), ("b.fp", ROBUST)]);
    let ran = sandbox.run(&["fmt", "--check", "b.fp", "a.fp"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), "a.fp is not formatted\n"));
    assert_eq!(sandbox.run(&["fmt", "--check", "b.fp"]).status, Some(0));
    assert_eq!(sandbox.read("a.fp"), UNTIDY);
}

#[test]
fn fmt_write_makes_check_content() {
    let sandbox = Sandbox::new("fmt-write", &[("a.fp", UNTIDY)]);
    assert_eq!(sandbox.run(&["fmt", "--write", "a.fp"]).status, Some(0));
    assert_eq!(sandbox.run(&["fmt", "--check", "a.fp"]).status, Some(0));
}

#[test]
fn fmt_refuses_what_is_not_a_program_and_keeps_it() {
    let sandbox = Sandbox::new("fmt-refuse", &[("a.fp", "thread {")]);
    let ran = sandbox.run(&["fmt", "--write", "a.fp"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("a.fp:1:"), "{}", ran.stderr);
    assert_eq!(sandbox.read("a.fp"), "thread {");
}

#[test]
fn fmt_takes_standard_input() {
    let ran = Sandbox::new("fmt-stdin", &[]).run_with_input(&["fmt", "-"], UNTIDY.as_bytes());
    assert_eq!(ran.status, Some(0));
    assert!(ran.stdout.starts_with("atomic x: bool;\n"));
}

#[test]
fn fmt_is_for_fp_programs_only() {
    let sandbox = Sandbox::new("fmt-litmus", &[("a.litmus", "C a\n{}\n")]);
    let ran = sandbox.run(&["fmt", "--write", "a.litmus"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("does not end in `.fp`"), "{}", ran.stderr);
}
