//! A short run, and all inputs that once went wrong.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use fencepost_fuzz::{Format, engines};
use fencepost_testing::{Effort, corpus::files_below, seed};

/// As much as a main thread has.
const STACK: usize = 8 << 20;

#[test]
fn inputs_that_went_wrong_are_read_or_refused() {
    let replay = Path::new(env!("CARGO_MANIFEST_DIR")).join("replay");
    for format in Format::ALL {
        for path in files_below(&replay, &[format.extension()]) {
            println!("{}", path.display());
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            let run = move || engines::run_all(format, &text);
            thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
        }
    }
}

/// For longer, there is `cargo xtask fuzz`.
#[test]
fn nothing_goes_wrong_for_a_while() {
    let seconds = if Effort::get() == Effort::Quick { "1" } else { "6" };
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost-fuzz"));
    command.args(["--seconds", seconds, "--seed", &seed().to_string()]);
    command.arg("--findings").arg(env!("CARGO_TARGET_TMPDIR"));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for format in Format::ALL {
        let line = said.lines().find(|line| line.starts_with(&format!("{}: ", format.extension()))).unwrap();
        assert!(!line.contains(" 0 of them programs"), "nothing but the reader was tried: {line}");
    }
}
