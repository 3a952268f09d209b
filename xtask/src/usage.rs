//! What a process used, as the system counts it.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

/// Seconds of all its processors, seconds on the clock, and the most memory that was resident.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub processor: f64,
    pub clock: f64,
    pub peak_bytes: f64,
}

/// Runs a command, and returns what it used, its exit status (none if a signal ended it) and its standard output.
pub fn usage(command: &mut Command, output: &Path) -> Result<(Usage, Option<i32>, String), String> {
    let file = File::create(output).map_err(|e| format!("{}: {e}", output.display()))?;
    let (used, status) = wait(command.stdin(Stdio::null()).stdout(file).stderr(Stdio::null()))?;
    let output = fs::read_to_string(output).map_err(|e| format!("{}: {e}", output.display()))?;
    Ok((used, status.code(), output))
}

/// Runs a command, and returns what it and the processes that it waited for used.
pub fn wait(command: &mut Command) -> Result<(Usage, ExitStatus), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let started = Instant::now();
    let child = command.spawn().map_err(|e| format!("`{name}` could not be started: {e}"))?;
    let mut status = 0;
    // SAFETY: zeros are a valid `rusage`. The child is ours, and nothing else waits for it.
    let resources = unsafe {
        let mut resources: libc::rusage = std::mem::zeroed();
        if libc::wait4(child.id() as i32, &mut status, 0, &mut resources) < 0 {
            return Err(format!("`{name}`: {}", std::io::Error::last_os_error()));
        }
        resources
    };
    let clock = started.elapsed().as_secs_f64();
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let used = Usage {
        processor: seconds(resources.ru_utime) + seconds(resources.ru_stime),
        clock,
        peak_bytes: resources.ru_maxrss as f64 * 1024.0,
    };
    Ok((used, ExitStatus::from_raw(status)))
}

impl Usage {
    /// What disturbs a run makes it larger.
    pub fn least(self, other: Usage) -> Usage {
        Usage {
            processor: self.processor.min(other.processor),
            clock: self.clock.min(other.clock),
            peak_bytes: self.peak_bytes.min(other.peak_bytes),
        }
    }
}
