//! What goes wrong is told, and nothing crashes.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::{build, directory, fencepost, programs, report, run, text};

fn racy(name: &str) -> PathBuf {
    let program = directory("messages").join(name);
    build(&programs().join("fences/mp-relaxed.c"), &program, "gcc", &[]);
    program
}

#[test]
fn a_program_that_was_not_instrumented_is_named() {
    let output = fencepost().args(["run", "true"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("build it with `fencepost cc`"), "{}", text(&output));
}

#[test]
fn an_unwritable_log_does_not_lose_the_report() {
    let output = run(&racy("unwritable"), "robustness=0:log_path=/nonexistent/log");
    assert_eq!(output.status.code(), Some(66));
    let said = text(&output);
    assert!(said.contains("cannot write the log /nonexistent/log") && said.contains("data race"), "{said}");
}

#[test]
fn the_log_has_a_line_of_json_for_each_report() {
    let log = directory("messages").join("log.jsonl");
    let _ = fs::remove_file(&log);
    let output = run(&racy("logged"), &format!("robustness=0:log_path={}", log.display()));
    assert_eq!(text(&output).trim(), "");
    let line: serde_json::Value = serde_json::from_str(fs::read_to_string(&log).unwrap().trim()).unwrap();
    assert_eq!(line["kind"], "data race");
    assert!(line["accesses"][0]["file"].as_str().unwrap().ends_with("mp-relaxed.c"));
}

#[test]
fn a_stripped_program_is_still_checked() {
    let program = racy("stripped");
    assert!(Command::new("strip").arg(&program).status().unwrap().success());
    let output = run(&program, "robustness=0");
    assert_eq!(output.status.code(), Some(66));
    assert!(text(&output).contains("data race") && text(&output).contains("stripped+0x"), "{}", text(&output));
}

#[test]
fn suppressions_silence_what_they_name_and_nothing_else() {
    let program = racy("suppressed");
    let file = directory("messages").join("suppressions");
    fs::write(&file, "# known\nrace:^reader$\n").unwrap();
    let options = format!("robustness=0:suppressions={}", file.display());
    let output = run(&program, &options);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    fs::write(&file, "race:nobody\nwhat is this\n").unwrap();
    let output = run(&program, &options);
    assert_eq!(output.status.code(), Some(66));
    assert!(text(&output).contains("line 2: expected race:"), "{}", text(&output));
}

#[test]
fn options_change_the_exit_status_and_stop_early() {
    let program = racy("status");
    assert_eq!(run(&program, "robustness=0:exitcode=5").status.code(), Some(5));
    assert_eq!(run(&program, "robustness=0:exitcode=0").status.code(), Some(0));
    assert_eq!(run(&program, "robustness=0:halt_on_error=1").status.code(), Some(66));
    let output = run(&program, "races=0:colour=1");
    assert!(text(&output).contains("colour=1 is not understood"), "{}", text(&output));
}

#[test]
fn without_a_renderer_reports_come_as_they_are() {
    let output = run(&racy("unrendered"), "robustness=0:renderer=/nonexistent/fencepost");
    assert_eq!(output.status.code(), Some(66));
    assert!(text(&output).contains("\"kind\":\"race\""), "{}", text(&output));
}

#[test]
fn a_report_names_both_accesses_with_their_stacks() {
    let report = report(&racy("stacks"), &[]);
    let race = report["violations"].as_array().unwrap().iter().find(|v| v["kind"] == "data race").unwrap();
    let mut functions: Vec<&str> =
        (0..2).map(|i| race["accesses"][i]["stack"][0]["function"].as_str().unwrap()).collect();
    functions.sort_unstable();
    assert_eq!(functions, ["reader", "writer"]);
}
