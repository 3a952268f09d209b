//! Runs the binary in a directory of its own.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub const STORE_BUFFERING: &str = "\
atomic x: bool, y: bool;

thread left {
  x.store(1, rel);
  a = y.load(acq);
}

thread right {
  y.store(1, rel);
  b = x.load(acq);
}
";

pub const ROBUST: &str = "\
atomic x: bool, y: bool;

thread left {
  x.store(1, sc);
  a = y.load(sc);
}

thread right {
  y.store(1, sc);
  b = x.load(sc);
}
";

/// Too many states to be searched in any patience.
pub const HUGE: &str = "\
atomic x[6]: u32;

thread worker[6] {
  loop {
    x[self].fetch_add(1, sc);
  }
}
";

pub struct Sandbox {
    directory: PathBuf,
}

impl Sandbox {
    /// A new directory, empty but for the given files. Tests run at the same time, so each needs a name of its own.
    pub fn new(test: &str, files: &[(&str, &str)]) -> Sandbox {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        for (name, text) in files {
            fs::write(directory.join(name), text).unwrap();
        }
        Sandbox { directory }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
        command.args(arguments).current_dir(&self.directory).env_remove("CLICOLOR_FORCE");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The child may end without having read everything.
        let _ = child.stdin.take().unwrap().write_all(input);
        Ran::from(child.wait_with_output().unwrap())
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.directory.join(name)).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.directory.join(name).exists()
    }
}

pub struct Ran {
    /// `None` if a signal ended the process.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn first_line(&self) -> &str {
        self.stdout.lines().next().unwrap_or("")
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let ran = Ran {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        ran
    }
}
