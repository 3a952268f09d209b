//! One line on the terminal that says how far a search is.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use fencepost_story::{bytes, thousands};
use indicatif::{ProgressBar, ProgressStyle};

/// Time without a line: quick work shows none.
const BEFORE_FIRST_LINE: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(250);

/// Does some work. If standard error is a terminal, shows there how far the work is, in one line that is removed at the
/// end and cut off at the width of the terminal.
pub fn during<T>(line: impl Fn(Duration) -> String + Sync, work: impl FnOnce() -> T) -> T {
    // It draws on standard error.
    let bar = ProgressBar::new_spinner();
    if bar.is_hidden() {
        return work();
    }
    bar.set_style(ProgressStyle::with_template("{wide_msg}").expect("a valid template"));
    thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        let line = &line;
        scope.spawn(move || show(&bar, line, &ended));
        let result = work();
        drop(done);
        result
    })
}

fn show(bar: &ProgressBar, line: &impl Fn(Duration) -> String, ended: &mpsc::Receiver<()>) {
    let start = Instant::now();
    let mut wait = BEFORE_FIRST_LINE;
    while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        bar.set_message(line(start.elapsed()));
        wait = INTERVAL;
    }
    bar.finish_and_clear();
}

/// `30,000 states, 15,000/s, depth 7, 1.0 MiB, 2 s`.
pub fn of_check(watch: &fencepost_check::Watch, resident: Option<u64>, elapsed: Duration) -> String {
    let states = watch.states.load(Ordering::Relaxed);
    format!(
        "{} states, {}, depth {}, {}, {} s",
        thousands(states),
        rate(states, elapsed),
        watch.depth.load(Ordering::Relaxed),
        bytes(resident.unwrap_or(0)),
        elapsed.as_secs()
    )
}

/// `30,000 complete executions, 10,000 blocked, 20,000/s, 2 s`, and how much of what is expected that is.
pub fn of_explore(watch: &fencepost_explore::Watch, expected: Option<f64>, elapsed: Duration) -> String {
    let complete = watch.complete.load(Ordering::Relaxed);
    let blocked = watch.blocked.load(Ordering::Relaxed);
    let share = expected.map(|expected| {
        let done = (complete + blocked) as f64 / expected.max(1.0) * 100.0;
        format!(", {:.0} % of about {}", done.min(100.0), thousands(expected as u64))
    });
    format!(
        "{} complete executions, {} blocked{}, {}, {} s",
        thousands(complete),
        thousands(blocked),
        share.unwrap_or_default(),
        rate(complete + blocked, elapsed),
        elapsed.as_secs()
    )
}

/// `3 of 40 assertions, 1,200 cases, 600/s, 2 s`.
pub fn of_prove(watch: &fencepost_prove::Watch, elapsed: Duration) -> String {
    let cases = watch.cases.load(Ordering::Relaxed);
    format!(
        "{} of {} assertions, {} cases, {}, {} s",
        thousands(watch.answered.load(Ordering::Relaxed)),
        thousands(watch.asked.load(Ordering::Relaxed)),
        thousands(cases),
        rate(cases, elapsed),
        elapsed.as_secs()
    )
}

fn rate(count: u64, elapsed: Duration) -> String {
    format!("{}/s", thousands((count as f64 / elapsed.as_secs_f64().max(0.001)) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_check_one_sees_states_rate_depth_memory_and_time() {
        let watch = fencepost_check::Watch::default();
        watch.states.store(30_000, Ordering::Relaxed);
        watch.depth.store(7, Ordering::Relaxed);
        let line = of_check(&watch, Some(1 << 20), Duration::from_secs(2));
        assert_eq!(line, "30,000 states, 15,000/s, depth 7, 1.0 MiB, 2 s");
    }

    #[test]
    fn of_an_exploration_one_sees_executions_rate_and_time() {
        let watch = fencepost_explore::Watch::default();
        watch.complete.store(30_000, Ordering::Relaxed);
        watch.blocked.store(10_000, Ordering::Relaxed);
        let line = of_explore(&watch, None, Duration::from_secs(2));
        assert_eq!(line, "30,000 complete executions, 10,000 blocked, 20,000/s, 2 s");
        let line = of_explore(&watch, Some(160_000.0), Duration::from_secs(2));
        assert_eq!(line, "30,000 complete executions, 10,000 blocked, 25 % of about 160,000, 20,000/s, 2 s");
    }
}
