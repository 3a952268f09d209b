//! Ctrl-C ends a search with what is known.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{HUGE, ROBUST, Ran, Sandbox};

/// More than a pipe holds: once it is written, the other side is reading.
const LONG_COMMENT: usize = 500_000;

#[test]
fn an_interrupt_ends_the_search_with_unknown() {
    interrupted("interrupt", &["check", "-", "a.fp", "--memory", "2GiB"]);
}

#[test]
fn an_interrupt_ends_the_exploration_with_unknown() {
    interrupted("interrupt-explore", &["explore", "-", "a.fp"]);
}

fn interrupted(test: &str, arguments: &[&str]) {
    let sandbox = Sandbox::new(test, &[("a.fp", ROBUST)]);
    let mut command = sandbox.command(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("/* {} */\n", "long ".repeat(LONG_COMMENT / 5)).as_bytes()).unwrap();
    // The program comes after the signal, so that the search cannot be over before it.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    // The receiver may be gone.
    let _ = stdin.write_all(HUGE.as_bytes());
    drop(stdin);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(3));
    assert!(ran.first_line().contains("the search was interrupted"), "{}", ran.stdout);
    assert_eq!(ran.stdout.lines().last(), Some("2 files: 1 unknown, 1 not checked"));
}
