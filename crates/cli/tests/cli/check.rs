use std::process::Stdio;

use crate::support::{HUGE, ROBUST, Ran, STORE_BUFFERING, Sandbox};

#[test]
fn a_robust_program_holds_and_exits_0() {
    let ran = Sandbox::new("holds", &[("a.fp", ROBUST)]).run(&["check", "a.fp"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(
        ran.first_line(),
        "holds: a.fp is robust under rc11 and has no data race, failing assertion or deadlock"
    );
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_program_that_is_not_robust_is_violated_and_exits_1() {
    let ran = Sandbox::new("violated", &[("sb.fp", STORE_BUFFERING)]).run(&["check", "sb.fp"]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert_eq!(ran.first_line(), "violated: sb.fp is not robust under rc11");
    for part in ["--> sb.fp:", "Why", "How to get there", "What would fix it"] {
        assert!(ran.stdout.contains(part), "{part} is missing in\n{}", ran.stdout);
    }
}

#[test]
fn a_limit_is_unknown_and_exits_3() {
    let sandbox = Sandbox::new("limits", &[("huge.fp", HUGE)]);
    for (limit, reason) in [
        (["--max-states", "1000"], "state limit"),
        (["--timeout", "50ms"], "time limit"),
        (["--memory", "1MiB"], "memory limit"),
    ] {
        let ran = sandbox.run(&["check", "huge.fp", limit[0], limit[1]]);
        assert_eq!(ran.status, Some(3), "{limit:?}: {}", ran.stdout);
        assert!(ran.first_line().starts_with("unknown: huge.fp"), "{}", ran.stdout);
        assert!(ran.first_line().contains(reason), "{}", ran.stdout);
    }
}

#[test]
fn a_mistake_in_the_program_is_shown_in_its_source_and_exits_2() {
    let ran =
        Sandbox::new("mistake", &[("a.fp", "atomic x;\nthread t { y.store(1, rel); }\n")]).run(&["check", "a.fp"]);
    assert_eq!(ran.status, Some(2));
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("a.fp:2:12") && ran.stderr.contains('^'), "{}", ran.stderr);
}

#[test]
fn a_program_that_the_model_cannot_take_is_refused_with_its_place() {
    let ran = Sandbox::new("refused", &[("a.fp", ROBUST)]).run(&["check", "--model", "rc20", "a.fp"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("a.fp:4:3") && ran.stderr.contains("rc11"), "{}", ran.stderr);
}

#[test]
fn files_that_are_not_there_or_not_text_exit_2() {
    let sandbox = Sandbox::new("unreadable", &[("a.txt", ROBUST)]);
    for file in ["nowhere.fp", ".", "a.txt", "/dev/null"] {
        let ran = sandbox.run(&["check", file]);
        assert_eq!(ran.status, Some(2), "{file}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
    assert_eq!(sandbox.run_with_input(&["check", "-"], b"\xff\xfe atomic x").status, Some(2));
}

#[test]
fn wrong_arguments_exit_2() {
    let sandbox = Sandbox::new("usage", &[("a.fp", ROBUST)]);
    for arguments in [
        vec!["check"],
        vec!["check", "a.fp", "--model", "x86"],
        vec!["check", "a.fp", "--timeout", "10"],
        vec!["check", "a.fp", "--memory", "lots"],
        vec!["check", "a.fp", "--jobs", "0"],
        vec!["check", "a.fp", "--properties", "speed"],
        vec!["check", "a.fp", "--properties", ""],
        vec!["check", "a.fp", "--graph", "a.png"],
        vec!["check", "a.fp", "a.fp", "--graph", "a.svg"],
        vec!["check", "-", "-"],
        vec!["check", "a.fp", "--observational", "--properties", "races"],
        vec!["prove"],
    ] {
        let ran = sandbox.run(&arguments);
        assert_eq!(ran.status, Some(2), "{arguments:?}");
        assert!(ran.stdout.is_empty() && ran.stderr.contains("error"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn a_dash_reads_standard_input() {
    let ran = Sandbox::new("stdin", &[]).run_with_input(&["check", "-"], STORE_BUFFERING.as_bytes());
    assert_eq!(ran.status, Some(1));
    assert_eq!(ran.first_line(), "violated: stdin is not robust under rc11");
}

#[test]
fn several_files_have_a_verdict_each_and_a_summary() {
    let files = [("a.fp", ROBUST), ("b.fp", STORE_BUFFERING), ("c.fp", "thread {")];
    let sandbox = Sandbox::new("several", &files);
    let ran = sandbox.run(&["check", "a.fp", "b.fp"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stdout.contains("holds: a.fp") && ran.stdout.contains("violated: b.fp"));
    assert_eq!(ran.stdout.lines().last(), Some("2 files: 1 holds, 1 violated"));

    let ran = sandbox.run(&["check", "c.fp", "a.fp", "b.fp"]);
    assert_eq!(ran.status, Some(2));
    assert_eq!(ran.stdout.lines().last(), Some("3 files: 1 holds, 1 violated, 1 in error"));
}

#[test]
fn of_several_files_a_violation_outweighs_an_unknown() {
    let sandbox = Sandbox::new("outweighs", &[("sb.fp", STORE_BUFFERING), ("huge.fp", HUGE)]);
    assert_eq!(sandbox.run(&["check", "--max-states", "1000", "huge.fp", "sb.fp"]).status, Some(1));
}

#[test]
fn without_robustness_a_yes_says_what_it_is_about() {
    let sandbox = Sandbox::new("sc-only", &[("sb.fp", STORE_BUFFERING)]);
    let ran = sandbox.run(&["check", "--properties", "deadlocks,assertions", "sb.fp"]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.first_line().ends_with("in sequentially consistent executions"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Robustness was not checked"));
}

#[test]
fn colour_is_for_terminals_or_on_demand() {
    let sandbox = Sandbox::new("colour", &[("sb.fp", STORE_BUFFERING)]);
    assert!(!sandbox.run(&["check", "sb.fp"]).stdout.contains('\u{1b}'));
    assert!(sandbox.run(&["check", "--color", "always", "sb.fp"]).stdout.contains('\u{1b}'));
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    let sandbox = Sandbox::new("broken-pipe", &[("sb.fp", STORE_BUFFERING)]);
    for arguments in [["check", "sb.fp"], ["check", "--help"], ["fmt", "sb.fp"]] {
        let mut child = sandbox.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.stderr, "", "{arguments:?}");
        assert!(ran.status.is_some(), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let sandbox = Sandbox::new("full-disk", &[("a.fp", ROBUST)]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ran = Ran::from(sandbox.command(&["check", "a.fp"]).stdout(full).stderr(Stdio::piped()).output().unwrap());
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("cannot write to standard output"), "{}", ran.stderr);
}

#[test]
fn the_verdict_does_not_depend_on_the_number_of_jobs() {
    let sandbox = Sandbox::new("jobs", &[("sb.fp", STORE_BUFFERING), ("a.fp", ROBUST)]);
    for file in ["sb.fp", "a.fp"] {
        let one = sandbox.run(&["check", file, "--jobs", "1"]);
        let two = sandbox.run(&["check", file, "--jobs", "2"]);
        assert_eq!(one.first_line(), two.first_line());
    }
}

#[test]
fn truncated_programs_get_an_answer_or_an_error() {
    let sandbox = Sandbox::new("truncated", &[]);
    for end in (0..STORE_BUFFERING.len()).step_by(3) {
        let ran = sandbox.run_with_input(&["check", "-"], &STORE_BUFFERING.as_bytes()[..end]);
        assert!(matches!(ran.status, Some(0..=2)), "{:?}\n{}", ran.status, &STORE_BUFFERING[..end]);
        assert_eq!(ran.status == Some(2), !ran.stderr.is_empty());
    }
}

#[test]
fn help_says_what_robust_and_the_exit_status_mean() {
    let ran = Sandbox::new("help", &[]).run(&["check", "--help"]);
    assert_eq!(ran.status, Some(0));
    for part in ["What robust means", "Exit status", "Examples", "rc11", "--observational"] {
        assert!(ran.stdout.contains(part), "{part}");
    }
}
