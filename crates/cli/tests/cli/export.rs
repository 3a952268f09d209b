use crate::support::{STORE_BUFFERING, Sandbox};

#[test]
fn export_writes_promela_to_a_file_or_to_standard_output() {
    let sandbox = Sandbox::new("export", &[("sb.fp", STORE_BUFFERING)]);
    let ran = sandbox.run(&["export", "--promela", "--model", "ra", "sb.fp"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("proctype"), "{}", ran.stdout);
    assert_eq!(sandbox.run(&["export", "--promela", "--model", "ra", "sb.fp", "-o", "sb.pml"]).status, Some(0));
    assert_eq!(sandbox.read("sb.pml"), ran.stdout);
}

#[test]
fn export_without_a_language_or_with_a_bad_input_exits_2() {
    let sandbox = Sandbox::new("export-usage", &[("sb.fp", STORE_BUFFERING)]);
    assert_eq!(sandbox.run(&["export", "sb.fp"]).status, Some(2));
    assert_eq!(sandbox.run(&["export", "--promela", "nowhere.fp"]).status, Some(2));
    assert_eq!(sandbox.run(&["export", "--promela", "sb.fp", "-o", "nowhere/a.pml"]).status, Some(2));
}
