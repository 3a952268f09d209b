//! Reports of findings. The renderer looks up the symbols.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{self, AtomicU32};

use fencepost_wire::{Access, Kind, Module, Operation, Ordering, Report};
use hashbrown::HashSet;

use crate::places::{Place, Places};
use crate::spin::SpinLock;
use crate::sys;

/// One side of a report.
pub(crate) struct Side {
    /// The number of the thread, in the order of creation; the main thread is 0.
    pub(crate) thread: Option<u32>,
    pub(crate) operation: Operation,
    pub(crate) atomic: bool,
    pub(crate) ordering: Option<Ordering>,
    pub(crate) address: usize,
    pub(crate) size: usize,
    pub(crate) place: Place,
}

impl Side {
    fn access(&self, places: &Places) -> Access {
        const DEEPEST: usize = 128;
        Access {
            thread: self.thread,
            operation: self.operation,
            atomic: self.atomic,
            ordering: self.ordering,
            address: self.address as u64,
            size: self.size as u64,
            stack: places.counters(self.place).take(DEEPEST).map(|counter| counter as u64).collect(),
        }
    }
}

/// Where reports go.
pub(crate) trait Sink: Send + Sync {
    fn show(&self, report: Report) -> Answer;
}

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Shown,
    /// The suppressions file has it.
    Suppressed,
}

/// What a detector has reported.
pub(crate) struct Reports {
    sink: Box<dyn Sink>,
    /// How many violations were shown, not suppressed: what the exit status tells.
    shown: AtomicU32,
    /// What was reported once is not reported again: by kind and by the two places in the code.
    reported: SpinLock<HashSet<(Kind, usize, usize), foldhash::fast::FixedState>>,
}

impl Reports {
    pub(crate) fn new(sink: Box<dyn Sink>) -> Reports {
        Reports { sink, shown: AtomicU32::new(0), reported: SpinLock::new(HashSet::default()) }
    }

    pub(crate) fn shown(&self) -> u32 {
        self.shown.load(atomic::Ordering::Relaxed)
    }

    /// Reports a pair of accesses, once for each pair of code places: the later one, and the one that it is in conflict
    /// with.
    #[cold]
    pub(crate) fn report(&self, places: &Places, kind: Kind, later: &Side, earlier: &Side) {
        let counter = |side: &Side| places.counters(side.place).next().unwrap_or(0);
        let key = match (counter(later), counter(earlier)) {
            // Which of two racing accesses comes later is chance.
            (a, b) if kind == Kind::Race && a > b => (kind, b, a),
            (a, b) => (kind, a, b),
        };
        if !self.reported.lock().insert(key) {
            return;
        }
        let accesses = vec![later.access(places), earlier.access(places)];
        let answer = self.sink.show(Report { kind, process: sys::process_id(), accesses, modules: modules() });
        if kind.is_violation() && answer == Answer::Shown {
            self.shown.fetch_add(1, atomic::Ordering::Relaxed);
        }
    }

    pub(crate) fn before_fork(&self) {
        self.reported.hold();
    }

    pub(crate) fn after_fork(&self) {
        self.reported.reset();
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
