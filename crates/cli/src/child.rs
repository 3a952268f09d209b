//! Other programs that we wait for.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Pid, Signal, kill_process};

use crate::interrupt::stop_on_interrupt;

/// Runs a program to its end. Ctrl-C and SIGTERM end it first, and us at the second time.
pub fn wait_for(command: &mut Command) -> io::Result<ExitStatus> {
    let mut child = command.spawn()?;
    let process = Pid::from_child(&child);
    let ended = Arc::new(AtomicBool::new(false));
    let known = Arc::clone(&ended);
    stop_on_interrupt(move || {
        // Once it has been waited for, its number may be another's.
        known.swap(true, Ordering::Relaxed) || kill_process(process, Signal::TERM).is_err()
    });
    let status = child.wait();
    ended.store(true, Ordering::Relaxed);
    status
}
