use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fencepost_testing as testing;
use serde_json::Value;

pub const FENCEPOST: &str = env!("CARGO_BIN_EXE_fencepost");

pub fn programs() -> PathBuf {
    testing::programs().join("native")
}

/// A directory of this test alone, with the library unpacked in one place for all.
pub fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run").join(name);
    fs::create_dir_all(&path).unwrap();
    path
}

pub fn fencepost() -> Command {
    let mut command = Command::new(FENCEPOST);
    command.env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("run-cache"));
    for variable in ["FENCEPOST_OPTIONS", "FENCEPOST_CC", "FENCEPOST_CXX"] {
        command.env_remove(variable);
    }
    command
}

/// The newest clang that is installed, for tests that want a second compiler.
pub fn clang() -> Option<&'static str> {
    ["clang-19", "clang-16", "clang-14", "clang"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
}

/// A file of the corpus: its name, and what its header says.
pub struct Source {
    pub path: PathBuf,
    pub name: String,
    pub expect: String,
    /// What the compiler gets besides.
    pub options: Vec<String>,
}

pub fn corpus(part: &str) -> Vec<Source> {
    let source = |source: testing::Source| Source {
        name: source.path.file_name().unwrap().to_string_lossy().into_owned(),
        expect: source.expect("expect").to_owned(),
        options: source.get("options").unwrap_or("").split_whitespace().map(str::to_owned).collect(),
        path: source.path,
    };
    testing::sources(&format!("native/{part}"), &["c", "cc"]).into_iter().map(source).collect()
}

/// Builds a program, with `fencepost cc` or `c++` by the name of the source.
pub fn build(source: &Path, program: &Path, compiler: &str, options: &[String]) {
    let cpp = source.extension().is_some_and(|extension| extension == "cc");
    let output = fencepost()
        .env("FENCEPOST_CC", compiler)
        .arg(if cpp { "c++" } else { "cc" })
        .args(["-w", "-O1"])
        .arg(source)
        .arg("-o")
        .arg(program)
        .args(options)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}: {}", source.display(), text(&output));
}

pub fn text(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a program by itself.
pub fn run(program: &Path, options: &str) -> Output {
    Command::new(program).env("FENCEPOST_OPTIONS", options).output().unwrap()
}

/// What `fencepost run` says of a program, as JSON.
pub fn report(program: &Path, arguments: &[&str]) -> Value {
    let output = fencepost().arg("run").args(arguments).args(["--format", "json", "--"]).arg(program).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output)))
}

/// Long enough for a loaded machine: only a program that hangs comes here.
const WATCHDOG: Duration = Duration::from_secs(120);

/// Runs a program, or says that it hangs; its output goes to files, which cannot block it.
pub fn watched(program: &Path, options: &str) -> Result<(ExitStatus, String, String), String> {
    let (out, error) = (program.with_extension("stdout"), program.with_extension("stderr"));
    let mut child = Command::new(program)
        .env("FENCEPOST_OPTIONS", options)
        .stdin(Stdio::null())
        .stdout(File::create(&out).unwrap())
        .stderr(File::create(&error).unwrap())
        .spawn()
        .unwrap();
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Ok((status, fs::read_to_string(&out).unwrap(), fs::read_to_string(&error).unwrap()));
        }
        if started.elapsed() > WATCHDOG {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it hangs; until then: {}", fs::read_to_string(&error).unwrap()));
        }
        thread::sleep(Duration::from_millis(2));
    }
}
