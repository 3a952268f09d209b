//! Ctrl-C ends a search with what is known.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::{HUGE, ROBUST, Ran, Sandbox};

/// Waits until a process handles SIGINT (signal 2) itself.
fn wait_for_handler(pid: u32) {
    loop {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        if u64::from_str_radix(caught.trim(), 16).unwrap() & 0b10 != 0 {
            return;
        }
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_interrupt_ends_the_search_with_unknown() {
    let sandbox = Sandbox::new("interrupt", &[("a.fp", ROBUST)]);
    let mut command = sandbox.command(&["check", "-", "a.fp", "--memory", "2GiB"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_handler(child.id());
    // The program comes after the signal, so that the search cannot be over before it.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.stdin.take().unwrap().write_all(HUGE.as_bytes()).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(3));
    assert!(ran.first_line().contains("the search was interrupted"), "{}", ran.stdout);
    assert_eq!(ran.stdout.lines().last(), Some("2 files: 1 unknown, 1 not checked"));
}
