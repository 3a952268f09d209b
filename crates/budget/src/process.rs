//! A process that does not outlive a budget, nor do its children.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::{Budget, Spent};

/// More than this is taken to be endless.
const MOST_OUTPUT: u64 = 1 << 30;
/// How long a child of the process may go on writing after its end.
const LINGER: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(2);

/// A process at work, whose output is collected. It is killed when this is dropped before it has ended.
pub struct Process {
    child: Child,
    streams: [mpsc::Receiver<io::Result<Vec<u8>>>; 2],
    ended: bool,
}

impl Process {
    /// Starts a command that reads nothing, in a process group of its own.
    pub fn start(command: &mut Command) -> io::Result<Process> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let streams = [collect(child.stdout.take()), collect(child.stderr.take())];
        let mut process = Process { child, streams: [mpsc::channel().1, mpsc::channel().1], ended: false };
        let [stdout, stderr] = streams;
        process.streams = [stdout?, stderr?];
        Ok(process)
    }

    /// Waits until it has ended and all of its output is there.
    pub fn finish(mut self, budget: &Budget) -> Result<io::Result<Output>, Spent> {
        let mut ended: Option<(ExitStatus, Instant)> = None;
        let mut outputs = [None, None];
        loop {
            for (output, stream) in outputs.iter_mut().zip(&self.streams) {
                if output.is_none() {
                    *output = stream.try_recv().ok();
                }
            }
            if let [Some(Err(_)), _] | [_, Some(Err(_))] = outputs {
                let [stdout, stderr] = outputs;
                return Ok(Err(stdout.into_iter().chain(stderr).find_map(Result::err).expect("one of them failed")));
            }
            if let (Some((status, _)), [Some(Ok(_)), Some(Ok(_))]) = (ended, &outputs) {
                let [stdout, stderr] = outputs.map(|output| output.and_then(Result::ok).unwrap_or_default());
                self.ended = true;
                return Ok(Ok(Output { status, stdout, stderr }));
            }
            match ended {
                None => match self.child.try_wait() {
                    Ok(status) => ended = status.map(|status| (status, Instant::now())),
                    Err(e) => return Ok(Err(e)),
                },
                Some((_, at)) if at.elapsed() > LINGER => {
                    return Ok(Err(io::Error::other("it has ended, but a process that it started goes on writing")));
                }
                Some(_) => {}
            }
            budget.check()?;
            thread::sleep(INTERVAL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            kill(&mut self.child);
            let _ = self.child.wait();
        }
    }
}

/// Reads a stream to its end on a thread of its own, so that neither stream can hold up the other.
fn collect(stream: Option<impl Read + Send + 'static>) -> io::Result<mpsc::Receiver<io::Result<Vec<u8>>>> {
    let (done, result) = mpsc::channel();
    let read = move || {
        let mut bytes = Vec::new();
        let read = stream.map_or(Ok(0), |stream| stream.take(MOST_OUTPUT).read_to_end(&mut bytes));
        // The receiver is gone when the budget is spent.
        let _ = done.send(match read {
            Ok(read) if read as u64 == MOST_OUTPUT => Err(io::Error::other("its output does not end")),
            Ok(_) => Ok(bytes),
            Err(e) => Err(e),
        });
    };
    thread::Builder::new().name("output".into()).spawn(read)?;
    Ok(result)
}

/// Ends a process and all that are in its group.
#[cfg(unix)]
fn kill(child: &mut Child) {
    use nix::sys::signal::{Signal, killpg};
    let group = i32::try_from(child.id()).map(nix::unistd::Pid::from_raw);
    // It may have ended by itself.
    let _ = group.map(|group| killpg(group, Signal::SIGKILL));
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.kill();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::Limits;

    fn shell(script: &str) -> Process {
        Process::start(Command::new("sh").arg("-c").arg(script)).unwrap()
    }

    fn soon() -> Budget {
        Budget::new(Limits { timeout: Some(Duration::from_millis(50)), bytes: None })
    }

    /// Whether a process of a group is not dead yet.
    fn lives(group: u32) -> bool {
        let stats = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let stats = stats.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
        stats.filter_map(|stat| Some(stat.rsplit_once(") ")?.1.to_owned())).any(|stat| {
            let fields: Vec<&str> = stat.split(' ').collect();
            fields[0] != "Z" && fields[2] == group.to_string()
        })
    }

    #[test]
    fn its_output_is_collected() {
        let output = shell("echo out; echo err >&2; exit 7").finish(&Budget::default()).unwrap().unwrap();
        assert_eq!((output.stdout, output.stderr), (b"out\n".to_vec(), b"err\n".to_vec()));
        assert_eq!(output.status.code(), Some(7));
    }

    #[test]
    fn it_ends_with_the_budget_and_so_do_its_children() {
        // The child of the shell keeps the pipe open for as long as it lives.
        let process = shell("sleep 1000 & echo $!; sleep 1000");
        let group = process.child.id();
        assert_eq!(process.finish(&soon()).err(), Some(Spent::Timeout));
        while lives(group) {
            thread::sleep(INTERVAL);
        }
    }

    #[test]
    fn output_without_end_ends_with_the_budget() {
        assert_eq!(shell("yes").finish(&soon()).err(), Some(Spent::Timeout));
    }
}
