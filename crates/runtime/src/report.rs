//! What was found. Symbols are looked up by whoever renders it.

use alloc::string::String;
use alloc::vec::Vec;
use core::sync::atomic::{self, AtomicU32};

use fencepost_wire::{Access, Kind, Line, Module, Operation, Ordering, Report};
use hashbrown::HashSet;

use crate::places::{self, Place};
use crate::renderer::{self, Answer};
use crate::spin::SpinLock;
use crate::sys;
use crate::{runtime, schedule};

/// One side of a report.
pub struct Side {
    /// The number of the thread, in the order of creation; the main thread is 0.
    pub thread: Option<u32>,
    pub operation: Operation,
    pub atomic: bool,
    pub ordering: Option<Ordering>,
    pub address: usize,
    pub size: usize,
    pub place: Place,
}

impl Side {
    fn access(&self) -> Access {
        const DEEPEST: usize = 128;
        Access {
            thread: self.thread,
            operation: self.operation,
            atomic: self.atomic,
            ordering: self.ordering,
            address: self.address as u64,
            size: self.size as u64,
            stack: places::counters(self.place).take(DEEPEST).map(|counter| counter as u64).collect(),
        }
    }
}

/// Reports that were shown, not suppressed: what the exit status tells.
static SHOWN: AtomicU32 = AtomicU32::new(0);

/// What was told once is not told again.
static TOLD: SpinLock<Option<Told>> = SpinLock::new(None);

/// By kind and by the two places in the code.
type Told = HashSet<(Kind, usize, usize), foldhash::fast::FixedState>;

pub fn shown() -> u32 {
    SHOWN.load(atomic::Ordering::Relaxed)
}

/// Reports a pair of accesses, once for each pair of code places: the later one, and the one that it is in conflict with.
#[cold]
pub fn report(kind: Kind, later: &Side, earlier: &Side) {
    let counter = |side: &Side| places::counters(side.place).next().unwrap_or(0);
    let key = match (counter(later), counter(earlier)) {
        // Which of two racing accesses comes later is chance.
        (a, b) if kind == Kind::Race && a > b => (kind, b, a),
        (a, b) => (kind, a, b),
    };
    if !TOLD.lock().get_or_insert_default().insert(key) {
        return;
    }
    let accesses = [later.access(), earlier.access()];
    let line = Line::Report(Report { kind, process: sys::process_id(), accesses, modules: modules() });
    let answer = schedule::while_reporting(|| renderer::send(&line));
    if kind.property().is_violation() && answer == Answer::Shown {
        SHOWN.fetch_add(1, atomic::Ordering::Relaxed);
        if runtime::options().halt_on_error {
            renderer::finish();
            sys::exit_now(runtime::options().exit_status.into());
        }
    }
}

/// The code that is mapped now.
fn modules() -> Vec<Module> {
    let text = sys::read_file(c"/proc/self/maps").unwrap_or_default();
    String::from_utf8_lossy(&text).lines().filter_map(parse_mapping).collect()
}

/// An executable mapping of a file, from a line such as `55d0-55e0 r-xp 00001000 08:01 1234   /usr/bin/prog`.
fn parse_mapping(line: &str) -> Option<Module> {
    let hexadecimal = |text| u64::from_str_radix(text, 16).ok();
    let mut fields = line.splitn(6, ' ');
    let (start, end) = fields.next()?.split_once('-')?;
    let permissions = fields.next()?;
    let offset = fields.next()?;
    let path = fields.nth(2)?.trim_start();
    if !permissions.contains('x') || !path.starts_with('/') {
        return None;
    }
    Some(Module { path: path.into(), start: hexadecimal(start)?, end: hexadecimal(end)?, offset: hexadecimal(offset)? })
}

pub fn before_fork() {
    TOLD.hold();
}

pub fn after_fork() {
    TOLD.reset();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executable_mappings_of_files_are_modules() {
        let mapping =
            parse_mapping("55d0a0001000-55d0a0002000 r-xp 00001000 08:01 1234      /usr/my bin/prog").unwrap();
        assert_eq!((mapping.path.as_str(), mapping.offset), ("/usr/my bin/prog", 0x1000));
        assert_eq!((mapping.start, mapping.end), (0x55d0_a000_1000, 0x55d0_a000_2000));
        assert!(parse_mapping("7f00-7f01 rw-p 00000000 00:00 0").is_none());
        assert!(parse_mapping("7f00-7f01 r-xp 00000000 00:00 0      [vdso]").is_none());
        assert!(parse_mapping("nonsense").is_none());
    }
}
