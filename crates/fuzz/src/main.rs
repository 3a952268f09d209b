//! `cargo xtask fuzz`: keeps a process busy with inputs, starts another when one dies, and keeps what killed it.

use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use clap::Parser;
use fencepost_fuzz::{Format, corpus, engines, mutate};

/// Inputs that are almost programs, for all readers and engines
#[derive(Parser)]
struct Arguments {
    /// What to write inputs in; all formats if none is given
    formats: Vec<Format>,
    /// How many inputs of each format
    #[arg(long)]
    inputs: Option<u64>,
    /// How long to go on with each format, if no number of inputs is given
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The first input; the next ones have the numbers that follow
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where inputs are kept that something went wrong with
    #[arg(long, default_value = "target/fuzz")]
    findings: PathBuf,
    /// How much memory an input may take, in MiB
    #[arg(long, default_value_t = 3000)]
    memory: u64,
    /// Print the input that a seed stands for, and try nothing
    #[arg(long)]
    show: bool,
    /// Try the input in a file on all engines, and nothing else
    #[arg(long)]
    file: Option<PathBuf>,
    /// Try inputs from this seed on, and tell how on standard output; for the command itself
    #[arg(long, hide = true)]
    worker: bool,
}

/// What takes longer is given up. It is told and kept, but how long something takes is also up to the machine.
const MOST_SECONDS: u64 = 20;
const SLOW: &str = "takes more than";
/// A record of a worker: the seed that it begins with; how that ended; the text of a panic.
const BEGIN: u8 = b'B';
const READ: u8 = b'R';
const REFUSED: u8 = b'F';
const PANIC: u8 = b'P';

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let formats = if arguments.formats.is_empty() { Format::ALL.to_vec() } else { arguments.formats.clone() };
    if arguments.show {
        for format in formats {
            println!("{}", mutate::mutated(format, &corpus::texts(format), arguments.seed));
        }
        return ExitCode::SUCCESS;
    }
    if let Some(path) = &arguments.file {
        let format = Format::of(path).expect("the name of the file says its format");
        let text = fs::read(path).expect("the file can be read");
        let is_program = engines::run_all(format, &String::from_utf8_lossy(&text));
        println!("{}: {}", path.display(), if is_program { "a program" } else { "refused" });
        return ExitCode::SUCCESS;
    }
    if arguments.worker {
        work(formats[0], &arguments);
        return ExitCode::SUCCESS;
    }
    let mut findings = 0;
    for format in formats {
        findings += supervise(format, &arguments);
    }
    if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Tries one input after the other.
fn work(format: Format, arguments: &Arguments) {
    let limit = rustix::process::Rlimit { current: Some(arguments.memory << 20), maximum: None };
    rustix::process::setrlimit(rustix::process::Resource::As, limit).expect("a limit can be set");
    let place = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let known = std::sync::Arc::clone(&place);
    std::panic::set_hook(Box::new(move |panic| {
        *known.lock().expect("a lock") = panic.to_string().replace('\n', " ");
    }));
    let texts = corpus::texts(format);
    let mut out = std::io::stdout().lock();
    for seed in arguments.seed..arguments.seed.saturating_add(arguments.inputs.unwrap_or(u64::MAX)) {
        let text = mutate::mutated(format, &texts, seed);
        let record = |kind: u8, text: &str| {
            let mut record = vec![kind];
            record.extend(seed.to_le_bytes());
            record.extend((text.len() as u32).to_le_bytes());
            record.extend(text.as_bytes());
            record
        };
        // What is not flushed is lost with the process.
        out.write_all(&record(BEGIN, "")).and_then(|()| out.flush()).expect("somebody listens");
        let end = match catch_unwind(AssertUnwindSafe(|| engines::run(format, &text, seed))) {
            Ok(is_program) => record(if is_program { READ } else { REFUSED }, ""),
            Err(_) => record(PANIC, &place.lock().expect("a lock")),
        };
        out.write_all(&end).expect("somebody listens");
    }
}

struct Record {
    kind: u8,
    seed: u64,
    text: String,
}

fn read_record(from: &mut impl Read) -> Option<Record> {
    let mut head = [0; 13];
    from.read_exact(&mut head).ok()?;
    let seed = u64::from_le_bytes(head[1..9].try_into().ok()?);
    let mut text = vec![0; u32::from_le_bytes(head[9..].try_into().ok()?) as usize];
    from.read_exact(&mut text).ok()?;
    Some(Record { kind: head[0], seed, text: String::from_utf8_lossy(&text).into_owned() })
}

/// Has workers try inputs, and counts the different things that go wrong.
fn supervise(format: Format, arguments: &Arguments) -> usize {
    let started = Instant::now();
    let is_over = |tried: u64| match arguments.inputs {
        Some(inputs) => tried >= inputs,
        None => started.elapsed() >= Duration::from_secs(arguments.seconds),
    };
    let texts = corpus::texts(format);
    let mut findings: HashMap<String, u64> = HashMap::new();
    let (mut tried, mut read) = (0, 0);
    while !is_over(tried) {
        let first = arguments.seed + tried;
        let left = arguments.inputs.map(|inputs| inputs - tried);
        let mut seed = first;
        let ended = watch(format, first, left, arguments, |record| {
            seed = record.seed;
            match record.kind {
                BEGIN => return true,
                READ => read += 1,
                PANIC => note(&mut findings, format, &texts, seed, &record.text, &arguments.findings),
                _ => {}
            }
            tried = seed - arguments.seed + 1;
            !is_over(tried)
        });
        if let Some(reason) = ended {
            note(&mut findings, format, &texts, seed, &reason, &arguments.findings);
            tried = seed - arguments.seed + 1;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let extension = format.extension();
    println!("{extension}: {tried} inputs from seed {}, {read} of them programs, {seconds:.0} s", arguments.seed);
    let mut findings: Vec<_> = findings.into_iter().collect();
    findings.sort();
    for (what, count) in &findings {
        println!("  {count} times: {what}");
    }
    findings.iter().filter(|(what, _)| !what.starts_with(SLOW)).count()
}

/// Keeps the first input of each kind of finding.
fn note(found: &mut HashMap<String, u64>, format: Format, texts: &[String], seed: u64, what: &str, directory: &Path) {
    // The place of a panic says what it is; its text has numbers of the input in it.
    let kind = what.split(": ").next().unwrap_or(what).to_owned();
    let count = found.entry(kind).or_default();
    *count += 1;
    if *count == 1 {
        let path = directory.join(format!("{seed}.{}", format.extension()));
        let text = mutate::mutated(format, texts, seed);
        let kept = fs::create_dir_all(directory).and_then(|()| fs::write(&path, text));
        let path = if kept.is_ok() { path.display().to_string() } else { "not kept".to_owned() };
        println!("{}: seed {seed} ({path}): {what}", format.extension());
    }
}

/// Runs one worker until it has done its part, `on` has enough, or it dies: then comes back why.
fn watch(
    format: Format,
    seed: u64,
    inputs: Option<u64>,
    arguments: &Arguments,
    mut on: impl FnMut(&Record) -> bool,
) -> Option<String> {
    let mut command = Command::new(std::env::current_exe().expect("my own path"));
    command.args(["--worker", format.extension(), "--seed", &seed.to_string()]);
    command.args(["--memory", &arguments.memory.to_string()]);
    command.args(inputs.map(|inputs| format!("--inputs={inputs}")));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a worker starts");
    let mut stdout = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let (sender, records) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        while let Some(record) = read_record(&mut stdout) {
            if sender.send(record).is_err() {
                break;
            }
        }
    });
    let mut stderr = child.stderr.take().expect("a pipe");
    let said = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stderr.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let reason = loop {
        match records.recv_timeout(Duration::from_secs(MOST_SECONDS)) {
            Ok(record) if on(&record) => {}
            Ok(_) => break None,
            Err(RecvTimeoutError::Timeout) => break Some(format!("{SLOW} {MOST_SECONDS} seconds")),
            Err(RecvTimeoutError::Disconnected) => break Some(String::new()),
        }
    };
    drop(records);
    let _ = child.kill();
    let status = child.wait().expect("a worker ends");
    let _ = reader.join();
    let said = said.join().unwrap_or_default();
    match reason {
        Some(reason) if reason.is_empty() && status.success() => None,
        Some(reason) if reason.is_empty() => {
            let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("").to_owned();
            // Numbers of bytes and of threads differ.
            let said: String = said.chars().filter(|c| !c.is_ascii_digit()).take(100).collect();
            Some(format!("{status}, {said}"))
        }
        other => other,
    }
}
