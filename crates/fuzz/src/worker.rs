//! The process that tries inputs: it tells how each ends, and dies of some.

use std::io::{Read, Write};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fencepost_fuzz::compile::{Batches, Compiled};
use fencepost_fuzz::{Format, corpus, engines, mutate};
use rustix::process::{Resource, Rlimit, setrlimit};

/// How many inputs in C are compiled at once.
const BATCH: u64 = 200;
/// Every such input in C goes the whole way, from its text.
const WHOLE_WAY: u64 = 200;
/// An input that takes more of a processor than this did not care for its budget, which is a small part of it.
const MOST_TIME: Duration = Duration::from_secs(2);
/// One that takes so much is given up.
const END_OF_TIME: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Begin,
    /// It is a program.
    Read,
    Refused,
    /// Something went wrong: the text says what.
    Finding,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Begin, Kind::Read, Kind::Refused, Kind::Finding];
}

/// What a worker tells about an input.
pub struct Record {
    pub kind: Kind,
    pub seed: u64,
    pub text: String,
}

impl Record {
    fn write(&self, to: &mut impl Write) -> std::io::Result<()> {
        let mut bytes = vec![self.kind as u8];
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend((self.text.len() as u32).to_le_bytes());
        bytes.extend(self.text.as_bytes());
        to.write_all(&bytes)?;
        // What is not flushed is lost with the process.
        to.flush()
    }

    pub fn read(from: &mut impl Read) -> Option<Record> {
        let mut head = [0; 13];
        from.read_exact(&mut head).ok()?;
        let kind = *Kind::ALL.get(usize::from(head[0]))?;
        let seed = u64::from_le_bytes(head[1..9].try_into().ok()?);
        let mut text = vec![0; u32::from_le_bytes(head[9..].try_into().ok()?) as usize];
        from.read_exact(&mut text).ok()?;
        Some(Record { kind, seed, text: String::from_utf8_lossy(&text).into_owned() })
    }
}

/// Tries one input after the other.
pub fn work(format: Format, seeds: Range<u64>, bytes: u64) {
    let batches = (format == Format::C).then(|| Batches::new().expect("clang compiles headers"));
    limit(Resource::As, bytes);
    let place = Arc::new(Mutex::new(String::new()));
    let known = Arc::clone(&place);
    std::panic::set_hook(Box::new(move |panic| {
        *known.lock().expect("a lock") = panic.to_string().replace('\n', " ");
    }));
    let texts = corpus::texts(format);
    let mut out = std::io::stdout().lock();
    let mut attempt = |seed: u64, run: &dyn Fn() -> bool| {
        let mut tell = |kind: Kind, text: String| {
            Record { kind, seed, text }.write(&mut out).expect("the parent reads");
        };
        tell(Kind::Begin, String::new());
        let start = processor_time();
        // The system kills the process then.
        limit(Resource::Cpu, (start + END_OF_TIME).as_secs());
        let result = catch_unwind(AssertUnwindSafe(run));
        let taken = processor_time() - start;
        match result {
            Err(_) => tell(Kind::Finding, place.lock().expect("a lock").clone()),
            Ok(_) if taken > MOST_TIME => tell(Kind::Finding, format!("takes too long: {:.1} s", taken.as_secs_f64())),
            Ok(true) => tell(Kind::Read, String::new()),
            Ok(false) => tell(Kind::Refused, String::new()),
        }
    };
    let Some(batches) = batches else {
        for seed in seeds {
            let text = mutate::mutated(format, &texts, seed);
            attempt(seed, &|| engines::run(format, &text, seed));
        }
        return;
    };
    let mut first = seeds.start;
    while first < seeds.end {
        let last = first.saturating_add(BATCH).min(seeds.end);
        let all: Vec<String> = (first..last).map(|seed| mutate::mutated(format, &texts, seed)).collect();
        limit(Resource::Cpu, (processor_time() + END_OF_TIME).as_secs());
        let (_directory, compiled) = batches.compile(&all).expect("a directory for inputs");
        for ((seed, text), (path, compiled)) in (first..last).zip(&all).zip(&compiled) {
            attempt(seed, &|| one(seed, text, path, compiled));
        }
        first = last;
    }
}

/// One input in C.
fn one(seed: u64, text: &str, path: &Path, compiled: &Compiled) -> bool {
    match compiled {
        _ if seed.is_multiple_of(WHOLE_WAY) => engines::run(Format::C, text, seed / WHOLE_WAY),
        Compiled::Ir(ir) => engines::run_compiled(path, ir, seed),
        Compiled::Refused => false,
        Compiled::Alone => engines::run(Format::C, text, seed),
    }
}

fn limit(resource: Resource, most: u64) {
    setrlimit(resource, Rlimit { current: Some(most), maximum: None }).expect("a limit can be set");
}

fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
