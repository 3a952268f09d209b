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
    assert_eq!(line["kind"], "data-race");
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
    let race = report["violations"].as_array().unwrap().iter().find(|v| v["kind"] == "data-race").unwrap();
    let mut functions: Vec<&str> =
        (0..2).map(|i| race["accesses"][i]["stack"][0]["function"].as_str().unwrap()).collect();
    functions.sort_unstable();
    assert_eq!(functions, ["reader", "writer"]);
}

/// Runs a program in a shell with limits of its own.
fn run_with(limits: &str, program: &std::path::Path) -> std::process::Output {
    Command::new("sh")
        .args(["-c", &format!("{limits}; exec \"$0\"")])
        .arg(program)
        .env("FENCEPOST_OPTIONS", "robustness=0:schedule=random")
        .output()
        .unwrap()
}

#[test]
fn a_layout_of_memory_that_cannot_be_followed_is_changed() {
    // Without a limit of the stack, mappings begin where shadow memory should be.
    let output = run_with("ulimit -s unlimited", &racy("unlimited"));
    assert_eq!(output.status.code(), Some(66), "{}", text(&output));
    assert!(text(&output).contains("mp-relaxed.c"), "{}", text(&output));
}

#[test]
fn a_program_at_addresses_that_cannot_be_followed_is_told_so() {
    // Without randomness already, and with mappings from the bottom up, there is nothing left to change.
    let output = Command::new("setarch").args(["-R", "-L"]).arg(racy("elsewhere")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("addresses that cannot be followed"), "{}", text(&output));
}

#[test]
fn a_limit_of_memory_that_leaves_no_room_is_named() {
    let output = run_with("ulimit -v 1000000", &racy("limited"));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("ulimit -v"), "{}", text(&output));
}

#[test]
fn the_options_can_be_listed_by_the_program_itself() {
    let output = run(&racy("help"), "help=1:robustness=0:exitcode=0");
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output);
    assert!(said.contains("log_path") && said.contains("(default rc11)"), "{said}");
}

#[test]
fn a_runtime_that_is_linked_twice_is_there_once() {
    let here = directory("messages");
    let cache = directory("twice-cache");
    let source = programs().join("fences/mp-relaxed.c");
    let link = |program: &str, more: &[&str]| {
        let output = fencepost()
            .env("XDG_CACHE_HOME", &cache)
            .env("FENCEPOST_CC", "gcc")
            .args(["cc", "-w", "-O1"])
            .arg(&source)
            .arg("-o")
            .arg(here.join(program))
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output));
    };
    link("once", &[]);
    let unpacked = fs::read_dir(cache.join("fencepost")).unwrap().next().unwrap().unwrap().path();
    let archive = unpacked.join("libfencepost_runtime.a");
    link("twice", &[archive.to_str().unwrap(), archive.to_str().unwrap()]);
    // Build files that ask for ThreadSanitizer themselves do not get it on top.
    link("with-tsan", &["-fsanitize=thread"]);
    for program in ["twice", "with-tsan"] {
        let output = run(&here.join(program), "robustness=0:schedule=random");
        assert_eq!(output.status.code(), Some(66), "{program}: {}", text(&output));
        assert_eq!(text(&output).matches("data race").count(), 1, "{program}: {}", text(&output));
    }
}
