//! Limits and signals hold in every phase of every command. How long a run may take is asserted generously: that it
//! ends is the property.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{HUGE, Ran, Sandbox};

/// Time for a command to stop on a busy machine. The limits themselves are a fraction of a second.
const TIME_TO_STOP: Duration = Duration::from_secs(20);

/// One choice with more values than there is memory for.
const CHOICES: &str = "\
atomic x: u32;

thread a {
  n = choose(0..9223372036854775807);
  x.store(n, sc);
}

thread b {
  r = x.load(sc);
}
";

const RECURSION: &str = "\
#include <stdatomic.h>
atomic_int x;
int f(int n) { int a[16]; a[n & 15] = n; atomic_fetch_add(&x, 1); return f(n + 1) + a[3]; }
int main(void) { return f(0); }
";

/// A compiler that never ends, nor does its child, which keeps the pipe open.
const HANGING_CLANG: &str = "#!/bin/sh\necho $$ > group\nsleep 1000 &\nsleep 1000\n";
/// A compiler that never stops writing.
const ENDLESS_CLANG: &str = "#!/bin/sh\necho $$ > group\nexec yes\n";

/// Many threads that all update one location: the first analysis of `prove` takes long.
fn updates() -> String {
    let thread = |t: usize| {
        let updates: String = (0..300).map(|i| format!("  a{i} = x.fetch_add(1, rlx);\n")).collect();
        format!("thread t{t} {{\n{updates}  assert(a0 >= 0);\n}}\n")
    };
    format!("atomic x;\n{}", (0..64).map(thread).collect::<String>())
}

/// More executions than can be visited, and an assertion that holds but cannot be proved.
fn steps() -> String {
    let updates: String = (0..6).map(|i| format!("  a{i} = x.fetch_add(1, rlx);\n")).collect();
    format!("atomic x;\nthread t[5] {{\n{updates}}}\nthread w {{\n  r = x.load(rlx);\n  assert(r <= 30);\n}}\n")
}

fn sandbox(test: &str) -> Sandbox {
    let files = [
        ("huge.fp", HUGE),
        ("choices.fp", CHOICES),
        ("updates.fp", &updates()),
        ("steps.fp", &steps()),
        ("recursion.c", RECURSION),
        ("hanging", HANGING_CLANG),
        ("endless", ENDLESS_CLANG),
    ];
    let sandbox = Sandbox::new(test, &files);
    for script in ["hanging", "endless"] {
        fs::set_permissions(sandbox.path(script), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for pipe in ["pipe.fp", "pipe.c", "pipe.ll"] {
        assert!(Command::new("mkfifo").arg(sandbox.path(pipe)).status().unwrap().success());
    }
    sandbox
}

/// Every command, and for each of its phases something that keeps it busy there.
const BUSY: [&[&str]; 17] = [
    &["check", "huge.fp"],
    &["check", "choices.fp"],
    &["check", "recursion.c"],
    &["check", "pipe.fp"],
    &["check", "pipe.c"],
    &["explore", "choices.fp"],
    &["explore", "--outcomes", "choices.fp"],
    &["explore", "--estimate", "updates.fp"],
    &["explore", "--models", "sc,tso,rc11", "choices.fp"],
    &["explore", "pipe.ll"],
    &["prove", "updates.fp"],
    &["prove", "--domain", "octagon", "updates.fp"],
    &["prove", "--confirm", "steps.fp"],
    &["explore", "--graphs", "all.dot", "steps.fp"],
    &["export", "--promela", "pipe.fp"],
    &["export", "--promela", "choices.fp"],
    &["export", "--promela", "updates.fp"],
];

/// Starts a command that reports in JSON, as far as it can.
fn start(sandbox: &Sandbox, busy: &[&str], limits: &[&str]) -> Child {
    let format: &[&str] = if busy[0] == "export" { &[] } else { &["--format", "json"] };
    let mut command = sandbox.command(&[busy, limits, format].concat());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for the end of a run that gives up for a reason, and returns its report.
fn gives_up(child: Child, reason: &str) -> Value {
    let started = Instant::now();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert!(started.elapsed() < TIME_TO_STOP, "{:?}", started.elapsed());
    assert_eq!(ran.status, Some(3), "{}{}", ran.stdout, ran.stderr);
    if ran.stdout.is_empty() {
        assert!(ran.stderr.contains(&format!("nothing was exported: {reason}")), "{}", ran.stderr);
        return Value::Null;
    }
    let report: Value = serde_json::from_str(&ran.stdout).expect("one object");
    assert_eq!((&report["verdict"], &report["reason"]), (&"unknown".into(), &reason.into()), "{report}");
    report
}

#[test]
fn a_timeout_holds_in_every_phase() {
    let sandbox = sandbox("timeout");
    for busy in BUSY {
        gives_up(start(&sandbox, busy, &["--timeout", "200ms"]), "timeout");
    }
}

#[test]
fn a_limit_of_memory_holds_in_every_phase() {
    let sandbox = sandbox("memory");
    for busy in BUSY {
        // What waits for input needs nothing; but no process is as small as this.
        let grows = matches!(busy, ["check", "choices.fp" | "recursion.c"] | ["prove", .., "updates.fp"]);
        let (limit, most) = if grows { ("80MiB", 120 << 20) } else { ("1MiB", u64::MAX) };
        let report = gives_up(start(&sandbox, busy, &["--memory", limit]), "memory limit");
        assert!(report["peak_bytes"].as_u64().unwrap_or(0) < most, "{report}");
    }
}

#[test]
fn a_signal_ends_every_phase_with_what_is_known() {
    let sandbox = sandbox("signals");
    for (busy, signal) in BUSY.iter().zip(["-INT", "-TERM"].into_iter().cycle()) {
        let child = start(&sandbox, busy, &[]);
        wait_until_signals_are_handled(child.id());
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        gives_up(child, "interrupted");
    }
}

#[test]
fn a_compiler_that_does_not_end_is_ended_with_its_children() {
    let sandbox = sandbox("compilers");
    for (clang, limits, reason) in [
        ("hanging", ["--timeout", "300ms"], "timeout"),
        ("endless", ["--timeout", "300ms"], "timeout"),
        ("endless", ["--memory", "80MiB"], "memory limit"),
    ] {
        let mut command = sandbox.command(&["check", "recursion.c", "--format", "json", limits[0], limits[1]]);
        command.env("FENCEPOST_CLANG", sandbox.path(clang)).stdin(Stdio::null());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        gives_up(child, reason);
        let group = sandbox.read("group");
        let started = Instant::now();
        while lives(group.trim()) {
            assert!(started.elapsed() < TIME_TO_STOP, "{clang} is left");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn sarif_is_one_log_also_when_the_time_is_over() {
    let sandbox = sandbox("sarif");
    let ran = sandbox.run(&["check", "--format", "sarif", "--timeout", "200ms", "huge.fp", "pipe.fp"]);
    assert_eq!(ran.status, Some(3));
    let log: Value = serde_json::from_str(&ran.stdout).expect("one log");
    let told = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(told.as_array().map(Vec::len), Some(2), "one a file: {told}");
}

/// The thread that ends the process when nothing else does is started after signals are handled.
fn wait_until_signals_are_handled(process: u32) {
    let tasks = Path::new("/proc").join(process.to_string()).join("task");
    let is_guard = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).is_ok_and(|n| n.trim() == "guard");
    while !fs::read_dir(&tasks).expect("it runs").flatten().any(is_guard) {
        thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process of a group is not dead yet.
fn lives(group: &str) -> bool {
    let stats = fs::read_dir("/proc").unwrap().flatten();
    let stats = stats.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter_map(|stat| Some(stat.rsplit_once(") ")?.1.to_owned())).any(|stat| {
        let fields: Vec<&str> = stat.split(' ').collect();
        fields[0] != "Z" && fields[2] == group
    })
}
