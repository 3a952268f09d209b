//! What was found, as one line of JSON with raw program counters. Symbols are looked up by whoever renders it.

use alloc::string::String;
use core::fmt::Write;
use core::sync::atomic::{AtomicU32, Ordering};

use hashbrown::HashSet;

use crate::places::{self, Place};
use crate::renderer::{self, Answer};
use crate::spin::SpinLock;
use crate::sys;
use crate::{runtime, schedule};

/// One side of a report.
pub struct Access {
    /// The number of the thread, in the order of creation; the main thread is 0.
    pub thread: u32,
    /// `read`, `write`, `load`, `store`, `fetch_add`, ...; what is known of it.
    pub operation: &'static str,
    pub atomic: bool,
    /// The ordering of an atomic access, as C spells it.
    pub ordering: &'static str,
    pub address: usize,
    pub size: usize,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Two conflicting accesses that nothing orders, one of them not atomic.
    Race,
    /// An access that may miss a write although every interleaving would show it.
    Robustness(What),
    /// Atomic accesses to the same bytes with different sizes, which no analysis here can follow.
    MixedSize,
}

/// What an access may do that no interleaving allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// Read an older write.
    StaleRead,
    /// Be overwritten by an older write.
    StaleWrite,
    /// Replace an older write.
    StaleRmw,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Race => "race",
            Kind::Robustness(What::StaleRead) => "stale-read",
            Kind::Robustness(What::StaleWrite) => "stale-write",
            Kind::Robustness(What::StaleRmw) => "stale-rmw",
            Kind::MixedSize => "mixed-size",
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
    SHOWN.load(Ordering::Relaxed)
}

/// Reports a pair of accesses, once for each pair of code places: the later one, and the one that it is in conflict with.
#[cold]
pub fn report(kind: Kind, later: &Access, earlier: &Access) {
    let counter = |access: &Access| places::counters(access.place).next().unwrap_or(0);
    let key = match (counter(later), counter(earlier)) {
        // Which of two racing accesses comes later is chance.
        (a, b) if kind == Kind::Race && a > b => (kind, b, a),
        (a, b) => (kind, a, b),
    };
    if !TOLD.lock().get_or_insert_default().insert(key) {
        return;
    }
    let mut line = String::new();
    let _ = write!(line, "{{\"kind\":\"{}\",\"process\":{},\"accesses\":[", kind.name(), sys::process_id());
    write_access(&mut line, later);
    line.push(',');
    write_access(&mut line, earlier);
    line.push_str("],\"modules\":[");
    write_modules(&mut line);
    line.push_str("]}\n");
    let answer = schedule::while_reporting(|| renderer::send(&line));
    if kind != Kind::MixedSize && answer == Answer::Shown {
        SHOWN.fetch_add(1, Ordering::Relaxed);
        if runtime::options().halt_on_error {
            renderer::finish();
            sys::exit_now(runtime::options().exit_code);
        }
    }
}

fn write_access(line: &mut String, access: &Access) {
    let _ = write!(
        line,
        "{{\"thread\":{},\"operation\":\"{}\",\"atomic\":{},\"ordering\":\"{}\",\"address\":{},\"size\":{},\"stack\":[",
        access.thread, access.operation, access.atomic, access.ordering, access.address, access.size
    );
    for (i, counter) in places::counters(access.place).take(128).enumerate() {
        let _ = write!(line, "{}{counter}", if i == 0 { "" } else { "," });
    }
    line.push_str("]}");
}

/// The code that is mapped now: path, first and last address, and offset in the file.
fn write_modules(line: &mut String) {
    let Some(text) = sys::read_file(c"/proc/self/maps") else { return };
    let mut first = true;
    for mapping in String::from_utf8_lossy(&text).lines().filter_map(parse_mapping) {
        let _ = write!(line, "{}[\"", if first { "" } else { "," });
        for character in mapping.path.chars() {
            match character {
                '"' | '\\' => line.extend(['\\', character]),
                character if character < ' ' => line.push('?'),
                character => line.push(character),
            }
        }
        let _ = write!(line, "\",{},{},{}]", mapping.start, mapping.end, mapping.offset);
        first = false;
    }
}

struct Mapping<'a> {
    path: &'a str,
    start: usize,
    end: usize,
    offset: usize,
}

/// An executable mapping of a file, from a line such as `55d0-55e0 r-xp 00001000 08:01 1234   /usr/bin/prog`.
fn parse_mapping(line: &str) -> Option<Mapping<'_>> {
    let hexadecimal = |text| usize::from_str_radix(text, 16).ok();
    let mut fields = line.splitn(6, ' ');
    let (start, end) = fields.next()?.split_once('-')?;
    let permissions = fields.next()?;
    let offset = fields.next()?;
    let path = fields.nth(2)?.trim_start();
    if !permissions.contains('x') || !path.starts_with('/') {
        return None;
    }
    Some(Mapping { path, start: hexadecimal(start)?, end: hexadecimal(end)?, offset: hexadecimal(offset)? })
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
        assert_eq!((mapping.path, mapping.offset), ("/usr/my bin/prog", 0x1000));
        assert_eq!((mapping.start, mapping.end), (0x55d0_a000_1000, 0x55d0_a000_2000));
        assert!(parse_mapping("7f00-7f01 rw-p 00000000 00:00 0").is_none());
        assert!(parse_mapping("7f00-7f01 r-xp 00000000 00:00 0      [vdso]").is_none());
        assert!(parse_mapping("nonsense").is_none());
    }
}
