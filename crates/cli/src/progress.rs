//! One line on the terminal that says how far a search is.

use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use fencepost_check::Watch;
use fencepost_report::{bytes, thousands};

/// Quick work shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(250);
const CLEAR_LINE: &str = "\r\x1b[K";

/// Does some work and shows its progress on standard error, if that is `seen` by anyone.
pub fn during<T>(name: &str, watch: &Watch, seen: bool, work: impl FnOnce() -> T) -> T {
    if !seen {
        return work();
    }
    thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        scope.spawn(move || show(name, watch, &ended));
        let result = work();
        drop(done);
        result
    })
}

fn show(name: &str, watch: &Watch, ended: &mpsc::Receiver<()>) {
    let start = Instant::now();
    let mut wait = PATIENCE;
    while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        // A terminal that went away is no reason to stop the search.
        let _ = write!(io::stderr(), "{CLEAR_LINE}{}", line(name, watch, start.elapsed()));
        wait = INTERVAL;
    }
    if wait == INTERVAL {
        let _ = write!(io::stderr(), "{CLEAR_LINE}");
    }
}

fn line(name: &str, watch: &Watch, elapsed: Duration) -> String {
    let states = watch.states.load(Ordering::Relaxed);
    let rate = (states as f64 / elapsed.as_secs_f64().max(0.001)) as u64;
    format!(
        "{name}: {} states, {}/s, depth {}, {}, {} s",
        thousands(states),
        thousands(rate),
        watch.depth.load(Ordering::Relaxed),
        bytes(watch.bytes.load(Ordering::Relaxed)),
        elapsed.as_secs()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_states_rate_depth_memory_and_time() {
        let watch = Watch::default();
        watch.states.store(30_000, Ordering::Relaxed);
        watch.depth.store(7, Ordering::Relaxed);
        watch.bytes.store(1 << 20, Ordering::Relaxed);
        let line = line("a.fp", &watch, Duration::from_secs(2));
        assert_eq!(line, "a.fp: 30,000 states, 15,000/s, depth 7, 1.0 MiB, 2 s");
    }
}
